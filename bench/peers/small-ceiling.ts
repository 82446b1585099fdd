import {createServer, type ServerResponse} from 'node:http';
import {createHash} from 'node:crypto';
import {createClient} from 'redis';
import {createSmallCommand, smallScript} from './small-script.js';

/**
 * The first ceiling of this bench: like peers/ceiling.ts, but with nine short keys and arguments, whatever
 * the service writes. It never changes, so that runs of different years can be compared.
 */
const redis = createClient({url: process.env['REDIS_URL'] ?? '', RESP: 2, commandOptions: {timeout: 0}});
redis.on('error', () => undefined);
await redis.connect();
await redis.scriptLoad(smallScript);
const sha = createHash('sha1').update(smallScript).digest('hex');

let count = 0;

async function storeAndAnswer(text: string, key: string, response: ServerResponse): Promise<void> {
  const {team, update} = JSON.parse(text) as {team: string; update: string};
  count += 1;
  const id = `std_${String(count).padStart(26, '0')}`;
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
  await redis.sendCommand(['EVALSHA', sha, ...createSmallCommand(id, key, body)]);
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
    storeAndAnswer(text, String(request.headers['idempotency-key']), response).catch(() => {
      response.writeHead(500, {'Content-Length': 0}).end();
    });
  });
}).listen(Number(process.env['PORT']), '127.0.0.1');
