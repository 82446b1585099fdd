import {createNodeRedisClient, Queue} from 'bullmq';
import express, {type NextFunction, type Request, type Response} from 'express';
import {createLocalJWKSet, jwtVerify, type JSONWebKeySet} from 'jose';
import {randomUUID} from 'node:crypto';
import {createClient} from 'redis';
import {z} from 'zod';

/**
 * The obvious first implementation of `POST /v1/standups`: Express, zod and node-redis with their defaults.
 * Each request verifies a token of the service, writes a hash and its indexes in one MULTI, and adds a job.
 */
const issuer = process.env['ISSUER'] ?? '';
const keys = createLocalJWKSet(JSON.parse(process.env['JWKS'] ?? '{}') as JSONWebKeySet);
const redis = createClient({url: process.env['REDIS_URL'] ?? ''});
redis.on('error', () => undefined);
await redis.connect();
const queueClient = redis.duplicate();
queueClient.on('error', () => undefined);
await queueClient.connect();
const queue = new Queue('standups', {
  connection: createNodeRedisClient(queueClient),
});

const newStandup = z.strictObject({
  team: z.string().min(1).max(80),
  update: z.string().min(1).max(4_000),
  date: z.iso.date().optional(),
  metadata: z.record(z.string(), z.string()).default({}),
});

const app = express();
app.use(express.json());
app.use((request: Request, response: Response, next: NextFunction) => {
  const token = request.headers.authorization?.slice('Bearer '.length) ?? '';
  jwtVerify(token, keys, {issuer, audience: issuer}).then(
    ({payload}) => {
      response.locals['subject'] = payload.sub;
      next();
    },
    () => void response.status(401).json({error: 'invalid_token'}),
  );
});
async function postStandup(request: Request, response: Response): Promise<void> {
  const parsed = newStandup.safeParse(request.body);
  if (!parsed.success) {
    response.status(422).json({error: z.flattenError(parsed.error)});
    return;
  }
  const author = String(response.locals['subject']);
  const id = `std_${randomUUID()}`;
  const key = `idempotency:${author}:${request.get('idempotency-key') ?? id}`;
  if ((await redis.set(key, id, {NX: true, EX: 86_400})) === null) {
    const kept = await redis.hGetAll(`standup:${(await redis.get(key)) ?? ''}`);
    response.status(201).set('Idempotent-Replayed', 'true').json(kept);
    return;
  }
  const {team, update, metadata, date} = parsed.data;
  const at = new Date();
  const standup = {
    id,
    object: 'standup',
    team,
    update,
    author,
    date: date ?? at.toISOString().slice(0, 10),
    source: 'api',
    metadata: JSON.stringify(metadata),
    created_at: at.toISOString(),
    updated_at: at.toISOString(),
  };
  const entry = {score: at.getTime(), value: id};
  await redis
    .multi()
    .hSet(`standup:${id}`, standup)
    .zAdd('standups', entry)
    .zAdd(`standups:team:${team}`, entry)
    .zAdd(`standups:author:${author}`, entry)
    .exec();
  await queue.add('standup.created', {id}, {removeOnComplete: true});
  response.status(201).location(`/v1/standups/${id}`).json(standup);
}

app.post('/v1/standups', (request, response, next) => {
  postStandup(request, response).catch(next);
});
app.listen(Number(process.env['PORT']), '127.0.0.1');
