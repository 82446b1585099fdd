import {spawn} from 'node:child_process';
import {randomInt, randomUUID} from 'node:crypto';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {expect} from '@jest/globals';
import {type EventStreamClient, openEvents} from '../support/event-stream-client.js';
import {startTestRedis} from '../support/redis-server.js';
import {type Json, startService} from '../support/service.js';
import {
  minimalEnv,
  type ServiceProcess,
  startServiceProcess,
  testSecretKey,
} from '../support/service-process.js';
import {until} from '../support/until.js';
import type {Build} from './builds.js';
import {type AcknowledgedStandup, startLoad} from './load.js';

// Here answers are not compared with the API document of this source tree: the earlier build has its own.

export interface VersionsPlan {
  readonly earlier: Build;
  readonly later: Build;
  /** The number of minutes at which runs open. Each closes a minute later. 0: no runs and no kills. */
  readonly minutes: number;
}

export interface VersionCounts {
  readonly standups: number;
  readonly events: number;
  /** Number of requests for an event that the receiver had already received; each follows a kill. */
  readonly repeats: number;
  readonly kills: number;
  readonly runs: number;
  /** True if the two builds have different data formats. */
  readonly isRaised: boolean;
  readonly unanswered: number;
  readonly 'answers 503': number;
}

interface LoggedEvent {
  readonly id: string;
  readonly type: string;
  readonly sequence: number;
  readonly data: {readonly id: string; readonly team: string};
}

interface Reach {
  /** The addresses of both processes. Each request goes to the next one. */
  readonly urls: readonly string[];
  readonly token: string;
}

const teams = ['platform', 'design', 'sales'];
const minuteMs = 60_000;
/** Number of teams whose runs open in the same minute. */
const runsAtOnce = 5;

/**
 * Runs an earlier and a later build on one store under load. First each is replaced by the other with
 * SIGTERM, and one of them back. Then each is killed and started again in turn, while runs open and close.
 * Last, only the later one is left, and the data is upgraded. Throws if anything was lost, doubled or
 * reordered.
 */
