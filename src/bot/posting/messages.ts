import type {KnownBlock} from '@slack/types';
import type {SlackPost} from '../../domain/slack-post.js';
import {failingLimits} from '../../domain/webhook-failing.js';
import {cleanName, isolate, nameInText} from '../bidi.js';
import {plainText, richSentence} from '../blocks.js';
import {messageTypes} from '../names.js';
import {escapeText, shortDay} from '../text.js';
import {readerOf} from '../words/words.js';

/** A message as `chat.postMessage` and `chat.update` take it, without its place. */
export interface Message {
  /** Read by screen readers and notifications instead of the blocks: so all of it stands here too. */
  readonly text: string;
  readonly blocks?: KnownBlock[];
  readonly metadata: {readonly event_type: string; readonly event_payload: Record<string, string | number>};
}

export interface ShownStandup {
  readonly id: string;
  readonly update: string;
  readonly author: {readonly name: string};
  readonly revision: number;
}

/** One standup. What a person wrote stands in `text` elements only, in which Slack looks for no mention, channel or link. */
export function presentStandup({id, update, author, revision}: ShownStandup): Message {
  return {
    text: escapeText(`${nameInText(author.name)}: ${isolate(update)}`),
    blocks: [plainText(update, {heading: cleanName(author.name)})],
    metadata: {event_type: messageTypes.standup, event_payload: {standup: id, revision}},
  };
}

/** The day's parent message. Nothing in it comes from a person. */
export function presentDay(day: {team: string; date: string; people: number}): Message {
  return {
    text: `Standup · ${shortDay(day.date)} · ${day.people} in`,
    metadata: {event_type: messageTypes.day, event_payload: {team: day.team, date: day.date}},
  };
}

/** The part of a webhook that its notices show. */
export interface ToldWebhook {
  readonly id: string;
  readonly url: string;
  readonly description: string | null;
  readonly disabled_reason: string | null;
  readonly disabled_at: string | null;
}

/**
 * What those who run the workspace are told of a webhook: which one (its host, for a path may hold a secret), since when, and what to do.
 * `failingSince` in ms: it fails; left out: it is disabled.
 */
export function presentNotice(
  event: string,
  {id, url, description, disabled_reason, disabled_at}: ToldWebhook,
  {failingSince, docs}: {failingSince?: number | undefined; docs: string},
): Message {
  // Told to several people in the same words: instants are shown by each one's own clock.
  const reader = readerOf();
  const words = reader.words.webhook;
  const {host} = new URL(url);
  const named = description === null ? host : `${description} (${host})`;
  /** The sentence as text or as rich text, by what is put into its gaps. */
  const say = (name: string, at: (ms: number) => string): string =>
    failingSince === undefined
      ? words.disabled(id, name, at(Date.parse(disabled_at ?? '')), disabled_reason === 'failing')
      : words.failing(id, name, at(failingSince), at(failingSince + failingLimits.disable.ms));
  const elements = richSentence((gap) =>
    say(gap({type: 'text', text: nameInText(named)}), (ms) => gap(reader.richInstant(ms))),
  );
  const link = [{type: 'text', text: ' '} as const, {type: 'link', url: docs} as const];
  return {
    text: `${say(escapeText(nameInText(named)), reader.instant)} ${docs}`,
    blocks: [{type: 'rich_text', elements: [{type: 'rich_text_section', elements: [...elements, ...link]}]}],
    metadata: {event_type: messageTypes.notice, event_payload: {event}},
  };
}

/** True for the metadata of the message that tells of an event. */
export function isNoticeOf(event: string, metadata: FoundMetadata | undefined): boolean {
  return metadata?.event_type === messageTypes.notice && metadata.event_payload?.['event'] === event;
}

/** True for the metadata of the message that shows a standup. */
export function isMessageOf({drawn}: Pick<SlackPost, 'drawn'>, metadata: FoundMetadata | undefined): boolean {
  const standup = metadata?.event_payload?.['standup'];
  return (
    metadata?.event_type === messageTypes.standup && typeof standup === 'string' && standup.endsWith(drawn)
  );
}

export function isMessageOfDay(
  day: {team: string; date: string},
  metadata: FoundMetadata | undefined,
): boolean {
  const {team, date} = metadata?.event_payload ?? {};
  return metadata?.event_type === messageTypes.day && team === day.team && date === day.date;
}

export interface FoundMetadata {
  readonly event_type?: string;
  readonly event_payload?: Readonly<Record<string, unknown>>;
}
