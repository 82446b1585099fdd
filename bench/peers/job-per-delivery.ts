import {createNodeRedisClient, Queue, Worker} from 'bullmq';
import {createHmac, randomUUID} from 'node:crypto';
import {createClient} from 'redis';
import {Agent, request} from 'undici';

/**
 * The obvious first implementation of webhooks. A job for each event creates a job for each delivery, which
 * signs and sends it and writes a hash. The queue retries. `prepare` queues the events while no worker runs,
 * `go` starts the worker, `pause` ends it.
 */
interface JobPeerCommand {
  readonly do: 'prepare' | 'go' | 'pause';
  readonly urls?: readonly string[];
  readonly body?: string;
  readonly events?: number;
}

interface EventJob {
  readonly id: string;
  readonly body: string;
  readonly urls: readonly string[];
}

interface DeliveryJob {
  readonly event: string;
  readonly url: string;
  readonly body: string;
}

const connectionsPerReceiver = 16;
const agent = new Agent({connections: connectionsPerReceiver, pipelining: 1});
const secret = Buffer.from('a signing secret for the benchmarks');

const redis = createClient({url: process.env['REDIS_URL'] ?? '', commandOptions: {timeout: 0}});
redis.on('error', () => undefined);
await redis.connect();
const queueClient = createClient({
  url: process.env['REDIS_URL'] ?? '',
  RESP: 2,
  commandOptions: {timeout: 0},
});
queueClient.on('error', () => undefined);
await queueClient.connect();
const connection = createNodeRedisClient(queueClient);

const kept = {removeOnComplete: true, attempts: 8, backoff: {type: 'exponential', delay: 5_000}} as const;
const events = new Queue<EventJob>('events', {connection});
const deliveries = new Queue<DeliveryJob>('deliveries', {connection});

async function sendDelivery({event, url, body}: DeliveryJob): Promise<void> {
  const timestamp = Math.floor(Date.now() / 1_000);
  const signature = createHmac('sha256', secret).update(`${event}.${timestamp}.${body}`).digest('base64');
  const begunAt = performance.now();
  const answer = await request(url, {
    dispatcher: agent,
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/json',
      'webhook-id': event,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': `v1,${signature}`,
    },
  });
  await answer.body.dump();
  await redis.hSet(`delivery:${event}:${url}`, {
    status: answer.statusCode,
    duration_ms: Math.round(performance.now() - begunAt),
    at: new Date().toISOString(),
  });
  if (answer.statusCode >= 300) throw new Error(`answered ${answer.statusCode}`);
}

const fanOut = new Worker<EventJob>(
  'events',
  async ({data: {id, body, urls}}) => {
    await deliveries.addBulk(
      urls.map((url) => ({name: 'deliver', data: {event: id, url, body}, opts: kept})),
    );
  },
  {connection, concurrency: 16},
);
const sender = new Worker<DeliveryJob>('deliveries', ({data}) => sendDelivery(data), {
  connection,
  concurrency: 3 * connectionsPerReceiver,
});
for (const worker of [fanOut, sender]) worker.on('error', () => undefined);
await Promise.all([fanOut.pause(), sender.pause()]);

async function executeCommand(order: JobPeerCommand): Promise<void> {
  const {urls = [], body = '', events: count = 0} = order;
  switch (order.do) {
    case 'prepare':
      for (let made = 0; made < count; made += 500) {
        await events.addBulk(
          Array.from({length: Math.min(500, count - made)}, () => ({
            name: 'standup.created',
            data: {id: `evt_${randomUUID()}`, body, urls},
            opts: kept,
          })),
        );
      }
      return;
    case 'go':
      await Promise.all([fanOut.resume(), sender.resume()]);
      return;
    case 'pause':
      await Promise.all([fanOut.pause(), sender.pause()]);
  }
}

process.on('message', (order: JobPeerCommand) => {
  executeCommand(order).then(
    () => process.send?.('done'),
    () => process.exit(1),
  );
});
