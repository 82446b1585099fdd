import {absenceExamples} from '../absences/examples.js';
import {blockerExamples} from '../blockers/examples.js';
import {deliveryExamples} from '../webhooks/delivery-examples.js';
import {eventTypeExamples} from '../events/event-type-examples.js';
import {erasureExamples} from '../members/erasure-examples.js';
import {eventExamples} from '../events/examples.js';
import type {Examples} from '../examples/example.js';
import {meExamples} from '../members/me-examples.js';
import {daysOffExamples, holidayCalendarExamples} from '../absences/holiday-calendar-examples.js';
import {memberExamples} from '../members/examples.js';
import {replayExamples} from '../webhooks/replay-examples.js';
import {runExamples} from '../runs/examples.js';
import {runReportExamples} from '../runs/report-examples.js';
import {slackExamples} from '../slack/examples.js';
import {serviceAccountExamples} from '../tokens/service-account-examples.js';
import {standupExamples} from '../standups/examples.js';
import {teamMemberExamples} from '../teams/team-member-examples.js';
import {teamExamples} from '../teams/examples.js';
import {tokenExamples} from '../tokens/examples.js';
import {webhookHealthExamples} from '../webhooks/health-examples.js';
import {webhookExamples} from '../webhooks/examples.js';
import {workspaceExamples} from '../workspaces/examples.js';

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
