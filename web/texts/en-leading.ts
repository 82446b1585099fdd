import {events} from './compiled/en/events.ts';
import {insights} from './compiled/en/insights.ts';
import {mail} from './compiled/en/mail.ts';
import {members} from './compiled/en/members.ts';
import {reminders} from './compiled/en/reminders.ts';
import {team} from './compiled/en/team.ts';
import {tokens} from './compiled/en/tokens.ts';
import {trends} from './compiled/en/trends.ts';
import {webhookChanges} from './compiled/en/webhook-changes.ts';
import {webhooks} from './compiled/en/webhooks.ts';
import {workspace} from './compiled/en/workspace.ts';

/** Messages of the screens for leads, integrators and operators. */
export const enLeading = {
  events,
  insights,
  mail,
  members,
  reminders,
  team,
  tokens,
  trends,
  webhookChanges,
  webhooks,
  workspace,
};
