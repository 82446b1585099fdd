import {expect, it} from '@jest/globals';
import {readBlockersSearch} from '../../../web/blockers/search.ts';
import {readCalendarSearch} from '../../../web/calendar/search.ts';
import {readEventsSearch} from '../../../web/events/search.ts';
import {readFrameSearch} from '../../../web/frame/search.ts';
import {readHistorySearch} from '../../../web/history/search.ts';
import {readOverviewSearch} from '../../../web/insights/search.ts';
import {readMembersSearch} from '../../../web/members/search.ts';
import {readPersonSearch} from '../../../web/people/search.ts';
import {readSignInSearch} from '../../../web/sign-in/search.ts';
import {readTodaySearch} from '../../../web/today/search.ts';
import {readTokensSearch} from '../../../web/tokens/search.ts';
import {readWebhookSearch} from '../../../web/webhooks/search.ts';

const screens: Readonly<Record<string, (search: Record<string, unknown>) => object>> = {
  blockers: readBlockersSearch,
  calendar: readCalendarSearch,
  events: readEventsSearch,
  frame: readFrameSearch,
  history: readHistorySearch,
  insights: readOverviewSearch,
  members: readMembersSearch,
  person: readPersonSearch,
  'sign-in': readSignInSearch,
  today: readTodaySearch,
  tokens: readTokensSearch,
  webhook: readWebhookSearch,
};

/** All parameters of the screens' addresses. */
const names = [
  'date',
  'month',
  'from',
  'to',
  'until',
  'since',
  'last',
  'span',
  'state',
  'view',
  'role',
  'order',
]
  .concat(['team', 'teams', 'author', 'person', 'q', 'source', 'standup', 'blocker', 'event', 'tab', 'types'])
  .concat(['write', 'edit', 'problem', 'request', 'show', 'token', 'erasure', 'delivery', 'replay', 'type']);

it.each(Object.entries(screens))('a malformed address shows %s without filters', (_, read) => {
  for (const value of [{a: 1}, [], null, true, '']) {
    const search = Object.fromEntries(names.map((name) => [name, value]));
    // Empty values are valid: an empty `write` opens the panel.
    const left = Object.entries(read(search)).filter(([, one]) => one !== '');
    expect({value, left}).toEqual({value, left: []});
  }
});

it.each(['x', '0000-00-00', '2026-02-30'])('a page whose address has the date %s shows today', (date) => {
  expect(readTodaySearch({date})).toEqual({});
  expect(readHistorySearch({from: date, to: date, source: 'constructor'})).toEqual({source: 'constructor'});
  expect(readCalendarSearch({month: date})).toEqual({});
});
