import {type Receiver, startReceiver} from '../support/receiver.js';
import {startTestRedis, type TestRedis} from '../support/redis-server.js';
import {sendRequest, startService} from '../support/service.js';
import {
  type ServiceProcess,
  type ServiceProcessOptions,
  startServiceProcess,
} from '../support/service-process.js';
import type {Id} from '../../src/domain/core/ids.js';

/** Number of rounds, set by `npm run faults -- --rounds N`; 0 in `npm test`, where the tests are short. */
export const rounds = Number(process.env['FAULT_ROUNDS'] ?? 0);

export interface CrashStage {
  readonly redis: TestRedis;
  readonly receiver: Receiver;
  readonly token: string;
  readonly workspace: Id<'workspace'>;
  readonly webhook: string;
  /** Starts a process of the service on this stage's Redis. It ends with the stage. */
  start(options?: Omit<ServiceProcessOptions, 'redisUrl'>): Promise<ServiceProcess>;
  close(): Promise<void>;
}

/**
 * Starts a separate Redis that writes every change to disk, a workspace with a token, and a receiver for
 * every standup.
 */
export async function setStage(): Promise<CrashStage> {
  const closings: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    for (let next = closings.pop(); next !== undefined; next = closings.pop()) await next();
  };
  try {
    const redis = await startTestRedis({appendfsync: 'always'});
    closings.push(() => redis.stop());
    const receiver = await startReceiver();
    closings.push(() => receiver.close());
    const {token, id, webhook} = await prepare(redis.url, receiver.url);
    return {
      redis,
      receiver,
      token,
      workspace: id,
      webhook,
      async start(options) {
        const service = await startServiceProcess({...options, redisUrl: redis.url});
        closings.push(() => service.kill());
        return service;
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function prepare(redisUrl: string, receiverUrl: string) {
  const service = await startService({redisUrl, env: {ROLES: 'web'}});
  try {
    const {token, id} = await service.addWorkspace();
    const made = await sendRequest(service.url, 'POST', '/v1/webhooks', {
      token,
      body: {url: receiverUrl, events: ['standup.created']},
    });
    return {token, id, webhook: String(made.body.id)};
  } finally {
    await service.close();
  }
}
