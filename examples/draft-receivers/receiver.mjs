// Receives webhooks of Linear and Jira, and adds finished issues to the drafts of their assignees, by a service
// account. It needs Node 20 or later and no packages. Run it behind a proxy with TLS.
import {createHmac, timingSafeEqual} from 'node:crypto';
import {createServer} from 'node:http';
import {setTimeout as sleep} from 'node:timers/promises';

const {
  STANDUP_URL = '',
  STANDUP_TOKEN = '',
  STANDUP_TEAM = '',
  LINEAR_SECRET = '',
  JIRA_SECRET = '',
} = process.env;
const {PORT = '8787', HOST = '127.0.0.1'} = process.env;
const limits = {body: 1024 * 1024, update: 4_000, links: 20, title: 200, ageMs: 5 * 60_000};

/** The trackers by path: how a request is signed, and which finished issue it reports. */
const trackers = {
  '/linear': {source: 'linear', secret: LINEAR_SECRET, header: 'linear-signature', read: readLinear},
  '/jira': {source: 'jira', secret: JIRA_SECRET, header: 'x-hub-signature', read: readJira},
};

function readLinear({type, data, url, webhookTimestamp}) {
  // An old request may be one that somebody has recorded.
  if (Math.abs(Date.now() - webhookTimestamp) > limits.ageMs) return undefined;
  if (type !== 'Issue' || data?.state?.type !== 'completed') return undefined;
  return {member: data.assignee?.email, key: data.identifier, title: data.title, url: url ?? data.url};
}

function readJira({issue}) {
  const {summary, status, assignee} = issue?.fields ?? {};
  if (status?.statusCategory?.key !== 'done') return undefined;
  const url = new URL(`/browse/${issue.key}`, issue.self).href;
  return {member: assignee?.emailAddress, key: issue.key, title: summary, url};
}

function isSigned(body, signature, secret) {
  if (secret === '') return false;
  const expected = createHmac('sha256', secret).update(body).digest();
  const given = Buffer.from(String(signature).replace(/^sha256=/, ''), 'hex');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/**
 * Sends a request. Without an answer, and after 429 or 5xx, it tries again for about ten seconds, or when the
 * service asks for it, if that is within a minute.
 */
async function request(method, address, body) {
  for (let wait = 500; ; wait *= 2) {
    const answer = await fetch(address, {
      method,
      headers: {authorization: `Bearer ${STANDUP_TOKEN}`, 'content-type': 'application/json'},
      ...(body && {body: JSON.stringify(body)}),
    }).catch(() => undefined);
    if (answer !== undefined && answer.status !== 429 && answer.status < 500) return answer;
    const asked = Number(answer?.headers.get('retry-after') ?? 0) * 1_000;
    if (wait > 4_000 || asked > 60_000)
      throw new Error(`The standup service does not answer (${answer?.status ?? 'no response'}).`);
    await sleep(Math.max(wait, asked));
  }
}

/** Adds a finished issue to the draft of its assignee, unless it is there already. */
async function addIssue(source, {member, key, title, url}) {
  const name = [...title.replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, ' ').trim()]
    .slice(0, limits.title)
    .join('');
  const address = new URL(`/v1/drafts/${encodeURIComponent(member)}`, STANDUP_URL);
  const found = await request('GET', `${address.href}?${new URLSearchParams({team: STANDUP_TEAM})}`);
  if (!found.ok) return found.status;
  const {parts, date} = await found.json();
  const {update, links} = parts.find((one) => one.source === source) ?? {update: '', links: []};
  if (links.some((link) => link.url === url)) return 204;
  const lines = [...update.split('\n').filter((line) => line !== ''), `- ${key} ${name}`];
  while ([...lines.join('\n')].length > limits.update) lines.shift();
  const part = {update: lines.join('\n'), links: [...links, {url, title: key}].slice(-limits.links)};
  return (await request('PUT', address, {team: STANDUP_TEAM, date, source, ...part})).status;
}

async function readBody(incoming) {
  const pieces = [];
  let size = 0;
  for await (const piece of incoming) {
    size += piece.length;
    if (size > limits.body) throw new RangeError('too large');
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** One change after another, since each adds to the part that the one before has written. */
let last = Promise.resolve();

async function answer(incoming) {
  const tracker = trackers[incoming.url];
  if (incoming.method !== 'POST' || tracker === undefined) return 404;
  const body = await readBody(incoming);
  if (!isSigned(body, incoming.headers[tracker.header], tracker.secret)) return 401;
  const issue = tracker.read(JSON.parse(body.toString()));
  // Other events, and issues of nobody, need no answer but the one that ends the tracker's retries.
  if (issue?.member === undefined || issue.member === null) return 204;
  const added = last.then(() => addIssue(tracker.source, issue));
  last = added.catch(() => undefined);
  const status = await added;
  return status === 401 ? 503 : 204;
}

const server = createServer({requestTimeout: 30_000}, (incoming, reply) => {
  answer(incoming)
    .catch((error) =>
      error instanceof RangeError
        ? 413
        : error instanceof SyntaxError || error instanceof TypeError
          ? 400
          : 503,
    )
    .then((status) => reply.writeHead(status).end());
});
server.listen(Number(PORT), HOST, () => console.log(`Receiving at http://${HOST}:${server.address().port}`));
