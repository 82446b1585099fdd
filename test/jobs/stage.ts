// test/jobs/: background work in the process of the test, with a real Redis and real receivers. Not here:
// killed or frozen processes (test/faults/).
import {createHash, randomBytes} from 'node:crypto';
import {suffixOf, type IdSuffix} from '../../src/domain/core/ids.js';
import type {Log} from '../../src/domain/core/log.js';
import {noMeter} from '../../src/domain/core/meter.js';
import {noTracer} from '../../src/domain/core/tracer.js';
import type {JobContext} from '../../src/jobs/context.js';
import {createDeliveryPerformer, type Deliver} from '../../src/jobs/deliver.js';
import {createFanOutPerformer} from '../../src/jobs/fan-out.js';
import {type Jobs, type SlackWork, startJobs} from '../../src/jobs/jobs.js';
import type {KnownEvents} from '../../src/jobs/known-events.js';
import {createRedisClient} from '../../src/store/core/redis-client.js';
import {workspaceKeys} from '../../src/store/core/keys.js';
import {createAddressPolicy} from '../../src/webhook/address.js';
import {createSender} from '../../src/webhook/sender.js';
import {createSigner} from '../../src/webhook/signature.js';
import type {Receiver} from '../support/receiver.js';
import type {Json, TestService, TestWorkspace} from '../support/service.js';
import {until} from '../support/until.js';

export const silentLog: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/** Collects clean-up functions of a test. `afterEach` runs them, the last one first. */
export function createCleanUps() {
  const stack: (() => Promise<unknown> | unknown)[] = [];
  return {
    add: (close: () => Promise<unknown> | unknown): void => void stack.push(close),
    async run(): Promise<void> {
      for (let close = stack.pop(); close !== undefined; close = stack.pop()) await close();
    },
  };
}

export interface JobWebhook {
  readonly id: IdSuffix<'webhook'>;
  readonly suffix: IdSuffix<'webhook'>;
  readonly secret: string;
}

export async function addWebhook(
  workspace: TestWorkspace,
  receiver: Pick<Receiver, 'url'>,
  members: object = {},
): Promise<JobWebhook> {
  const {status, body} = await workspace.request('POST', '/v1/webhooks', {
    body: {url: receiver.url, events: ['standup.*'], ...members},
  });
  if (status !== 201) throw new Error(`the webhook was not made: ${JSON.stringify(body)}`);
  return {id: body.id, suffix: suffixOf(body.id), secret: body.secret};
}

/**
 * Deletes the webhooks of a workspace. Otherwise a later receiver might get the port of an earlier one, and
 * old deliveries.
 */
export async function removeWebhooks({request}: TestWorkspace): Promise<void> {
  const {body} = await request('GET', '/v1/webhooks?limit=100');
  for (const {id} of body.data) await request('DELETE', `/v1/webhooks/${id}`);
}

/** Posts standups by calling the service directly, in a third of the time of a request. */
export async function postStandups(workspace: TestWorkspace, count = 1, team = 'platform'): Promise<void> {
  const {postStandup} = workspace.core.services.standups;
  const call = () => ({...workspace.operator(), principal: workspace.principal});
  await Promise.all(
    Array.from({length: count}, (_, i) => postStandup(call(), {team, update: `Update ${i}`, source: 'api'})),
  );
}

/** Returns the deliveries of a webhook as the API shows them, newest first. */
export async function deliveriesOf(workspace: TestWorkspace, {id}: JobWebhook): Promise<Json[]> {
  const {body} = await workspace.request('GET', `/v1/webhooks/${id}/deliveries?limit=100`);
  return body.data;
}

/** Returns the webhook's only delivery, once it is in `state` after `attempts` attempts. */
export function deliveryIn(
  workspace: TestWorkspace,
  hook: JobWebhook,
  state: string,
  attempts?: number,
): Promise<Json> {
  return until(
    async () => {
      const [delivery] = await deliveriesOf(workspace, hook);
      const isThere = delivery?.state === state && (attempts ?? delivery.attempts) === delivery.attempts;
      return isThere ? delivery : undefined;
    },
    {what: `the delivery is ${state}`},
  );
}

/** Returns the wait from the end of the delivery's last attempt until its next one (ms). */
export function waitOf(delivery: Json): number {
  const {at, duration_ms: duration} = delivery.last_attempt;
  return Date.parse(delivery.next_attempt_at) - Date.parse(at) - Number(duration);
}

