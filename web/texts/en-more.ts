import {blockers} from './en/blockers.ts';
import {calendar} from './en/calendar.ts';
import {fields} from './en/fields.ts';
import {history} from './en/history.ts';
import {noMembers} from './en/no-members.ts';
import {palette} from './en/palette.ts';
import {people} from './en/people.ts';
import {sessions} from './en/sessions.ts';
import {signIn} from './en/sign-in.ts';
import {write} from './en/write.ts';

export const enMore = {
  blockers,
  calendar,
  fields,
  history,
  noMembers,
  palette,
  people,
  sessions,
  signIn,
  write,
};
