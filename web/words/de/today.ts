import type {today as english} from '../en/today.ts';

export const today: typeof english = {};
