import type {enLeading} from './en-leading.ts';
import type {enMore} from './en-more.ts';
import {frame} from './compiled/en/frame.ts';
import type {imports} from './compiled/en/imports.ts';
import {parts} from './compiled/en/parts.ts';
import type {setup} from './compiled/en/setup.ts';
import {status} from './compiled/en/status.ts';
import type {thread} from './compiled/en/thread.ts';
import type {today} from './compiled/en/today.ts';

/** Messages of the frame. The screens load theirs with `loadTexts`. */
export const en = {frame, parts, status};

export type Texts = typeof en & {
  today: typeof today;
  setup: typeof setup;
  imports: typeof imports;
  thread: typeof thread;
} & typeof enMore &
  typeof enLeading;
