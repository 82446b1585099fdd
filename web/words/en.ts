import {blockers} from './en/blockers.ts';
import {calendar} from './en/calendar.ts';
import {frame} from './en/frame.ts';
import {history} from './en/history.ts';
import {palette} from './en/palette.ts';
import {parts, status} from './en/parts.ts';
import {people} from './en/people.ts';
import {sessions} from './en/sessions.ts';
import {signIn} from './en/sign-in.ts';
import {today} from './en/today.ts';
import {write} from './en/write.ts';

export const en = {
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

export type Words = typeof en;
