import {blockers} from './compiled/en/blockers.ts';
import {calendar} from './compiled/en/calendar.ts';
import {fields} from './compiled/en/fields.ts';
import {history} from './compiled/en/history.ts';
import {invites} from './compiled/en/invites.ts';
import {join} from './compiled/en/join.ts';
import {mailLinks} from './compiled/en/mail-links.ts';
import {noMembers} from './compiled/en/no-members.ts';
import {palette} from './compiled/en/palette.ts';
import {passkeys} from './compiled/en/passkeys.ts';
import {people} from './compiled/en/people.ts';
import {sessions} from './compiled/en/sessions.ts';
import {signIn} from './compiled/en/sign-in.ts';
import {write} from './compiled/en/write.ts';

export const enMore = {
  blockers,
  calendar,
  fields,
  history,
  invites,
  join,
  mailLinks,
  noMembers,
  palette,
  passkeys,
  people,
  sessions,
  signIn,
  write,
};
