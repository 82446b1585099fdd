import type {parts as english} from '../en/parts.ts';

export const parts: typeof english = {};
