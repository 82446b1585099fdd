import {type CalendarDate, parseDate} from '@internationalized/date';

/** A day as the API writes it, `2026-11-20`, as the fields want it. */
export function toCalendarDate(date: string | null): CalendarDate | null {
  return date === null ? null : parseDate(date);
}

export interface DateSpan {
  readonly from: string;
  readonly until: string;
}

/** Props that the fields for dates have in common. */
export interface DateBounds {
  readonly min?: string | undefined;
  readonly max?: string | undefined;
}

export function boundsOf({min, max}: DateBounds): {minValue?: CalendarDate; maxValue?: CalendarDate} {
  return {
    ...(min !== undefined && {minValue: parseDate(min)}),
    ...(max !== undefined && {maxValue: parseDate(max)}),
  };
}
