import {
  Button,
  DateRangePicker as AriaDateRangePicker,
  Dialog,
  Group,
  Popover,
  RangeCalendar,
} from 'react-aria-components';
import {CalendarBody, CalendarHead} from './calendar-parts.tsx';
import type {DateFieldProps} from './date-field.tsx';
import {DateSegments} from './date-segments.tsx';
import dateStyles from './date.module.css';
import {toDateBounds, type DateSpan, toCalendarDate} from './dates.ts';
import {FieldLabel, FieldNotes, buildValidationProps} from './field.tsx';
import styles from './field.module.css';
import {Icon} from './icon.tsx';
import {Localized} from './localized.tsx';
import popoverStyles from './popover.module.css';

interface DateRangePickerProps extends Omit<DateFieldProps, 'value' | 'onChange' | 'name'> {
  /** First and last day, both included. */
  readonly value: DateSpan | null;
  readonly onChange: (span: DateSpan | null) => void;
  /** Names of the two fields in the API's request, to which the service's errors refer. */
  readonly startName?: string;
  readonly endName?: string;
}

export function DateRangePicker({
  label,
  hint,
  error,
  isLabelHidden,
  isOptional,
  value,
  onChange,
  min,
  max,
  ...rest
}: DateRangePickerProps) {
  const start = toCalendarDate(value?.from ?? null);
  const end = toCalendarDate(value?.until ?? null);
  return (
    <Localized>
      <AriaDateRangePicker
        {...rest}
        {...toDateBounds({min, max})}
        {...buildValidationProps(error)}
        className={styles['field'] ?? ''}
        onChange={(range) =>
          onChange(range === null ? null : {from: range.start.toString(), until: range.end.toString()})
        }
        value={start === null || end === null ? null : {start, end}}
      >
        <FieldLabel {...{label, isLabelHidden, isOptional}} />
        <Group className={`${styles['box']} ${styles['group']}`}>
          <DateSegments slot="start" />
          <span aria-hidden="true" className={dateStyles['until']}>
            –
          </span>
          <DateSegments slot="end" />
          <Button className={styles['inner'] ?? ''}>
            <Icon name="calendar" size={16} />
          </Button>
        </Group>
        <FieldNotes error={error} hint={hint} />
        <Popover className={popoverStyles['popover'] ?? ''} offset={4}>
          <Dialog className={dateStyles['dialog'] ?? ''}>
            <RangeCalendar>
              <CalendarHead />
              <CalendarBody />
            </RangeCalendar>
          </Dialog>
        </Popover>
      </AriaDateRangePicker>
    </Localized>
  );
}
