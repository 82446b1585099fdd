import {lists} from '../../src/domain/core/lists.js';
import {addWebhooks, waitUntilDelivered} from '../deliveries.js';
import type {Arm} from '../method.js';
import {measurePosts, type PostTarget, update} from '../posts.js';
import {startReceivers} from '../receivers.js';
import type {BenchRow} from '../row.js';
import {type Bench, type Build, openStage, type RedisClient} from '../stage.js';

const postsAtOnce = 10_000;
const work = 'a standup with some 300 bytes of text, its idempotency key, event and one delivered webhook';

/** Measures the space that a standup takes in Redis, with all related data. */
export const bytes: BenchRow = {
  service: createStoredBytesContender,
  figures: [
    {metric: 'memory', work: `${work}: memory of Redis`, unit: 'bytes', aim: {atMost: 2_000}},
    {metric: 'file', work: 'the same: append-only file', unit: 'bytes'},
  ],
  // Two processes are enough, because the space is exactly the same in each.
  method: {processes: 2, rounds: 1, warmUp: 0},
};

/** A time limit (s) that is longer than the measured work takes. */
const longEnough = 120;

function createStoredBytesContender(bench: Bench, build: Build): Arm {
  return {
    name: build.name,
    async open(closings) {
      const stage = await openStage(bench, closings);
      const receivers = await startReceivers(1);
      closings.defer(() => receivers.close());
      await addWebhooks(stage, receivers.urls);
      let left = 0;
      const target: PostTarget = {
        name: build.name,
        stage,
        server: await stage.startService(build, 'web,worker'),
        lists: [stage.keys.list(lists.standups())],
        next: () => ((left -= 1) < 0 ? undefined : {token: stage.token, body: createPostBody(left)}),
      };
      async function sendPosts(count: number): Promise<Holdings> {
        left = count;
        await Promise.all([receivers.expect(count), measurePosts(target, longEnough)]);
        await waitUntilDelivered(stage);
        return readRedisSizes(stage.redis);
      }
      return {
        async measure() {
          // The first posts also create the keys that exist only once in a workspace, so they are not
          // counted.
          const before = await sendPosts(500);
          const after = await sendPosts(postsAtOnce);
          const each = (name: keyof Holdings): number => (after[name] - before[name]) / postsAtOnce;
          return {events: postsAtOnce, memory: each('memory'), file: each('file')};
        },
      };
    },
  };
}

/**
 * Texts of different lengths, 300 bytes on average. Redis allocates memory in steps of 128 bytes, so texts of
 * one length would not be representative.
 */
function createPostBody(n: number): string {
  const text = update.repeat(2).slice(0, update.length - step + (n % (2 * step + 1)));
  return JSON.stringify({team: 'platform', update: text});
}

const step = 128;

interface Holdings {
  readonly memory: number;
  readonly file: number;
}

async function readRedisSizes(redis: RedisClient): Promise<Holdings> {
  const info = `${await redis.info('memory')}\n${await redis.info('persistence')}`;
  const read = (name: string): number => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(info)?.[1]);
  return {memory: read('used_memory'), file: read('aof_current_size')};
}