export async function playVersions({earlier, later, minutes}: VersionsPlan): Promise<VersionCounts> {
  const closings: (() => Promise<unknown>)[] = [];
  try {
    const redis = await startTestRedis({appendfsync: 'always'});
    closings.push(() => redis.stop());
    const start = async ({folder}: Build, port?: number): Promise<ServiceProcess> => {
      const service = await startServiceProcess({
        redisUrl: redis.url,
        folder,
        ...(port !== undefined && {port}),
      });
      closings.push(() => service.kill());
      return service;
    };
    // The earlier build creates the installation, so the data has the earlier format.
    const processes = [await start(earlier), await start(earlier)];
    const [plain, ordered] = [await startPlainReceiver(), await startPlainReceiver()];
    closings.push(plain.close, ordered.close);
    const {token, webhooks} = await prepare(redis.url, [plain.url, ordered.url], minutes);
    const reach = {urls: processes.map(({url}) => url), token};
    const readers = [followFeed(reach), await followStream(reach)];
    for (const reader of readers) closings.push(reader.stop);
    const load = startLoad({...reach, teams});
    let isStopped = false;
    const stopLoad = (): Promise<void> => {
      isStopped = true;
      return load.stop();
    };
    closings.push(async () => isStopped || stopLoad().catch(() => undefined));

    const beServed = async (): Promise<void> => {
      const enough = load.acknowledged.length + 20;
      await until(() => load.acknowledged.length >= enough, {what: 'clients are served'});
    };
    const replace = async (at: number, build: Build): Promise<void> => {
      await beServed();
      const leaving = processes[at] as ServiceProcess;
      expect(await leaving.stop()).toEqual({code: 0, signal: null});
      processes[at] = await start(build, leaving.port);
    };

    await replace(1, later);
    await replace(0, later);
    await replace(1, earlier);
    await beServed();
    await auditStandups(reach, [...load.acknowledged]);
    await exchangeTokens(reach);
    expect(plain.received.length).toBe(new Set(plain.received).size);

    const lastClosesAt = minutes === 0 ? 0 : await scheduleRuns(reach, minutes);
    let kills = 0;
    while (Date.now() < lastClosesAt) {
      await beServed();
      await new Promise((resolve) => setTimeout(resolve, randomInt(1_000)));
      await processes[kills % 2]?.restart();
      kills += 1;
    }

    const early = await upgrade(later, redis.url);
    // With one format for both builds there is nothing to do, and nothing to refuse.
    expect(early).toMatch(/^0 The data already has format \d+|^1 These processes do not read format /);
    const isRaised = early.startsWith('1');
    await replace(1, later);
    if (isRaised) {
      // Processes that were killed count for a minute.
      const raised = () => upgrade(later, redis.url).then((said) => said.startsWith('0 '));
      await until(raised, {withinMs: 90_000, everyMs: 1_000, what: 'the data is upgraded'});
      await expect(start(earlier)).rejects.toThrow('start the newer version again');
      await beServed();
    }
    await stopLoad();

    const standups = await auditStandups(reach, load.acknowledged);
    expect(standups).toBe(load.acknowledged.length);
    const log = (await listAll(reach, '/v1/events')) as LoggedEvent[];
    expect(log.filter(({sequence}, i) => sequence !== i + 1)).toEqual([]);
    const created = log.filter(({type}) => type === 'standup.created');
    expect(created.map(({data}) => data.id).toSorted()).toEqual(
      load.acknowledged.map(({id}) => id).toSorted(),
    );
    await auditDeliveries(reach, webhooks, created);
    expect([...new Set(plain.received)].toSorted()).toEqual(created.map(({id}) => id).toSorted());
    auditOrder(ordered.received, created);
    await auditRuns(reach, minutes, log);
    for (const reader of readers) {
      const first = log.findIndex(({id}) => id === reader.ids()[0]);
      const wanted = log.slice(first).map(({id}) => id);
      await until(() => reader.ids().length >= wanted.length, {what: 'the readers have read all events'});
      expect(reader.ids()).toEqual(wanted);
    }
    return {
      standups,
      events: log.length,
      repeats: plain.received.length - created.length,
      kills,
      runs: minutes * runsAtOnce,
      isRaised,
      unanswered: load.unanswered(),
      'answers 503': load.refusals.length,
    };
  } finally {
    for (let close = closings.pop(); close !== undefined; close = closings.pop()) await close();
  }
}

function listRunTeams(minutes: number): string[] {
  return Array.from({length: minutes * runsAtOnce}, (_, i) => `run-${i}`);
}

/** Creates a workspace, teams with a member, and a webhook for each address; the last one in order by team. */
async function prepare(redisUrl: string, receivers: readonly string[], minutes: number) {
  const service = await startService({redisUrl, env: {ROLES: 'web'}});
  try {
    const workspace = await service.addWorkspace();
    const {members, teamMembers, teams: teamService} = service.core.services;
    const {id = ''} = await members.createMember(workspace.operator(), {name: 'Ada'});
    for (const slug of [...teams.slice(1), ...listRunTeams(minutes)]) {
      await teamService.createTeam(workspace.operator(), {slug, timezone: 'UTC'});
      await teamMembers.setTeamMember(workspace.operator(), slug, id, 'member');
    }
    const webhooks: string[] = [];
    for (const [i, url] of receivers.entries()) {
      const ordering = i === receivers.length - 1 ? 'per_team' : 'none';
      const made = await workspace.request('POST', '/v1/webhooks', {
        body: {url, events: ['standup.created'], ordering},
      });
      webhooks.push(String(made.body.id));
    }
    return {token: workspace.token, webhooks};
  } finally {
    await service.close();
  }
}

