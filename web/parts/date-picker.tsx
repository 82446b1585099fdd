import type {CalendarDate} from '@internationalized/date';
import {
  Calendar,
  DatePicker as AriaDatePicker,
  type DatePickerProps as AriaProps,
  Dialog,
  Group,
  Popover,
} from 'react-aria-components';
import {CalendarBody, CalendarHead} from './calendar-parts.tsx';
import {DateSegments} from './date-segments.tsx';
import {toDateBounds, type DateBounds, toCalendarDate} from './dates.ts';
import {InnerButton, FieldLabel, FieldNotes, type FieldTexts, buildValidationProps} from './field.tsx';
import {boxGroupClass, fieldClass} from './field-classes.ts';
import {Localized} from './localized.tsx';
import {popoverClass} from './popover.tsx';

export interface DatePickerProps
  extends Pick<AriaProps<CalendarDate>, 'name' | 'isDisabled' | 'isRequired' | 'autoFocus'>,
    DateBounds,
    FieldTexts {
  readonly value: string | null;
  readonly onChange: (date: string | null) => void;
}

export function DatePicker({
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
}: DatePickerProps) {
  return (
    <Localized>
      <AriaDatePicker
        {...rest}
        {...toDateBounds({min, max})}
        {...buildValidationProps(error)}
        className={fieldClass}
        onChange={(date) => onChange(date?.toString() ?? null)}
        value={toCalendarDate(value)}
      >
        <FieldLabel {...{label, isLabelHidden, isOptional}} />
        <Group className={boxGroupClass}>
          <DateSegments />
          <InnerButton icon="calendar" />
        </Group>
        <FieldNotes error={error} hint={hint} />
        <Popover className={popoverClass} offset={4}>
          <Dialog className="p-3 outline-none">
            <Calendar>
              <CalendarHead />
              <CalendarBody />
            </Calendar>
          </Dialog>
        </Popover>
      </AriaDatePicker>
    </Localized>
  );
}
