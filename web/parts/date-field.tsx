import {DateField as AriaDateField, type DateFieldProps as AriaProps} from 'react-aria-components';
import type {CalendarDate} from '@internationalized/date';
import {DateSegments} from './date-segments.tsx';
import {toDateBounds, type DateBounds, toCalendarDate} from './dates.ts';
import {FieldLabel, FieldNotes, type FieldTexts, buildValidationProps} from './field.tsx';
import styles from './field.module.css';
import {Localized} from './localized.tsx';

export interface DateFieldProps
  extends Pick<AriaProps<CalendarDate>, 'name' | 'isDisabled' | 'isRequired' | 'autoFocus'>,
    DateBounds,
    FieldTexts {
  /** The date in the API's format, such as `2026-11-20`. */
  readonly value: string | null;
  readonly onChange: (date: string | null) => void;
}

export function DateField({
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
}: DateFieldProps) {
  return (
    <Localized>
      <AriaDateField
        {...rest}
        {...toDateBounds({min, max})}
        {...buildValidationProps(error)}
        className={styles['field'] ?? ''}
        onChange={(date) => onChange(date?.toString() ?? null)}
        shouldForceLeadingZeros={false}
        value={toCalendarDate(value)}
      >
        <FieldLabel {...{label, isLabelHidden, isOptional}} />
        <div className={styles['box']}>
          <DateSegments />
        </div>
        <FieldNotes error={error} hint={hint} />
      </AriaDateField>
    </Localized>
  );
}
