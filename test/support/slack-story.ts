import {randomUUID} from 'node:crypto';
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import type {Emulator} from 'emulate';
import {startBrowser} from './browser.js';
import {testRedisUrl} from './redis-server.js';
import {type FailureServer, startFailureServer} from './slack-failure-server.js';
import {
  adminToken,
  botToken,
  channel,
  lookingToken,
  type BotReply,
  sendSigned,
  signingSecret,
  type SlackMessage,
  startEmulator,
} from './slack-harness.js';
import {drawSlack, type Sight, takePictures} from './slack-pictures.js';
import {startService, type TestService} from './service.js';
import {createTestClock, type TestClock} from './test-clock.js';
import {until} from './until.js';

// oxlint-disable-next-line typescript/no-explicit-any -- views and messages of many shapes
type Shape = any;

export interface StoryPerson {
  /** Id of the person in Slack. */
  readonly id: string;
  readonly name: string;
}

/**
 * A story of what people do and see in Slack, played with the whole service and a third-party Slack emulator.
 * It is stored as text, and as pictures rendered from the blocks, in `.cache/pictures`.
 */
export interface SlackStory {
  readonly service: TestService;
  readonly slack: FailureServer;
  readonly clock: TestClock;
  person(name: string, shown: string): StoryPerson;
  /** Begins the next picture of the story. */
  page(name: string, title: string): void;
  say(caption: string): void;
  /** Sends `/standup` with a text; returns the immediate answer to the person, if any. */
  command(person: StoryPerson, text: string): Promise<Shape>;
  /**
   * Presses the element with this label in the person's current view. `more`: further fields of Slack's
   * payload.
   */
  press(person: StoryPerson, label: string, within: Shape, more?: Record<string, unknown>): Promise<BotReply>;
  /** Performs `act`, and returns the view that it opens or changes, once the view is no longer loading. */
  view(act: () => Promise<unknown>): Promise<Shape>;
  /**
   * Performs `act`, and returns the private message that the person gets besides the answer to the request.
   */
  privateAnswer(act: () => Promise<unknown>): Promise<Shape>;
  /** Fills in fields by their labels, leaves the others, and submits the form. */
  handIn(person: StoryPerson, view: Shape, answers: Readonly<Record<string, unknown>>): Promise<BotReply>;
  /** Writes to the bot in the Messages tab; returns the `ts` of the message. */
  write(person: StoryPerson, text: string, thread?: string): Promise<string>;
  /** Edits a message that the person wrote. */
  rewrite(person: StoryPerson, ts: string, text: string): Promise<void>;
  /**
   * Moves the clock to another time (ms). First waits until no process holds a lease on a channel, since the
   * jump would end the lease.
   */
  leap(to: number): Promise<void>;
  /** Lets time pass second by second until a condition holds. */
  wait(what: string, isSo: () => Promise<boolean> | boolean): Promise<void>;
  /** Returns the direct messages of a person, oldest first. */
  direct(person: StoryPerson): Promise<readonly SlackMessage[]>;
  /** Returns the id of the channel with the person's direct messages. */
  directOf(person: StoryPerson): Promise<string>;
  /** Adds to the story the direct messages that are new or changed since the last call. */
  showDirect(person: StoryPerson): Promise<void>;
  /**
   * Adds the current messages of the channel to the story. `last`: adds only this many of the newest root
   * messages, with their replies.
   */
  showChannel(last?: number): Promise<void>;
  /** Waits until the bot has updated views more than `before` times, and adds that update to the story. */
  seeUpdate(before: number): Promise<Shape>;
  /** Returns the messages of the channel; replies follow their root message. */
  channelMessages(): Promise<readonly (SlackMessage & {readonly reply: boolean})[]>;
  /** Returns the story as text. */
  transcript(): string;
  close(): Promise<void>;
}

const origin = {team: {id: 'T000000001', domain: 'acme'}, api_app_id: 'A1'};

