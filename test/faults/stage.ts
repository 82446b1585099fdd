import {type Receiver, startReceiver} from '../support/receiver.js';
import {sendRequest, startService} from '../support/service.js';
import {
  type ServiceProcess,
  type ServiceProcessOptions,
  startServiceProcess,
} from '../support/service-process.js';
import type {StoreKind} from '../support/store-kinds.js';
import {startTestStore, type TestStore} from '../support/test-store.js';
import {workspaceKeys} from '../../src/store/core/keys.js';
import type {TestRedis} from '../support/redis-server.js';
import type {Id} from '../../src/domain/core/ids.js';

/** Number of rounds, set by `npm run faults -- --rounds N`; 0 in `npm test`, where the tests are short. */
export const rounds = Number(process.env['FAULT_ROUNDS'] ?? 0);

export interface CrashStage {
  readonly store: TestStore;
  readonly receiver: Receiver;
  readonly token: string;
  readonly workspace: Id<'workspace'>;
  readonly webhook: string;
  /** Returns the server that has the data of the workspace now. */
  findMaster(): Promise<TestRedis>;
  /** Starts a process of the service on this stage's store. It ends with the stage. */
  start(options?: Omit<ServiceProcessOptions, 'redisUrl'>): Promise<ServiceProcess>;
  close(): Promise<void>;
}

/** Starts a store, a workspace with a token, and a receiver for every standup. */
export async function setStage(kind?: StoreKind): Promise<CrashStage> {
  const closings: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    for (let next = closings.pop(); next !== undefined; next = closings.pop()) await next();
  };
  try {
    const store = await startTestStore(kind === undefined ? {} : {kind});
    closings.push(() => store.stop());
    const receiver = await startReceiver();
    closings.push(() => receiver.close());
    const {token, id, webhook} = await prepare(store, receiver.url);
    return {
      store,
      receiver,
      token,
      workspace: id,
      webhook,
      findMaster: () => store.masterOf(workspaceKeys(id).head()),
      async start(options) {
        const env = {...store.env, ...options?.env};
        const service = await startServiceProcess({...options, redisUrl: store.url, env});
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

async function prepare(store: TestStore, receiverUrl: string) {
  const service = await startService({redisUrl: store.url, env: {...store.env, ROLES: 'web'}});
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
