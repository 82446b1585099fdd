import type {KnownBlock, RichTextSection} from '@slack/types';
import type {SlackPost} from '../../domain/slack-post.js';
import {failingLimits} from '../../domain/webhook-failing.js';
import {plainText} from '../blocks.js';
import {messageTypes} from '../names.js';
import {escapeText, shortDay, shortInstant} from '../text.js';

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
    text: escapeText(`${author.name}: ${update}`),
    blocks: [plainText(update, {heading: author.name})],
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
  const {host} = new URL(url);
  const name = description === null ? host : `${description} (${host})`;
  const attempts = `What its receiver answered: GET /v1/webhooks/${id}/deliveries.`;
  const again = `Once its receiver works, enable it: PATCH /v1/webhooks/${id} with {"enabled": true}. Events until then can be replayed.`;
  const text =
    failingSince === undefined
      ? `The webhook ${name} was disabled on ${shortInstant(Date.parse(disabled_at ?? ''))}: ${reasonOf(disabled_reason)} ${again}`
      : `The webhook ${name} has not delivered anything since ${shortInstant(failingSince)}. Unless an attempt succeeds it is disabled on ${shortInstant(failingSince + failingLimits.disable.ms)}. ${attempts}`;
  const {elements, ...block} = plainText(`${text} `);
  const [section] = elements as RichTextSection[];
  return {
    text: `${escapeText(text)} ${docs}`,
    blocks: [
      {
        ...block,
        elements: [
          {type: 'rich_text_section', elements: [...(section?.elements ?? []), {type: 'link', url: docs}]},
        ],
      },
    ],
    metadata: {event_type: messageTypes.notice, event_payload: {event}},
  };
}

function reasonOf(reason: string | null): string {
  return reason === 'failing'
    ? 'no attempt had succeeded for five days.'
    : 'its receiver answered that it wants nothing more.';
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