export async function startStory(
  folder: string,
  startAt: number,
  env: Readonly<Record<string, string>> = {},
): Promise<SlackStory> {
  const redisUrl = await testRedisUrl();
  const clock = await createTestClock(redisUrl, startAt);
  const emulator: Emulator = await startEmulator();
  const slack = await startFailureServer(() => emulator.url);
  const service = await startService({
    redisUrl,
    time: clock.time,
    env: {
      SLACK_BOT_TOKEN: botToken,
      SLACK_SIGNING_SECRET: signingSecret,
      SLACK_API_URL: `${slack.url}/api/`,
      ...env,
    },
  });
  const {members} = (await api('users.list', {})) as {members: {id: string; name: string}[]};
  const names: Record<string, string> = {[channel]: 'general'};
  const lines: string[] = [];
  /** Messages that people have typed to the bot, by `ts`. */
  const written = new Map<string, string>();
  /** Direct messages that the story has already shown, each with its text. */
  const seen = new Set<string>();
  const pages: {name: string; title: string; sights: Sight[]}[] = [];

  async function api(method: string, body: Record<string, string>, token = adminToken): Promise<Shape> {
    const reply = await fetch(`${emulator.url}/api/${method}`, {
      method: 'POST',
      headers: {authorization: `Bearer ${token}`},
      body: new URLSearchParams(body),
    });
    return reply.json();
  }

  const trigger = async ({id}: StoryPerson) =>
    String((await api('views.generateTriggerId', {user_id: id}, botToken)).trigger_id);

  function addSight(sight: Sight): void {
    pages.at(-1)?.sights.push(sight);
    if (sight.kind === 'caption') lines.push('', sight.text);
    else if (sight.kind === 'message')
      lines.push(indent(`${sight.by ?? 'Standup'}: ${sight.text}`, sight.reply ? 4 : 2));
    else lines.push(indent(`a form: ${readTextOfBlocks(sight.view.blocks)}`, 2));
  }

  async function readReplies(
    of: readonly SlackMessage[],
    channelId: string,
    token: string,
  ): Promise<SlackMessage[][]> {
    return Promise.all(
      of.map(async ({ts}) => {
        const found = await api('conversations.replies', {channel: channelId, ts}, token);
        return ((found.messages ?? []) as SlackMessage[]).filter((reply) => reply.ts !== ts);
      }),
    );
  }

  const story: SlackStory = {
    service,
    slack,
    clock,
    person(name, shown) {
      const {id} = members.find((one) => one.name === name) ?? {id: ''};
      if (id === '') throw new Error(`Slack has no ${name}.`);
      names[id] = shown;
      return {id, name};
    },
    page: (name, title) => void pages.push({name, title, sights: []}),
    say: (text) => addSight({kind: 'caption', text}),
    async command(person, text) {
      story.say(`${names[person.id]} types: /standup ${text}`);
      const {
        status,
        body,
        text: plain,
      } = await sendSigned(service.url, {
        command: '/standup',
        text,
        user_id: person.id,
        user_name: person.name,
        team_id: 'T000000001',
        channel_id: channel,
        channel_name: 'general',
        trigger_id: await trigger(person),
        response_url: `${slack.url}/respond/${person.id}`,
      });
      if (status !== 200) throw new Error(`/standup ${text}: ${status} ${plain}`);
      if (body !== undefined) addSight({kind: 'message', onlyForYou: true, at: clock.now(), ...body});
      return body;
    },
    async press(person, label, within, more = {}) {
      story.say(`${names[person.id]} presses: ${label}`);
      const found = findActionByLabel(within, label);
      if (found === undefined) throw new Error(`Nothing says “${label}” in ${JSON.stringify(within)}`);
      const payload = {
        type: 'block_actions',
        ...origin,
        user: {id: person.id, name: person.name, username: person.name},
        trigger_id: await trigger(person),
        channel: {id: channel, name: 'general'},
        response_url: `${slack.url}/respond/${person.id}`,
        actions: [{block_id: 'b', action_ts: `${Math.floor(clock.now() / 1_000)}.999999`, ...found}],
        ...more,
      };
      const reply = await sendSigned(service.url, {payload: JSON.stringify(payload)});
      if (reply.status !== 200) throw new Error(`${label}: ${reply.status}`);
      return reply;
    },
    async view(act) {
      const [opened, updated] = [slack.of('views.open').length, slack.of('views.update').length];
      await act();
      const isWhole = (view: Shape) => view?.submit !== undefined;
      const call = await until(
        () => {
          const some = [...slack.of('views.open').slice(opened), ...slack.of('views.update').slice(updated)];
          return some.findLast(({body, reply}) => reply !== undefined && isWhole(body['view']));
        },
        {what: 'a form is opened', withinMs: 10_000},
      );
      const first = slack.of('views.open').at(-1);
      const id = (first?.reply as Shape)?.view?.id ?? (call.body['view_id'] as string);
      const view = {...(call.body['view'] as Shape), id};
      addSight({kind: 'modal', view});
      return view;
    },
    async privateAnswer(act) {
      const before = slack.of('respond').length;
      await act();
      const {body} = await until(() => slack.of('respond')[before], {what: 'a private answer'});
      addSight({kind: 'message', onlyForYou: true, at: clock.now(), ...(body as {text: string})});
      return body;
    },
    async handIn(person, view, answers) {
      const filled = Object.entries(answers).map(([field, value]) => `${field}: ${describeValue(value)}`);
      const entered = filled.length === 0 ? '' : ` (${filled.join(', ')})`;
      story.say(`${names[person.id]} hands in “${view.title.text}”${entered}`);
      const values = (view.blocks as Shape[]).flatMap(({type, block_id, label, element}) => {
        if (type !== 'input') return [];
        const given = answers[label.text] ?? readInitialValue(element);
        return [
          [block_id, {[element.action_id]: {type: element.type, ...createInputState(element.type, given)}}],
        ];
      });
      const payload = {
        type: 'view_submission',
        ...origin,
        user: {id: person.id, name: person.name},
        trigger_id: await trigger(person),
        view: {...view, state: {values: Object.fromEntries(values)}, hash: 'h'},
      };
      const reply = await sendSigned(service.url, {payload: JSON.stringify(payload)});
      if (reply.body?.view !== undefined) addSight({kind: 'modal', view: reply.body.view});
      return reply;
    },
    async write(person, text, thread) {
      const ts = `${Math.floor(clock.now() / 1_000)}.${String(lines.length).padStart(6, '0')}`;
      addSight({kind: 'message', by: names[person.id] ?? person.name, text, at: clock.now()});
      written.set(ts, text);
      await sendEvent({
        type: 'message',
        channel_type: 'im',
        channel: await directChannelOf(person),
        user: person.id,
        text,
        ts,
        ...(thread !== undefined && {thread_ts: thread}),
      });
      return ts;
    },
    async rewrite(person, ts, text) {
      story.say(`${names[person.id]} changes that message to: ${text}`);
      const message = {type: 'message', user: person.id, text, ts};
      const before = written.get(ts) ?? '';
      written.set(ts, text);
      await sendEvent({
        type: 'message',
        subtype: 'message_changed',
        channel_type: 'im',
        channel: await directChannelOf(person),
        message: {...message, edited: {user: person.id, ts}},
        previous_message: {...message, text: before},
        ts: `${ts}1`,
      });
    },
    async leap(to) {
      const held = async () => {
        const keys = await service.core.store.connection.call(performance.now() + 5_000, ['KEYS', '*:lease']);
        return (keys as readonly string[]).length > 0;
      };
      await until(async () => !(await held()), {what: 'no worker is busy', withinMs: 20_000});
      await clock.set(to);
    },
    wait: (what, isSo) =>
      until(
        async () => {
          if (await isSo()) return true;
          await clock.advance(1_000);
          return undefined;
        },
        {what, withinMs: 20_000, everyMs: 100},
      ).then(() => undefined),
    async direct(person) {
      const found = await api(
        'conversations.history',
        {channel: await directChannelOf(person), limit: '100'},
        botToken,
      );
      return ((found.messages ?? []) as SlackMessage[]).toReversed();
    },
    directOf: directChannelOf,
    async showDirect(person) {
      for (const message of await story.direct(person)) {
        const sight = `${message.ts} ${message.text}`;
        if (!seen.has(sight)) addSight({kind: 'message', at: clock.now(), ...parseTextAndBlocks(message)});
        seen.add(sight);
      }
    },
    async channelMessages() {
      const found = await api('conversations.history', {channel, limit: '100'});
      const parents = ((found.messages ?? []) as SlackMessage[]).toReversed();
      const under = await readReplies(parents, channel, adminToken);
      return parents.flatMap((parent, i) => [
        {...parent, reply: false},
        ...(under[i] ?? []).map((message) => ({...message, reply: true})),
      ]);
    },
    async showChannel(last = Infinity) {
      story.say('#general shows:');
      const all = await story.channelMessages();
      const parents = all.filter(({reply}) => !reply);
      const from = parents.at(-last) ?? parents[0];
      for (const message of all.slice(from === undefined ? 0 : all.indexOf(from)))
        addSight({kind: 'message', at: clock.now(), reply: message.reply, ...parseTextAndBlocks(message)});
    },
    async seeUpdate(before) {
      const call = await until(() => slack.of('views.update')[before], {
        what: 'the view changes',
        withinMs: 10_000,
      });
      const view = call.body['view'] as Shape;
      addSight({kind: 'modal', view});
      return view;
    },
    transcript: () => lines.join('\n'),
    async close() {
      await service.close();
      await slack.close();
      await emulator.close();
      await clock.close();
      mkdirSync(folder, {recursive: true});
      writeFileSync(join(folder, 'transcript.txt'), `${lines.join('\n')}\n`);
      const browser = await startBrowser();
      const onlooker = {timezone: 'Europe/Berlin', names};
      const pictures = pages.map(({name, title, sights}) => [name, drawSlack(title, sights, onlooker)]);
      await takePictures(browser, folder, Object.fromEntries(pictures) as Record<string, string>);
      await browser.close();
    },
  };
  return story;

  async function directChannelOf({id}: StoryPerson): Promise<string> {
    const opened = await api('conversations.open', {users: id}, lookingToken);
    return String(opened.channel?.id);
  }

  async function sendEvent(event: Record<string, unknown>): Promise<void> {
    const body = {
      type: 'event_callback',
      token: 'x',
      team_id: 'T000000001',
      api_app_id: 'A1',
      event_id: `Ev${randomUUID().slice(0, 8).toUpperCase()}`,
      event_time: Math.floor(Date.now() / 1_000),
      authorizations: [{enterprise_id: null, team_id: 'T000000001', user_id: 'UBOT', is_bot: true}],
      event,
    };
    const {status, text} = await sendSigned(service.url, JSON.stringify(body), {
      contentType: 'application/json',
    });
    if (status !== 200) throw new Error(`an event was answered ${status} ${text}`);
  }
}

