import type {history as english} from '../en/history.ts';

export const history: typeof english = {};
