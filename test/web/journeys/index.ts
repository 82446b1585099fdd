import {blockersJourney} from './blockers.js';
import {calendarJourney} from './calendar.js';
import {eventsJourney} from './events.js';
import {historyJourney} from './history.js';
import {importsJourney} from './imports.js';
import {insightsJourney} from './insights.js';
import {invitesJourney} from './invites.js';
import type {Journey} from './journey.js';
import {mailJourney} from './mail.js';
import {passkeysJourney} from './passkeys.js';
import {peopleJourney, tokensJourney} from './people.js';
import {personJourney} from './person.js';
import {sessionsJourney} from './sessions.js';
import {runJourney, todayJourney} from './today.js';
import {webhookChangesJourney} from './webhook-changes.js';
import {teamJourney} from './team.js';
import {threadJourney} from './thread.js';
import {workspaceJourney} from './workspace.js';
import {webhooksJourney} from './webhooks.js';
import {deleteJourney, joinJourney, writeJourney} from './write.js';

/** All journeys, in their order. Add the journey of each new screen here. */
export const journeys: readonly Journey[] = [
  todayJourney,
  writeJourney,
  runJourney,
  threadJourney,
  joinJourney,
  deleteJourney,
  historyJourney,
  personJourney,
  blockersJourney,
  calendarJourney,
  teamJourney,
  insightsJourney,
  workspaceJourney,
  peopleJourney,
  tokensJourney,
  eventsJourney,
  webhooksJourney,
  sessionsJourney,
  passkeysJourney,
  webhookChangesJourney,
  invitesJourney,
  mailJourney,
  importsJourney,
];
