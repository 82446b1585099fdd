import {randomUUID} from 'node:crypto';
import type {
  Chat,
  ChatMessage,
  ChatFailure,
  ChatResult,
  ChatRefusalReason,
} from '../../src/bot/showing/chat.js';
import {createMetadata} from '../../src/bot/showing/metadata.js';
import {createReadLogJob} from '../../src/bot/showing/read-log.js';
import {createShowChannelJob} from '../../src/bot/showing/show-channel.js';
import {parseCommand} from '../../src/bot/typed/parse-command.js';
import {everyScope} from '../../src/domain/core/access.js';
import {standupText} from '../../src/domain/questions/answers.js';
import {operatorCall} from '../../src/service/workspaces/workspaces.js';
import {createSlackPosts} from '../../src/store/slack/slack-posts.js';
import type {SlackHarness} from '../support/slack-harness.js';

interface PostedMessage extends ChatMessage {
  readonly ts: string;
  readonly channel: string;
  readonly thread: string | undefined;
  readonly postedAt: number;
}

/** One change in a chat: its kind, the type of the message, its parent, and the text. */
export interface ChatStep {
  readonly did: 'posts' | 'edits' | 'removes';
  readonly type: string;
  readonly under: string | undefined;
  readonly text: string;
}

/**
 * A chat with only channels, threads, edits and direct messages, in memory and in plain text. It uses the
 * code that all chats share, and nothing of Slack.
 */
export function createPlainChat(now: () => number) {
  const messages = new Map<string, PostedMessage>();
  const steps: ChatStep[] = [];
  const failures: ('lost' | ChatFailure)[] = [];
  let count = 0;

  const refuse = (reason: ChatRefusalReason): ChatResult<never> => ({kind: 'refused', code: reason, reason});
  const typeOf = (ts: string | undefined) =>
    ts === undefined ? undefined : messages.get(ts)?.metadata.event_type;
  const find = (channel: string, ts: string): PostedMessage | undefined => {
    const message = messages.get(ts);
    return message?.channel === channel ? message : undefined;
  };

  const chat: Chat<ChatMessage> = {
    name: 'the plain chat',
    isPerson: (channel) => channel.startsWith('U'),
    calls: {
      findPostLimit: async () => undefined,
      async post(to, message, thread) {
        const failure = failures.shift();
        if (failure !== undefined && failure !== 'lost') return failure;
        const channel = to.startsWith('U') ? `direct-${to}` : to;
        if (thread !== undefined && find(channel, thread) === undefined) return refuse('thread-gone');
        const ts = `m${(count += 1)}`;
        messages.set(ts, {...message, ts, channel, thread, postedAt: now()});
        const {event_type: type} = message.metadata;
        steps.push({did: 'posts', type, under: typeOf(thread), text: message.text});
        return failure === 'lost'
          ? {kind: 'unknown', code: 'no_answer'}
          : {kind: 'done', value: {channel, ts}};
      },
      async update(channel, ts, message) {
        const found = find(channel, ts);
        if (found === undefined) return refuse('message-gone');
        messages.set(ts, {...found, ...message});
        const {event_type: type} = message.metadata;
        steps.push({did: 'edits', type, under: typeOf(found.thread), text: message.text});
        return {kind: 'done', value: undefined};
      },
      async remove(channel, ts) {
        const found = find(channel, ts);
        if (found === undefined) return refuse('message-gone');
        messages.delete(ts);
        const {event_type: type} = found.metadata;
        steps.push({did: 'removes', type, under: typeOf(found.thread), text: found.text});
        return {kind: 'done', value: undefined};
      },
      findPermalink: async (channel, ts) => ({
        kind: 'done',
        value: `https://chat.example.com/${channel}/${ts}`,
      }),
      async find(channel, {thread, sinceMs, untilMs}, matches) {
        const value = [...messages.values()].find(
          (message) =>
            message.channel === channel &&
            message.thread === thread &&
            message.postedAt >= sinceMs &&
            message.postedAt <= untilMs &&
            matches(message.metadata),
        );
        return {kind: 'done', value};
      },
    },
    present: {
      standup: ({author, update, answers = [], ...standup}) => [
        {
          text: `${author.name}: ${standupText({update, answers})}`,
          metadata: createMetadata('standup', {standup: standup.id, revision: standup.revision, part: 1}),
        },
      ],
      comment: ({id, standup, author, text, of}, location) => [
        {
          text: `${location === 'day' ? `to ${of}, ` : ''}${author.name}: ${text}`,
          metadata: createMetadata('comment', {standup, comment: id, part: 1}),
        },
      ],
      day: (day) => {
        const end = day.closing === 'closed' ? ', closed' : '';
        return {
          text: `${day.date}: ${day.in} of ${day.of}${end}`,
          metadata: createMetadata('day', {team: day.team, date: day.date}),
        };
      },
      report: (report) => {
        const {posted, late, expected} = report.report.counts;
        const text = `Report of ${report.date}: ${posted + late} of ${expected}`;
        return [{text, metadata: createMetadata('digest', {team: report.team, date: report.date, part: 1})}];
      },
      week: ({team, monday, participation}) => ({
        text: `Week of ${monday}: ${participation.by_date.length} days`,
        metadata: createMetadata('week', {team, date: monday}),
      }),
      notice: async (event, {kind}) => ({text: kind, metadata: createMetadata('notice', {event})}),
      prompt: (prompt, {lines}) => ({
        text: lines.map(({team, state}) => `${team.name}: ${state}`).join('\n'),
        metadata: createMetadata('prompt', {member: prompt.member, date: prompt.date, take: prompt.take}),
      }),
      moved: (prompt) => ({
        text: 'see below',
        metadata: createMetadata('prompt', {member: prompt.member, date: prompt.date, take: prompt.take - 1}),
      }),
    },
  };
  return {chat, steps, messages, failures};
}

