import {events} from './en/events.ts';
import {insights} from './en/insights.ts';
import {members} from './en/members.ts';
import {reminders} from './en/reminders.ts';
import {team} from './en/team.ts';
import {tokens} from './en/tokens.ts';
import {webhookChanges} from './en/webhook-changes.ts';
import {webhooks} from './en/webhooks.ts';
import {workspace} from './en/workspace.ts';

/** Messages of the screens for leads, integrators and operators. */
export const enLeading = {
  events,
  insights,
  members,
  reminders,
  team,
  tokens,
  webhookChanges,
  webhooks,
  workspace,
};