/** Starts a receiver that answers 204 and keeps the id of each request. */
async function startPlainReceiver() {
  const received: string[] = [];
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      received.push(String(request.headers['webhook-id']));
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const {port} = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    close: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Sends a request, again with its key until a process executes it. */
async function ask(url: string, token: string, method: string, path: string, body?: object): Promise<Json> {
  const headers = {
    authorization: `Bearer ${token}`,
    ...(body && {'content-type': 'application/json', 'idempotency-key': randomUUID()}),
  };
  const sent = {method, headers, ...(body && {body: JSON.stringify(body)})};
  let status = 0;
  const text = await until(
    async () => {
      const response = await fetch(`${url}${path}`, sent).catch(() => undefined);
      status = response?.status ?? 503;
      return status === 503 ? undefined : response?.text().catch(() => undefined);
    },
    {what: `${method} ${path} is answered`},
  );
  if (status >= 300) throw new Error(`${method} ${path} is answered with ${status}: ${text}`);
  return JSON.parse(text);
}

/** Returns every row of a list. Each cursor goes to the process that has not made it. */
async function listAll({urls, token}: Reach, path: string): Promise<Json[]> {
  const rows: Json[] = [];
  let query = '?limit=100';
  for (let page = 0; ; page++) {
    const {data, has_more, next_cursor} = await ask(
      urls[page % urls.length] ?? '',
      token,
      'GET',
      path + query,
    );
    rows.push(...data);
    if (!has_more) return rows;
    query = `?limit=100&cursor=${encodeURIComponent(next_cursor)}`;
  }
}

/** Checks that both processes show each acknowledged standup once. Returns the number of standups. */
async function auditStandups(
  {urls, token}: Reach,
  acknowledged: readonly AcknowledgedStandup[],
): Promise<number> {
  const counts: number[] = [];
  for (const order of [urls, urls.toReversed()]) {
    const rows = await listAll({urls: order, token}, '/v1/standups');
    const byId = new Map(rows.map(({id, update}) => [id, update]));
    expect(rows.length).toBe(byId.size);
    expect(acknowledged.filter(({id, update}) => byId.get(id) !== update)).toEqual([]);
    counts.push(rows.length);
  }
  return counts[0] ?? 0;
}

/** Checks that each process accepts a token that the other one has issued. */
async function exchangeTokens({urls, token}: Reach): Promise<void> {
  for (const [issuer = '', other = ''] of [urls, urls.toReversed()]) {
    const made = await ask(issuer, token, 'POST', '/v1/tokens', {name: 'exchanged'});
    expect(await ask(other, made.token, 'GET', '/v1/me')).toBeDefined();
  }
}

/** Gives the teams of runs their schedules. Returns the instant (ms) at which the last run has closed. */
async function scheduleRuns({urls, token}: Reach, minutes: number): Promise<number> {
  const first = Math.ceil((Date.now() + minuteMs / 3) / minuteMs) * minuteMs;
  const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
  const clockOf = (at: number): string => new Date(at).toISOString().slice(11, 16);
  for (const [i, team] of listRunTeams(minutes).entries()) {
    const opens = first + Math.floor(i / runsAtOnce) * minuteMs;
    const starts_on = new Date(opens).toISOString().slice(0, 10);
    const times = {opens: clockOf(opens), closes: clockOf(opens + minuteMs), reminders: [], starts_on};
    const schedule = {frequency: 'weekly', days, ...times};
    await ask(urls[i % urls.length] ?? '', token, 'PATCH', `/v1/teams/${team}`, {schedule});
  }
  return first + minutes * minuteMs;
}

/** Checks that each run was opened once and closed once. */
async function auditRuns(reach: Reach, minutes: number, log: readonly LoggedEvent[]): Promise<void> {
  for (const team of listRunTeams(minutes)) {
    const states = async () => (await listAll(reach, `/v1/teams/${team}/runs`)).map(({state}: Json) => state);
    await until(async () => !(await states()).includes('open'), {what: `the run of ${team} is closed`});
    expect([team, await states()]).toEqual([team, ['closed']]);
  }
  const events = [...log, ...((await listAll(reach, '/v1/events')) as LoggedEvent[]).slice(log.length)];
  for (const type of ['run.opened', 'run.closed']) {
    const found = events.filter((event) => event.type === type).map(({data}) => data.team);
    expect([type, found.toSorted()]).toEqual([type, listRunTeams(minutes).toSorted()]);
  }
}

/** Checks that each webhook has one delivery of each event, and that all have succeeded. */
async function auditDeliveries(
  reach: Reach,
  webhooks: readonly string[],
  created: readonly LoggedEvent[],
): Promise<void> {
  for (const webhook of webhooks) {
    const list = () => listAll(reach, `/v1/webhooks/${webhook}/deliveries`);
    const isOver = ({state}: Json): boolean => state === 'succeeded';
    await until(
      async () => {
        const rows = await list();
        return rows.length >= created.length && rows.every(isOver);
      },
      {what: 'all deliveries have succeeded', everyMs: 500},
    );
    expect((await list()).map(({event_id}: Json) => event_id).toSorted()).toEqual(
      created.map(({id}) => id).toSorted(),
    );
  }
}

/** Checks that the first requests of each team have arrived in the order of the log. */
function auditOrder(received: readonly string[], created: readonly LoggedEvent[]): void {
  const arrived = [...new Set(received)];
  for (const team of teams) {
    const wanted = created.filter(({data}) => data.team === team).map(({id}) => id);
    const ofTeam = new Set(wanted);
    expect(arrived.filter((id) => ofTeam.has(id))).toEqual(wanted);
  }
}

/** Runs `standup-admin data upgrade` of a build. Returns the exit code and the output. */
function upgrade({folder}: Build, redisUrl: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const env = minimalEnv({REDIS_URL: redisUrl, SECRET_KEY: testSecretKey});
    const child = spawn(process.execPath, ['dist/cli.js', 'data', 'upgrade'], {cwd: folder, env});
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.once('error', reject);
    child.once('close', (code) => resolve(`${code} ${output}`));
  });
}

