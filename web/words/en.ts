import type {enLeading} from './en-leading.ts';
import type {enMore} from './en-more.ts';
import {frame} from './en/frame.ts';
import {parts, status} from './en/parts.ts';
import {today} from './en/today.ts';

/** The words of the first screen. Those of the others come with them: see `loadWords`. */
export const en = {frame, parts, status, today};

export type Words = typeof en & typeof enMore & typeof enLeading;
