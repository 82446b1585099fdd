import type {write as english} from '../en/write.ts';

export const write: typeof english = {};
