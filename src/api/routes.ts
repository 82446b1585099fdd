import type {Services} from '../service/services.js';
import {daysOffRoutes} from './absences/days-off-routes.js';
import {absenceExamples} from './absences/examples.js';
import {daysOffExamples, holidayCalendarExamples} from './absences/holiday-calendar-examples.js';
import {holidayCalendarRoutes} from './absences/holiday-calendar-routes.js';
import {absenceRoutes} from './absences/routes.js';
import {blockerExamples} from './blockers/examples.js';
import {blockerRoutes} from './blockers/routes.js';
import {eventTypeExamples} from './events/event-type-examples.js';
import {eventTypeRoutes} from './events/event-type-routes.js';
import {eventExamples} from './events/examples.js';
import {eventRoutes} from './events/routes.js';
import type {Examples} from './examples/example.js';
import {erasureExamples} from './members/erasure-examples.js';
import {erasureRoutes} from './members/erasure-routes.js';
import {memberExamples} from './members/examples.js';
import {meExamples} from './members/me-examples.js';
import {meRoutes} from './members/me-routes.js';
import {memberRoutes} from './members/routes.js';
import {runExamples} from './runs/examples.js';
import {runReportExamples} from './runs/report-examples.js';
import {runReportRoutes} from './runs/report-routes.js';
import {runRoutes} from './runs/routes.js';
import {teamDayRoutes} from './runs/team-day-routes.js';
import {schedulePreviewRoutes} from './schedules/preview-routes.js';
import {slackExamples} from './slack/examples.js';
import {slackRoutes} from './slack/routes.js';
import {standupExamples} from './standups/examples.js';
import {exportRoutes} from './standups/export-routes.js';
import {standupRoutes} from './standups/routes.js';
import {teamExamples} from './teams/examples.js';
import {teamRoutes} from './teams/routes.js';
import {teamMemberExamples} from './teams/team-member-examples.js';
import {teamMemberRoutes} from './teams/team-member-routes.js';
import {tokenExamples} from './tokens/examples.js';
import {tokenRoutes} from './tokens/routes.js';
import {serviceAccountExamples} from './tokens/service-account-examples.js';
import {serviceAccountRoutes} from './tokens/service-account-routes.js';
import {deliveryExamples} from './webhooks/delivery-examples.js';
import {deliveryRoutes} from './webhooks/delivery-routes.js';
import {webhookExamples} from './webhooks/examples.js';
import {webhookHealthExamples} from './webhooks/health-examples.js';
import {webhookHealthRoutes} from './webhooks/health-routes.js';
import {replayExamples} from './webhooks/replay-examples.js';
import {replayRoutes} from './webhooks/replay-routes.js';
import {webhookRoutes} from './webhooks/routes.js';
import {workspaceExamples} from './workspaces/examples.js';
import {workspaceRoutes} from './workspaces/routes.js';
import type {Route} from './http/route.js';

/** An example of each operation. */
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

/** Every operation of the API, as data. Routing, checks and the OpenAPI document are made from this table. */
export function createRoutes(services: Services): readonly Route[] {
  const routes: readonly Route[] = [
    ...standupRoutes(services),
    ...exportRoutes(services),
    ...blockerRoutes(services),
    ...teamRoutes(services),
    ...schedulePreviewRoutes(services),
    ...teamMemberRoutes(services),
    ...runRoutes(services),
    ...runReportRoutes(services),
    ...teamDayRoutes(services),
    ...memberRoutes(services),
    ...erasureRoutes(services),
    ...absenceRoutes(services),
    ...daysOffRoutes(services),
    ...holidayCalendarRoutes(services),
    ...webhookRoutes(services),
    ...webhookHealthRoutes(services),
    ...deliveryRoutes(services),
    ...replayRoutes(services),
    ...eventRoutes(services),
    ...eventTypeRoutes(),
    ...tokenRoutes(services),
    ...serviceAccountRoutes(services),
    ...workspaceRoutes(services),
    ...slackRoutes(services),
    ...meRoutes(services),
  ];
  return routes.map((route) => ({...route, example: examples[route.operation]}));
}
