import {
  DateRangePicker as AriaDateRangePicker,
  Dialog,
  Group,
  Popover,
  RangeCalendar,
} from 'react-aria-components';
import {CalendarBody, CalendarHead} from './calendar-parts.tsx';
import type {DatePickerProps} from './date-picker.tsx';
import {DateSegments} from './date-segments.tsx';
import {toDateBounds, type DateSpan, toCalendarDate} from './dates.ts';
import {InnerButton, FieldLabel, FieldNotes, buildValidationProps} from './field.tsx';
import {boxGroupClass, fieldClass} from './field-classes.ts';
import {Localized} from './localized.tsx';
import {popoverClass} from './popover.tsx';

interface DateRangePickerProps extends Omit<DatePickerProps, 'value' | 'onChange' | 'name'> {
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
        className={fieldClass}
        onChange={(range) =>
          onChange(range === null ? null : {from: range.start.toString(), until: range.end.toString()})
        }
        value={start === null || end === null ? null : {start, end}}
      >
        <FieldLabel {...{label, isLabelHidden, isOptional}} />
        <Group className={boxGroupClass}>
          <DateSegments slot="start" />
          <span aria-hidden="true" className="px-2 text-quiet">
            –
          </span>
          <DateSegments slot="end" />
          <InnerButton icon="calendar" />
        </Group>
        <FieldNotes error={error} hint={hint} />
        <Popover className={popoverClass} offset={4}>
          <Dialog className="p-3 outline-none">
            <RangeCalendar>
              <CalendarHead />
              <CalendarBody isRange />
            </RangeCalendar>
          </Dialog>
        </Popover>
      </AriaDateRangePicker>
    </Localized>
  );
}
