import type {Services} from '../service/services.js';
import {createDaysOffRoutes} from './absences/days-off-routes.js';
import {absenceExamples} from './absences/examples.js';
import {daysOffExamples, holidayCalendarExamples} from './absences/holiday-calendar-examples.js';
import {createHolidayCalendarRoutes} from './absences/holiday-calendar-routes.js';
import {createAbsenceRoutes} from './absences/routes.js';
import {blockerExamples} from './blockers/examples.js';
import {createBlockerRoutes} from './blockers/routes.js';
import {commentExamples} from './comments/examples.js';
import {createCommentRoutes} from './comments/routes.js';
import {draftExamples} from './drafts/examples.js';
import {createDraftRoutes} from './drafts/routes.js';
import {eventTypeExamples} from './events/event-type-examples.js';
import {createEventTypeRoutes} from './events/event-type-routes.js';
import {eventExamples} from './events/examples.js';
import {createEventRoutes} from './events/routes.js';
import type {Examples} from './examples/example.js';
import {importExamples} from './imports/examples.js';
import {createImportRoutes} from './imports/routes.js';
import {inviteExamples} from './invites/examples.js';
import {createInviteRoutes} from './invites/routes.js';
import {mailExamples} from './mails/examples.js';
import {createMailRoutes} from './mails/routes.js';
import {erasureExamples} from './members/erasure-examples.js';
import {createErasureRoutes} from './members/erasure-routes.js';
import {memberExamples} from './members/examples.js';
import {meExamples} from './members/me-examples.js';
import {createMeRoutes} from './members/me-routes.js';
import {createMemberRoutes} from './members/routes.js';
import {reactionExamples} from './reactions/examples.js';
import {createReactionRoutes} from './reactions/routes.js';
import {runExamples} from './runs/examples.js';
import {createReminderRoutes} from './runs/reminder-routes.js';
import {runReportExamples} from './runs/report-examples.js';
import {createRunReportRoutes} from './runs/report-routes.js';
import {createRunRoutes} from './runs/routes.js';
import {createTeamDayRoutes} from './runs/team-day-routes.js';
import {createTrendRoutes} from './runs/trend-routes.js';
import {createSchedulePreviewRoutes} from './schedules/preview-routes.js';
import {slackExamples} from './slack/examples.js';
import {createSlackRoutes} from './slack/routes.js';
import {standupExamples} from './standups/examples.js';
import {createExportRoutes} from './standups/export-routes.js';
import {createStandupRoutes} from './standups/routes.js';
import {teamExamples} from './teams/examples.js';
import {createTeamRoutes} from './teams/routes.js';
import {teamMemberExamples} from './teams/team-member-examples.js';
import {createTeamMemberRoutes} from './teams/team-member-routes.js';
import {deviceLoginExamples} from './tokens/device-login-examples.js';
import {createDeviceLoginRoutes} from './tokens/device-login-routes.js';
import {tokenExamples} from './tokens/examples.js';
import {createTokenRoutes} from './tokens/routes.js';
import {passkeyExamples} from './tokens/passkey-examples.js';
import {createPasskeyRoutes} from './tokens/passkey-routes.js';
import {serviceAccountExamples} from './tokens/service-account-examples.js';
import {createServiceAccountRoutes} from './tokens/service-account-routes.js';
import {deliveryExamples} from './webhooks/delivery-examples.js';
import {createDeliveryRoutes} from './webhooks/delivery-routes.js';
import {webhookExamples} from './webhooks/examples.js';
import {webhookHealthExamples} from './webhooks/health-examples.js';
import {createWebhookHealthRoutes} from './webhooks/health-routes.js';
import {replayExamples} from './webhooks/replay-examples.js';
import {createReplayRoutes} from './webhooks/replay-routes.js';
import {createWebhookRoutes} from './webhooks/routes.js';
import {workspaceExamples} from './workspaces/examples.js';
import {createWorkspaceRoutes} from './workspaces/routes.js';
import {createSetupRoutes} from './workspaces/setup-routes.js';
import type {Route} from './http/route.js';

/** An example of each operation. */
export const examples: Examples = {
  ...standupExamples,
  ...draftExamples,
  ...blockerExamples,
  ...commentExamples,
  ...reactionExamples,
  ...importExamples,
  ...teamExamples,
  ...teamMemberExamples,
  ...runExamples,
  ...runReportExamples,
  ...memberExamples,
  ...erasureExamples,
  ...inviteExamples,
  ...mailExamples,
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
  ...deviceLoginExamples,
  ...passkeyExamples,
  ...serviceAccountExamples,
  ...workspaceExamples,
  ...slackExamples,
  ...meExamples,
};

/** Every operation of the API, as data. Routing, checks and the OpenAPI document are made from this table. */
export function createRoutes(services: Services): readonly Route[] {
  const routes: readonly Route[] = [
    ...createStandupRoutes(services),
    ...createExportRoutes(services),
    ...createDraftRoutes(services),
    ...createBlockerRoutes(services),
    ...createCommentRoutes(services),
    ...createReactionRoutes(services),
    ...createImportRoutes(services),
    ...createTeamRoutes(services),
    ...createSchedulePreviewRoutes(services),
    ...createTeamMemberRoutes(services),
    ...createRunRoutes(services),
    ...createReminderRoutes(services),
    ...createRunReportRoutes(services),
    ...createTrendRoutes(services),
    ...createTeamDayRoutes(services),
    ...createMemberRoutes(services),
    ...createErasureRoutes(services),
    ...createInviteRoutes(services),
    ...createMailRoutes(services),
    ...createAbsenceRoutes(services),
    ...createDaysOffRoutes(services),
    ...createHolidayCalendarRoutes(services),
    ...createWebhookRoutes(services),
    ...createWebhookHealthRoutes(services),
    ...createDeliveryRoutes(services),
    ...createReplayRoutes(services),
    ...createEventRoutes(services),
    ...createEventTypeRoutes(),
    ...createTokenRoutes(services),
    ...createDeviceLoginRoutes(services),
    ...createPasskeyRoutes(services),
    ...createServiceAccountRoutes(services),
    ...createWorkspaceRoutes(services),
    ...createSetupRoutes(services),
    ...createSlackRoutes(services),
    ...createMeRoutes(services),
  ];
  return routes.map((route) => ({...route, example: examples[route.operation]}));
}
