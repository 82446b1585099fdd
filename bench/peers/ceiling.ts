// bench/peers/: minimal and simple servers that the service is compared with. They may import packages, but
// nothing of src/.
import {createServer, type ServerResponse} from 'node:http';
import {createHash} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {createClient} from 'redis';
import {padNumbers, createTemplate} from '../template.js';

/**
 * The ceiling of `POST /v1/standups`, called C: a bare server that only parses the body. It sends a recorded
 * commit of the service to a Redis script that makes the same writes without any checks.
 */
const {keys, args, unique, bareScript, head, body, update} = JSON.parse(
  readFileSync(process.env['RECORDING'] ?? '', 'utf8'),
) as Record<'keys' | 'args' | 'unique', string[]> & Record<'bareScript' | 'head' | 'body' | 'update', string>;

const redis = createClient({url: process.env['REDIS_URL'] ?? '', RESP: 2, commandOptions: {timeout: 0}});
redis.on('error', () => undefined);
await redis.connect();
await redis.hSet(head, 'sequence', '0');
await redis.scriptLoad(bareScript);

/** The parts of the recorded commit that change in each post: ids, and the text of the update. */
const holes = [...unique, JSON.stringify(update)];
const sha = createHash('sha1').update(bareScript).digest('hex');
const command = ['EVALSHA', sha, String(keys.length), ...keys, ...args].map((part) =>
  createTemplate(part, holes),
);
const answer = createTemplate(body, holes);

let count = 0;

async function storeAndAnswer(text: string, response: ServerResponse): Promise<void> {
  const said = JSON.parse(text) as {update: string};
  count += 1;
  const values = padNumbers(unique, count);
  values.push(JSON.stringify(said.update));
  await redis.sendCommand(command.map((fill) => fill(values)));
  const json = answer(values);
  response.writeHead(201, {'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(json)});
  response.end(json);
}

createServer((request, response) => {
  let text = '';
  request.setEncoding('utf8');
  request.on('data', (chunk: string) => {
    text += chunk;
  });
  request.on('end', () => {
    storeAndAnswer(text, response).catch(() => {
      response.writeHead(500, {'Content-Length': 0}).end();
    });
  });
}).listen(Number(process.env['PORT']), '127.0.0.1');
