import {openConnection, type RedisCommand, type RedisReply} from '../../src/store/core/connection.js';
import {suffixOf} from '../../src/domain/core/ids.js';
import {parseWorkName} from '../../src/domain/core/work.js';
import {globalKeys, workspaceKeys} from '../../src/store/core/keys.js';
import {type FailureServer, startFailureServer} from '../support/slack-failure-server.js';
import {type InboxMessage, type Inboxes, startInboxes} from '../support/slack-inboxes.js';
import {botToken, signingSecret} from '../support/slack-harness.js';
import {startService, type TestWorkspace} from '../support/service.js';
import {type ServiceProcess, startServiceProcess} from '../support/service-process.js';
import {createStoreClock, type TestClock} from '../support/test-clock.js';
import {startTestStore, type TestStore} from '../support/test-store.js';
import {until} from '../support/until.js';
import type {Action} from './schedules-oracle.js';
import type {CompanyPlan} from './schedules-plan.js';
import {asId} from '../support/ids.js';

/** A direct message that Slack has accepted. */
export interface SentMessage {
  readonly user: string;
  /** The person's date, from the metadata of the message. */
  readonly date: string;
  /** Time on the test clock (ms). */
  readonly at: number;
}

export interface ScheduleStage {
  readonly clock: TestClock;
  readonly slack: FailureServer;
  readonly processes: readonly ServiceProcess[];
  readonly sent: readonly SentMessage[];
  /** Ids of the plan's members by Slack user, and of its teams by slug. */
  readonly ids: ReadonlyMap<string, string>;
  /** Waits until nothing is due. If only a lease or a short delay is left, the clock is moved by seconds. */
  untilIdle(): Promise<void>;
  /** Releases the scheduler's lease of a dead process, as if it had expired. */
  releaseScheduler(): Promise<void>;
  /** Performs an action through the API of a process that answers. Resolves with the status of the answer. */
  act(action: Action): Promise<number>;
  /** Reads the stored record of a person's prompt on a day. */
  readPrompt(user: string, date: string): Promise<Readonly<Record<string, string>>>;
  /** The messages in a channel of Slack. */
  listChannel(channel: string): readonly InboxMessage[];
  /** The runs of a team (slug) as the API lists them. */
  listRuns(team: string): Promise<readonly ListedRun[]>;
  /** All events of the log, oldest first. */
  listEvents(): Promise<readonly LoggedEvent[]>;
  close(): Promise<void>;
}

export interface ListedRun {
  readonly date: string;
  readonly state: string;
  readonly missed_steps: readonly {readonly step: string; readonly due_at: string}[];
  readonly counts: Readonly<Record<string, number>>;
}

export interface LoggedEvent {
  readonly type: string;
  readonly data: {readonly team_id: string; readonly date: string};
}

/** Waiting times for Slack, short because the test is about what follows them. */
const slackWaits = {
  unanswered: Array.from({length: 20}, () => 100),
  leaseMs: 1_500,
  spacingMs: 0,
  editSpacingMs: 0,
};
const day = 86_400;
/** Retention so long that nothing expires before it has been counted (s). */
const retention = {events: 400 * day, delivery: 15 * day};
/** Work that is due within this time (ms) may be waiting or in progress. */
const inProgressMs = 10_000;

/**
 * Starts two processes of the service on one Redis, an emulated Slack, and the teams and people of a plan, at
 * `startAt` (ms).
 */
