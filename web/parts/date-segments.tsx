import {DateInput, DateSegment} from 'react-aria-components';
import styles from './date.module.css';

/** Input for day, month and year, each typed or changed by arrow keys. */
export function DateSegments({slot}: {readonly slot?: 'start' | 'end' | undefined}) {
  return (
    <DateInput
      className="-my-0.5 inline-flex items-center whitespace-pre"
      {...(slot !== undefined && {slot})}
    >
      {(segment) => <DateSegment className={styles['segment'] ?? ''} segment={segment} />}
    </DateInput>
  );
}
