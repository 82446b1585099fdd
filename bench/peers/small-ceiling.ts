// What the rows are compared with: ceilings (as little as can be) and builds as one would write them first.
// Not here: anything of the service. A peer may import packages and nothing of src/.
import {createServer, type ServerResponse} from 'node:http';
import {createHash} from 'node:crypto';
import {createClient} from 'redis';

/**
 * The ceiling of `POST /v1/standups`: a bare server and one script that writes what a standup takes (record, three places in lists, event,
 * idempotency record). No token is looked at and nothing is validated.
 */
const script = `#!lua
local kept = redis.call('GET', KEYS[6])
if kept then return {0, kept} end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local sequence = redis.call('HINCRBY', KEYS[7], 'sequence', 1)
redis.call('SET', KEYS[1], ARGV[2])
for i = 2, 4 do redis.call('ZADD', KEYS[i], sequence, ARGV[1]) end
redis.call('XADD', KEYS[5], string.format('%.0f-0', sequence), 'i', ARGV[1], 't', 'standup.created', 'a', ARGV[1], 'r', '1')
redis.call('SET', KEYS[6], ARGV[1], 'EX', 86400)
return {now, sequence}`;

const redis = createClient({url: process.env['REDIS_URL'] ?? '', RESP: 2, commandOptions: {timeout: 0}});
redis.on('error', () => undefined);
await redis.connect();
await redis.scriptLoad(script);
const sha = createHash('sha1').update(script).digest('hex');

let drawn = 0;

async function store(text: string, key: string, response: ServerResponse): Promise<void> {
  const {team, update} = JSON.parse(text) as {team: string; update: string};
  drawn += 1;
  const id = `std_${String(drawn).padStart(26, '0')}`;
  const at = new Date().toISOString();
  const body = JSON.stringify({
    id,
    object: 'standup',
    team,
    team_id: 'team_00000000000000000000000000',
    update,
    author: {type: 'service_account', id: 'svc_00000000000000000000000000', name: 'bench'},
    date: at.slice(0, 10),
    source: 'api',
    late: false,
    edited: false,
    metadata: {},
    revision: 1,
    created_at: at,
    updated_at: at,
  });
  const keys = [`r:${id}`, 'l:all', 'l:team', 'l:author', 'events', `i:${key}`, 'head'];
  const tagged = keys.map((name) => `{ceiling}:${name}`);
  await redis.sendCommand(['EVALSHA', sha, '7', ...tagged, id, body]);
  response.writeHead(201, {'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body)});
  response.end(body);
}

createServer((request, response) => {
  let text = '';
  request.setEncoding('utf8');
  request.on('data', (chunk: string) => {
    text += chunk;
  });
  request.on('end', () => {
    store(text, String(request.headers['idempotency-key']), response).catch(() => {
      response.writeHead(500, {'Content-Length': 0}).end();
    });
  });
}).listen(Number(process.env['PORT']), '127.0.0.1');
