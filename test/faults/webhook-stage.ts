import {randomUUID} from 'node:crypto';
import {type Id, suffixOf, type IdSuffix} from '../../src/domain/core/ids.js';
import {workspaceKeys} from '../../src/store/core/keys.js';
import {type ReceivedRequest, type Receiver, startReceiver, verifyWebhook} from '../support/receiver.js';
import {startTestRedis, type TestRedis} from '../support/redis-server.js';
import type {StoreKind} from '../support/store-kinds.js';
import {startTestStore, type TestStore} from '../support/test-store.js';
import {type Json, sendRequest, startService} from '../support/service.js';
import {type ServiceProcess, startServiceProcess} from '../support/service-process.js';
import {until} from '../support/until.js';

/** A webhook of the crash tests, with its own path at the receiver. */
export interface StageWebhook {
  readonly name: string;
  readonly id: string;
  readonly suffix: IdSuffix<'webhook'>;
  /** All valid secrets of the webhook, newest first. */
  readonly secrets: readonly string[];
  /** Slug of the only team whose events the webhook gets. */
  readonly team: string | undefined;
  readonly ordered: boolean;
}

/** A request that has arrived at a receiver. */
export interface ReceivedDelivery {
  readonly hook: StageWebhook;
  readonly event: string;
  readonly delivery: string;
  readonly attempt: number;
  readonly request: ReceivedRequest;
  /** Id of the event's standup. */
  readonly about: string;
  /** Time at which the request was answered (Unix ms); undefined while the answer is delayed. */
  answeredAt: number | undefined;
  /** True if the receiver refused the request on purpose. */
  failed: boolean;
  /** Result of the official library for each secret. The library rejects requests older than five minutes. */
  readonly verified: readonly (string | undefined)[];
}

export interface WebhookStage {
  readonly store: TestStore;
  /** The address of the queue's Redis, which may be the same as that of the store. */
  readonly queueUrl: string;
  readonly token: string;
  readonly workspace: Id<'workspace'>;
  readonly hooks: readonly StageWebhook[];
  /** Two processes that both serve requests and do background work. */
  readonly services: readonly [ServiceProcess, ServiceProcess];
  /** All requests received, in order of arrival. */
  readonly arrivals: readonly ReceivedDelivery[];
  /** Deliveries that were requested again after their first request, with the time of that (Unix ms). */
  readonly again: Map<string, number>;
  /** Replays in their final state. */
  readonly replays: Json[];
  /** Returns the server that has the data of the workspace now. */
  findMaster(): Promise<TestRedis>;
  /** Returns the answer to a command that uses keys of the workspace. */
  ask(command: readonly string[]): Promise<unknown>;
  /** Sends a changing request, and repeats it with its idempotency key until a process executes it. */
  mutate(path: string, body?: object): Promise<Json>;
  /**
   * Delays the answers to fast webhooks until `release`. Returns a function that counts the waiting requests.
   */
  hold(): () => number;
  release(): void;
  close(): Promise<void>;
}

/**
 * Length of a lease (ms), shorter than in production, because a frozen process keeps its leases for this
 * time.
 */
const leaseMs = 2_000;

export const teams = ['platform', 'design', 'sales'] as const;

/**
 * Event types of each webhook besides standups. `failing` refuses a tenth of its deliveries once, and `slow`
 * answers late.
 */
const wanted: Readonly<
  Record<string, {team?: string; members?: object; rotated?: boolean; ordered?: boolean}>
> = {
  plain: {},
  filtered: {team: 'design'},
  failing: {},
  slow: {},
  rotated: {rotated: true},
  ordered: {ordered: true, members: {ordering: 'per_team'}},
};

/**
 * Starts a store, two processes, and a receiver with a path for each webhook. `ownQueue`: beside one Redis the
 * queue has another, whose loss does not affect the records. Beside other kinds it always has.
 */
