import {afterEach, beforeEach, expect, it} from '@jest/globals';
import type {Id} from '../../../src/domain/core/ids.js';
import type {RedisReply} from '../../../src/store/core/connection.js';
import {claimRequestInclude} from '../../../src/store/core/compiled/lua.js';
import {workspaceKeys} from '../../../src/store/core/keys.js';
import {script} from '../../../src/store/core/script.js';
import {
  createClaimArgs,
  createClaimKeys,
  parseClaimAnswers,
  parseTargetRow,
} from '../../../src/store/webhooks/claim-codec.js';
import type {Claim, Result} from '../../../src/store/webhooks/claims.js';
import {blockKeyOf} from '../../../src/store/webhooks/delivery-blocks.js';
import {asId, asSuffix} from '../../support/ids.js';
import {openTestStore, newDeadline, type TestStore} from '../open-test-store.js';

let test: TestStore;
const keys = workspaceKeys(asId<'workspace'>(`wsp_${'w'.repeat(16)}`) satisfies Id<'workspace'>);
const webhook = asSuffix<'webhook'>('00000000000webh1');
const other = asSuffix<'webhook'>('00000000000webh2');
const terms = {leaseMs: 4_000, keptFor: 86_400, recordPrefix: 'r:', toRedisTime: (at: number) => at + 1};
const asked = {webhook, concurrency: 16, atMost: 3, withEvents: false, results: []};

beforeEach(async () => {
  test = await openTestStore();
});

afterEach(async () => {
  await test.store.close();
});

it('the claim script receives keys, requests and results under their names', async () => {
  const results = [resultOf('first'), resultOf('second', {counted: true, charge: 'failure', delayMs: 20})];
  const lua = `
${claimRequestInclude.body}
local seen = {}
for each = 1, requestCount do
  local k, request = nextRequest()
  local found = {}
  for i = 1, request.results do
    local delivery, attempt, _, delay, _, _, _, charged, counted = resultFields(request, i)
    found[i] = {delivery, attempt, delay, charged, counted, resultKeys(request, i)}
  end
  seen[each] = {k = k, request = request, found = found}
end
return cjson.encode({seen = seen, shared = {lease, keptFor, recordPrefix}})`;
  const first = {...asked, webhook: other, results: [resultOf('zero')]};
  const requests = [first, {...asked, held: 0, sureUntil: 1_800_000_000_000, results}];
  const args = createClaimArgs(terms, requests);
  const {seen: all, shared} = JSON.parse(await run<string>(lua, createClaimKeys(keys, requests), args));
  expect(shared).toEqual([4_000, 86_400, 'r:']);
  expect(all[0]).toMatchObject({k: {webhook: other, pending: keys.pending(other)}, request: {results: 1}});
  const seen = all[1];
  expect(seen.request).toMatchObject({
    concurrency: 16,
    atMost: 3,
    withEvents: false,
    held: 0,
    sureUntil: 1_800_000_000_001,
    results: 2,
  });
  expect(seen.k).toMatchObject({
    webhook,
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
      keys.delivery(suffix),
      blockKeyOf(keys, webhook, suffix),
    ]),
  );
});

it('the claim script receives omitted values as nil', async () => {
  const lua = `${claimRequestInclude.body}
local _, request = nextRequest()
return cjson.encode({request.held == nil, request.sureUntil == nil})`;
  const seen = JSON.parse(await run<string>(lua, [], createClaimArgs(terms, [asked])));
  expect(seen).toEqual([true, true]);
});

it('the answer of the claim script returns claims and values under their names, with their flags', () => {
  const first = claimOf('first', {attempt: 1, failures: 0, number: 7});
  const second = claimOf('second', {attempt: 4, failures: 2, replay: asSuffix('replay')});
  const claimed = [first.suffix, '1', '0', '7', '', second.suffix, '4', '2', '', 'replay'];
  const target = ['{"url":"http://x/"}', 'own', 'new', 'previous', 'old'];
  const answer = [1_001, 1_002, 1, claimed, [null, ['7-0', [], null]], target, 1, '20', 1, 2, 1, 1, 3];
  const {claims, ...outcome} = parseClaimAnswers(answer, parseTargetRow);
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
});

it('an answer of the claim script may have no claims, target or flags', () => {
  const answer = [1_001, null, 1, [], [], null, null, null, 1, 2, null, null, 3];
  expect(parseClaimAnswers(answer, parseTargetRow)).toEqual({
    ...values,
    claims: [],
    nextAt: undefined,
    slow: false,
    mayCatchUp: false,
    waits: false,
  });
});

/** The fields of the answers that all of these tests share. */
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
