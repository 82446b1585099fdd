import type {Waits} from '../../src/bot/showing/waits.js';
import type {Id} from '../../src/domain/core/ids.js';
import {workName} from '../../src/domain/core/work.js';
import type {TeamChange} from '../../src/domain/teams/team.js';
import {globalKeys, workspaceKeys} from '../../src/store/core/keys.js';
import {
  type ServiceProcess,
  type ServiceProcessOptions,
  startServiceProcess,
} from '../support/service-process.js';
import {addPerson, type Person} from '../api/people.js';
import {
  admin,
  adminToken,
  botToken,
  lookingToken,
  channel,
  personTokens,
  signingSecret,
  startEmulator,
} from '../support/slack-harness.js';
import {type FailureServer, startFailureServer} from '../support/slack-failure-server.js';
import {type Json, sendRequest, startService} from '../support/service.js';
import {startTestStore, type TestStore} from '../support/test-store.js';
import {until} from '../support/until.js';

/** A message in the Slack channel. */
export interface ChannelMessage {
  readonly ts: string;
  readonly text: string;
  /** The subject in the metadata of the message: the id of a standup, or the day. */
  readonly about: string;
}

/** Number of direct messages by the type in their metadata. */
export type DirectCounts = ReadonlyMap<string, number>;

export interface ShownChannel {
  readonly parents: readonly ChannelMessage[];
  readonly replies: readonly ChannelMessage[];
}

/** A process of the service, with a proxy between it and the emulated Slack. */
export interface SlackProcess {
  readonly service: ServiceProcess;
  readonly slack: FailureServer;
}

/** A member of the team, with tokens of the service and of Slack. */
export interface SlackPerson extends Person {
  readonly user: string;
  readonly slackToken: string;
}

/** A member who gets messages by one channel alone. */
export interface Reader {
  readonly id: Id<'member'>;
  readonly channel: 'slack' | 'mail';
  /** The user in Slack, or the address of mails. */
  readonly to: string;
}

/** A stage of several processes. Its own fields are those of the first process. */
export interface SlackStage extends SlackProcess {
  readonly processes: readonly SlackProcess[];
  /** The processes that serve requests. */
  readonly serving: readonly SlackProcess[];
  readonly token: string;
  /** The members of the team who write, if they were asked for. */
  readonly people: readonly SlackPerson[];
  /** The members of the team who are notified: by Slack and by mail in turn. */
  readonly readers: readonly Reader[];
  /** Releases the scheduler's lease of a dead process, as if it had expired. */
  releaseScheduler(): Promise<void>;
  /** Ends the time in which people may read for themselves what they are notified of. */
  endReadingTime(): Promise<void>;
  /** Sends a request to the API under an idempotency key. `to`: the address of another process. */
  request(method: string, path: string, what: {key: string; body?: object; to?: string}): Promise<Json>;
  /** Calls the emulated Slack directly, with the token of a person or the bot. */
  callSlack<T>(method: string, body: Record<string, string>, as?: string): Promise<T>;
  /** Returns a trigger for opening a view, which the emulated Slack accepts. */
  trigger(): Promise<string>;
  /** Returns the messages in the channel, all or of one day: parent messages and their replies. */
  shown(date?: string): Promise<ShownChannel>;
  /** Returns a new Slack user id of a person without any message so far. */
  newcomer(): Promise<string>;
  /** Returns the number of messages of each type from the bot to each new person. */
  direct(): Promise<ReadonlyMap<string, DirectCounts>>;
  close(): Promise<void>;
}

/** Makes due all that waits in a list, and the work on it. */
const makeDueLua = `
  local waiting = redis.call('ZRANGE', KEYS[1], 0, -1)
  for _, name in ipairs(waiting) do redis.call('ZADD', KEYS[1], 0, name) end
  if #waiting > 0 then redis.call('ZADD', KEYS[2], 0, ARGV[1]) end
  return #waiting`;

/** Waiting times for Slack, short because the test is about what follows them. */
const slackWaits = {unanswered: Array.from({length: 20}, () => 100), leaseMs: 500};

