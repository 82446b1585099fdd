import {afterEach, expect, it} from '@jest/globals';
import type {Commit} from '../../../src/domain/commit/commit.js';
import type {Write} from '../../../src/domain/commit/writes.js';
import {createCommitCompiler} from '../../../src/store/commit/script.js';
import {startTestRedis} from '../../support/redis-server.js';
import {createChance} from '../../support/seeded-random.js';
import {startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {make, randomName} from '../samples.js';
import {asId, asSuffix} from '../../support/ids.js';

const closings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0).toReversed()) await close();
});

/**
 * A service on its own Redis, and teams with two questions that raise blockers. `countScripts` counts the
 * cached scripts.
 */
async function open(names: readonly string[]): Promise<{
  workspace: TestWorkspace;
  teams: string[];
  countScripts(): Promise<number>;
}> {
  const redis = await startTestRedis({appendfsync: 'no'});
  closings.push(() => redis.stop());
  const service: TestService = await startService({redisUrl: redis.url, env: {ROLES: 'web'}});
  closings.push(() => service.close());
  const workspace = await service.addWorkspace();
  const teams: string[] = [];
  for (const team of names) {
    const questions = [1, 2].map((i) => {
      const key = `${team}${i}`;
      return {key, label: `What stops you, ${key}?`, type: 'text', raises_blocker: true};
    });
    teams.push((await make(workspace, '/v1/teams', {slug: randomName(), questions})).id);
  }
  return {
    workspace,
    teams,
    async countScripts() {
      const deadline = performance.now() + 5_000;
      const info = await service.core.store.connection.call<string>(deadline, ['INFO', 'memory']);
      return Number(/number_of_cached_scripts:(\d+)/.exec(info)?.[1]);
    },
  };
}

let raised = 0;
const answer = (question: string) => ({question, value: `Stopped ${(raised += 1)}.`});

it('regression: standups for several teams with any number of blockers share a few scripts in Redis', async () => {
  const {workspace, teams, countScripts} = await open(['a', 'b', 'c']);
  const post = async (...counts: number[]): Promise<void> => {
    const answers = ['a', 'b', 'c'].flatMap((team, i) =>
      [1, 2].slice(0, counts[i]).map((one) => answer(`${team}${one}`)),
    );
    const {status, text} = await workspace.request('POST', '/v1/standups', {
      body: {teams, update: 'Going on.', answers},
    });
    if (status !== 201) throw new Error(text);
  };
  raised = 0;
  await post(2, 2, 2);
  const before = await countScripts();
  for (const a of [0, 1, 2]) for (const b of [0, 1, 2]) for (const c of [0, 1, 2]) await post(a, b, c);
  expect((await countScripts()) - before).toBeLessThan(6);
  const blockers = await workspace.request('GET', '/v1/blockers?limit=100');
  expect(blockers.body.data).toHaveLength(raised);
});

it('standups that are posted, changed and deleted in any order and team share a few scripts in Redis', async () => {
  const names = ['a', 'b', 'c', 'd'];
  const {workspace, teams, countScripts} = await open(names);
  // Two of the teams have a run that standups count for.
  for (const team of teams.slice(0, 2)) {
    const path = `/v1/teams/${team}/runs`;
    const {status} = await workspace.request('POST', path, {body: {minutes: 60}});
    expect(status).toBe(201);
  }
  const chance = createChance(3);
  const some = <T>(of: readonly T[]): T[] => chance.shuffle(of).slice(0, chance.between(0, of.length));
  const posted: string[] = [];
  const act = async (): Promise<void> => {
    const id = chance.pick(posted);
    const kind = id === undefined ? 'post' : chance.pick(['post', 'post', 'edit', 'delete']);
    if (kind === 'post') {
      const chosen = chance.shuffle(names).slice(0, chance.between(2, 4));
      const answers = some(chosen.flatMap((team) => [`${team}1`, `${team}2`])).map(answer);
      const body = {teams: chosen.map((team) => teams[names.indexOf(team)]), update: 'Going on.', answers};
      const made = await workspace.request('POST', '/v1/standups', {body});
      expect(made.status).toBe(201);
      posted.push(...made.body.data.map((standup: {id: string}) => standup.id));
      return;
    }
    if (kind === 'delete') {
      posted.splice(posted.indexOf(id), 1);
      expect((await workspace.request('DELETE', `/v1/standups/${id}`)).status).toBe(204);
      return;
    }
    const {body} = await workspace.request('GET', `/v1/standups/${id}`);
    const name = names[teams.indexOf(body.team_id)];
    const answers = some([`${name}1`, `${name}2`]).map(answer);
    const changed = {update: `Going on ${chance.between(1, 9)}.`, answers};
    expect((await workspace.request('PATCH', `/v1/standups/${id}`, {body: changed})).status).toBe(200);
  };
  const before = await countScripts();
  for (let i = 0; i < 50; i++) await act();
  // A post, an edit and a deletion: with a run or without, with blockers raised, changed or withdrawn.
  expect((await countScripts()) - before).toBeLessThan(25);
});

it('regression: a commit is one script, whatever the order of its writes', () => {
  const compile = createCommitCompiler();
  const suffix = asSuffix('0'.repeat(16));
  const writes: readonly Write[] = [
    {do: 'touch', collection: 'teams', suffix},
    {do: 'count-run-post', run: suffix},
    {do: 'ask-look', team: asSuffix<'team'>(`team_${suffix}`)},
    {do: 'erase-revisions', suffix},
    {do: 'name', names: 'email', name: 'a@example.com', suffix},
  ];
  const chance = createChance(1);
  const scripts = Array.from({length: 50}, () => {
    const commit: Commit = {guards: [], writes: chance.shuffle(writes), events: [], reply: {kind: 'empty'}};
    return compile({workspace: asId(suffix), deadline: 0}, commit, {expected: 0, notAfter: 0}).script;
  });
  expect(new Set(scripts).size).toBe(1);
});
