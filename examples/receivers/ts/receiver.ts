// Receives webhooks of the standup service, and counts the standups of each team and day. Each event counts once,
// however often it is sent and whenever this process is killed.
import {createServer, type IncomingMessage} from 'node:http';
import {DatabaseSync} from 'node:sqlite';
import {type AnyEvent, verifyWebhook, WebhookVerificationError} from 'team-standup-client';

const {WEBHOOK_SECRET: secret, DATABASE = 'standups.db', HOST = '127.0.0.1', PORT = '4000'} = process.env;
if (!secret) throw new Error('WEBHOOK_SECRET is missing.');
const largestBody = 1_000_000;

const database = new DatabaseSync(DATABASE);
database.exec(`
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA busy_timeout = 5000;
  CREATE TABLE IF NOT EXISTS received (id TEXT PRIMARY KEY) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS standups (team TEXT, date TEXT, posted INTEGER, PRIMARY KEY (team, date));
`);
const insertEvent = database.prepare('INSERT INTO received (id) VALUES (?) ON CONFLICT DO NOTHING');
const countStandup = database.prepare(`
  INSERT INTO standups (team, date, posted) VALUES (?, ?, 1)
  ON CONFLICT DO UPDATE SET posted = posted + 1
`);

/** Keeps the id of the event and its effect in one transaction: both, or neither. */
function receive(event: AnyEvent): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    const {changes} = insertEvent.run(event.id);
    if (changes === 1) apply(event);
    database.exec('COMMIT');
  } catch (error) {
    database.exec('ROLLBACK');
    throw error;
  }
}

/** The effect of an event. It may only use the database: an e-mail or a request would not be taken back. */
function apply(event: AnyEvent): void {
  if (event.type === 'standup.created' && event.data !== null)
    countStandup.run(event.data.team_id, event.data.date);
}

/** Reads the raw body, over which the request is signed. Returns nothing if it is too large. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > largestBody) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function answer(request: IncomingMessage): Promise<number> {
  if (request.method !== 'POST') return 405;
  const body = await readBody(request);
  if (body === undefined) return 413;
  try {
    receive(await verifyWebhook({body, headers: request.headers, secret}));
    return 204;
  } catch (error) {
    if (error instanceof WebhookVerificationError) return 400;
    // The service sends the event again after any other answer than 2xx.
    console.error(error);
    return 500;
  }
}

const server = createServer((request, response) => {
  answer(request).then(
    (status) => response.writeHead(status).end(),
    () => response.destroy(),
  );
});
server.listen(Number(PORT), HOST, () => console.log('The receiver listens.'));
process.once('SIGTERM', () => server.close());