/** Describes the value that a person enters, as text. */
function describeValue(value: unknown): string {
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? `${value.length} chosen` : 'composed';
}

function parseTextAndBlocks({text, blocks}: SlackMessage): {text: string; blocks: readonly Shape[]} {
  return {text, blocks: (typeof blocks === 'string' ? JSON.parse(blocks) : (blocks ?? [])) as Shape[]};
}

/** Finds the button or menu entry with this label, and returns the fields that Slack sends for it. */
function findActionByLabel(within: Shape, label: string): Record<string, unknown> | undefined {
  if (Array.isArray(within)) {
    for (const part of within) {
      const found = findActionByLabel(part, label);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (typeof within !== 'object' || within === null) return undefined;
  const {type, action_id, value, text, options} = within;
  if (action_id !== undefined && type === 'button' && text?.text === label) return {type, action_id, value};
  const option =
    action_id === undefined ? undefined : (options as Shape[])?.find((one) => one.text.text === label);
  if (option !== undefined) return {type, action_id, selected_option: option};
  return findActionByLabel(Object.values(within), label);
}

function readInitialValue(element: Shape): unknown {
  return (
    element.initial_value ??
    element.initial_option?.value ??
    element.initial_options?.map(({value}: Shape) => value) ??
    element.initial_users ??
    element.initial_time ??
    element.initial_conversation ??
    (element.default_to_current_conversation === true ? channel : null)
  );
}

function createInputState(type: string, value: unknown): object {
  switch (type) {
    case 'plain_text_input':
    case 'number_input':
      return {value};
    case 'rich_text_input':
      return {rich_text_value: value};
    case 'multi_users_select':
      return {selected_users: value ?? []};
    case 'conversations_select':
      return {selected_conversation: value};
    case 'timepicker':
      return {selected_time: value};
    case 'checkboxes':
    case 'multi_static_select':
      return {selected_options: ((value ?? []) as string[]).map((one) => ({value: one}))};
    default:
      return {selected_option: value === null ? null : {value}};
  }
}

/** Returns the text in blocks, in order. */
function readTextOfBlocks(blocks: Shape): string {
  const texts = (part: Shape): string[] => {
    if (Array.isArray(part)) return part.flatMap(texts);
    if (typeof part !== 'object' || part === null) return [];
    const {text, label, element, elements, hint: _, ...rest} = part;
    const own = typeof text === 'string' ? [text] : texts(text);
    const value = typeof rest.initial_value === 'string' ? [`[${rest.initial_value}]`] : [];
    return [...own, ...texts(label), ...texts(element), ...value, ...texts(elements)];
  };
  return texts(blocks).join(' | ');
}

function indent(text: string, by: number): string {
  const space = ' '.repeat(by);
  return `${space}${text.replaceAll('\n', `\n${space}  `)}`;
}
