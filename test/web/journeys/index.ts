import {blockersJourney} from './blockers.js';
import {calendarJourney} from './calendar.js';
import {eventsJourney} from './events.js';
import {historyJourney} from './history.js';
import {insightsJourney} from './insights.js';
import type {Journey} from './journey.js';
import {peopleJourney, tokensJourney} from './people.js';
import {personJourney} from './person.js';
import {sessionsJourney} from './sessions.js';
import {runJourney, todayJourney} from './today.js';
import {webhookChangesJourney} from './webhook-changes.js';
import {teamJourney} from './team.js';
import {workspaceJourney} from './workspace.js';
import {deleteJourney, joinJourney, writeJourney} from './write.js';

/** Everything that somebody does on the screens, in this order. A screen more is a line more. */
export const journeys: readonly Journey[] = [
  todayJourney,
  writeJourney,
  runJourney,
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
  sessionsJourney,
  webhookChangesJourney,
];
