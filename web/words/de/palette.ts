import type {palette as english} from '../en/palette.ts';

export const palette: typeof english = {};
