import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import {eventTypes} from '../../../src/domain/events/event.js';
import {describeEventType} from '../../../src/api/events/describe-type.js';
import type {Event} from '../../../web/api/schema.ts';
import {
  addArrivedEvent,
  isArrivalListFull,
  nothingArrived,
  showWaitingEvents,
  combineEvents,
} from '../../../web/events/arrivals.ts';
import {describeEvent} from '../../../web/events/facts.ts';
import {toEventQuery, matchesEventQuery} from '../../../web/events/filter.ts';
import type {NameLookup} from '../../../web/events/names.ts';
import {readEventsSearch} from '../../../web/events/search.ts';
import {togglePattern} from '../../../web/events/type-choice.ts';
import {loadTexts} from '../../../web/texts/texts.ts';
import {type FakeBrowser, createFakeBrowser} from './browser.ts';

let browser: FakeBrowser;

beforeAll(() => {
  browser = createFakeBrowser();
});
afterAll(() => browser.close());

const names: NameLookup = {of: () => 'Ada', team: () => 'Platform'};
const examples = eventTypes.map((type) => (describeEventType(type) as {example: Event}).example);
const exampleOf = (type: string) => examples.find((one) => one.type === type) as Event;

describe('sentences about events', () => {
  const expectSaid = async (language: string, standup: string, run: RegExp) => {
    await browser.speak(language);
    await loadTexts('leading');
    const said = examples.map((event) => describeEvent(event, names));
    expect(said.filter((sentence) => /undefined|null|\[object|\bmem_/.test(sentence))).toEqual([]);
    expect(said.filter((sentence, i) => sentence.includes(`: ${eventTypes[i]}`))).toEqual([]);
    expect(new Set(said).size).toBe(said.length);
    expect(describeEvent(exampleOf('standup.created'), names)).toBe(standup);
    expect(describeEvent(exampleOf('run.opened'), names)).toMatch(run);
  };

  it('exist for every type, with nothing left out', () =>
    expectSaid('en-GB', 'Ada posted a standup for ci in Platform', /^The run of Platform on 23 Nov/));

  it('name the actor of an unknown type of event, and stay complete when actor and subject are unknown', () => {
    const event = exampleOf('standup.created');
    expect(describeEvent({...event, type: 'poll.closed'}, names)).toBe('Ada: poll.closed');
    expect(describeEvent({...event, type: 'toString'}, names)).toBe('Ada: toString');
    const noNames: NameLookup = {of: () => undefined, team: () => undefined};
    expect(describeEvent({...event, actor: null, data: null}, noNames)).toBe(
      'Someone posted a standup for a former member in a deleted team',
    );
  });

  it('regression: call a webhook by its name, or by its host when it has none', () => {
    const event = exampleOf('webhook.failing');
    const called = (description: string | null) =>
      describeEvent({...event, data: {...event.data, description}}, names);
    expect(called('On-call pager')).toBe('The webhook to On-call pager keeps failing');
    expect(called(null)).toBe('The webhook to hooks.example.com keeps failing');
  });

  it('exist for every type in German, too', () =>
    expectSaid(
      'de-DE',
      'Ada hat in Platform ein Standup für ci geschrieben',
      /^Die Runde von Platform am 23\./,
    ));
});

describe('filters of events', () => {
  it('match a new event exactly when the API would list it', () => {
    const event = exampleOf('standup.created');
    const {actor, data, timestamp} = event;
    const yes = [
      {},
      {types: 'team.*,standup.created'},
      {since: timestamp, until: timestamp},
      {actor: actor?.id ?? ''},
      {actor: actor?.token ?? ''},
      ...['id', 'team_id'].map((name) => ({about: String(data?.[name])})),
    ];
    expect(yes.filter((asked) => !matchesEventQuery(event, asked))).toEqual([]);
    const no = [
      {types: 'team.*'},
      {types: 'standup.*', since: '2099-01-01T00:00:00.000Z'},
      {until: '2020-01-01T00:00:00.000Z'},
      {actor: 'system'},
      {about: 'team_00000000000000000000000000'},
    ];
    expect(no.filter((asked) => matchesEventQuery(event, asked))).toEqual([]);
    expect(matchesEventQuery(exampleOf('run.opened'), {actor: 'system'})).toBe(true);
  });

  it('use the days of this device, and a last hour that ends now', () => {
    const asked = toEventQuery({from: '2026-11-20', to: '2026-11-20'}, 0);
    expect(Date.parse(asked.until ?? '') - Date.parse(asked.since ?? '')).toBe(86_399_999);
    expect(toEventQuery({last: 'hour'}, 3_600_000)).toEqual({since: '1970-01-01T00:00:00.000Z'});
  });

  it('ignore a part of the address that is no filter', () => {
    const good = {types: 'standup.*', about: `team_${'0'.repeat(26)}`, actor: 'system', last: 'hour'};
    expect(readEventsSearch(good)).toEqual(good);
    expect(readEventsSearch({types: 'a b', about: 'x', actor: 7, last: 'year', from: '2026-13-01'})).toEqual(
      {},
    );
  });

  it('replace the types of a group by the group when all are chosen, and the group by its other types when one is removed', () => {
    const all = ['team.created', 'team.deleted', 'run.opened'];
    expect(togglePattern(['team.created'], 'team.deleted', all)).toEqual(['team.*']);
    expect(togglePattern(['team.*', 'run.opened'], 'team.created', all)).toEqual([
      'run.opened',
      'team.deleted',
    ]);
    expect(togglePattern(['team.created'], 'team.*', all)).toEqual(['team.*']);
    expect(togglePattern(['team.*'], 'team.*', all)).toEqual([]);
  });
});

describe('new events', () => {
  const event = (id: string): Event => ({...exampleOf('standup.created'), id});
  const idsOf = (events: readonly Event[] | undefined) => events?.map(({id}) => id);

  it('are shown at the top at once, newest first', () => {
    const arrived = ['evt_2', 'evt_3'].reduce(
      (now, id) => addArrivedEvent(now, event(id), false),
      nothingArrived,
    );
    const {events, count} = combineEvents(arrived, [event('evt_1')]);
    expect([idsOf(events), count]).toEqual([['evt_3', 'evt_2', 'evt_1'], 0]);
  });

  it('wait and are counted while the viewer reads, and are shown on request', () => {
    const first = addArrivedEvent(nothingArrived, event('evt_2'), false);
    const waiting = ['evt_3', 'evt_4'].reduce((now, id) => addArrivedEvent(now, event(id), true), first);
    const before = combineEvents(waiting, [event('evt_1')]);
    expect([idsOf(before.events), before.count]).toEqual([['evt_2', 'evt_1'], 2]);
    const after = combineEvents(showWaitingEvents(waiting), [event('evt_1')]);
    expect([idsOf(after.events), after.count]).toEqual([['evt_4', 'evt_3', 'evt_2', 'evt_1'], 0]);
    const later = addArrivedEvent(waiting, event('evt_5'), false);
    expect(idsOf(combineEvents(later, []).events)).toEqual(['evt_5', 'evt_4', 'evt_3', 'evt_2']);
  });

  it('regression: remain when a list arrives that was requested before them, and are listed once', () => {
    const arrived = addArrivedEvent(
      addArrivedEvent(nothingArrived, event('evt_2'), false),
      event('evt_3'),
      true,
    );
    expect(combineEvents(arrived, undefined).events).toBeUndefined();
    expect(idsOf(combineEvents(arrived, [event('evt_1')]).events)).toEqual(['evt_2', 'evt_1']);
    const whole = combineEvents(arrived, [event('evt_3'), event('evt_2'), event('evt_1')]);
    expect([idsOf(whole.events), whole.count]).toEqual([['evt_3', 'evt_2', 'evt_1'], 0]);
  });

  it('reach their maximum at 200, shown and waiting together', () => {
    const of = (count: number) =>
      Array.from({length: count}, (_, i) => i).reduce(
        (now, i) => addArrivedEvent(now, event(`evt_${i}`), i % 2 === 0),
        nothingArrived,
      );
    expect([isArrivalListFull(of(199)), isArrivalListFull(of(200))]).toEqual([false, true]);
  });
});
