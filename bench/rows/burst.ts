import {suffixOf, storedId} from '../../src/domain/core/ids.js';
import {lists} from '../../src/domain/core/lists.js';
import {addWebhooks} from '../deliveries.js';
import type {Arm} from '../method.js';
import {commonBody, measurePosts, type PostTarget, warmUpWithPosts} from '../posts.js';
import {type BenchReceivers, startReceivers} from '../receivers.js';
import type {BenchRow} from '../row.js';
import {type Bench, type Build, openStage} from '../stage.js';

const postsAtOnce = 20_000;
const work = `${postsAtOnce.toLocaleString('en-US')} posts as fast as they go, worker in the same process, one webhook`;

/** Measures whether deliveries keep up while posts arrive at full speed. */
export const burst: BenchRow = {
  service: createBurstContender,
  figures: [
    {metric: 'missed', work: `${work}: missed`, unit: 'events', aim: {atMost: 0}},
    {metric: 'times', work: 'the same: until all are delivered, times posting', unit: '×', aim: {atMost: 2}},
    {metric: 'share', work: 'the same: delivered when posting ends', unit: '%'},
    {metric: 'perSecond', work: 'the same: posts', unit: '/s'},
  ],
  method: {rounds: 1, warmUp: 6_000},
};

/** A time limit (s) that is longer than the measured work takes. */
const longEnough = 120;

function createBurstContender(bench: Bench, build: Build): Arm {
  return {
    name: build.name,
    async open(closings) {
      const stage = await openStage(bench, closings);
      const receivers = await startReceivers(1);
      closings.defer(() => receivers.close());
      const [webhook = ''] = await addWebhooks(stage, receivers.urls);
      const all = stage.keys.list(lists.standups());
      let left = Number.POSITIVE_INFINITY;
      const target: PostTarget = {
        name: build.name,
        stage,
        server: await stage.startService(build, 'web,worker'),
        lists: [all],
        next: () => ((left -= 1) < 0 ? undefined : {token: stage.token, body: commonBody}),
      };
      return {
        warm: (seconds) => warmUpWithPosts(target, seconds),
        async measure() {
          await waitForAllRequests(receivers, await stage.redis.zCard(all));
          left = postsAtOnce;
          const [before, from] = [receivers.received(), performance.now()];
          const {perSecond = 0} = await measurePosts(target, longEnough);
          const share = ((receivers.received() - before) / postsAtOnce) * 100;
          const last = await waitForAllRequests(receivers, before + postsAtOnce);
          const posting = (postsAtOnce / perSecond) * 1_000;
          const missed = await stage.redis.hGet(
            stage.keys.webhookState(suffixOf(storedId<'webhook'>(webhook))),
            'missed',
          );
          return {
            events: postsAtOnce,
            perSecond,
            share,
            missed: Number(missed ?? 0),
            times: last === undefined ? Number.NaN : (last - from) / posting,
          };
        },
      };
    },
  };
}

const quietMs = 10_000;

/**
 * Resolves when all expected requests have arrived. Resolves to undefined when no more requests arrive
 * although some are missing.
 */
async function waitForAllRequests(receivers: BenchReceivers, wanted: number): Promise<number | undefined> {
  let [known, since] = [0, performance.now()];
  while (known < wanted) {
    if (performance.now() - since > quietMs) return undefined;
    await new Promise((resolve) => setTimeout(resolve, 10));
    if (receivers.received() > known) [known, since] = [receivers.received(), performance.now()];
  }
  return since;
}
