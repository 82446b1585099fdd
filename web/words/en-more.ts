import {blockers} from './en/blockers.ts';
import {calendar} from './en/calendar.ts';
import {events} from './en/events.ts';
import {history} from './en/history.ts';
import {insights} from './en/insights.ts';
import {members} from './en/members.ts';
import {palette} from './en/palette.ts';
import {people} from './en/people.ts';
import {sessions} from './en/sessions.ts';
import {signIn} from './en/sign-in.ts';
import {team} from './en/team.ts';
import {tokens} from './en/tokens.ts';
import {webhookChanges} from './en/webhook-changes.ts';
import {webhooks} from './en/webhooks.ts';
import {workspace} from './en/workspace.ts';
import {write} from './en/write.ts';

export const enMore = {
  blockers,
  calendar,
  events,
  history,
  insights,
  members,
  palette,
  people,
  sessions,
  signIn,
  team,
  tokens,
  webhookChanges,
  webhooks,
  workspace,
  write,
};
