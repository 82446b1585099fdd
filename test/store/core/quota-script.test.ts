import {afterAll, beforeAll, expect, it} from '@jest/globals';
import fc from 'fast-check';
import {takeFrom} from '../../../src/domain/core/quota.js';
import {takeQuotaInclude} from '../../../src/store/core/compiled/lua.js';
import {parseQuotaVerdict, createQuotaArgs} from '../../../src/store/core/quota-script.js';
import type {Store} from '../../../src/store/store.js';
import {openTestStore, newDeadline} from '../open-test-store.js';

let store: Store;

beforeAll(async () => {
  ({store} = await openTestStore());
});

afterAll(() => store.close());

const key = 'a quota';
const source = `
${takeQuotaInclude.body}
local kept = redis.call('GET', KEYS[1])
local quota, over = takeQuota(KEYS[1], kept, tonumber(ARGV[1]), ARGV[2], ARGV[3], ARGV[4], ARGV[5])
return {quota, over and 1 or 0}`;

/** Lead of a count over the clock (µs): about zero, about a minute, or more than a steady clock allows. */
const ahead = fc.oneof(
  fc.integer({min: -2, max: 2}),
  fc.integer({min: -2_000_000, max: 2_000_000}).map((off) => 60_000_000 + off),
  fc.integer({min: -100_000_000, max: 100_000_000}),
);
const limit = fc.constantFrom(0, 1, 7, 300, 1_000_000);

it('the quota script in Redis gives the same results as the function in the domain, even if a clock has gone back', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({min: 1e12, max: 4e12}),
      ahead,
      ahead,
      limit,
      limit,
      fc.boolean(),
      fc.constantFrom(1, 2, 10),
      async (at, aheadAll, aheadWrites, all, writes, isWrite, count) => {
        const tally = {all: at * 1_000 + aheadAll, writes: at * 1_000 + aheadWrites};
        const cost = {limits: {all, writes}, isWrite, count};
        await store.connection.call(newDeadline(), ['SET', key, `${tally.all} ${tally.writes}`]);
        const args = ['EVAL', source, '1', key, String(at), ...createQuotaArgs(cost)] as const;
        const [quota, over] = await store.connection.call<[string, number]>(newDeadline(), args);
        expect(parseQuotaVerdict(quota, over === 0, at)).toEqual(takeFrom(tally, cost, at));
      },
    ),
    {numRuns: 500},
  );
});

it('an unreadable count of a quota starts again from zero', async () => {
  await store.connection.call(newDeadline(), ['SET', key, 'not a tally']);
  const cost = {limits: {all: 60, writes: 60}, isWrite: true};
  const args = ['EVAL', source, '1', key, '1000', ...createQuotaArgs(cost)] as const;
  expect(await store.connection.call(newDeadline(), args)).toEqual(['2000000 2000000', 0]);
});
