import {blockers} from './de/blockers.ts';
import {calendar} from './de/calendar.ts';
import {frame} from './de/frame.ts';
import {history} from './de/history.ts';
import {palette} from './de/palette.ts';
import {parts, status} from './de/parts.ts';
import {people} from './de/people.ts';
import {sessions} from './de/sessions.ts';
import {signIn} from './de/sign-in.ts';
import {today} from './de/today.ts';
import {write} from './de/write.ts';
import type {Words} from './en.ts';

export const de: Words = {
  blockers,
  calendar,
  frame,
  history,
  palette,
  parts,
  people,
  sessions,
  signIn,
  status,
  today,
  write,
};
