import {blockers} from './de/blockers.ts';
import {calendar} from './de/calendar.ts';
import {events} from './de/events.ts';
import {fields} from './de/fields.ts';
import {frame} from './de/frame.ts';
import {history} from './de/history.ts';
import {insights} from './de/insights.ts';
import {members} from './de/members.ts';
import {noMembers} from './de/no-members.ts';
import {palette} from './de/palette.ts';
import {parts, status} from './de/parts.ts';
import {people} from './de/people.ts';
import {sessions} from './de/sessions.ts';
import {signIn} from './de/sign-in.ts';
import {reminders} from './de/reminders.ts';
import {team} from './de/team.ts';
import {today} from './de/today.ts';
import {tokens} from './de/tokens.ts';
import {webhookChanges} from './de/webhook-changes.ts';
import {webhooks} from './de/webhooks.ts';
import {workspace} from './de/workspace.ts';
import {write} from './de/write.ts';
import type {Texts} from './en.ts';

export const de: Texts = {
  blockers,
  calendar,
  events,
  fields,
  frame,
  history,
  insights,
  members,
  noMembers,
  palette,
  parts,
  people,
  sessions,
  signIn,
  status,
  reminders,
  team,
  today,
  tokens,
  webhookChanges,
  webhooks,
  workspace,
  write,
};
