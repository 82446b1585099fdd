import type {Services} from '../service/services.js';
import {absenceRoutes} from './absences/routes.js';
import {blockerRoutes} from './blockers/routes.js';
import {daysOffRoutes} from './absences/days-off-routes.js';
import {deliveryRoutes} from './webhooks/delivery-routes.js';
import {eventTypeRoutes} from './events/event-type-routes.js';
import {erasureRoutes} from './members/erasure-routes.js';
import {eventRoutes} from './events/routes.js';
import {exportRoutes} from './standups/export-routes.js';
import {holidayCalendarRoutes} from './absences/holiday-calendar-routes.js';
import {meRoutes} from './members/me-routes.js';
import {memberRoutes} from './members/routes.js';
import {replayRoutes} from './webhooks/replay-routes.js';
import {schedulePreviewRoutes} from './schedules/preview-routes.js';
import {runRoutes} from './runs/routes.js';
import {runReportRoutes} from './runs/report-routes.js';
import {slackRoutes} from './slack/routes.js';
import {serviceAccountRoutes} from './tokens/service-account-routes.js';
import {standupRoutes} from './standups/routes.js';
import {teamDayRoutes} from './runs/team-day-routes.js';
import {teamMemberRoutes} from './teams/team-member-routes.js';
import {teamRoutes} from './teams/routes.js';
import {webhookHealthRoutes} from './webhooks/health-routes.js';
import {webhookRoutes} from './webhooks/routes.js';
import {tokenRoutes} from './tokens/routes.js';
import {workspaceRoutes} from './workspaces/routes.js';
import type {Route} from './http/route.js';

/**
 * Every operation of the API, as data: routing, checks and the OpenAPI document are made from this one
 * table.
 */
export function createRoutes(services: Services): readonly Route[] {
  return [
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
}
