import {createRedisClient} from '../../src/store/connection.js';
import {drawnPart} from '../../src/domain/ids.js';
import {parseWork} from '../../src/domain/work.js';
import {globalKeys, workspaceKeys} from '../../src/store/keys.js';
import {testRedisUrl} from '../support/redis-server.js';
import {type FaultServer, startFaultServer} from '../support/slack-fault-server.js';
import {type Inboxes, startInboxes} from '../support/slack-inboxes.js';
import {botToken, signingSecret} from '../support/slack-harness.js';
import {startService, type TestWorkspace} from '../support/service.js';
import {type ServiceProcess, startServiceProcess} from '../support/service-process.js';
import {createTestClock, type TestClock} from '../support/test-clock.js';
import {until} from '../support/until.js';
import type {Plan} from './schedules-plan.js';

/** A direct message as Slack took it. */
export interface Sent {
  readonly user: string;
  /** The person's date that it is of, by its metadata. */
  readonly date: string;
  /** What the clock said. */
  readonly at: number;
}

export interface ScheduleStage {
  readonly clock: TestClock;
  readonly slack: FaultServer;
  readonly processes: readonly ServiceProcess[];
  readonly sent: readonly Sent[];
  /** Ids of the members and teams of the plan, by Slack user and slug. */
  readonly ids: ReadonlyMap<string, string>;
  /** Waits until nothing is due any more; moves the clock on by seconds where only a lease or a short delay is left. */
  settle(): Promise<void>;
  /** As if the time had passed in which a dead process keeps the others from looking for work. */
  forgetPump(): Promise<void>;
  post(what: {team: string; user: string; date: string}): Promise<void>;
  /** Everything that the log tells of, oldest first. */
  listEvents(): Promise<readonly LoggedEvent[]>;
  close(): Promise<void>;
}

export interface LoggedEvent {
  readonly type: string;
  readonly data: {readonly team_id: string; readonly date: string};
}

/** The waits of Slack's jobs, small: what is tested is what follows from them. */
const slackWaits = {unanswered: Array.from({length: 20}, () => 100), leaseMs: 1_500, spacingMs: 0};
const day = 86_400;
/** Nothing of what happened is forgotten before it has been counted. */
const retention = {events: 400 * day, delivery: 15 * day};
/** Of what is due so soon it is not known whether it waits, or is being worked on. */
const soonMs = 10_000;

