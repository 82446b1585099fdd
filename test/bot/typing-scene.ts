import {lookingToken, type BotReply, type SlackMessage} from '../support/slack-harness.js';
import {suffixOf, type Id} from '../../src/domain/core/ids.js';
import {until} from '../support/until.js';
import {minute, type PromptPerson, type PromptScene} from './prompt-scene.js';

// oxlint-disable-next-line typescript/no-explicit-any -- blocks of many shapes
type Shape = any;

/** A person who types to the bot. */
export interface Typist {
  readonly person: PromptPerson;
  /** The direct channel between the person and the bot. */
  readonly channel: string;
  /** Slack's `ts` of the next message. */
  nextTs(): string;
  /** Types a text. Returns the message's `ts`, and the answer to the event. */
  type(text: string, more?: Record<string, unknown>): Promise<{ts: string; reply: BotReply}>;
  /** Sends an event from Slack with another `ts` or text. */
  send(event: Record<string, unknown>, more?: Record<string, unknown>): Promise<BotReply>;
  edit(ts: string, text: string, before?: string): Promise<BotReply>;
  remove(ts: string): Promise<BotReply>;
  /** The bot's messages to the person, without the reminder. */
  said(): Promise<SlackMessage[]>;
  last(): Promise<SlackMessage>;
  /** Presses the button with this label in the last message that has it. */
  press(label: string): Promise<BotReply>;
}

let micros = 0;

export async function createTypist(scene: PromptScene, person: PromptPerson): Promise<Typist> {
  const {slack} = scene;
  const opened = (await slack.api('conversations.open', {users: person.user}, lookingToken)) as {
    channel: {id: string};
  };
  const channel = opened.channel.id;
  const nextTs = () => `${Math.floor(scene.clock.now() / 1_000)}.${String((micros += 100)).padStart(6, '0')}`;
  const typist: Typist = {
    person,
    channel,
    nextTs,
    async type(text, more = {}) {
      const ts = nextTs();
      const reply = await typist.send({type: 'message', user: person.user, text, ts, ...more});
      return {ts, reply};
    },
    send: (event, more = {}) =>
      slack.event({type: 'message', channel, channel_type: 'im', event_ts: '1', ...event}, more),
    edit: (ts, text, before = '') =>
      typist.send({
        subtype: 'message_changed',
        hidden: true,
        ts: nextTs(),
        message: {type: 'message', user: person.user, text, ts, edited: {user: person.user, ts: nextTs()}},
        previous_message: {type: 'message', user: person.user, text: before, ts},
      }),
    remove: (ts) =>
      typist.send({
        subtype: 'message_deleted',
        hidden: true,
        ts: nextTs(),
        deleted_ts: ts,
        previous_message: {type: 'message', user: person.user, text: 'gone', ts},
      }),
    async said() {
      const all = await scene.messagesOf(person);
      return all.filter(({metadata}) => metadata?.event_type !== 'standup_prompt');
    },
    async last() {
      const all = await typist.said();
      const last = all.at(-1);
      if (last === undefined) throw new Error('the bot has said nothing');
      return last;
    },
    async press(label) {
      const all = await typist.said();
      const found = all
        .toReversed()
        .flatMap((message) => elementsOf(message.blocks).map((element) => ({message, element})))
        .find(({element}) => element.text?.text === label);
      if (found === undefined) throw new Error(`nothing says ${label}`);
      const {message, element} = found;
      const reply = await slack.action(
        {action_id: element.action_id, value: element.value, action_ts: nextTs()} as {action_id: string},
        {message: {ts: message.ts}},
        {user: {id: person.user, name: person.user}, channel},
      );
      // A press is acknowledged once it is stored, and answered later.
      await until(async () => {
        const kept = await keptOf(scene, typist);
        const {due = [], saying} = JSON.parse(kept || '{}') as {due?: unknown[]; saying?: unknown};
        return due.length === 0 && saying === undefined;
      });
      return reply;
    },
  };
  return typist;
}

export function elementsOf(blocks: Shape): Shape[] {
  if (Array.isArray(blocks)) return blocks.flatMap(elementsOf);
  if (typeof blocks !== 'object' || blocks === null) return [];
  const own = blocks.action_id === undefined ? [] : [blocks];
  return [...own, ...Object.values(blocks).flatMap(elementsOf)];
}

export const labelsOf = (message: SlackMessage) =>
  elementsOf(message.blocks).map(({text}) => text?.text as string);

/** A person in these teams who has been asked for a standup for each of them. */
export async function askedTypist(
  scene: PromptScene,
  {teams, closesIn = 60}: {teams?: readonly Id<'team'>[]; closesIn?: number} = {},
): Promise<Typist & {runs: Id[]}> {
  const person = await scene.addPerson(teams === undefined ? {} : {teams});
  const runs: Id[] = [];
  for (const [i, team] of (teams ?? [scene.slack.team]).entries()) {
    const closesAt = scene.clock.now() + (closesIn + i) * minute;
    const run = await scene.openRun(closesAt, team);
    await scene.remind(person, run, closesAt);
    runs.push(run);
  }
  // Two requests at one instant make the message due just after that instant.
  await scene.clock.advance(1);
  await scene.work(person);
  return {...(await createTypist(scene, person)), runs};
}

/** The record of everything that a person has typed, as JSON. */
export async function keptOf(scene: PromptScene, {person}: Typist): Promise<string> {
  const found = await scene.slack.core.store.typedRecords.find(
    scene.slack.workspace,
    person.user,
    performance.now() + 2_000,
  );
  return found?.json ?? '';
}

export async function postedBy(scene: PromptScene, {person}: Typist) {
  const all = await scene.slack.standups();
  return all.filter(({author}) => suffixOf(author.id) === suffixOf(person.member.id));
}