/** Makes all waiting deliveries of the webhook due. */
export async function makeDue(
  {core}: TestService,
  {id: workspace}: TestWorkspace,
  {suffix}: JobWebhook,
): Promise<void> {
  const keys = workspaceKeys(workspace);
  const {connection} = core.store;
  const waiting = await connection.call<string[]>(newDeadline(), ['ZRANGE', keys.pending(suffix), '0', '-1']);
  for (const delivery of waiting)
    await connection.call(newDeadline(), ['ZADD', keys.pending(suffix), '0', delivery]);
  await connection.call(newDeadline(), ['ZADD', keys.ready(), '0', `deliver/${suffix}`]);
}

/** Returns the time of the next check of a webhook's deliveries (ms); undefined if none is planned. */
export async function lookAt(
  {core}: TestService,
  {id}: TestWorkspace,
  {suffix}: JobWebhook,
): Promise<number | undefined> {
  const score = await core.store.connection.call<string | null>(newDeadline(), [
    'ZSCORE',
    workspaceKeys(id).ready(),
    `deliver/${suffix}`,
  ]);
  return score === null ? undefined : Number(score);
}

/** Creates the context of background jobs beside a service. It sends nothing unless the test gives a sender. */
export function createJobContext({core}: TestService, changes: Partial<JobContext> = {}): JobContext {
  return {
    store: core.store,
    services: core.services,
    send: async () => ({error: 'aborted', durationMs: 0}),
    userAgent: 'test',
    sign: createSigner(),
    sha256: (text) => createHash('sha256').update(text).digest(),
    holder: randomBytes(8).toString('hex'),
    pace: async () => undefined,
    host: {own: undefined, hasEnded: () => false},
    random: Math.random,
    failpoint: () => undefined,
    meter: noMeter,
    tracer: noTracer,
    log: silentLog,
    ...changes,
  };
}

/**
 * Starts a separate worker beside a service with `ROLES=web`. A test may choose its clock, randomness and
 * sender. Its queue has its own database by default, so that it gets work only by `wake` and the scheduler.
 */
export async function startWorker(
  service: TestService,
  options: Partial<JobContext> & {
    readonly queueUrl: string;
    readonly timeoutMs?: number;
    readonly slack?: SlackWork;
  },
): Promise<Jobs> {
  const {queueUrl, timeoutMs, slack, ...changes} = options;
  const sender = createSender({
    policy: createAddressPolicy({allowNetworks: ['127.0.0.0/8']}),
    userAgent: 'test',
    ...(timeoutMs !== undefined && {timeoutMs}),
    wallClock: () => service.core.store.clock.now(),
  });
  const queueClient = createRedisClient({
    url: queueUrl,
    tlsVerify: true,
    onError: () => undefined,
    forQueue: true,
  });
  const context = createJobContext(service, {send: sender.send, ...changes});
  const jobs = await startJobs(context, queueClient, slack);
  return {
    ...jobs,
    async close() {
      await jobs.close();
      await sender.close();
    },
  };
}

/**
 * Creates only the part that sends deliveries, so that a test decides when a slice ends and which parts are
 * replaced.
 */
export function createPerformer(
  service: TestService,
  changes: Partial<JobContext> = {},
  known?: KnownEvents,
): {deliver: Deliver; close(): Promise<void>} {
  const sender = createSender({
    policy: createAddressPolicy({allowNetworks: ['127.0.0.0/8']}),
    userAgent: 'test',
  });
  const context = createJobContext(service, {send: sender.send, ...changes});
  return {
    deliver: createDeliveryPerformer(context, () => undefined, known),
    close: () => sender.close(),
  };
}

/** Creates the deliveries of all events in the log. */
export async function fanOutOnce(service: TestService, {id: workspace}: TestWorkspace): Promise<void> {
  const fanOut = createFanOutPerformer(createJobContext(service), () => undefined);
  await fanOut({
    workspace,
    work: {kind: 'fan-out'},
    until: newDeadline(),
    signal: new AbortController().signal,
  });
}

/** Creates a workspace whose webhooks have waiting deliveries for a receiver that hangs. */
export async function addBacklog(
  service: TestService,
  {url}: Pick<Receiver, 'url'>,
  webhooks: number,
  events: number,
): Promise<{workspace: TestWorkspace; hooks: JobWebhook[]}> {
  const workspace = await service.addWorkspace();
  const hooks: JobWebhook[] = [];
  for (let i = 0; i < webhooks; i++) {
    hooks.push(await addWebhook(workspace, {url: `${url}/${workspace.id}/${i}`}));
  }
  await postStandups(workspace, events);
  await fanOutOnce(service, workspace);
  return {workspace, hooks};
}

export function newDeadline(): number {
  return performance.now() + 5_000;
}
