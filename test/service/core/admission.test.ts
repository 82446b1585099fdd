import {afterAll, beforeAll, expect, it} from '@jest/globals';
import fc from 'fast-check';
import type {Call} from '../../../src/domain/core/access.js';
import {suffixFromBytes, type Id, provisionalId} from '../../../src/domain/core/ids.js';
import {takeFrom, type Tally, unused} from '../../../src/domain/core/quota.js';
import {createAdmissions} from '../../../src/store/tokens/admissions.js';
import {workspaceKeys} from '../../../src/store/core/keys.js';
import {createTestContext} from '../../support/service-context.js';
import {startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {asId} from '../../support/ids.js';

let service: TestService;
let workspace: TestWorkspace;

beforeAll(async () => {
  service = await startService();
  workspace = await service.addWorkspace();
});

afterAll(() => service.close());

const newDeadline = () => performance.now() + 5_000;
const limits = {all: 6, writes: 3};

/** Creates a principal that has used no quota. */
let count = 0;
function newPrincipal(): Id<'service_account'> {
  count += 1;
  const bytes = new Uint8Array(10);
  new DataView(bytes.buffer).setUint32(6, count);
  return provisionalId('service_account', suffixFromBytes(bytes));
}

it('a request whose write is planned several times uses quota only once', async () => {
  const {mutate} = createTestContext(service.core);
  const {id} = await workspace.addToken();
  const call: Call = {
    ...workspace.operator(),
    token: {id, expiresAt: 0},
    quota: {principal: newPrincipal(), limits, isWrite: true},
  };
  const plans: number[] = [];
  const answer = await mutate(call, async (attempt) => {
    plans.push(attempt);
    const revision = attempt < 5 ? 99 : 1;
    const guards = [{check: 'revision', id: workspace.team, revision} as const];
    return {guards, writes: [], events: [], reply: {kind: 'empty'}};
  });
  expect([answer.outcome, plans]).toEqual(['gone', [0, 1, 2, 3, 4, 5]]);
  const first = takeFrom(unused, {limits, isWrite: true}, call.quota?.verdict?.at ?? 0);
  expect(call.quota?.verdict).toEqual(first);
});

it('the script in Redis counts a quota like the function of the domain', async () => {
  const {admissions} = service.core.store;
  const {id} = await workspace.addToken();
  for (const cost of [
    {limits, isWrite: true},
    {limits, isWrite: false},
    {limits: {all: 7, writes: 0}, isWrite: true},
    {limits: {all: 0, writes: 4}, isWrite: true},
    {limits: {all: 0, writes: 0}, isWrite: true},
    {limits: {all: 999_999, writes: 60_001}, isWrite: true},
  ]) {
    const principal = newPrincipal();
    let tally: Tally = unused;
    for (let i = 0; i < 10; i++) {
      const {state, verdict} = await admissions.admit({
        workspace: workspace.id,
        token: {id},
        quota: {...cost, principal},
        deadline: newDeadline(),
      });
      expect(verdict).toEqual(takeFrom(tally, cost, verdict?.at ?? 0));
      expect(state).toBe(verdict?.granted === true ? 'live' : 'over');
      tally = verdict?.tally ?? unused;
    }
  }
});

it('concurrent requests are counted and refused one by one', async () => {
  const {admissions} = service.core.store;
  const live = await workspace.addToken();
  const tokens = [
    live.id,
    (await workspace.addToken()).id,
    provisionalId('access_token', suffixFromBytes(new Uint8Array(10))),
  ];
  const asking = fc.record({
    principal: fc.nat({max: 1}),
    token: fc.constantFrom(0, 0, 0, 1, 2),
    isWrite: fc.boolean(),
    isLooking: fc.nat({max: 9}).map((n) => n === 0),
  });
  const several = fc.tuple(fc.array(asking, {minLength: 1, maxLength: 60}), fc.integer({min: 0, max: 60}));

  for (const [asked, all] of fc.sample(several, 12)) {
    const principals = [newPrincipal(), newPrincipal()];
    const limits = {all, writes: Math.floor(all / 3)};
    // Requests with different deadlines are counted separately, so all get the same one.
    const deadline = newDeadline();
    const answers = await Promise.all(
      asked.map(({principal, token, isWrite, isLooking}) =>
        admissions.admit({
          workspace: workspace.id,
          token: {id: tokens[token] ?? asId('')},
          ...(!isLooking && {quota: {principal: principals[principal] ?? asId(''), limits, isWrite}}),
          deadline,
        }),
      ),
    );
    const tallies = [unused, unused];
    const kindOf = (i: number) => `${asked[i]?.principal} ${asked[i]?.token} ${asked[i]?.isWrite}`;
    // Requests of one kind are counted together, in the order of the first request of each kind.
    const kinds = [
      ...new Set(asked.map((_, i) => kindOf(i)).filter((_, i) => asked[i]?.isLooking === false)),
    ];
    const inOrder = asked
      .map((one, i) => ({...one, ...answers[i], rank: kinds.indexOf(kindOf(i))}))
      .toSorted((a, b) => a.rank - b.rank);
    for (const {principal, token, isWrite, isLooking, state, verdict} of inOrder) {
      const isDead = token === 2;
      if (isDead || isLooking) {
        expect([state, verdict]).toEqual([isDead ? 'dead' : 'live', undefined]);
        continue;
      }
      const alone = takeFrom(tallies[principal] ?? unused, {limits, isWrite}, verdict?.at ?? 0);
      expect({state, verdict}).toEqual({state: alone.granted ? 'live' : 'over', verdict: alone});
      tallies[principal] = alone.tally;
    }
  }
});

it('concurrent requests share one call of the store, and requests that arrive during that call share the next one', async () => {
  const {connection} = service.core.store;
  const {id} = await workspace.addToken();
  const sent: string[] = [];
  const admissions = createAdmissions({
    ...connection,
    run(deadline, script, keys, args) {
      sent.push(args.at(-1) ?? '');
      return connection.run(deadline, script, keys, args);
    },
  });
  const quota = {principal: newPrincipal(), limits, isWrite: false};
  const deadline = newDeadline();
  const ask = (until = deadline) =>
    admissions.admit({workspace: workspace.id, token: {id}, quota, deadline: until});
  const first = [ask(), ask(), ask()];
  await new Promise(setImmediate);
  await Promise.all([...first, ask(), ask(deadline + 1_000)]);
  expect(sent).toEqual(['3', '1', '1']);
  await Promise.all(Array.from({length: 70}, () => ask()));
  expect(sent.slice(3)).toEqual(['64', '6']);
});

it('regression: an unreadable count of a quota counts as zero', async () => {
  const {admissions, connection} = service.core.store;
  const {id} = await workspace.addToken();
  const principal = newPrincipal();
  await connection.call(newDeadline(), [
    'SET',
    workspaceKeys(workspace.id).quota(principal),
    'x',
    'PX',
    '60000',
  ]);
  const cost = {limits, isWrite: true};
  const asked = {workspace: workspace.id, token: {id}, quota: {...cost, principal}, deadline: newDeadline()};
  const {state, verdict} = await admissions.admit(asked);
  expect(state).toBe('live');
  expect(verdict).toEqual(takeFrom(unused, cost, verdict?.at ?? 0));
});
