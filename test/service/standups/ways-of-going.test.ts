import {afterEach, describe, expect, it} from '@jest/globals';
import {suffixOf} from '../../../src/domain/core/ids.js';
import {addPerson, type Person} from '../../api/people.js';
import {eventsOf, make} from '../../api/samples.js';
import {createCleanUps} from '../../jobs/stage.js';
import {dumpRedis} from '../../store/dump.js';
import {testRedisUrl} from '../../support/redis-server.js';
import {type Json, startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {createTestClock, type TestClock} from '../../support/test-clock.js';

const cleanUps = createCleanUps();
afterEach(() => cleanUps.run());

const dayMs = 86_400_000;
const questions = [
  {key: 'stuck', label: 'In your way?', type: 'text', raises_blocker: true},
  {key: 'feel', label: 'How are you?', type: 'mood'},
];

interface DepartureScene {
  readonly redisUrl: string;
  readonly clock: TestClock;
  readonly service: TestService;
  readonly workspace: TestWorkspace;
  readonly ada: Person;
  readonly grace: Person;
  /**
   * Standups by the text of their blocker. `young` and `again, younger` are 20 days later than the others.
   */
  readonly standups: Readonly<Record<string, Json>>;
}

/** Creates standups of two people in two teams, with a blocker in each state. No background work runs. */
async function setScene(): Promise<DepartureScene> {
  const redisUrl = await testRedisUrl();
  const clock = await createTestClock(redisUrl, Date.parse('2027-03-10T12:00:00Z'));
  cleanUps.add(() => clock.close());
  const service = await startService({redisUrl, time: clock.time, env: {ROLES: 'web'}});
  cleanUps.add(() => service.close());
  const workspace = await service.addWorkspace();
  await workspace.request('PATCH', '/v1/teams/platform', {body: {questions}});
  await make(workspace, '/v1/teams', {slug: 'second', name: 'Second', questions});
  const [ada, grace] = [
    await addPerson(service, workspace, {name: 'Ada', team: 'platform'}),
    await addPerson(service, workspace, {name: 'Grace', team: 'platform'}),
  ];
  await workspace.request('PUT', `/v1/teams/second/members/${ada.id}`, {body: {role: 'member'}});
  const standups: Record<string, Json> = {};
  const ask = async (by: Person, method: string, path: string, body: Json, key = '') => {
    const headers: Record<string, string> = key === '' ? {} : {'idempotency-key': key};
    const answer = await workspace.request(method, path, {token: by.token, body, headers});
    if (answer.status >= 300) throw new Error(`${answer.request}: ${answer.text}`);
    return answer.body;
  };
  const post = async (text: string, {by = ada, team = 'platform', as = text} = {}) => {
    const answers = [
      {question: 'stuck', value: text},
      {question: 'feel', value: 2},
    ];
    const body = {team, answers, metadata: {note: `words-${as}.`}};
    standups[as] = await ask(by, 'POST', '/v1/standups', body, `post-${encodeURIComponent(as)}`);
  };
  const state = async (text: string, to: string) => {
    const {body} = await workspace.request('GET', '/v1/blockers?limit=100');
    const {id} = body.data.find((blocker: Json) => blocker.text === text);
    await ask(grace, 'PATCH', `/v1/blockers/${id}`, {state: to});
  };
  for (const text of ['alone', 'again', 'seen', 'over', 'given back']) await post(text);
  await ask(ada, 'PATCH', `/v1/standups/${standups.alone.id}`, {metadata: {note: 'words-alone. edited'}});
  for (const text of ['seen', 'over', 'given back']) await state(text, 'acknowledged');
  await state('over', 'resolved');
  await state('given back', 'raised');
  await ask(ada, 'POST', '/v1/blockers', {team: 'platform', text: 'itself'});
  await post('of another', {by: grace});
  await post('elsewhere', {team: 'second'});
  await clock.advance(20 * dayMs);
  await post('Again', {as: 'again, younger'});
  await post('young');
  return {redisUrl, clock, service, workspace, ada, grace, standups};
}

type Departure = (scene: DepartureScene) => Promise<void>;

const ways = {
  async deletion({workspace, standups}) {
    for (const text of ['alone', 'again', 'seen', 'over', 'given back']) {
      await workspace.request('DELETE', `/v1/standups/${standups[text].id}`);
    }
  },
  async retention({workspace, clock, service}) {
    await workspace.request('PATCH', '/v1/workspace', {body: {retention_days: 30}});
    await clock.advance(13 * dayMs);
    while ((await service.core.services.purgeExpired(workspace.operator())) > 0);
  },
  async 'deletion of the team'({workspace, service}) {
    await workspace.request('DELETE', '/v1/teams/platform?force=true');
    while (await service.core.services.teams.purgeTeam(workspace.operator(), workspace.team));
  },
  async 'erasure of the author'({workspace, service, ada}) {
    await workspace.request('DELETE', `/v1/members/${ada.id}?erase=true`);
    while ((await service.core.services.forgetMember(workspace.operator(), ada.id, true)) !== false);
  },
} satisfies Record<string, Departure>;

interface RemainingData {
  /** The remaining blockers, each with the standup that raised it, or `gone` if that standup was deleted. */
  readonly blockers: Readonly<Record<string, string>>;
  readonly standups: readonly string[];
  /** Numbers of the events about deletions. */
  readonly deletions: {readonly standups: number; readonly blockers: number};
  /** Whether the texts of deleted standups stay in the store, for consumers of the events about deletions. */
  readonly texts: 'kept a while' | 'gone';
}

const left: Record<keyof typeof ways, RemainingData> = {
  deletion: {
    blockers: {
      'raised: again': 'again, younger',
      'acknowledged: seen': 'gone',
      'resolved: over': 'gone',
      'raised: itself': 'none',
      'raised: of another': 'of another',
      'raised: elsewhere': 'elsewhere',
      'raised: young': 'young',
    },
    standups: ['again, younger', 'elsewhere', 'of another', 'young'],
    deletions: {standups: 5, blockers: 2},
    texts: 'kept a while',
  },
  retention: {
    blockers: {
      'raised: again': 'again, younger',
      'acknowledged: seen': 'gone',
      'raised: itself': 'none',
      'raised: young': 'young',
    },
    standups: ['again, younger', 'young'],
    deletions: {standups: 0, blockers: 4},
    texts: 'gone',
  },
  'deletion of the team': {
    blockers: {'raised: elsewhere': 'elsewhere'},
    standups: ['elsewhere'],
    deletions: {standups: 0, blockers: 0},
    texts: 'kept a while',
  },
  'erasure of the author': {
    blockers: {'raised: of another': 'of another'},
    standups: ['of another'],
    deletions: {standups: 8, blockers: 8},
    texts: 'gone',
  },
};

describe.each(Object.keys(ways) as (keyof typeof ways)[])('a standup that is removed by %s', (way) => {
  it('loses its blockers unless another standup raised them too; only acknowledged blockers still refer to it', async () => {
    const scene = await setScene();
    await ways[way](scene);
    const {workspace, standups, redisUrl} = scene;
    const expected = left[way];
    const kept = new Map(expected.standups.map((name) => [standups[name].id, name]));
    const nameOf = (id: string | null) => (id === null ? 'none' : (kept.get(id) ?? 'gone'));

    const blockers = (await workspace.request('GET', '/v1/blockers?limit=100')).body.data;
    const found = blockers.map(({state, text, standup}: Json) => [`${state}: ${text}`, nameOf(standup)]);
    expect(Object.fromEntries(found)).toEqual(expected.blockers);
    const open = (await workspace.request('GET', '/v1/blockers?state=open&limit=100')).body.data;
    expect(open).toEqual(blockers.filter(({state}: Json) => state !== 'resolved'));

    for (const [name, {id}] of Object.entries(standups)) {
      const {status} = await workspace.request('GET', `/v1/standups/${id}`);
      expect([name, status]).toEqual([name, kept.has(id) ? 200 : 404]);
    }
    const exported = (await workspace.request('GET', '/v1/export?format=ndjson')).text;
    const names = Object.keys(standups).filter((name) => exported.includes(standups[name].id));
    expect(names.toSorted()).toEqual(expected.standups);

    const events = await eventsOf(workspace);
    const deleted = (noun: string) => events.filter(({type}) => type === `${noun}.deleted`);
    const deletions = {standups: deleted('standup').length, blockers: deleted('blocker').length};
    expect(deletions).toEqual(expected.deletions);

    const {text} = await dumpRedis(redisUrl);
    const lines = text.split('\n');
    const gone = Object.entries(standups).filter(([name]) => !expected.standups.includes(name));
    for (const [name, {id}] of gone) {
      // The text may be in the record, or in its revisions.
      expect([name, text.includes(`words-${name}.`)]).toEqual([name, expected.texts === 'kept a while']);
      const listed = lines.filter((line) => line.includes(':l:') && line.includes(suffixOf(id)));
      expect([name, listed.filter((line) => !line.includes(':l:removed:'))]).toEqual([name, []]);
    }
    const alive = blockers.map(({id}: Json) => suffixOf(id));
    const counted = lines.filter((line) => /:l:(open-)?blockers/.test(line));
    const members = counted.flatMap((line) => {
      const entries: string[] = JSON.parse(line.slice(line.indexOf(' zset ') + 6));
      return entries.filter((_, i) => i % 2 === 0);
    });
    expect(members.filter((one) => !alive.includes(one))).toEqual([]);
  });
});
