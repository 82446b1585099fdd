import {afterAll, beforeAll, expect, it} from '@jest/globals';
import type {RedisCommand} from '../../../src/store/core/connection.js';
import fc from 'fast-check';
import {positionsPerEvent} from '../../../src/domain/webhooks/delivery.js';
import {suffixWithSequence} from '../../../src/domain/core/ids.js';
import {lists} from '../../../src/domain/core/lists.js';
import {blockKeyOf, createBlockField} from '../../../src/store/webhooks/delivery-blocks.js';
import {createDeliveryLister} from '../../../src/store/webhooks/delivery-pages.js';
import {deliveryBlocksInclude} from '../../../src/store/core/compiled/lua.js';
import {declareConstants, script} from '../../../src/store/core/script.js';
import {workspaceKeys} from '../../../src/store/core/keys.js';
import {openTestStore, newDeadline, type TestStore} from '../open-test-store.js';
import {asSuffix, asId} from '../../support/ids.js';

const workspace = asId<'workspace'>(`ws_${'0'.repeat(26)}`);
const keys = workspaceKeys(workspace);
let test: TestStore;
let webhooks = 0;

beforeAll(async () => {
  test = await openTestStore();
});

afterAll(async () => {
  await test.store.close();
});

const call = (...command: RedisCommand) => test.store.connection.call<string[]>(newDeadline(), command);

/** Adds a delivery to a list by its block, as the scripts do. KEYS: list, block. ARGV: suffix, sequence. */
const listScript = script(`#!lua
${declareConstants(deliveryBlocksInclude.constants)}
${deliveryBlocksInclude.body}
redis.call('HSET', KEYS[2], fieldOf(ARGV[1]), '')
redis.call('ZADD', KEYS[1], positionOfBlock(ARGV[2]), blockName(ARGV[1]))
return 1`);

/** The deliveries of one event: one in its block or none, and those of replays. */
const eventArbitrary = fc.record({
  after: fc.oneof(fc.integer({min: 1, max: 3}), fc.integer({min: 1, max: 100})),
  own: fc.boolean(),
  replays: fc.oneof(fc.constant(0), fc.integer({min: 1, max: 40})),
});

it('pages show each delivery of a webhook once, from the last to the first, wherever a page ends', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(eventArbitrary, {maxLength: 40}),
      fc.array(fc.integer({min: 1, max: 60}), {minLength: 1}),
      fc.double({min: 0, max: 1, noNaN: true}),
      async (events, limits, lowest) => {
        const webhook = asSuffix(`h${String((webhooks += 1)).padStart(15, '0')}`);
        const list = keys.list(lists.deliveriesOf(webhook));
        const expected: [suffix: string, position: number][] = [];
        const writes: Promise<unknown>[] = [];
        let sequence = 0;
        for (const {after, own, replays} of events) {
          sequence += after;
          for (let i = own ? 0 : 1; i <= replays; i++) {
            const suffix = suffixWithSequence(`${String(i).padStart(4, '0')}abcd`, sequence);
            expected.unshift([suffix, sequence * positionsPerEvent + i]);
            if (i > 0) writes.push(call('ZADD', list, String(sequence + i / positionsPerEvent), suffix));
            else {
              const both = [list, blockKeyOf(keys, webhook, suffix)];
              writes.push(
                test.store.connection.run(newDeadline(), listScript, both, [suffix, String(sequence)]),
              );
            }
          }
        }
        await Promise.all(writes);

        const from = Math.floor(lowest * lowest * sequence) * positionsPerEvent;
        const listDown = createDeliveryLister(test.store.connection);
        const shown: [suffix: string, position: number][] = [];
        let [pages, past]: [number, number | undefined] = [0, undefined];
        do {
          const limit = limits[(pages += 1) % limits.length] ?? 1;
          const page = {from, limit, past};
          const {positions, next} = await listDown(workspace, webhook, page, newDeadline());
          expect(positions.size).toBeLessThanOrEqual(limit);
          if (next !== undefined) expect(positions.size).toBe(limit);
          shown.push(...positions);
          past = next;
        } while (past !== undefined);
        expect(shown).toEqual(expected.filter(([, position]) => position >= from));
      },
    ),
    {numRuns: 60},
  );
});

it('a page of deliveries skips a block whose deliveries are no longer stored', async () => {
  const webhook = asSuffix('h'.repeat(16));
  const list = keys.list(lists.deliveriesOf(webhook));
  const suffixes = [40, 900].map((sequence) => suffixWithSequence('abcdabcd', sequence));
  for (const [i, one] of suffixes.entries()) {
    const both = [list, blockKeyOf(keys, webhook, one)];
    await test.store.connection.run(newDeadline(), listScript, both, [one, String([40, 900][i])]);
  }
  await call('DEL', blockKeyOf(keys, webhook, suffixes[1] ?? asSuffix('')));
  const {positions, next} = await createDeliveryLister(test.store.connection)(
    workspace,
    webhook,
    {limit: 1},
    newDeadline(),
  );
  expect([...positions.keys()]).toEqual([suffixes[0]]);
  expect(next).toBeUndefined();
  expect(await call('HKEYS', blockKeyOf(keys, webhook, suffixes[0] ?? asSuffix('')))).toEqual([
    createBlockField(suffixes[0] ?? asSuffix('')),
  ]);
});