export async function setWebhookStage({
  kind,
  ownQueue,
}: {
  kind: StoreKind;
  ownQueue: boolean;
}): Promise<WebhookStage> {
  const closings: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    for (let next = closings.pop(); next !== undefined; next = closings.pop()) await next();
  };
  try {
    const store = await startTestStore({kind});
    closings.push(() => store.stop());
    let queueUrl = store.env['QUEUE_REDIS_URL'] ?? store.url;
    if (kind === 'single' && ownQueue) {
      const queueRedis = await startTestRedis({appendfsync: 'no'});
      closings.push(() => queueRedis.stop());
      queueUrl = queueRedis.url;
    }
    const receiver = await startReceiver();
    closings.push(() => receiver.close());
    const {token, workspace, hooks} = await prepare(store, receiver.url);
    const head = workspaceKeys(workspace).head();
    const env = {...store.env, QUEUE_REDIS_URL: queueUrl};
    const options = {redisUrl: store.url, env, armable: true, composed: {leaseMs}};
    const start = async (): Promise<ServiceProcess> => {
      const service = await startServiceProcess(options);
      closings.push(() => service.kill());
      return service;
    };
    const services = [await start(), await start()] as const;
    const answers = answer(receiver, hooks);
    closings.push(async () => answers.release());
    const again = new Map<string, number>();
    const mutate = (path: string, body?: object) => repeat(services, path, {token, body});
    return {
      store,
      queueUrl,
      token,
      workspace,
      hooks,
      services,
      again,
      replays: [],
      findMaster: () => store.masterOf(head),
      ask: async (command) => (await store.send(head, [command]))[0],
      mutate,
      ...answers,
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
    const {request, token, id: workspace} = await service.addWorkspace();
    const create = async (path: string, body: object) => {
      const made = await request('POST', path, {body});
      if (made.status >= 300) throw new Error(made.text);
      return made.body;
    };
    for (const slug of teams.slice(1)) await create('/v1/teams', {slug, name: slug});
    const hooks: StageWebhook[] = [];
    for (const [name, {team, members, rotated = false, ordered = false}] of Object.entries(wanted)) {
      const only = team && {teams: [team]};
      const body = {url: `${receiverUrl}/${name}`, events: ['standup.created'], ...only, ...members};
      const {id, secret} = await create('/v1/webhooks', body);
      const secrets = [String(secret)];
      if (rotated) secrets.unshift((await create(`/v1/webhooks/${id}/rotate-secret`, {})).secret);
      hooks.push({name, id, suffix: suffixOf(id), secrets, team, ordered});
    }
    return {token, workspace, hooks};
  } finally {
    await service.close();
  }
}

function answer(receiver: Receiver, hooks: readonly StageWebhook[]) {
  const byPath = new Map(hooks.map((hook) => [`/${hook.name}`, hook]));
  const arrivals: ReceivedDelivery[] = [];
  const refused = new Set<string>();
  const counts = new Map<StageWebhook, number>();
  let gate: Promise<void> | undefined;
  let open = (): void => undefined;
  let held = 0;

  receiver.respondWith(async (request) => {
    const hook = byPath.get(request.path);
    if (hook === undefined) throw new Error(`no webhook asked for ${request.path}`);
    const arrival: ReceivedDelivery = {
      hook,
      event: request.id,
      delivery: request.headers['standup-delivery'] ?? '',
      attempt: Number(request.headers['standup-attempt']),
      request,
      about: (JSON.parse(request.body.toString()) as {data: {id: string}}).data.id,
      answeredAt: undefined,
      failed: false,
      verified: hook.secrets.map((secret) => findSignatureError(request, secret)),
    };
    arrivals.push(arrival);
    const number = (counts.get(hook) ?? 0) + 1;
    counts.set(hook, number);
    // Some answers take longer than a lease, so that the sender must renew it.
    const slowMs = number % 30 === 0 ? leaseMs + 700 : 100 + (number % 5) * 100;
    if (hook.name === 'slow') await new Promise((resolve) => setTimeout(resolve, slowMs));
    else if (gate !== undefined) {
      held += 1;
      await gate;
    }
    // Each of these deliveries is refused once, so that its retry comes after 5 s and not after 5 minutes.
    // They are too few to open the breaker.
    arrival.failed = hook.name === 'failing' && number % 10 === 0 && !refused.has(arrival.delivery);
    if (arrival.failed) refused.add(arrival.delivery);
    arrival.answeredAt = Date.now();
    return arrival.failed ? 500 : 204;
  });

  return {
    arrivals,
    hold() {
      held = 0;
      gate ??= new Promise((resolve) => (open = resolve));
      return () => held;
    },
    release() {
      gate = undefined;
      open();
    },
  };
}

function findSignatureError(request: ReceivedRequest, secret: string): string | undefined {
  try {
    verifyWebhook(request, secret);
    return undefined;
  } catch (error) {
    return String(error);
  }
}

function repeat(services: readonly ServiceProcess[], path: string, request: {token: string; body?: unknown}) {
  const headers = {'idempotency-key': randomUUID()};
  let target = 0;
  const send = async (): Promise<Json> => {
    const {url} = services[target++ % services.length] as ServiceProcess;
    const reply = await sendRequest(url, 'POST', path, {...request, headers}).catch(() => undefined);
    if (reply === undefined || reply.status === 503) return undefined;
    if (reply.status >= 300) throw new Error(reply.text);
    return reply.body;
  };
  return until(send, {what: `POST ${path} is carried out`, everyMs: 100});
}
