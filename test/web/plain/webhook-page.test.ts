import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import type {Delivery} from '../../../web/api/schema.ts';
import {mayUse, managesWorkspace} from '../../../web/parts/rights.ts';
import {
  findNextBarIndex,
  findEndOfHour,
  describeFailures,
  labelHour,
  computeBarHeight,
} from '../../../web/webhooks/hours.ts';
import {describeEventTypes, nameWebhook} from '../../../web/webhooks/names.ts';
import {describeAttempt, describeState} from '../../../web/webhooks/describe-outcome.ts';
import {readWebhookSearch} from '../../../web/webhooks/search.ts';
import {loadTexts} from '../../../web/texts/texts.ts';
import {type FakeBrowser, createFakeBrowser} from './browser.ts';

let browser: FakeBrowser;

beforeAll(async () => {
  browser = createFakeBrowser();
  await browser.speak('en-GB');
  await loadTexts('leading');
});
afterAll(() => browser.close());

const id = (prefix: string) => `${prefix}_${'0'.repeat(26)}`;

describe('the address of the page of a webhook', () => {
  it('stores filters and the opened delivery, so that a reload shows the same', () => {
    const given = {
      state: 'held',
      type: 'standup.created',
      since: '2031-03-12T09:00:00.000Z',
      until: '2031-03-12T09:59:59.999Z',
      event: id('evt'),
      replay: id('rpl'),
      delivery: id('dlv'),
    };
    expect(readWebhookSearch(given)).toEqual(given);
    expect(readWebhookSearch({last: 'day', since: given.since})).toEqual({last: 'day'});
  });

  it('ignores a value that is no filter', () => {
    const wrong = {state: 'gone', type: 'a b', last: 'year', since: 'soon', event: 'evt_1', replay: 7};
    expect(readWebhookSearch({...wrong, until: null, delivery: id('evt')})).toEqual({});
  });
});

describe('the hours of a webhook', () => {
  const hour = {at: '2031-03-12T09:00:00.000Z', succeeded: 0, failed: 7, p50_ms: null, p95_ms: null};
  const errors = {status: 3, timeout: 4, later_kind: 1};

  it('have a bar with its hour and counts, and a table with the reasons of failed attempts', () => {
    expect(labelHour({...hour, errors})).toMatch(/: 0 succeeded, 7 failed$/);
    expect(describeFailures({errors})).toBe('3 × not a 2xx, 4 × timed out, 1 × failed');
  });

  it('end with their last millisecond', () => {
    expect(findEndOfHour(hour.at)).toBe('2031-03-12T09:59:59.999Z');
  });

  it('have a visible bar for every count above zero', () => {
    expect([computeBarHeight(0, 100), computeBarHeight(1, 1_000)]).toEqual(['0', 'max(3px, 0.1%)']);
  });

  it('let arrow keys lead to the visible neighbour, and stop at the ends, while other keys do nothing', () => {
    const from = (key: string, at: number, isRightToLeft = false) =>
      findNextBarIndex(key, {at, count: 25, isRightToLeft});
    expect([from('ArrowLeft', 24), from('ArrowRight', 24), from('ArrowLeft', 0)]).toEqual([23, 24, 0]);
    expect([from('ArrowLeft', 3, true), from('ArrowRight', 3, true)]).toEqual([4, 2]);
    expect([from('Home', 12), from('End', 12), from('Enter', 12)]).toEqual([0, 24, undefined]);
  });
});

describe('the outcome of a delivery', () => {
  const now = Date.parse('2031-03-12T09:00:00.000Z');
  const last = {at: '2031-03-12T09:00:00.000Z', duration_ms: 80, status: 204, error: null, probe: false};
  const delivery = (state: string, next: string | null = null) =>
    ({state, next_attempt_at: next}) as unknown as Delivery;

  it('shows the answer to a successful attempt, and the reason for a failed one', () => {
    expect(describeAttempt(last, 'succeeded')).toBe('Delivered: answered 204 in 80 ms.');
    const failed = {...last, status: 500, error: 'status'} as const;
    expect(describeAttempt(failed, 'retrying')).toBe('Failed: answered 500, after 80 ms.');
    const late = {...last, status: null, error: 'timeout', duration_ms: 15_000} as const;
    expect(describeAttempt(late, 'exhausted')).toBe('Failed: timed out, after 15 s.');
  });

  it('says for each state what comes next', () => {
    const nextAttemptAt = '2031-03-12T09:05:00.000Z';
    expect(describeState(delivery('retrying', nextAttemptAt), now)).toBe('Next attempt in 5 min.');
    expect(describeState(delivery('retrying'), now)).toBe('Waiting to be sent …');
    expect(describeState(delivery('held', nextAttemptAt), now)).toMatch(/until the receiver answers a probe/);
    expect(describeState(delivery('held'), now)).toMatch(/until the webhook is switched on/);
    const others = ['pending', 'delivering', 'exhausted', 'aborted', 'expired'];
    expect(new Set(others.map((state) => describeState(delivery(state), now))).size).toBe(others.length);
    expect(describeState(delivery('later state'), now)).toBe('later state');
  });
});

describe('a webhook in a list', () => {
  it('is called by its name, or by its host when it has none', () => {
    const url = 'https://hooks.example.com/standups';
    expect(nameWebhook({description: 'The wiki', url})).toBe('The wiki');
    expect(nameWebhook({description: null, url})).toBe('hooks.example.com');
    expect(nameWebhook({description: null, url: 'no address'})).toBe('no address');
  });

  it('shows four of its events and how many more there are', () => {
    const events = ['standup.created', 'team.*', 'run.closed', 'blocker.*', 'absence.created', 'run.opened'];
    expect(describeEventTypes({events})).toBe('standup.created, team.*, run.closed, blocker.* and 2 more');
    expect(describeEventTypes({events: ['team.*']})).toBe('team.*');
    expect(describeEventTypes({events: ['*']})).toBe('all events');
  });
});

it('only owners and admins see webhooks, and only sessions that may read events see events', () => {
  const roles = ['owner', 'admin', 'member'] as const;
  expect(roles.filter((role) => managesWorkspace({role, teams: []}))).toEqual(['owner', 'admin']);
  expect(mayUse({scopes: ['events:read']}, 'events:read')).toBe(true);
  expect(mayUse({scopes: ['standups:read']}, 'events:read')).toBe(false);
  expect(mayUse(undefined, 'events:read')).toBe(false);
});
