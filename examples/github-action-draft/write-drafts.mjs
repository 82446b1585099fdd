// Adds the commits of a push to the drafts of their authors, by a service account. It needs Node 20 or later
// and no packages. It prints no text of a commit, since GitHub runs commands that a log contains.
import {readFileSync} from 'node:fs';
import {setTimeout as sleep} from 'node:timers/promises';

const source = 'github';
const limits = {update: 4_000, links: 20, subject: 200};

const {STANDUP_URL = '', STANDUP_TOKEN = '', STANDUP_TEAM = '', STANDUP_PEOPLE = ''} = process.env;
const {GITHUB_EVENT_PATH = '', GITHUB_REPOSITORY = ''} = process.env;

/**
 * Sends a request. Without an answer, and after 429 or 5xx, it tries again for about half a minute, or when the
 * service asks for it, if that is within a minute.
 */
async function request(method, address, body) {
  for (let wait = 1_000; ; wait *= 2) {
    const answer = await fetch(address, {
      method,
      headers: {authorization: `Bearer ${STANDUP_TOKEN}`, 'content-type': 'application/json'},
      ...(body && {body: JSON.stringify(body)}),
    }).catch(() => undefined);
    if (answer !== undefined && answer.status !== 429 && answer.status < 500) return answer;
    const asked = Number(answer?.headers.get('retry-after') ?? 0) * 1_000;
    if (wait > 16_000 || asked > 60_000)
      throw new Error(`The standup service does not answer (${answer?.status ?? 'no response'}).`);
    await sleep(Math.max(wait, asked));
  }
}

/** The first line of a commit's message, without control characters and characters that change its direction. */
function readSubject(message) {
  const [line = ''] = message.split('\n');
  const clean = line.replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, ' ').trim();
  return [...clean].slice(0, limits.subject).join('');
}

/** Groups the commits by the member who wrote them. */
function groupByMember(commits, people) {
  const groups = new Map();
  for (const commit of commits) {
    const {distinct, message, author} = commit;
    if (distinct === false || message.startsWith('Merge ')) continue;
    const member = people[author.username] ?? people[author.email] ?? author.email;
    groups.set(member, [...(groups.get(member) ?? []), commit]);
  }
  return groups;
}

/** Adds commits to the part of an earlier push. A commit that is there already is not added again. */
function addCommits({update, links}, commits) {
  const news = commits.filter(({url}) => !links.some((link) => link.url === url));
  const lines = news.map(({id, message}) => `- ${readSubject(message)} (${id.slice(0, 7)})`);
  const kept = [...(update ?? '').split('\n'), ...lines].filter((line) => line !== '');
  while ([...kept.join('\n')].length > limits.update) kept.shift();
  const titles = news.map(({id, url}) => ({url, title: `${GITHUB_REPOSITORY} ${id.slice(0, 7)}`}));
  return {
    update: kept.join('\n'),
    links: [...links, ...titles].slice(-limits.links),
    isChanged: news.length > 0,
  };
}

async function writeDraft(member, commits) {
  const address = new URL(`/v1/drafts/${encodeURIComponent(member)}`, STANDUP_URL);
  const query = new URL(`${address.href}?${new URLSearchParams({team: STANDUP_TEAM})}`);
  const found = await request('GET', query);
  if (!found.ok) return found.status;
  const {parts, date} = await found.json();
  const {isChanged, ...part} = addCommits(parts.find((one) => one.source === source) ?? {links: []}, commits);
  if (!isChanged) return 204;
  return (await request('PUT', address, {team: STANDUP_TEAM, date, source, ...part})).status;
}

const {protocol, hostname} = new URL(STANDUP_URL);
if (protocol !== 'https:' && !['localhost', '127.0.0.1', '[::1]'].includes(hostname))
  throw new Error('STANDUP_URL must begin with https://, since the token is sent there.');
const {commits = []} = JSON.parse(readFileSync(GITHUB_EVENT_PATH, 'utf8'));
let [written, skipped] = [0, 0];
for (const [member, own] of groupByMember(commits, JSON.parse(STANDUP_PEOPLE || '{}'))) {
  const status = await writeDraft(member, own);
  if (status === 401) throw new Error('The access token is not valid.');
  if (status === 204) written += 1;
  else skipped += 1;
}
console.log(`Drafts written: ${written}. Authors who are no members of the team: ${skipped}.`);
