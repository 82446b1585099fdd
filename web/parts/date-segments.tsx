import {DateInput, DateSegment} from 'react-aria-components';
import styles from './date.module.css';

/** Day, month and year, each to be typed or stepped. */
export function DateSegments({slot}: {readonly slot?: 'start' | 'end' | undefined}) {
  return (
    <DateInput className={styles['input'] ?? ''} {...(slot !== undefined && {slot})}>
      {(segment) => <DateSegment className={styles['segment'] ?? ''} segment={segment} />}
    </DateInput>
  );
}
