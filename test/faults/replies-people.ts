// People who talk in one thread: by the API, as the dashboard does, and in Slack. Each remembers what was
// acknowledged, whatever dies in the meantime.
import {setTimeout as pause} from 'node:timers/promises';
import {channel, sendSigned} from '../support/slack-harness.js';
import type {Chance} from '../support/seeded-random.js';
import {sendRequest, type TestResponse} from '../support/service.js';
import {until} from '../support/until.js';
import type {SlackPerson, SlackStage} from './slack-stage.js';

/** A standup, with its message in Slack. */
export interface Thread {
  readonly standup: string;
  readonly author: SlackPerson;
  readonly root: string;
  /** Whether a person has removed the message in Slack, or its author has deleted the standup here. */
  end?: 'removed in Slack' | 'deleted';
}

/** A comment written by the API. */
export interface WrittenComment {
  readonly kind: 'written';
  readonly thread: Thread;
  readonly author: SlackPerson;
  readonly id: string;
  /** The last text; undefined once it is deleted. */
  text: string | undefined;
}

/** A change of a reply in Slack. `isTaken`: the service has answered its event with 200 in time. */
interface Said {
  readonly text: string | undefined;
  isTaken: boolean;
}

/** A reply typed in Slack. */
export interface TypedReply {
  readonly kind: 'typed';
  readonly thread: Thread;
  readonly author: SlackPerson;
  readonly ts: string;
  /** What its author did, in the order of Slack's clock. */
  readonly said: Said[];
  /** Whether its comment was deleted here. */
  isDeletedHere?: boolean;
}

export interface Talk {
  readonly threads: Thread[];
  readonly written: WrittenComment[];
  readonly typed: TypedReply[];
  /** The number of events that Slack has sent, repeats included, and of those that were not answered in time. */
  readonly counts: {sent: number; untaken: number};
}

interface SlackJson {
  readonly ok: boolean;
  readonly error?: string;
  readonly ts: string;
  readonly message: {readonly ts: string; readonly edited?: {readonly ts: string}};
}

/** The times (ms) after which Slack sends an event again: at once, then later, which is a minute and five. */
const retryMs = [0, 0, 2_500, 6_000];

let keys = 0;

