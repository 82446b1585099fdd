import {absenceExamples} from './examples/absences.js';
import {blockerExamples} from './examples/blockers.js';
import {deliveryExamples} from './examples/deliveries.js';
import {eventTypeExamples} from './examples/event-types.js';
import {erasureExamples} from './examples/erasures.js';
import {eventExamples} from './examples/events.js';
import type {Examples} from './examples/example.js';
import {meExamples} from './examples/me.js';
import {daysOffExamples, holidayCalendarExamples} from './examples/holiday-calendars.js';
import {memberExamples} from './examples/members.js';
import {replayExamples} from './examples/replays.js';
import {runExamples} from './examples/runs.js';
import {runReportExamples} from './examples/run-reports.js';
import {slackExamples} from './examples/slack.js';
import {serviceAccountExamples} from './examples/service-accounts.js';
import {standupExamples} from './examples/standups.js';
import {teamMemberExamples} from './examples/team-members.js';
import {teamExamples} from './examples/teams.js';
import {tokenExamples} from './examples/tokens.js';
import {webhookHealthExamples} from './examples/webhook-health.js';
import {webhookExamples} from './examples/webhooks.js';
import {workspaceExamples} from './examples/workspace.js';

/** An example of every operation, beside the route table it belongs to. */
export const examples: Examples = {
  ...standupExamples,
  ...blockerExamples,
  ...teamExamples,
  ...teamMemberExamples,
  ...runExamples,
  ...runReportExamples,
  ...memberExamples,
  ...erasureExamples,
  ...absenceExamples,
  ...daysOffExamples,
  ...holidayCalendarExamples,
  ...webhookExamples,
  ...webhookHealthExamples,
  ...deliveryExamples,
  ...replayExamples,
  ...eventExamples,
  ...eventTypeExamples,
  ...tokenExamples,
  ...serviceAccountExamples,
  ...workspaceExamples,
  ...slackExamples,
  ...meExamples,
};
