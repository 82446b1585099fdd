import type {EventType} from '../../domain/events/event.js';
import {streaming} from '../../domain/core/limits.js';
import type {Examples} from '../examples/example.js';
import {exampleIds} from '../examples/ids.js';
import {standup} from '../standups/examples.js';
import {eventSubjects} from './subjects.js';

const byMember = {
  type: 'member',
  id: exampleIds.member,
  token: exampleIds.token,
  source: 'api',
  request_id: exampleIds.request,
};
const system = {type: 'system', id: null, token: null, source: 'system', request_id: null};

/** Creates an example of an event, as a receiver gets it. */
export function createEventExample(type: EventType): object {
  const {data, previous, bySystem = false} = eventSubjects[type];
  return {
    id: exampleIds.event,
    object: 'event',
    type,
    timestamp: '2026-11-23T09:00:00.000Z',
    sequence: 74,
    workspace: exampleIds.workspace,
    api_version: 'v1',
    actor: bySystem ? system : byMember,
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
      data: [createEventExample('standup.created')],
      has_more: false,
      next_cursor: 'kq8Zt1YbX0rPnVaL22',
    },
  },
  streamEvents: {
    query: {types: 'standup.*'},
    streams: {
      'text/event-stream': `retry: ${streaming.reconnect}\n: alive\n\nid: ${exampleIds.event}\nevent: standup.created\ndata: ${JSON.stringify(createEventExample('standup.created'))}\n\n`,
    },
  },
  streamChanges: {
    query: {types: 'standup.*'},
    streams: {
      'text/event-stream': `retry: ${streaming.reconnect}\n: alive\n\nid: ${exampleIds.event}\nevent: standup.created\ndata: ${JSON.stringify(change)}\n\n`,
    },
  },
  getEvent: {answer: createEventExample('standup.created')},
};