export function createPeople(stage: SlackStage, talk: Talk, chance: Chance) {
  const {people, serving} = stage;

  /** Repeats a request with its key until a process has carried it out. */
  async function ask(
    {token}: SlackPerson,
    method: string,
    path: string,
    body?: object,
  ): Promise<TestResponse> {
    const headers = {'idempotency-key': `talk-${(keys += 1)}`};
    return until(
      async () => {
        const {service} = chance.pick(serving);
        const answer = await sendRequest(service.url, method, path, {token, headers, body}).catch(
          () => undefined,
        );
        return answer?.status === 503 ? undefined : answer;
      },
      {what: `an answer to ${method} ${path}`, everyMs: 50},
    );
  }

  async function askFor(status: number, ...asked: Parameters<typeof ask>): Promise<TestResponse> {
    const answer = await ask(...asked);
    if (answer.status !== status) throw new Error(`${asked[1]} ${asked[2]}: ${answer.status} ${answer.text}`);
    return answer;
  }

  async function inSlack(method: string, body: Record<string, string>, as: string): Promise<SlackJson> {
    const reply = await stage.callSlack<SlackJson>(method, {channel, ...body}, as);
    if (!reply.ok) throw new Error(`${method}: ${reply.error}`);
    return reply;
  }

  /** Sends an event as Slack does: to any process, and again until it is answered. Returns if it is taken. */
  async function sendEvent(event: object): Promise<boolean> {
    const body = JSON.stringify({
      type: 'event_callback',
      team_id: 'T000000001',
      api_app_id: 'A1',
      event_id: `Ev${(keys += 1)}`,
      authorizations: [{enterprise_id: null, team_id: 'T000000001', user_id: 'UBOT', is_bot: true}],
      event: {type: 'message', channel, channel_type: 'channel', ...event},
    });
    for (const [retry, waitMs] of retryMs.entries()) {
      await pause(waitMs);
      talk.counts.sent += 1;
      const options = {contentType: 'application/json', ...(retry > 0 && {retry})};
      const answer = await sendSigned(chance.pick(serving).service.url, body, options).catch(() => undefined);
      // After the last time the service answers 200 whether or not it could take the event.
      if (answer?.status === 200 && retry < retryMs.length - 1) return true;
    }
    talk.counts.untaken += 1;
    return false;
  }

  /** Sends the events of a reply: one after the other, all at once or the last one first, some twice. */
  async function report(events: readonly {readonly said: Said; readonly event: object}[]): Promise<void> {
    const send = async ({said, event}: (typeof events)[number]) => {
      const times = chance.between(1, 2);
      const taken = await Promise.all(Array.from({length: times}, () => sendEvent(event)));
      if (taken.includes(true)) said.isTaken = true;
    };
    const order = chance.pick(['in order', 'at once', 'reversed']);
    if (order === 'at once') await Promise.all(events.map(send));
    else for (const one of order === 'reversed' ? events.toReversed() : events) await send(one);
  }

  return {
    /** Posts a standup, and waits until Slack shows it. */
    async postStandup(text: string): Promise<Thread> {
      const author = chance.pick(people);
      const {body} = await askFor(201, author, 'POST', '/v1/standups', {team: 'platform', update: text});
      const {slack} = await until(
        async () => {
          const shown = await askFor(200, author, 'GET', `/v1/standups/${body.id}`);
          return shown.body.slack?.message_ts && shown.body;
        },
        {what: `${text} is in Slack`, everyMs: 200, withinMs: 60_000},
      );
      const thread: Thread = {standup: body.id, author, root: slack.message_ts};
      talk.threads.push(thread);
      return thread;
    },
    /** Writes a comment, edits it up to twice, and sometimes deletes it. */
    async comment(thread: Thread, text: string): Promise<void> {
      const author = chance.pick(people);
      const input = {standup: thread.standup, text};
      const {body} = await askFor(201, author, 'POST', '/v1/comments', input);
      const made: WrittenComment = {kind: 'written', thread, author, id: body.id, text};
      talk.written.push(made);
      const path = `/v1/comments/${body.id}`;
      for (let edit = chance.between(0, 2); edit > 0; edit--) {
        await pause(chance.between(0, 300));
        const edited = `${text}, edit ${edit}`;
        await askFor(200, author, 'PATCH', path, {text: edited});
        made.text = edited;
      }
      if (chance.between(1, 4) > 1) return;
      await askFor(204, author, 'DELETE', path);
      made.text = undefined;
    },
    /** Types a reply in Slack, edits it up to twice, and sometimes deletes it. */
    async reply(thread: Thread, text: string): Promise<void> {
      const author = chance.pick(people);
      const {root: thread_ts} = thread;
      const within = {thread_ts, parent_user_id: 'UBOT'};
      const first = await inSlack('chat.postMessage', {thread_ts, text}, author.slackToken);
      const {ts} = first;
      const at = {user: author.user, ts, ...within};
      const typed: TypedReply = {kind: 'typed', thread, author, ts, said: []};
      talk.typed.push(typed);
      const events: {said: Said; event: object}[] = [];
      const say = (said: string | undefined, event: object) => {
        const one = {text: said, isTaken: false};
        typed.said.push(one);
        events.push({said: one, event});
      };
      let now: object = {type: 'message', ...at, text};
      say(text, now);
      for (let edit = chance.between(0, 2); edit > 0; edit--) {
        const edited = `${text}, edit ${edit}`;
        const {message} = await inSlack('chat.update', {ts, text: edited}, author.slackToken);
        const before = now;
        now = {type: 'message', ...at, text: edited, edited: {user: author.user, ts: message.edited?.ts}};
        say(edited, {
          subtype: 'message_changed',
          ts: message.edited?.ts,
          message: now,
          previous_message: before,
        });
      }
      if (chance.between(1, 4) === 1) {
        await inSlack('chat.delete', {ts}, author.slackToken);
        say(undefined, {subtype: 'message_deleted', ts, deleted_ts: ts, previous_message: now});
      }
      await report(events);
    },
    /** Deletes the comment of a reply here, if it has one, and cannot edit it here. */
    async deleteHere(reply: TypedReply): Promise<void> {
      const {author, thread} = reply;
      const query = `/v1/comments?standup=${thread.standup}&limit=100`;
      const {body} = await askFor(200, author, 'GET', query);
      const own = body.data.find((one: {slack?: {message_ts: string}}) => one.slack?.message_ts === reply.ts);
      if (own === undefined) return;
      await askFor(409, author, 'PATCH', `/v1/comments/${own.id}`, {text: 'edited here'});
      await askFor(204, author, 'DELETE', `/v1/comments/${own.id}`);
      reply.isDeletedHere = true;
    },
    /** Tells the service of a message of its own, as Slack does of each. */
    echo: (call: {readonly body: Record<string, unknown>; readonly reply?: unknown}) => {
      const {ts, message} = call.reply as SlackJson;
      const {thread_ts} = call.body;
      const own = {...message, user: 'UBOT', bot_id: 'B1', app_id: 'A1', ts, thread_ts};
      return sendEvent({...own, parent_user_id: 'UBOT'});
    },
    /** Removes a message of the bot in Slack, as an admin of Slack may. */
    removeInSlack: (ts: string, asBot: string) => inSlack('chat.delete', {ts}, asBot),
    deleteStandup: ({author, standup}: Thread) => askFor(204, author, 'DELETE', `/v1/standups/${standup}`),
  };
}
