import {
  CalendarCell,
  CalendarGrid,
  CalendarGridBody,
  CalendarGridHeader,
  CalendarHeaderCell,
  Heading,
} from 'react-aria-components';
import styles from './date.module.css';
import {InnerButton} from './field.tsx';

export function CalendarHead() {
  return (
    <div className="mb-1 flex items-center justify-between">
      <InnerButton icon="chevron-left" slot="previous" />
      <Heading className="text-base font-semibold" />
      <InnerButton icon="chevron-right" slot="next" />
    </div>
  );
}

export function CalendarBody() {
  return (
    <CalendarGrid className="border-separate border-spacing-y-0.5" weekdayStyle="short">
      <CalendarGridHeader>
        {(day) => (
          <CalendarHeaderCell className="h-7 w-9 text-xs font-normal text-quiet pointer-coarse:min-[380px]:w-11">
            {day}
          </CalendarHeaderCell>
        )}
      </CalendarGridHeader>
      <CalendarGridBody>
        {(date) => <CalendarCell className={styles['day'] ?? ''} date={date} />}
      </CalendarGridBody>
    </CalendarGrid>
  );
}
