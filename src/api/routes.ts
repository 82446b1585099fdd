import type {Services} from '../service/services.js';
import {absenceRoutes} from './routes/absences.js';
import {blockerRoutes} from './routes/blockers.js';
import {daysOffRoutes} from './routes/days-off.js';
import {deliveryRoutes} from './routes/deliveries.js';
import {eventTypeRoutes} from './routes/event-types.js';
import {erasureRoutes} from './routes/erasures.js';
import {eventRoutes} from './routes/events.js';
import {exportRoutes} from './routes/export.js';
import {holidayCalendarRoutes} from './routes/holiday-calendars.js';
import {meRoutes} from './routes/me.js';
import {memberRoutes} from './routes/members.js';
import {replayRoutes} from './routes/replays.js';
import {schedulePreviewRoutes} from './routes/schedule-previews.js';
import {runRoutes} from './routes/runs.js';
import {runReportRoutes} from './routes/run-reports.js';
import {slackRoutes} from './routes/slack.js';
import {serviceAccountRoutes} from './routes/service-accounts.js';
import {standupRoutes} from './routes/standups.js';
import {teamDayRoutes} from './routes/team-days.js';
import {teamMemberRoutes} from './routes/team-members.js';
import {teamRoutes} from './routes/teams.js';
import {webhookHealthRoutes} from './routes/webhook-health.js';
import {webhookRoutes} from './routes/webhooks.js';
import {tokenRoutes} from './routes/tokens.js';
import {workspaceRoutes} from './routes/workspace.js';
import type {Route} from './route.js';

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
