import type {blockers as english} from '../en/blockers.ts';

export const blockers: typeof english = {};
