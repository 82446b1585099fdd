import {describeEventType} from './describe-type.js';
import type {Examples} from '../examples/example.js';

export const eventTypeExamples: Examples = {
  listEventTypes: {
    query: {limit: '1'},
    answer: {
      object: 'list',
      data: [describeEventType('standup.created')],
      has_more: true,
      next_cursor: 'Zt1YbX0rPnVaL22k1',
    },
  },
};