export async function setScheduleStage(plan: CompanyPlan, startAt: number): Promise<ScheduleStage> {
  const closings: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    for (let next = closings.pop(); next !== undefined; next = closings.pop()) await next();
  };
  try {
    const store = await startTestStore({shared: true});
    closings.push(() => store.stop());
    const clock = await createStoreClock(store, startAt);
    closings.push(() => clock.close());
    const connection = await openConnection({
      url: store.url,
      tlsVerify: true,
      sentinelPassword: store.env['REDIS_SENTINEL_PASSWORD'],
      onError: () => undefined,
    });
    closings.push(() => connection.close());
    const ask = <T extends RedisReply>(...command: RedisCommand) =>
      connection.call<T>(performance.now() + 5_000, command);
    const sent: SentMessage[] = [];
    const inboxes: Inboxes = await startInboxes();
    closings.push(() => inboxes.close());
    inboxes.onMessage = (user, {metadata}) =>
      sent.push({user, date: String(metadata.event_payload['date']), at: clock.now()});
    const slack = await startFailureServer(() => inboxes.url);
    closings.push(() => slack.close());
    const {workspace, ids} = await prepare(plan, store, clock);
    const keys = workspaceKeys(workspace.id);
    // Each person has already had a message from the bot, so the id of the direct messages is known.
    for (const {user} of plan.people) {
      await ask('HSET', keys.slackNotice(user, 0), 'channel', `D${user}`);
      await ask('SADD', keys.slackKept(user), 'notice/0');
    }
    const processes = await Promise.all(
      [0, 1].map(async () => {
        const process = await startServiceProcess({
          redisUrl: store.url,
          clock: true,
          env: {
            ...store.env,
            SLACK_BOT_TOKEN: botToken,
            SLACK_SIGNING_SECRET: signingSecret,
            SLACK_API_URL: `${slack.url}/api/`,
          },
          composed: {slackWaits, retention, schedulerIntervalMs: 25},
        });
        closings.push(() => process.kill());
        return process;
      }),
    );

    async function listReady(max: number): Promise<{name: string; at: number}[]> {
      const sets = [keys.ready(), keys.slackReady()];
      const found = await Promise.all(
        sets.map((key) => ask<string[]>('ZRANGEBYSCORE', key, '-inf', String(max), 'WITHSCORES')),
      );
      return found.flatMap(pairUp).map(([name, at]) => ({name, at: Number(at)}));
    }

    async function isHeld(name: string): Promise<boolean> {
      const work = parseWorkName(name);
      return (
        work?.kind === 'post-slack' && (await ask<number>('EXISTS', keys.slackLease(work.channel))) === 1
      );
    }

    let acted = 0;

    /** Sends a request. Resolves with undefined without an answer, or if the store is unavailable. */
    async function send(
      url: string,
      method: string,
      path: string,
      {key, body}: {key: string; body?: object | undefined},
    ): Promise<ApiReply | undefined> {
      const answer = await fetch(`${url}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${workspace.token}`,
          'content-type': 'application/json',
          'idempotency-key': key,
        },
        ...(body !== undefined && {body: JSON.stringify(body)}),
      }).catch(() => undefined);
      const text = await answer?.text().catch(() => undefined);
      if (answer === undefined || text === undefined || answer.status >= 500) return undefined;
      return {status: answer.status, body: text === '' ? undefined : (JSON.parse(text) as ApiReply['body'])};
    }

    async function listPages<T>(path: string): Promise<T[]> {
      const rows: T[] = [];
      const url = processes[0]?.url ?? '';
      for (let cursor = ''; ; ) {
        const reply = await fetch(`${url}${path}?limit=100${cursor}`, {
          headers: {authorization: `Bearer ${workspace.token}`},
        });
        const page = (await reply.json()) as ApiPage<T>;
        rows.push(...page.data);
        if (!page.has_more) return rows;
        cursor = `&cursor=${page.next_cursor}`;
      }
    }

    return {
      clock,
      slack,
      processes,
      sent,
      ids,
      async untilIdle() {
        let left: {name: string; at: number}[] = [];
        await until(
          async () => {
            left = await listReady(clock.now() + inProgressMs);
            if (left.length === 0) return true;
            if (left.some(({at}) => at <= clock.now())) return false;
            const held = await Promise.all(left.map(({name}) => isHeld(name)));
            if (!held.includes(true)) await clock.set(Math.ceil(Math.max(...left.map(({at}) => at))));
            return false;
          },
          {what: 'nothing is due any more', withinMs: 60_000, everyMs: 5},
        ).catch((error: unknown) => {
          throw new Error(
            `${String(error)}: ${JSON.stringify(left.slice(0, 20))} at ${clock.now()}\n${processes.map((one) => one.current().stdout().slice(-2_000)).join('\n')}`,
          );
        });
      },
      releaseScheduler: async () =>
        void (await ask<number>('DEL', globalKeys.scheduler(), globalKeys.slackScheduler())),
      async act(action) {
        const {method, path, body} = requestOf(action, ids);
        acted += 1;
        const key = `act-${acted}`;
        let reply: ApiReply | undefined;
        await until(
          async () => {
            for (const {url} of processes) reply ??= await send(url, method, path, {key, body});
            return reply !== undefined;
          },
          {what: `${action.do} is answered`, withinMs: 30_000, everyMs: 50},
        );
        if (action.do === 'enter-absence') ids.set(action.name, String(reply?.body?.['id']));
        return reply?.status ?? 0;
      },
      async readPrompt(user, date) {
        const key = keys.slackPrompt(suffixOf(asId<'member'>(ids.get(user) ?? '')), date);
        return Object.fromEntries(pairUp(await ask<string[]>('HGETALL', key)));
      },
      listChannel: inboxes.list,
      listRuns: (team) => listPages<ListedRun>(`/v1/teams/${team}/runs`),
      listEvents: () => listPages<LoggedEvent>('/v1/events'),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Returns the pairs of a reply that lists names and values in turn. */
function pairUp(reply: readonly string[]): (readonly [name: string, value: string])[] {
  return reply.flatMap((name, i) => (i % 2 === 0 ? [[name, reply[i + 1] ?? ''] as const] : []));
}

interface ApiPage<T> {
  readonly data: readonly T[];
  readonly has_more: boolean;
  readonly next_cursor: string;
}

interface ApiReply {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>> | undefined;
}

/** Returns the request of an action. `ids`: ids of people and absences by their names in the plan. */
function requestOf(
  action: Action,
  ids: ReadonlyMap<string, string>,
): {method: string; path: string; body?: object} {
  switch (action.do) {
    case 'change-team':
      return {method: 'PATCH', path: `/v1/teams/${action.team}`, body: action.body};
    case 'change-person':
      return {method: 'PATCH', path: `/v1/members/${ids.get(action.user)}`, body: action.body};
    case 'enter-absence': {
      const {do: _, name, user, ...absence} = action;
      return {
        method: 'POST',
        path: '/v1/absences',
        body: {member: ids.get(user), reason: `It is ${name}.`, ...absence},
      };
    }
    case 'take-back-absence':
      return {method: 'DELETE', path: `/v1/absences/${ids.get(action.name)}`};
    case 'open-run':
      return {method: 'POST', path: `/v1/teams/${action.team}/runs`, body: {minutes: action.minutes}};
    case 'remind':
      return {method: 'POST', path: `/v1/teams/${action.team}/reminders`};
    case 'post': {
      const {team, user, date} = action;
      const update = `Of ${date}, by ${user}.`;
      return {method: 'POST', path: '/v1/standups', body: {team, date, author: ids.get(user), update}};
    }
  }
}

/** Creates the plan's teams, members, memberships and absences in a workspace. */
async function prepare(
  plan: CompanyPlan,
  {url, env}: TestStore,
  clock: TestClock,
): Promise<{workspace: TestWorkspace; ids: Map<string, string>}> {
  const service = await startService({redisUrl: url, time: clock.time, env: {...env, ROLES: 'web'}});
  const ids = new Map<string, string>();
  try {
    const workspace = await service.addWorkspace();
    const {members, teams, teamMembers} = service.core.services;
    const calendars: string[] = [];
    for (const [i, dates] of plan.calendars.entries()) {
      const body = {name: `Calendar ${i}`, ics: calendarFile(dates)};
      calendars.push(await create(workspace, '/v1/holiday-calendars', body));
    }
    for (const {name, user, timezone, reminders, holidays} of plan.people) {
      const [country = null, region = null] = typeof holidays === 'string' ? holidays.split('/') : [];
      const calendar = typeof holidays === 'number' ? (calendars[holidays] ?? null) : null;
      const choice = {country, region, calendar};
      const input = {name, timezone, reminders, slack_user_id: user, holidays: choice};
      const {id = ''} = await members.createMember(workspace.operator(), input);
      ids.set(user, id);
    }
    for (const team of plan.teams) {
      const {slug, timezone, schedule, people, channel, mode, digest, namesMissing, promptAt} = team;
      // All members join before the team has runs.
      const {id = ''} = await teams.createTeam(workspace.operator(), {
        slug,
        timezone,
        slack_channel_id: channel,
        slack_post_mode: mode,
        slack_digest: digest,
        names_missing: namesMissing,
        prompt_at: promptAt,
      });
      ids.set(slug, id);
      for (const {user} of people) {
        await teamMembers.setTeamMember(workspace.operator(), slug, ids.get(user) ?? '', 'member');
      }
      await teams.changeTeam(workspace.operator(), slug, {schedule});
    }
    for (const {user, away} of plan.people) {
      if (away === undefined) continue;
      ids.set(`planned ${user}`, await create(workspace, '/v1/absences', {member: ids.get(user), ...away}));
    }
    // A token with the default lifetime would expire after 90 days.
    const {value: token} = await workspace.addToken({lifetime: 300 * day});
    return {workspace: {...workspace, token}, ids};
  } finally {
    await service.close();
  }
}

async function create(workspace: TestWorkspace, path: string, body: object): Promise<string> {
  const {status, text, body: made} = await workspace.request('POST', path, {body});
  if (status !== 201) throw new Error(`${path} is answered with ${status}: ${text}`);
  return String(made.id);
}

/** Returns an iCalendar file of days off. */
function calendarFile(dates: readonly string[]): string {
  const events = dates.flatMap((date) => [
    'BEGIN:VEVENT',
    `UID:${date}@quarter`,
    'DTSTAMP:20270101T000000Z',
    `DTSTART;VALUE=DATE:${date.replaceAll('-', '')}`,
    'SUMMARY:Day off',
    'END:VEVENT',
  ]);
  const lines = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//quarter//EN', ...events, 'END:VCALENDAR', ''];
  return lines.join('\r\n');
}
