import {type CalendarDate, parseDate} from '@internationalized/date';

/** Converts a date of the API, such as `2026-11-20`, to the value of a date field. */
export function toCalendarDate(date: string | null): CalendarDate | null {
  return date === null ? null : parseDate(date);
}

export interface DateSpan {
  readonly from: string;
  readonly until: string;
}

/** Props that all date fields share. */
export interface DateBounds {
  readonly min?: string | undefined;
  readonly max?: string | undefined;
}

export function toDateBounds({min, max}: DateBounds): {minValue?: CalendarDate; maxValue?: CalendarDate} {
  return {
    ...(min !== undefined && {minValue: parseDate(min)}),
    ...(max !== undefined && {maxValue: parseDate(max)}),
  };
}
