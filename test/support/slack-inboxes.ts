import {createServer, type IncomingMessage} from 'node:http';
import type {AddressInfo} from 'node:net';
import querystring from 'node:querystring';

/** A message in a person's direct messages with the bot, or in a channel. */
export interface InboxMessage {
  readonly ts: string;
  /** The `ts` of the root message, if this message is a reply. */
  readonly thread_ts?: string;
  readonly metadata: {readonly event_type: string; readonly event_payload: Record<string, unknown>};
  text: string;
  edits: number;
}

export interface Inboxes {
  readonly url: string;
  /** Called with each accepted direct message and the user who gets it. */
  onMessage: (user: string, message: InboxMessage) => void;
  /** Time that each call takes, in ms; 0 at first. A smaller value does not speed up calls in progress. */
  delayMs: number;
  /** Number of calls that wait for an answer. */
  readonly waiting: () => number;
  /** Returns the current messages of a channel, including replies. */
  list(channel: string): readonly InboxMessage[];
  close(): Promise<void>;
}

type FormBody = Record<string, string>;

/**
 * Starts a server that supports only Slack's messages, for runs that send tens of thousands of them. The
 * emulated Slack is too slow: it searches all its data at every call. This server answers the bot's calls
 * like the Web API: https://docs.slack.dev/reference/methods
 */
export async function startInboxes(): Promise<Inboxes> {
  const kept = new Map<string, InboxMessage[]>();
  let latest = 0;
  let waiting = 0;

  /** Returns a unique `ts` in Slack's format: seconds and six further digits. */
  function nextTs(): string {
    latest = Math.max(latest + 1, Date.now() * 1_000);
    return `${Math.floor(latest / 1e6)}.${String(latest % 1e6).padStart(6, '0')}`;
  }

  /** Returns the id of a channel; a user's id stands for the direct messages with that user. */
  function channelIdFor(channel = ''): string {
    return channel.startsWith('U') ? `D${channel}` : channel;
  }

  function listMessages(channel?: string): InboxMessage[] {
    const id = channelIdFor(channel);
    const messages = kept.get(id) ?? [];
    kept.set(id, messages);
    return messages;
  }

  function listMessagesWithin(
    channel: string | undefined,
    {oldest = '0', latest: newest = '9999999999'}: FormBody,
  ) {
    return listMessages(channel).filter(
      ({ts}) => Number(ts) >= Number(oldest) && Number(ts) <= Number(newest),
    );
  }

  const methods: Record<string, (body: FormBody) => object> = {
    'auth.test': () => ({
      url: 'https://inboxes.slack.com/',
      team_id: 'T000000001',
      user_id: 'UBOT',
      bot_id: 'B1',
    }),
    'conversations.open': ({users = ''}) => ({channel: {id: `D${users}`}}),
    'chat.postMessage': ({channel = '', text = '', metadata = '{}', thread_ts}) => {
      const message = {
        ts: nextTs(),
        text,
        metadata: JSON.parse(metadata) as InboxMessage['metadata'],
        edits: 0,
        ...(thread_ts !== undefined && {thread_ts}),
      };
      listMessages(channel).push(message);
      const id = channelIdFor(channel);
      if (id.startsWith('D')) inboxes.onMessage(id.slice(1), message);
      return {channel: id, ts: message.ts, message};
    },
    'chat.getPermalink': ({channel, message_ts}) => ({
      channel,
      permalink: `https://inboxes.slack.com/archives/${channel}/p${message_ts?.replace('.', '')}`,
    }),
    'chat.update': ({channel, ts, text = ''}) => {
      const message = listMessages(channel).find((one) => one.ts === ts);
      if (message === undefined) return {ok: false, error: 'message_not_found'};
      message.text = text;
      message.edits += 1;
      return {channel, ts, text};
    },
    'chat.delete': ({channel, ts}) => {
      const messages = listMessages(channel);
      const index = messages.findIndex((one) => one.ts === ts);
      if (index < 0) return {ok: false, error: 'message_not_found'};
      messages.splice(index, 1);
      return {channel, ts};
    },
    'conversations.history': ({channel, ...span}) => {
      const messages = listMessagesWithin(channel, span).filter(({thread_ts}) => thread_ts === undefined);
      return {messages: messages.toReversed(), has_more: false};
    },
    'conversations.replies': ({channel, ts: parent, ...span}) => {
      const messages = listMessagesWithin(channel, span).filter(
        ({ts, thread_ts}) => (thread_ts ?? ts) === parent,
      );
      return {messages, has_more: false};
    },
    'users.info': ({user = ''}) => ({user: {id: user, team_id: 'T000000001', locale: 'en-US'}}),
  };

  const server = createServer((request, response) => {
    void readBody(request).then((raw) => {
      const body = querystring.parse(raw) as FormBody;
      const method = (request.url ?? '').replace(/^\/api\//, '');
      const answer = methods[method];
      const reply = answer === undefined ? {ok: false, error: 'unknown_method'} : {ok: true, ...answer(body)};
      const end = () => {
        waiting -= 1;
        response.writeHead(200, {'content-type': 'application/json'}).end(JSON.stringify(reply));
      };
      waiting += 1;
      if (inboxes.delayMs === 0) end();
      else setTimeout(end, inboxes.delayMs).unref();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const inboxes: Inboxes = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    onMessage: () => undefined,
    delayMs: 0,
    waiting: () => waiting,
    list: listMessages,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return inboxes;
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
