import {suffixOf, type Id} from '../../src/domain/core/ids.js';
import type {RedisCommand} from '../../src/store/core/connection.js';
import {findDurationBucket} from '../../src/domain/webhooks/webhook-health.js';
import {encodeAttempt, encodeExchange} from '../../src/store/webhooks/attempt-records.js';
import {workspaceKeys} from '../../src/store/core/keys.js';
import type {Person} from '../api/people.js';
import {addWebhook, deliveriesOf, type JobWebhook, postStandups, newDeadline} from '../jobs/stage.js';
import {type Receiver, startReceiver} from '../support/receiver.js';
import {until} from '../support/until.js';
import {openDashboard, type BrowserStage} from './support/stage.js';

const at = '2031-03-12T10:12:00.000Z';
const hourMs = 3_600_000;
const hour = Math.floor(Date.parse(at) / hourMs);
export const hostile = '<img src=x onerror=alert(1)>\u202e{"error":"disk full"}';

/** A dashboard with an admin, a working receiver, and a broken one. */
export interface WebhooksStage {
  readonly stage: BrowserStage;
  readonly ada: Person;
  readonly receiver: Receiver;
  readonly broken: Receiver;
  close(): Promise<void>;
}

export async function openWebhooks(): Promise<WebhooksStage> {
  const opened = [openDashboard({}, {at}), startReceiver(), startReceiver()] as const;
  const [stage, receiver, broken] = await Promise.all(opened);
  const ada = await stage.addPerson({name: 'Ada Lovelace', team: 'platform', role: 'admin'});
  return {
    stage,
    ada,
    receiver,
    broken,
    async close() {
      await stage.close();
      await receiver.close();
      await broken.close();
    },
  };
}

const keysOf = (stage: BrowserStage) => workspaceKeys(stage.workspace.id);

export function callRedis(stage: BrowserStage, ...args: RedisCommand): Promise<unknown> {
  return stage.service.core.store.connection.call(newDeadline(), args);
}

/** Adds a healthy, a failing and a disabled webhook, and then six standups. */
export async function addHooks({
  stage,
  receiver,
  broken,
}: WebhooksStage): Promise<{well: JobWebhook; ill: JobWebhook}> {
  const well = await addWebhook(stage.workspace, receiver, {description: 'The wiki'});
  broken.respondWith({status: 503, body: hostile});
  const ill = await addWebhook(stage.workspace, broken, {
    description: 'Reports <b>of</b> the week',
    events: ['standup.created', 'team.*', 'run.closed', 'blocker.*', 'absence.created', 'webhook.failing'],
  });
  const off = {description: 'Not in use', events: ['*'], enabled: false};
  await addWebhook(stage.workspace, receiver, off);
  await writeHours(stage, well, 0);
  await writeHours(stage, ill, 1);
  await postStandups(stage.workspace, 6);
  await untilAttempted(stage, well, 6);
  await until(async () => {
    const {body} = await stage.workspace.request('GET', `/v1/webhooks/${ill.id}/health`);
    return (
      body.consecutive_failures >= 5 && body.breaker.state === 'open' && body.last_attempt.status === 503
    );
  });
  return {well, ill};
}

function untilAttempted(stage: BrowserStage, hook: JobWebhook, count: number): Promise<true> {
  return until(async () => {
    const rows = await deliveriesOf(stage.workspace, hook);
    return rows.length === count && rows.every(({last_attempt: last}) => last !== null);
  });
}

/** Stores attempts of a delivery: a timeout, a failed name lookup, and an error status. */
export async function writeAttempts(
  stage: BrowserStage,
  ill: JobWebhook,
  delivery: Id<'delivery'>,
): Promise<void> {
  const suffix = suffixOf(delivery);
  const none = {dns_ms: null, tcp_ms: null, tls_ms: null, connect_ms: null, first_byte_ms: null};
  const began = Date.parse(at) - 40 * 60_000;
  const attempts = [
    {...none, duration_ms: 15_000, dns_ms: 3, tcp_ms: 12, tls_ms: 28, connect_ms: 43, error: 'timeout'},
    {...none, duration_ms: 210, error: 'dns_failed'},
    {...none, duration_ms: 96, connect_ms: 0, first_byte_ms: 91, error: 'status', status: 503, probe: true},
  ] as const;
  const waits = [0, 20_000, 320_000];
  const fields = attempts.flatMap((attempt, i) => [
    `attempt:${i + 1}`,
    encodeAttempt({
      status: null,
      probe: false,
      remote_address: '2001:db8::7',
      ...attempt,
      at: new Date(began + (waits[i] ?? 0)).toISOString(),
    }),
  ]);
  await callRedis(
    stage,
    'HSET',
    keysOf(stage).delivery(suffix),
    'attempts',
    '3',
    'state',
    'retrying',
    ...fields,
  );
  await callRedis(stage, 'HSET', keysOf(stage).tries(ill.suffix), suffix, '3:3:1::');
  const exchange = encodeExchange({
    request: {
      method: 'POST',
      url: 'https://hooks.example.com/standups?kind=all',
      headers: {'content-type': 'application/json', 'standup-attempt': '3', authorization: '[hidden]'},
    },
    response: {headers: {server: 'nginx', 'retry-after': '120'}, body: hostile},
  });
  await callRedis(
    stage,
    'ZADD',
    keysOf(stage).excerpts(ill.suffix),
    String(Date.parse(at)),
    `${suffix}:3:${exchange}`,
  );
}

/** Stores counts of attempts in earlier hours. */
async function writeHours(stage: BrowserStage, hook: JobWebhook, failing: number): Promise<void> {
  for (let back = 24; back > 0; back -= 1) {
    const [attempts, bad] = back > failing ? [(back * 7) % 23, 0] : [6 + back, 6 + back];
    const failures = bad === 0 ? {} : {bad, timeout: 4, status: 2 + back};
    const counts = {...failures, [findDurationBucket(80)]: attempts};
    const flat = Object.entries(counts).map(([field, count]) => [field, String(count)]);
    await callRedis(stage, 'HSET', keysOf(stage).health(hook.suffix, hour - back), ...flat.flat());
  }
}
