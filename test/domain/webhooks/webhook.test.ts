import {describe, expect, it} from '@jest/globals';
import {eventPatterns, eventTypes} from '../../../src/domain/events/event.js';
import {type Subject, type Subscription, isActiveSubscriber} from '../../../src/domain/webhooks/webhook.js';
import {asId} from '../../support/ids.js';

const own = '7h455vb4pex5vskn';
const subscription: Subscription = {
  id: asId(`whk_01h455vb4p${own}`),
  enabled: true,
  events: ['*'],
  teams: null,
  since: 7,
};
const subject: Subject = {
  sequence: 8,
  type: 'standup.created',
  team: asId('team_1'),
  about: '7000000000000000',
};

describe('a webhook', () => {
  it.each<[string, Partial<Subscription>, Partial<Subject>, boolean]>([
    ['every event by *', {}, {}, true],
    ['an exact type', {events: ['standup.created']}, {}, true],
    ['a whole noun', {events: ['standup.*']}, {}, true],
    ['one of several', {events: ['team.*', 'standup.created']}, {}, true],
    ['no other type', {events: ['standup.updated', 'team.*']}, {}, false],
    ['no noun that only begins alike', {events: ['stand.*']}, {}, false],
    ['nothing while it is disabled', {enabled: false}, {}, false],
    ['what belongs to its team', {teams: ['team_2', 'team_1']}, {}, true],
    ['nothing of another team', {teams: ['team_2']}, {}, false],
    [
      'what belongs to no team, which would otherwise be hidden from all',
      {teams: ['team_2']},
      {type: 'token.created'},
      true,
    ],
    ['nothing about itself', {}, {type: 'webhook.updated', about: own}, false],
    ['what is about another webhook', {}, {type: 'webhook.updated'}, true],
    [
      'a test of itself, whatever it asks for',
      {events: ['team.*']},
      {type: 'webhook.test', about: own},
      true,
    ],
    ['no test of another webhook', {}, {type: 'webhook.test'}, false],
    ['nothing that happened before it was created', {}, {sequence: 6}, false],
    ['nothing about its own creation', {}, {sequence: 7}, false],
    ['no test while it is disabled', {enabled: false}, {type: 'webhook.test', about: own}, false],
  ])('gets %s', (_, changed, about, wanted) => {
    const {team, ...rest} = {...subject, ...about};
    const belongs = rest.type.startsWith('standup.') && team !== undefined;
    const event = {...rest, ...(belongs && {team})};
    expect(isActiveSubscriber({...subscription, ...changed}, event, {ids: [], closes: false})).toBe(wanted);
  });

  it.each<[string, readonly string[] | null, boolean, boolean]>([
    ['no event of a private team, if it is for all teams', null, false, false],
    ['no event of a private team, if it names another team', ['team_2'], false, false],
    ['an event of a private team that it names', ['team_1'], false, true],
    ['the change that makes a team private, if it is for all teams', null, true, true],
    ['no change that makes a team private, if it names another team', ['team_2'], true, false],
  ])('gets %s', (_, teams, closes, wanted) => {
    const hidden = {ids: [asId<'team'>('team_1')], closes};
    expect(isActiveSubscriber({...subscription, teams}, subject, hidden)).toBe(wanted);
  });
});

it('a subscription may list *, each resource and each event type, and each only once', () => {
  expect(new Set(eventPatterns).size).toBe(eventPatterns.length);
  for (const type of eventTypes) {
    expect(type).toMatch(/^[a-z_]+\.[a-z_]+$/);
    expect(eventPatterns).toContain(type);
    expect(eventPatterns).toContain(`${type.slice(0, type.indexOf('.'))}.*`);
  }
});