/** Two processes of the whole service on one Redis, a Slack, and the teams and people of a plan, at an instant (ms). */
export async function setScheduleStage(plan: Plan, startAt: number): Promise<ScheduleStage> {
  const closings: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    for (let next = closings.pop(); next !== undefined; next = closings.pop()) await next();
  };
  try {
    const redisUrl = await testRedisUrl();
    const clock = await createTestClock(redisUrl, startAt);
    closings.push(() => clock.close());
    const client = createRedisClient({url: redisUrl, tlsVerify: true, onError: () => undefined});
    await client.connect();
    closings.push(async () => client.destroy());
    const sent: Sent[] = [];
    const inboxes: Inboxes = await startInboxes();
    closings.push(() => inboxes.close());
    inboxes.onMessage = (user, {metadata}) =>
      sent.push({user, date: String(metadata.event_payload['date']), at: clock.now()});
    const slack = await startFaultServer(() => inboxes.url);
    closings.push(() => slack.close());
    const {workspace, ids} = await prepare(plan, redisUrl, clock);
    const keys = workspaceKeys(workspace.id);
    const processes = await Promise.all(
      [0, 1].map(async () => {
        const process = await startServiceProcess({
          redisUrl,
          clock: true,
          env: {
            SLACK_BOT_TOKEN: botToken,
            SLACK_SIGNING_SECRET: signingSecret,
            SLACK_API_URL: `${slack.url}/api/`,
          },
          composed: {slackWaits, retention, pumpMs: 25},
        });
        closings.push(() => process.kill());
        return process;
      }),
    );

    async function listReady(max: number): Promise<{name: string; at: number}[]> {
      const found = await client.zRangeByScoreWithScores(keys.ready(), '-inf', max);
      return found.map(({value, score}) => ({name: value, at: score}));
    }

    async function isHeld(name: string): Promise<boolean> {
      const work = parseWork(name);
      return work?.kind === 'post-slack' && (await client.exists(keys.slackLease(work.channel))) === 1;
    }

    return {
      clock,
      slack,
      processes,
      sent,
      ids,
      async settle() {
        let left: {name: string; at: number}[] = [];
        await until(
          async () => {
            left = await listReady(clock.now() + soonMs);
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
      forgetPump: async () => void (await client.del(globalKeys.pump())),
      async post({team, user, date}) {
        const body = {team, date, author: ids.get(user), update: `Of ${date}, by ${user}.`};
        const key = `${team}-${user}-${date}`;
        await until(
          async () => {
            for (const {url} of processes) {
              const answer = await postStandup(url, workspace.token, key, body);
              if (answer === 201) return true;
              if (answer !== undefined) throw new Error(`a standup is answered with ${answer}`);
            }
            return false;
          },
          {what: 'a standup is posted', withinMs: 30_000, everyMs: 50},
        );
      },
      async listEvents() {
        const events: LoggedEvent[] = [];
        const url = processes[0]?.url ?? '';
        for (let cursor = ''; ; ) {
          const reply = await fetch(`${url}/v1/events?limit=100${cursor}`, {
            headers: {authorization: `Bearer ${workspace.token}`},
          });
          const {data, has_more, next_cursor} = (await reply.json()) as EventPage;
          events.push(...data);
          if (!has_more) return events;
          cursor = `&cursor=${next_cursor}`;
        }
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

interface EventPage {
  readonly data: readonly LoggedEvent[];
  readonly has_more: boolean;
  readonly next_cursor: string;
}

/** The status; undefined when nobody has answered, or only that the store is away. */
async function postStandup(
  url: string,
  token: string,
  key: string,
  body: object,
): Promise<number | undefined> {
  const answer = await fetch(`${url}/v1/standups`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: JSON.stringify(body),
  }).catch(() => undefined);
  await answer?.text().catch(() => undefined);
  return answer === undefined || answer.status >= 500 ? undefined : answer.status;
}

/** The plan as teams, members, places and absences of a workspace. */
async function prepare(
  plan: Plan,
  redisUrl: string,
  clock: TestClock,
): Promise<{workspace: TestWorkspace; ids: Map<string, string>}> {
  const service = await startService({redisUrl, time: clock.time, env: {ROLES: 'web'}});
  const ids = new Map<string, string>();
  try {
    const workspace = await service.addWorkspace();
    const {members, teams, teamMembers} = service.core.services;
    await service.core.store.events.addReader(workspace.id, 'slack', performance.now() + 5_000);
    for (const {name, user, timezone, reminders} of plan.people) {
      const input = {name, timezone, reminders, slack_user_id: user};
      const {id = ''} = await members.createMember(workspace.operator(), input);
      ids.set(user, id);
    }
    for (const {slug, timezone, schedule, people} of plan.teams) {
      // Everybody is in it before it has runs.
      const {id = ''} = await teams.createTeam(workspace.operator(), {slug, timezone});
      ids.set(slug, id);
      for (const {user} of people) {
        await teamMembers.setTeamMember(workspace.operator(), slug, ids.get(user) ?? '', 'member');
      }
      await teams.changeTeam(workspace.operator(), slug, {schedule});
    }
    for (const {user, away} of plan.people) {
      if (away === undefined) continue;
      const body = {member: ids.get(user), ...away};
      const {status, text} = await workspace.request('POST', '/v1/absences', {body});
      if (status !== 201) throw new Error(`an absence is answered with ${status}: ${text}`);
    }
    // The usual one is good for 90 days.
    const {value: token} = await workspace.addToken({lifetime: 300 * day});
    return {workspace: {...workspace, token}, ids};
  } finally {
    await service.close();
  }
}

export function nameOf(member: string, date: string): string {
  return `${drawnPart(member)} ${date}`;
}
