import type {EventType} from '../../domain/events/event.js';
import {streaming} from '../../domain/core/limits.js';
import {absence, longerAbsence} from '../absences/examples.js';
import type {Examples} from '../examples/example.js';
import {acknowledgedBlocker, blocker, resolvedBlocker} from '../blockers/examples.js';
import {exampleIds} from '../examples/ids.js';
import {holidayCalendar} from '../absences/holiday-calendar-examples.js';
import {member, renamedMember} from '../members/examples.js';
import {closedRun, lateRun, missedRun, openRun} from '../runs/examples.js';
import {editedStandup, standup} from '../standups/examples.js';
import {teamLead, teamMember} from '../teams/team-member-examples.js';
import {team} from '../teams/examples.js';
import {accessToken} from '../tokens/examples.js';
import {webhook} from '../webhooks/examples.js';
import {workspace} from '../workspaces/examples.js';

/** What each event carries: its `data`, and what it replaced when it tells that. */
const subjects: Readonly<Record<EventType, {data: object; previous?: object}>> = {
  'standup.created': {data: standup},
  'standup.updated': {data: editedStandup, previous: {update: standup.update, edited: false}},
  'standup.deleted': {data: standup},
  'team.created': {data: {...team, revision: 1, updated_at: team.created_at}},
  'team.updated': {data: team, previous: {slack_channel_id: null}},
  'team.deleted': {data: team},
  'team.member_added': {data: teamMember},
  'team.member_updated': {data: teamLead, previous: {role: 'member'}},
  'team.member_removed': {data: teamMember},
  'member.joined': {data: member},
  'member.updated': {data: renamedMember, previous: {name: member.name}},
  'member.left': {data: member},
  'absence.created': {data: absence},
  'absence.updated': {data: longerAbsence, previous: {until: absence.until}},
  'absence.deleted': {data: absence},
  'holiday_calendar.created': {data: holidayCalendar},
  'holiday_calendar.deleted': {data: holidayCalendar},
  'token.created': {data: accessToken},
  'token.revoked': {data: accessToken},
  'workspace.updated': {data: workspace, previous: {name: 'Example'}},
  'webhook.created': {data: webhook},
  'webhook.updated': {data: {...webhook, revision: 2}, previous: {description: null}},
  'webhook.deleted': {data: webhook},
  'webhook.failing': {data: {...webhook, failing_since: '2026-11-20T21:00:00.000Z'}},
  'webhook.disabled': {
    data: {
      ...webhook,
      enabled: false,
      disabled_reason: 'gone',
      disabled_at: '2026-11-23T09:00:00.000Z',
      revision: 2,
    },
    previous: {enabled: true, disabled_reason: null, disabled_at: null},
  },
  'webhook.test': {data: webhook},
  'run.opened': {data: openRun},
  'run.reminded': {data: {...openRun, reminder: {at: 'before_closing', minutes: 60, members: [member.id]}}},
  'run.closed': {data: closedRun},
  'run.missed': {data: missedRun},
  'run.cancelled': {data: {...closedRun, state: 'cancelled', report: null}},
  'run.updated': {data: lateRun, previous: {report: closedRun.report}},
  'blocker.raised': {data: blocker},
  'blocker.updated': {
    data: {...blocker, text: 'CI is red on main.', revision: 2},
    previous: {text: blocker.text},
  },
  'blocker.acknowledged': {data: acknowledgedBlocker},
  'blocker.resolved': {data: resolvedBlocker},
  'blocker.deleted': {data: blocker},
  'slack.connected': {data: workspace},
  'slack.disconnected': {data: workspace},
  'slack.post_failed': {data: {...standup, reason: 'not_in_channel'}},
  'slack.report_failed': {data: {...closedRun, reason: 'is_archived'}},
};

const byMember = {
  type: 'member',
  id: exampleIds.member,
  token: exampleIds.token,
  source: 'api',
  request_id: exampleIds.request,
};
const bySystem = {type: 'system', id: null, token: null, source: 'system', request_id: null};

/** Events that no caller causes. */
const byTheService: ReadonlySet<EventType> = new Set<EventType>([
  'webhook.failing',
  'webhook.disabled',
  'run.opened',
  'run.reminded',
  'run.closed',
  'run.missed',
  'slack.post_failed',
  'slack.report_failed',
]);

/** An event as a receiver gets it. */
export function eventExample(type: EventType): object {
  const {data, previous} = subjects[type];
  return {
    id: exampleIds.event,
    object: 'event',
    type,
    timestamp: '2026-11-23T09:00:00.000Z',
    sequence: 74,
    workspace: exampleIds.workspace,
    api_version: 'v1',
    actor: byTheService.has(type) ? bySystem : byMember,
    data,
    ...(previous !== undefined && {previous_attributes: previous}),
  };
}

const change = {
  sequence: 74,
  type: 'standup.created',
  object: 'standup',
  id: standup.id,
  team_id: standup.team_id,
  date: standup.date,
  member_id: exampleIds.member,
};

export const eventExamples: Examples = {
  listEvents: {
    query: {limit: '100'},
    answer: {
      object: 'list',
      data: [eventExample('standup.created')],
      has_more: false,
      next_cursor: 'kq8Zt1YbX0rPnVaL22',
    },
  },
  streamEvents: {
    query: {types: 'standup.*'},
    streams: {
      'text/event-stream': `retry: ${streaming.reconnect}\n: alive\n\nid: ${exampleIds.event}\nevent: standup.created\ndata: ${JSON.stringify(eventExample('standup.created'))}\n\n`,
    },
  },
  streamChanges: {
    query: {types: 'standup.*'},
    streams: {
      'text/event-stream': `retry: ${streaming.reconnect}\n: alive\n\nid: ${exampleIds.event}\nevent: standup.created\ndata: ${JSON.stringify(change)}\n\n`,
    },
  },
  getEvent: {answer: eventExample('standup.created')},
};