/**
 * Starts a process of the service for each of `roles`, and a team with a channel. Each process has its own
 * connection to Slack, which can fail.
 */
export async function setSlackStage({
  roles = ['web,worker'],
  waits = slackWaits,
  team = {},
  hasPeople = false,
  readers: readerCount = 0,
  env: more = {},
  composed: options = {},
}: {
  readonly roles?: readonly string[];
  readonly waits?: Partial<Waits>;
  readonly team?: TeamChange;
  readonly hasPeople?: boolean;
  readonly readers?: number;
  readonly composed?: ServiceProcessOptions['composed'];
  readonly env?: Readonly<Record<string, string>>;
} = {}): Promise<SlackStage> {
  const closings: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    for (let next = closings.pop(); next !== undefined; next = closings.pop()) await next();
  };
  try {
    const store = await startTestStore({shared: true});
    closings.push(() => store.stop());
    const emulator = await startEmulator();
    closings.push(() => emulator.close());
    const users = await listUsers(emulator.url);
    const prepared = await prepare(store, {team, users, hasPeople, readers: readerCount});
    const {token, people, readers, keys} = prepared;
    const start = async (own: string): Promise<SlackProcess> => {
      const slack = await startFailureServer(() => emulator.url);
      closings.push(() => slack.close());
      const env = {
        ...store.env,
        ROLES: own,
        SLACK_BOT_TOKEN: botToken,
        SLACK_SIGNING_SECRET: signingSecret,
        SLACK_API_URL: `${slack.url}/api/`,
        ...more,
      };
      const composed = {slackWaits: waits, ...options};
      const service = await startServiceProcess({redisUrl: store.url, env, armable: true, composed});
      closings.push(() => service.kill());
      return {service, slack};
    };
    const [first = '', ...others] = roles;
    const processes = [await start(first)];
    for (const own of others) processes.push(await start(own));
    const {service, slack} = processes[0] as SlackProcess;

    const call = <T>(method: string, body: Record<string, string>, as?: string): Promise<T> =>
      callSlack<T>(emulator.url, method, body, as);
    const newcomers: string[] = [];
    const countDirect = async (users: string): Promise<DirectCounts> => {
      const opened = await call<{channel: {id: string}}>('conversations.open', {users}, lookingToken);
      const history = {channel: opened.channel.id, limit: '999', include_all_metadata: 'true'};
      const {messages} = await call<{messages: {metadata?: {event_type: string}}[]}>(
        'conversations.history',
        history,
        botToken,
      );
      const types = messages.map(({metadata}) => metadata?.event_type ?? 'none');
      return new Map(types.map((type) => [type, types.filter((one) => one === type).length]));
    };
    return {
      slack,
      service,
      processes,
      serving: processes.filter((_, i) => roles[i]?.includes('web')),
      token,
      people,
      readers,
      callSlack: call,
      async endReadingTime() {
        const [due, ready] = [keys.noticesDue(), keys.ready()];
        await store.send(due, [['EVAL', makeDueLua, 2, due, ready, workName({kind: 'notify'})]]);
      },
      async releaseScheduler() {
        const keys = [globalKeys.scheduler(), globalKeys.slackScheduler()] as const;
        await store.send(keys[0], [['DEL', ...keys]]);
      },
      async trigger() {
        const made = {user_id: admin.id};
        return (await call<{trigger_id: string}>('views.generateTriggerId', made, botToken)).trigger_id;
      },
      async request(method, path, {key, body, to = service.url}) {
        const headers = {'idempotency-key': key};
        // Repeats the request with its key, because the store of a busy machine may be slow.
        const reply = await until(async () => {
          const ask = () => sendRequest(to, method, path, {token, headers, body});
          // Retries once, because a reused connection may lead to the process that was killed.
          const answer = await ask().catch(ask);
          return answer.status === 503 ? undefined : answer;
        });
        if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.text}`);
        return reply.body;
      },
      shown: (date) => readChannel(emulator.url, date),
      async newcomer() {
        const {members} = await call<{members: {id: string; name: string}[]}>('users.list', {});
        const strangers = members.filter(({name}) => name.startsWith('person'));
        const next = strangers[newcomers.length]?.id ?? '';
        newcomers.push(next);
        return next;
      },
      direct: async () =>
        new Map(await Promise.all(newcomers.map(async (user) => [user, await countDirect(user)] as const))),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function callSlack<T>(
  url: string,
  method: string,
  body: Record<string, string>,
  as = adminToken,
): Promise<T> {
  const ask = () =>
    fetch(`${url}/api/${method}`, {
      method: 'POST',
      headers: {authorization: `Bearer ${as}`},
      body: new URLSearchParams(body),
    });
  // Retries once, because the emulator may close a connection that is about to be reused.
  const reply = await ask().catch(ask);
  if (!reply.ok) throw new Error(`${method} is answered with ${reply.status}: ${await reply.text()}`);
  return (await reply.json()) as T;
}

/**
 * Reads the messages in the channel of the emulated Slack, which answers a token at most 5,000 times an hour.
 */
export async function readChannel(url: string, date?: string): Promise<ShownChannel> {
  const ask = async (method: string, body: Record<string, string>): Promise<HistoryMessage[]> => {
    const more = {channel, limit: '999', include_all_metadata: 'true', ...body};
    return (await callSlack<{messages: HistoryMessage[]}>(url, method, more)).messages;
  };
  const days = await ask('conversations.history', {});
  const parents = days.filter((day) => date === undefined || present(day).about === date);
  const threads = await Promise.all(parents.map(({ts}) => ask('conversations.replies', {ts})));
  const replies = threads.flatMap((thread, i) => thread.filter(({ts}) => ts !== parents[i]?.ts));
  return {parents: parents.map(present), replies: replies.map(present)};
}

interface HistoryMessage {
  readonly ts: string;
  readonly text: string;
  readonly metadata?: {readonly event_payload: Readonly<Record<string, unknown>>};
}

function present({ts, text, metadata}: HistoryMessage): ChannelMessage {
  const {standup, date} = metadata?.event_payload ?? {};
  return {ts, text, about: String(standup ?? date)};
}

interface SlackUser {
  readonly id: string;
  readonly name: string;
}

async function listUsers(url: string): Promise<SlackUser[]> {
  return (await callSlack<{members: SlackUser[]}>(url, 'users.list', {})).members;
}

/** Creates a workspace whose team has a channel and these members. */
async function prepare(
  {url, env}: TestStore,
  given: {
    readonly team: TeamChange;
    readonly users: readonly SlackUser[];
    readonly hasPeople: boolean;
    readonly readers: number;
  },
) {
  const service = await startService({redisUrl: url, env: {...env, ROLES: 'web'}});
  try {
    const workspace = await service.addWorkspace();
    const {services} = service.core;
    const change = {slack_channel_id: channel, ...given.team};
    await services.teams.changeTeam(workspace.operator(), 'platform', change);
    const add = (name: string, more: {slack_user_id?: string; email?: string}) =>
      addPerson(service, workspace, {name, team: 'platform', ...more});
    const people: SlackPerson[] = [];
    for (const [name, slackToken] of Object.entries(given.hasPeople ? personTokens : {})) {
      const user = given.users.find((one) => one.name === name)?.id ?? '';
      people.push({...(await add(name, {slack_user_id: user})), user, slackToken});
    }
    const strangers = given.users.filter(({name}) => name.startsWith('person'));
    const readers: Reader[] = [];
    for (const [i, {id: user, name}] of strangers.slice(0, given.readers).entries()) {
      const [by, to] = i % 2 === 0 ? (['slack', user] as const) : (['mail', `${name}@example.com`] as const);
      const {id} = await add(name, by === 'slack' ? {slack_user_id: to} : {email: to});
      await services.members.changeMember(workspace.operator(), id, {reminders: {channels: [by]}});
      readers.push({id, channel: by, to});
    }
    return {token: workspace.token, people, readers, keys: workspaceKeys(workspace.id)};
  } finally {
    await service.close();
  }
}
