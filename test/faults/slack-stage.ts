import {sendToRedis} from '../../scripts/redis-protocol.mjs';
import {globalKeys} from '../../src/store/core/keys.js';
import {type ServiceProcess, startServiceProcess} from '../support/service-process.js';
import {testRedisUrl} from '../support/redis-server.js';
import {
  adminToken,
  botToken,
  lookingToken,
  channel,
  signingSecret,
  startEmulator,
} from '../support/slack-harness.js';
import {type FaultServer, startFaultServer} from '../support/slack-fault-server.js';
import {type Json, sendRequest, startService} from '../support/service.js';

/** A message as it stands in the channel. */
export interface Shown {
  readonly ts: string;
  readonly text: string;
  /** What its metadata says that it is about: the id of a standup, or the day. */
  readonly about: string;
}

/** Messages by the type that their metadata names. */
export type DirectCounts = ReadonlyMap<string, number>;

export interface ShownChannel {
  readonly parents: readonly Shown[];
  readonly replies: readonly Shown[];
}

export interface SlackStage {
  readonly slack: FaultServer;
  readonly service: ServiceProcess;
  readonly token: string;
  /** As if the time had passed in which a dead process keeps the others from looking for work. */
  forgetPump(): Promise<void>;
  /** A request to the API of the service, under an idempotency key. */
  request(method: string, path: string, what: {key: string; body?: object}): Promise<Json>;
  /** What the channel shows: parent messages, and the replies under them. */
  /** All of the channel, or of a day. */
  shown(date?: string): Promise<ShownChannel>;
  /** Slack's id of somebody who has had no message yet: another at each call. */
  newcomer(): Promise<string>;
  /** How many messages of each type stand between the bot and each of the newcomers. */
  direct(): Promise<ReadonlyMap<string, DirectCounts>>;
  close(): Promise<void>;
}

/** The waits of Slack's jobs, small: what is tested is what follows from them. */
const slackWaits = {unanswered: Array.from({length: 20}, () => 100), leaseMs: 500};

/** One process of the service on a Redis of the run, with a Slack that can fail between; a team of a channel. */
export async function setSlackStage(): Promise<SlackStage> {
  const closings: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    for (let next = closings.pop(); next !== undefined; next = closings.pop()) await next();
  };
  try {
    const redisUrl = await testRedisUrl();
    const emulator = await startEmulator();
    closings.push(() => emulator.close());
    const slack = await startFaultServer(() => emulator.url);
    closings.push(() => slack.close());
    const token = await prepare(redisUrl);
    const env = {
      SLACK_BOT_TOKEN: botToken,
      SLACK_SIGNING_SECRET: signingSecret,
      SLACK_API_URL: `${slack.url}/api/`,
    };
    const service = await startServiceProcess({redisUrl, env, armable: true, composed: {slackWaits}});
    closings.push(() => service.kill());

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
      token,
      async forgetPump() {
        await sendToRedis(redisUrl, [['DEL', globalKeys.pump(), globalKeys.slackPump()]]);
      },
      async request(method, path, {key, body}) {
        const headers = {'idempotency-key': key};
        const reply = await sendRequest(service.url, method, path, {token, headers, body});
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
  const reply = await fetch(`${url}/api/${method}`, {
    method: 'POST',
    headers: {authorization: `Bearer ${as}`},
    body: new URLSearchParams(body),
  });
  if (!reply.ok) throw new Error(`${method} is answered with ${reply.status}: ${await reply.text()}`);
  return (await reply.json()) as T;
}

/** What stands in the channel of an emulated Slack, which answers a token no more than 5,000 times an hour. */
export async function readChannel(url: string, date?: string): Promise<ShownChannel> {
  const ask = async (method: string, body: Record<string, string>): Promise<FoundMessage[]> => {
    const more = {channel, limit: '999', include_all_metadata: 'true', ...body};
    return (await callSlack<{messages: FoundMessage[]}>(url, method, more)).messages;
  };
  const days = await ask('conversations.history', {});
  const parents = days.filter((day) => date === undefined || present(day).about === date);
  const threads = await Promise.all(parents.map(({ts}) => ask('conversations.replies', {ts})));
  const replies = threads.flatMap((thread, i) => thread.filter(({ts}) => ts !== parents[i]?.ts));
  return {parents: parents.map(present), replies: replies.map(present)};
}

interface FoundMessage {
  readonly ts: string;
  readonly text: string;
  readonly metadata?: {readonly event_payload: Readonly<Record<string, unknown>>};
}

function present({ts, text, metadata}: FoundMessage): Shown {
  const {standup, date} = metadata?.event_payload ?? {};
  return {ts, text, about: String(standup ?? date)};
}

/** The token of a workspace whose team has a channel. */
async function prepare(redisUrl: string): Promise<string> {
  const service = await startService({redisUrl, env: {ROLES: 'web'}});
  try {
    const {token, operator} = await service.addWorkspace();
    const {services} = service.core;
    await services.teams.changeTeam(operator(), 'platform', {slack_channel_id: channel});
    return token;
  } finally {
    await service.close();
  }
}