interface Reader {
  readonly ids: () => readonly string[];
  readonly stop: () => Promise<void>;
}

/** Follows the feed. Each page comes from the process that has not made the cursor. */
function followFeed({urls, token}: Reach): Reader {
  const ids: string[] = [];
  let cursor = '';
  let round = 0;
  return repeat(ids, async () => {
    round += 1;
    const path = `/v1/events?limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
    const page = await ask(urls[round % urls.length] ?? '', token, 'GET', path);
    ids.push(...page.data.map(({id}: Json) => id));
    cursor = page.next_cursor;
  });
}

/** Follows the stream of one process for two seconds, then that of the next one from the last event. */
async function followStream({urls, token}: Reach): Promise<Reader> {
  const ids: string[] = [];
  const {next_cursor} = await ask(urls[0] ?? '', token, 'GET', '/v1/events?limit=100');
  let lastEventId: string | undefined;
  let round = 0;
  return repeat(ids, async () => {
    round += 1;
    const query = lastEventId === undefined ? `?after=${encodeURIComponent(next_cursor)}` : '';
    const client: EventStreamClient = await openEvents(urls[round % urls.length] ?? '', {
      token,
      query,
      lastEventId,
    });
    if (client.status === 200)
      await Promise.race([client.ended, new Promise((resolve) => setTimeout(resolve, 2_000))]);
    client.cut();
    for (const {id, data} of client.status === 200 ? client.events : []) {
      ids.push(JSON.parse(data).id);
      lastEventId = id;
    }
  });
}

function repeat(ids: readonly string[], step: () => Promise<void>): Reader {
  let isStopping = false;
  const running = (async () => {
    while (!isStopping) {
      // A process that is down has no answer; the next step asks the other one.
      await step().catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  })();
  return {
    ids: () => ids,
    async stop() {
      isStopping = true;
      await running;
    },
  };
}
