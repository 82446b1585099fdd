import {afterEach, expect, it} from '@jest/globals';
import {randomInt} from 'node:crypto';
import {deep} from '../support/deep.js';
import {createChance} from '../support/seeded-random.js';
import {eachStore} from '../support/test-store.js';
import {until} from '../support/until.js';
import {report} from './audit.js';
import {type AcknowledgedStandup, startLoad} from './load.js';
import {asksFor, auditWebhooks, listLeft, type WebhookCounts} from './webhook-audit.js';
import {pickFailures, type Failure, type Outage} from './webhook-failures.js';
import {setWebhookStage, teams, type WebhookStage} from './webhook-stage.js';

/** Number of rounds, set by `npm run faults -- webhooks --rounds N`; 1 in `npm test`. */
const rounds = Number(process.env['WEBHOOK_FAULT_ROUNDS'] ?? (deep ? 4 : 1));
const seed = Number(process.env['WEBHOOK_FAULT_SEED'] ?? randomInt(2 ** 31));
/** Pattern of the names of the failures to run. */
const only = new RegExp(process.env['WEBHOOK_FAULT_ONLY'] ?? '');
/** Number of rounds after which everything is audited and a new stage starts. */
const roundsPerStage = 25;
/** Time after a restart within which the deliveries of a killed worker arrive (ms). */
const promiseMs = 15_000;

let stage: WebhookStage | undefined;

afterEach(() => stage?.close());

it.each(eachStore)(
  'failures at any step of webhooks on a store of the kind %s lose no event, make no delivery twice, and repeat only requests in progress',
  async (kind) => {
    const suite = `crash suite of webhooks (${kind})`;
    report(suite, {seed, rounds});
    const chance = createChance(seed);
    const remaining: Failure[] = [];
    const struck = new Map<string, number>();
    const recoveries: number[] = [];
    const total: Partial<WebhookCounts> = {};

    for (let done = 0; done < rounds; ) {
      stage = await setWebhookStage({kind, ownQueue: (done / roundsPerStage) % 2 === 1});
      const outages: Outage[] = [];
      const acknowledged: AcknowledgedStandup[] = [];
      for (let i = 0; i < roundsPerStage && done < rounds; i++, done++) {
        const names: string[] = [];
        const own = await playRound(stage, async () => {
          for (let strikes = chance.between(1, 2); strikes > 0; strikes--) {
            if (remaining.length === 0) remaining.push(...pickFailures(chance, only));
            const failure = remaining.pop() as Failure;
            names.push(failure.name);
            struck.set(failure.name, (struck.get(failure.name) ?? 0) + 1);
            await failure.strike({stage: stage as WebhookStage, chance, outages});
          }
        }).catch((error: unknown) => {
          const where = `round ${done + 1} of seed ${seed}, after ${names.join(', then ')}`;
          throw new Error(`${where}: ${String(error)}`, {cause: error});
        });
        acknowledged.push(...own.acknowledged);
        recoveries.push(own.recoveryMs);
      }
      const {violations: found, counts} = await auditWebhooks(stage, acknowledged, outages);
      expect(found).toEqual([]);
      for (const [name, count] of Object.entries(counts) as [keyof WebhookCounts, number][])
        total[name] = (total[name] ?? 0) + count;
      if (done < rounds) report(`after ${done} rounds`, total);
      await stage.close();
      stage = undefined;
    }
    report('struck', Object.fromEntries([...struck].sort()));
    report(suite, {rounds, ...total, ...percentiles(recoveries)});
    expect(recoveries.filter((ms) => ms > promiseMs)).toEqual([]);
  },
  180_000 + 60_000 * rounds,
);

/**
 * Posts standups during failures. Ends when every webhook has received all of them except those that it
 * refused.
 */
async function playRound(stage: WebhookStage, strike: () => Promise<void>) {
  const {services, token, hooks, arrivals} = stage;
  const urls = services.map(({url}) => url);
  const load = startLoad({urls, token, clients: 2, teams, restMs: 100});
  const {acknowledged} = load;
  let recoveredAt: number;
  try {
    await until(() => acknowledged.length >= 5, {what: 'clients are served'});
    await strike();
    recoveredAt = Date.now();
    const enough = acknowledged.length + 5;
    await until(() => acknowledged.length >= enough, {what: 'clients are served again'});
  } catch (error) {
    // Ignores an error of the clients, which may wait for a dead process. The first failure is the cause.
    await load.stop().catch(() => undefined);
    throw error;
  }
  await load.stop();
  const awaited = hooks.flatMap((hook) =>
    acknowledged.filter((standup) => asksFor(hook, standup)).map(({id}) => `${hook.name} ${id}`),
  );
  const firstAt = new Map<string, number>();
  let seen = 0;
  const missing = () => {
    for (; seen < arrivals.length; seen++) {
      const {hook, about, request, failed} = arrivals[seen] as (typeof arrivals)[number];
      const name = `${hook.name} ${about}`;
      if (!firstAt.has(name)) firstAt.set(name, failed ? 0 : request.at);
    }
    return awaited.filter((name) => !firstAt.has(name));
  };
  await until(() => missing().length === 0, {what: 'all is delivered', withinMs: 60_000, everyMs: 50}).catch(
    async (error: unknown) => {
      const some = missing().slice(0, 5).join();
      throw new Error(`${String(error)}; missing ${missing().length}: ${some}; ${await listLeft(stage)}`);
    },
  );
  const lastAt = Math.max(...awaited.map((name) => firstAt.get(name) ?? 0));
  return {acknowledged, recoveryMs: Math.max(0, lastAt - recoveredAt)};
}

function percentiles(times: readonly number[]): object {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  return {'ms from restart until all is delivered: p50': at(0.5), p99: at(0.99)};
}
