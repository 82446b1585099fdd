import {pathToFileURL} from 'node:url';
import {composeService, type RunningService} from '../src/compose.js';
import {createShutdownList} from '../src/compose-core.js';
import {parseConfig} from '../src/config/config.js';
import type {Log} from '../src/domain/core/log.js';
import {createRedisClient} from '../src/store/core/redis-client.js';
import {workspaceKeys} from '../src/store/core/keys.js';
import type {DemoAct} from './acts.js';
import {generatePlan} from './plan.js';
import {createPlayedClock, type PlayedClock} from './clock.js';
import type {DemoReceivers} from './receivers.js';
import {createStage, type DemoStage} from './stage.js';

export interface PlayOptions {
  /** The Redis database of the demonstration, which is emptied first. */
  readonly redisUrl: string;
  readonly secretKey: string;
  readonly seed: number;
  readonly weeks: number;
  /**
   * The instant (ms) at which the played weeks end and the user begins to use the demonstration. All actions
   * happen before this instant.
   */
  readonly endsAt: number;
  readonly receivers: DemoReceivers;
  /** Additional settings of the service. */
  readonly env?: Readonly<Record<string, string>>;
  readonly onProgress?: (share: number) => void;
}

/** The folder of the built dashboard. `npm run demo` runs in the folder of package.json. */
export const webFolder = pathToFileURL('dist/web/');

/** A service whose clock is at the end of the played weeks. */
export interface PlayedDemo extends DemoStage {
  readonly running: RunningService;
  close(): Promise<void>;
}

const silent: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: (fields, message, cause) => {
    throw new Error(`${message} ${JSON.stringify(fields)}`, {cause});
  },
};

/** Plays some weeks. Each action is a call of a service, and background jobs do all work that is due. */
export async function playWeeks(options: PlayOptions): Promise<PlayedDemo> {
  const {redisUrl, secretKey, seed, weeks, endsAt, receivers, env = {}} = options;
  const plan = generatePlan(seed, weeks, endsAt);
  const closings = createShutdownList();
  try {
    const clock = await createPlayedClock(redisUrl, plan.startsAt);
    closings.defer(() => clock.close());
    const {config, secrets} = parseConfig({
      REDIS_URL: redisUrl,
      SECRET_KEY: secretKey,
      LOG_LEVEL: 'silent',
      ...env,
    });
    const port = Number(env['PORT'] ?? 0);
    const running = await composeService({
      config: {...config, http: {...config.http, host: '127.0.0.1', port}},
      secrets: {...secrets, secretKey},
      log: silent,
      closings,
      version: 'demo',
      time: clock.time,
      schedulerIntervalMs: 10,
      upkeepMs: 24 * 3_600_000,
      webFolder,
    });
    const stage = await createStage(running.core, plan, receivers);
    await playActs({plan: plan.acts, endsAt, stage, clock, redisUrl}, options.onProgress);
    await stage.finish();
    return {
      ...stage,
      running,
      async close() {
        await running.drain();
        await closings.run();
      },
    };
  } catch (error) {
    await closings.run().catch(() => undefined);
    throw error;
  }
}

interface PlaybackOptions {
  readonly plan: readonly DemoAct[];
  readonly endsAt: number;
  readonly stage: DemoStage;
  readonly clock: PlayedClock;
  readonly redisUrl: string;
}

/**
 * A job in progress is due at the end of its lease. So a job that is due within this time (ms) may be in
 * progress.
 */
const inProgressMs = 10_000;
/** The real time (ms) to wait for a job in progress before the played clock advances. */
const timeoutMs = 60;

async function playActs(
  {plan, endsAt, stage, clock, redisUrl}: PlaybackOptions,
  onProgress: (share: number) => void = () => undefined,
): Promise<void> {
  const client = createRedisClient({url: redisUrl, tlsVerify: true, onError: () => undefined});
  await client.connect();
  const ready = workspaceKeys(stage.workspace).ready();
  const next = async (): Promise<number> => {
    const [first] = await client.zRangeWithScores(ready, 0, 0);
    return first?.score ?? Number.POSITIVE_INFINITY;
  };

  /** Waits until no job is due or in progress at this instant. */
  async function waitUntilIdle(): Promise<void> {
    const asked = performance.now();
    for (;;) {
      const due = await next();
      const now = clock.time.now();
      if (due > now + inProgressMs) return;
      const waited = performance.now() - asked;
      if (due > now && waited > timeoutMs) return;
      if (waited > 20_000) throw new Error(`Something stays due at ${new Date(now).toISOString()}.`);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  }

  try {
    const startsAt = clock.time.now();
    let i = 0;
    for (;;) {
      const act = plan[i];
      const due = await next();
      const at = Math.min(act?.at ?? endsAt, due, endsAt);
      if (at > clock.time.now()) await clock.set(at);
      if (due <= at) await waitUntilIdle();
      else if (act !== undefined && act.at <= at) {
        await stage.perform(act);
        i += 1;
        if (i % 100 === 0) onProgress((act.at - startsAt) / (endsAt - startsAt));
      } else break;
    }
    await waitUntilIdle();
  } finally {
    client.destroy();
  }
}
