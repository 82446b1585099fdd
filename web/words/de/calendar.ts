import type {calendar as english} from '../en/calendar.ts';

export const calendar: typeof english = {};
