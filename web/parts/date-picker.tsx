import {Button, Calendar, DatePicker as AriaDatePicker, Dialog, Group, Popover} from 'react-aria-components';
import {CalendarBody, CalendarHead} from './calendar-parts.tsx';
import type {DateFieldProps} from './date-field.tsx';
import {DateSegments} from './date-segments.tsx';
import dateStyles from './date.module.css';
import {toDateBounds, toCalendarDate} from './dates.ts';
import {FieldLabel, FieldNotes, buildValidationProps} from './field.tsx';
import styles from './field.module.css';
import {Icon} from './icon.tsx';
import {Localized} from './localized.tsx';
import popoverStyles from './popover.module.css';

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
}: DateFieldProps) {
  return (
    <Localized>
      <AriaDatePicker
        {...rest}
        {...toDateBounds({min, max})}
        {...buildValidationProps(error)}
        className={styles['field'] ?? ''}
        onChange={(date) => onChange(date?.toString() ?? null)}
        value={toCalendarDate(value)}
      >
        <FieldLabel {...{label, isLabelHidden, isOptional}} />
        <Group className={`${styles['box']} ${styles['group']}`}>
          <DateSegments />
          <Button className={styles['inner'] ?? ''}>
            <Icon name="calendar" size={16} />
          </Button>
        </Group>
        <FieldNotes error={error} hint={hint} />
        <Popover className={popoverStyles['popover'] ?? ''} offset={4}>
          <Dialog className={dateStyles['dialog'] ?? ''}>
            <Calendar className={dateStyles['one'] ?? ''}>
              <CalendarHead />
              <CalendarBody />
            </Calendar>
          </Dialog>
        </Popover>
      </AriaDatePicker>
    </Localized>
  );
}
