import {afterEach, beforeEach, expect, it} from '@jest/globals';
import type {Id} from '../../../src/domain/core/ids.js';
import {type RedisReply, script} from '../../../src/store/core/connection.js';
import {workspaceKeys} from '../../../src/store/core/keys.js';
import {
  createAddClaimLua,
  createAnswerRowLua,
  createClaimArgs,
  claimCount,
  createClaimKeys,
  createClaimPartLua,
  createEventRowLua,
  keyTable,
  parseClaimAnswers,
  readResult,
  readTarget,
  parseTargetRow,
  requestTable,
  resultBlock,
  resultCount,
  resultDelivery,
  resultKey,
} from '../../../src/store/webhooks/claim-codec.js';
import type {Claim, Result} from '../../../src/store/webhooks/claims.js';
import {blockKeyOf} from '../../../src/store/webhooks/delivery-blocks.js';
import {asId, asSuffix} from '../../support/ids.js';
import {openTestStore, newDeadline, type TestStore} from '../open-test-store.js';

let test: TestStore;
const keys = workspaceKeys(asId<'workspace'>(`wsp_${'w'.repeat(16)}`) satisfies Id<'workspace'>);
const webhook = asSuffix<'webhook'>('00000000000webh1');
const asked = {
  webhook,
  concurrency: 16,
  lease: 4_000,
  keptFor: 86_400,
  atMost: 3,
  recordPrefix: '',
  held: undefined,
  sureUntil: undefined,
};

beforeEach(async () => {
  test = await openTestStore();
});

afterEach(async () => {
  await test.store.close();
});

it('the claim script receives keys, requests and results under their names', async () => {
  const results = [resultOf('first'), resultOf('second', {counted: true, charge: 'failure', delayMs: 20})];
  const lua = `
local k, request, found = ${keyTable}, ${requestTable}, {}
for i = 1, ${resultCount} do
  ${readResult}
  found[i] = {delivery, attempt, delay, charged, counted, ${resultDelivery}, ${resultKey}, ${resultBlock}}
end
return cjson.encode({k = k, request = request, found = found})`;
  const args = createClaimArgs(
    {...asked, held: 0, sureUntil: 1_800_000_000_000, recordPrefix: 'r:'},
    results,
  );
  const seen = JSON.parse(await run<string>(lua, createClaimKeys(keys, webhook, results), args));
  expect(seen.request).toEqual({...asked, held: 0, sureUntil: 1_800_000_000_000, recordPrefix: 'r:'});
  expect(seen.k).toMatchObject({
    pending: keys.pending(webhook),
    health: keys.health(webhook, Math.floor(results[1]!.claim.claimedAt / 3_600_000)),
    subscription: keys.record(webhook),
    earliest: keys.earlierSecrets(webhook)[1],
    events: keys.events(),
  });
  expect(seen.found).toEqual(
    results.map(({claim: {suffix, attempt}, delayMs, charge, counted}) => [
      suffix,
      String(attempt),
      String(delayMs),
      charge,
      counted ? '1' : '0',
      suffix,
      keys.delivery(suffix),
      blockKeyOf(keys, webhook, suffix),
    ]),
  );
});

it('the claim script receives omitted values as nil or false', async () => {
  const lua = `local request = ${requestTable}
return cjson.encode({request.held == nil, request.sureUntil == nil, request.recordPrefix == false})`;
  const seen = JSON.parse(await run<string>(lua, [], createClaimArgs(asked, [])));
  expect(seen).toEqual([true, true, true]);
});

it('the answer of the claim script returns claims and values under their names, with their flags', async () => {
  const first = claimOf('first', {attempt: 1, failures: 0, number: 7});
  const second = claimOf('second', {attempt: 4, failures: 2, replay: asSuffix('replay')});
  const lua = `local claims, k = {}, ${keyTable}
redis.call('SET', k.subscription, '{"url":"http://x/"}')
for name, value in pairs({headers = 'own', secret = 'new', earlier = 'previous', earliest = 'old'}) do redis.call('SET', k[name], value) end
do ${createAddClaimLua({delivery: `'${first.suffix}'`, attempt: "'1'", failures: "'0'", number: "'7'", replay: "''"})} end
do ${createAddClaimLua({delivery: `'${second.suffix}'`, attempt: "'4'", failures: "'2'", number: "''", replay: "'replay'"})} end
for i = 1, ${claimCount} do redis.call('RPUSH', k.starts, ${createClaimPartLua('delivery')}, ${createClaimPartLua('attempt')}) end
return ${createAnswerRowLua({
    ...plain,
    claims: 'claims',
    events: `{false, ${createEventRowLua({id: "'7-0'", fields: '{}', latest: 'false'})}}`,
    target: readTarget,
    nextAt: '1002',
    isProbe: 'true',
    slow: "'20'",
    mayCatchUp: 'true',
    waits: 'true',
  })}`;
  const answers = await run<RedisReply[]>(lua, createClaimKeys(keys, webhook, []), []);
  const {claims, ...outcome} = parseClaimAnswers(answers, parseTargetRow);
  expect(claims).toEqual([
    {...first, probe: true},
    {...second, probe: true, event: expect.objectContaining({entry: expect.anything()})},
  ]);
  expect(outcome).toEqual({
    ...values,
    nextAt: 1_002,
    slow: true,
    mayCatchUp: true,
    waits: true,
    target: {webhook: {url: 'http://x/'}, encrypted: {headers: 'own', secrets: ['new', 'previous', 'old']}},
  });
  const starts = await test.store.connection.call(newDeadline(), ['LRANGE', keys.starts(webhook), '0', '-1']);
  expect(starts).toEqual([first.suffix, '1', second.suffix, '4']);
});

it('an answer of the claim script may have no claims, target or flags', async () => {
  const answers = await run<RedisReply[]>(`return ${createAnswerRowLua(plain)}`, [], []);
  expect(parseClaimAnswers(answers, parseTargetRow)).toEqual({
    ...values,
    claims: [],
    nextAt: undefined,
    slow: false,
    mayCatchUp: false,
    waits: false,
  });
});

/** Values in Lua of an answer without options. `values`: the fields that all of these tests share. */
const plain = {
  now: '1001',
  nextAt: 'nil',
  refused: '1',
  claims: '{}',
  events: '{}',
  target: 'false',
  isProbe: 'false',
  slow: 'nil',
  failureAction: '1',
  repaired: '2',
  mayCatchUp: 'nil',
  waits: 'false',
  wire: '3',
};
const values = {now: 1_001, refused: 1, failureAction: 'warn', repaired: 2, wire: 3};

function run<T extends RedisReply>(lua: string, keyNames: string[], args: string[]): Promise<T> {
  return test.store.connection.run<T>(newDeadline(), script(lua), keyNames, args);
}

function claimOf(name: string, more: Partial<Claim> = {}): Claim {
  const suffix = asSuffix<'delivery'>(name.padStart(16, '0'));
  return {
    suffix,
    sequence: expect.any(Number) as never,
    attempt: 2,
    failures: 1,
    claimedAt: 1_001,
    probe: false,
    ...more,
  };
}

function resultOf(name: string, more: Partial<Result> = {}): Result {
  const claim = {...claimOf(name), claimedAt: 7_200_000};
  return {claim, state: 'retrying', delayMs: 10, charge: 'none', counted: false, ...more};
}
