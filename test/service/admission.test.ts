import {createHash} from 'node:crypto';
import {afterAll, beforeAll, expect, it} from '@jest/globals';
import type {Call} from '../../src/domain/access.js';
import {drawIdPart} from '../../src/domain/ids.js';
import {takeFrom, type Tally, unused} from '../../src/domain/quota.js';
import {createMutate} from '../../src/service/mutation.js';
import {workspaceKeys} from '../../src/store/keys.js';
import {startService, type TestService, type TestWorkspace} from '../support/service.js';

let service: TestService;
let workspace: TestWorkspace;

beforeAll(async () => {
  service = await startService();
  workspace = await service.addWorkspace();
});

afterAll(() => service.close());

const sha256 = (text: string) => createHash('sha256').update(text).digest();
const soon = () => performance.now() + 5_000;
const limits = {all: 6, writes: 3};

/** A principal that has used nothing. */
let drawn = 0;
function newPrincipal(): string {
  drawn += 1;
  const bytes = new Uint8Array(10);
  new DataView(bytes.buffer).setUint32(6, drawn);
  return `svc_0000000000${drawIdPart(bytes)}`;
}

it('a mutation that is planned again is charged for its first plan alone', async () => {
  const {store} = service.core;
  const mutate = createMutate({...store, wake: () => undefined, sha256, log: {info: () => undefined}});
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
    return {commit: {guards, writes: [], events: [], reply: {status: 204}}};
  });
  expect([answer.status, plans]).toEqual([204, [0, 1, 2, 3, 4, 5]]);
  const first = takeFrom(unused, {limits, isWrite: true}, call.quota?.verdict?.at ?? 0);
  expect(call.quota?.verdict).toEqual(first);
});

it('the script counts as the domain does', async () => {
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
        deadline: soon(),
      });
      expect(verdict).toEqual(takeFrom(tally, cost, verdict?.at ?? 0));
      expect(state).toBe(verdict?.granted === true ? 'live' : 'over');
      tally = verdict?.tally ?? unused;
    }
  }
});

it('regression: a count of a quota that cannot be read counts as none', async () => {
  const {admissions, connection} = service.core.store;
  const {id} = await workspace.addToken();
  const principal = newPrincipal();
  await connection.call(soon(), ['SET', workspaceKeys(workspace.id).quota(principal), 'x', 'PX', '60000']);
  const cost = {limits, isWrite: true};
  const asked = {workspace: workspace.id, token: {id}, quota: {...cost, principal}, deadline: soon()};
  const {state, verdict} = await admissions.admit(asked);
  expect(state).toBe('live');
  expect(verdict).toEqual(takeFrom(unused, cost, verdict?.at ?? 0));
});
