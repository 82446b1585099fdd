import type {enLeading} from './en-leading.ts';
import type {enMore} from './en-more.ts';
import {frame} from './en/frame.ts';
import {parts, status} from './en/parts.ts';
import type {today} from './en/today.ts';

/** The words of the frame. Those of the screens come with them: see `loadWords`. */
export const en = {frame, parts, status};

export type Words = typeof en & {today: typeof today} & typeof enMore & typeof enLeading;