const newDeadline = () => performance.now() + 5_000;
const silent = () => undefined;
const silentLog = {debug: silent, info: silent, warn: silent, error: silent};

/**
 * The entry point of that chat, on the services and the store of a harness: typed texts go in, due messages
 * come out.
 */
export function createPlainBot(harness: SlackHarness, {chat}: ReturnType<typeof createPlainChat>) {
  const {core, workspace} = harness;
  const {services, store} = core;
  const posts = createSlackPosts(store.connection, {dayDelayMs: 50});
  const now = () => store.clock.now();
  const jobCall = (id: typeof workspace) => operatorCall(id, newDeadline());
  const shared = {
    ...store,
    services,
    jobCall,
    holder: 'plain',
    generateToken: randomUUID,
    now,
    slackNow: now,
    waits: {
      spacingMs: 0,
      editSpacingMs: 0,
      unanswered: [20, 20],
      closed: [20],
      leaseMs: 1_000,
      eventMs: 1_000,
    },
    posts,
    meter: {countUnshown: () => undefined},
    wake: () => undefined,
    log: silentLog,
  };
  const read = createReadLogJob(shared);
  const show = createShowChannelJob({
    ...shared,
    chat,
    countError: () => 1,
    lookAt: async () => undefined,
    lookAtStatus: async () => false,
  });
  const slice = () => ({workspace, until: performance.now() + 5_000, signal: new AbortController().signal});

  return {
    /** Types in a channel: an update is posted for its team. Returns the answer to the person. */
    async type(user: string, channel: string, text: string): Promise<string> {
      const command = parseCommand(text);
      if (command.kind !== 'update') return `${command.kind} is not spoken here`;
      const member = await services.people.findSlackMember({workspace, deadline: newDeadline()}, user);
      if (member === undefined) return 'who are you?';
      const principal = {type: 'member', id: member.id, name: member.name} as const;
      const call = {
        workspace,
        principal,
        scopes: everyScope,
        deadline: newDeadline(),
        entryPoint: 'slack',
      } as const;
      const input = {channel, update: command.text ?? text, source: 'slack'} as const;
      const posted = await services.standups.postFromChannel(call, input);
      return posted.outcome === 'posted' ? 'posted' : 'for which team?';
    },
    /** Does the due work of these channels. */
    async work(...channels: readonly string[]): Promise<void> {
      while ((await read({...slice(), work: {kind: 'read-slack'}})).more);
      for (const channel of channels)
        while ((await show({...slice(), work: {kind: 'post-slack', channel}})).more);
    },
  };
}
