import {describe, expect, it} from '@jest/globals';
import type {EventTypeInfo} from '../../../web/parts/event-types.ts';
import {
  buildWebhookPatch,
  findDifferingSettings,
  emptyDraft,
  findDraftError,
  toNewWebhook,
  applyDraftChanges,
  type WebhookDraft,
} from '../../../web/webhooks/draft.ts';
import {findMatchingTypes, toggleGroup, toggleType} from '../../../web/webhooks/event-patterns.ts';
import {toReplayRequest, firstChoice} from '../../../web/webhooks/replay-choice.ts';
import {parseWaits, formatWaits} from '../../../web/webhooks/waits.ts';

const url = 'https://example.com/hooks';
const draft = (change: Partial<WebhookDraft>): WebhookDraft => ({...emptyDraft, url, ...change});

describe('a new webhook', () => {
  it('sends only what differs from the service’s defaults', () => {
    expect(toNewWebhook(draft({}), {})).toEqual({url, events: ['*']});
    const headers = [{id: '1', name: ' x-key ', isKept: false}];
    const more = draft({
      everyEvent: false,
      events: ['standup.*'],
      headers,
      isThrottled: true,
      retry: 'once',
      plainText: true,
    });
    expect(toNewWebhook(more, {1: 'secret'})).toEqual({
      url,
      events: ['standup.*'],
      headers: {'x-key': 'secret'},
      throttle: {max: 10, per_seconds: 1},
      retry_schedule: [],
      plain_text: true,
    });
  });

  it('is not sent with an invalid wait, or a header without its value', () => {
    expect(findDraftError(draft({retry: 'own', waits: '10 s, soon'}), {})).toBe('waits');
    const headers = [{id: '1', name: 'x-key', isKept: false}];
    expect(findDraftError(draft({headers}), {})).toBe('headers');
    expect(findDraftError(draft({headers}), {1: 'secret'})).toBeUndefined();
  });
});

describe('a change to a webhook', () => {
  const base = draft({headers: [{id: 'a', name: 'a', isKept: true}]});

  it('sends only what was changed: a removed header as null, an unchanged one not at all', () => {
    expect(buildWebhookPatch(base, {...base, concurrency: 4}, {})).toEqual({concurrency: 4});
    expect(buildWebhookPatch(base, {...base, headers: []}, {})).toEqual({headers: {a: null}});
    const headers = [...base.headers, {id: '1', name: 'b', isKept: false}];
    expect(buildWebhookPatch(base, {...base, headers}, {1: 'secret'})).toEqual({headers: {b: 'secret'}});
  });

  it('is applied on top of another member’s change, and leaves that change as it is', () => {
    const theirs = {...base, ordering: 'per_team', description: 'Theirs'} as const;
    const mine = {...base, description: 'Mine', retry: 'own', waits: '10 s'} as const;
    const both = applyDraftChanges(base, mine, theirs);
    expect(both).toMatchObject({ordering: 'per_team', description: 'Mine', waits: '10 s'});
    expect(findDifferingSettings(theirs, both)).toEqual(['description', 'retry_schedule']);
  });
});

it('waits between attempts are read in seconds, minutes and hours, and written in the same form', () => {
  expect(parseWaits('10, 5 min;1h')).toEqual({waits: [10, 300, 3_600]});
  expect(formatWaits([10, 300, 3_600, 90])).toBe('10 s, 5 min, 1 h, 90 s');
  expect(parseWaits('10 s, -1 s')).toEqual({wrong: '-1 s'});
  expect(parseWaits('')).toEqual({wrong: ''});
});

describe('the choice of event types', () => {
  const types: EventTypeInfo[] = ['standup.created', 'standup.deleted', 'run.opened'].map((type) => ({
    type,
    group: `${type.split('.')[0] ?? ''}.*`,
    description: '',
  }));
  const [created] = types as [EventTypeInfo];

  it('retains the other types of a whole group when one is removed', () => {
    expect(toggleType(['standup.*', 'run.opened'], created, false, types)).toEqual([
      'run.opened',
      'standup.deleted',
    ]);
    expect(toggleType([], created, true, types)).toEqual(['standup.created']);
  });

  it('replaces single types of a group by the whole group', () => {
    expect(toggleGroup(['standup.created', 'run.*'], 'standup.*', true)).toEqual(['run.*', 'standup.*']);
    expect(toggleGroup(['standup.*'], 'standup.*', false)).toEqual([]);
    expect(findMatchingTypes(['*'], types)).toHaveLength(3);
  });
});

describe('a replay', () => {
  const now = Date.parse('2026-11-23T12:00:00Z');

  it('requests failed deliveries of the last day unless another choice is made', () => {
    expect(toReplayRequest(firstChoice, now)).toEqual({since: '2026-11-22T12:00:00.000Z', only: 'failed'});
  });

  it('requests at most 15 days, even when its request takes a moment', () => {
    const {since = ''} = toReplayRequest({...firstChoice, span: '360'}, now) ?? {};
    expect(Date.parse(since)).toBeGreaterThan(now - 15 * 86_400_000);
  });

  it('is not sent without its start time, or without a type', () => {
    expect(toReplayRequest({...firstChoice, span: 'own'}, now)).toBeUndefined();
    expect(toReplayRequest({...firstChoice, everyType: false}, now)).toBeUndefined();
    const own = {...firstChoice, span: 'own', from: '2026-11-23T09:00'} as const;
    expect(toReplayRequest(own, now)?.since).toBe(new Date('2026-11-23T09:00').toISOString());
  });
});
