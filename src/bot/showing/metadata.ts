import type {Id, IdSuffix} from '../../domain/core/ids.js';
import type {SlackPost} from '../../domain/slack/slack-post.js';
import type {FoundMetadata, MessageMetadata, PromptKey} from './chat.js';

/** The types of message metadata by which we find our own messages again. */
export const messageTypes = {
  standup: 'standup_posted',
  day: 'standup_day',
  digest: 'standup_digest',
  week: 'standup_week',
  notice: 'webhook_notice',
  prompt: 'standup_prompt',
  typed: 'standup_typed',
} as const;

interface MessageDay {
  readonly team: string;
  readonly date: string;
}

/** Returns the metadata of a standup's message. `blockers`: a key of the blockers shown, if there are any. */
export function createStandupMetadata(
  standup: {readonly id: Id<'standup'>; readonly revision: number},
  part: number,
  blockers?: string,
): MessageMetadata {
  const {id, revision} = standup;
  const optional = blockers === undefined ? {} : {blockers};
  return {event_type: messageTypes.standup, event_payload: {standup: id, revision, part, ...optional}};
}

export function createDayMetadata({team, date}: MessageDay): MessageMetadata {
  return {event_type: messageTypes.day, event_payload: {team, date}};
}

export function createReportMetadata({team, date}: MessageDay, part: number): MessageMetadata {
  return {event_type: messageTypes.digest, event_payload: {team, date, part}};
}

export function createWeekMetadata({team, date}: MessageDay): MessageMetadata {
  return {event_type: messageTypes.week, event_payload: {team, date}};
}

export function createNoticeMetadata(event: Id<'event'>): MessageMetadata {
  return {event_type: messageTypes.notice, event_payload: {event}};
}

export function createPromptMetadata({member, date, take}: PromptKey): MessageMetadata {
  return {event_type: messageTypes.prompt, event_payload: {member, date, take}};
}

/** True if this metadata is that of a message of this standup. `number` is the message's number from 1. */
export function isStandupMessage(
  {suffix}: SlackPost,
  part: number,
  metadata: FoundMetadata | undefined,
): boolean {
  const {standup, part: found = 1} = readPayload('standup', metadata);
  return typeof standup === 'string' && endsWithIdSuffix(standup, suffix) && Number(found) === part;
}

export function isDayMessage(day: MessageDay, metadata: FoundMetadata | undefined): boolean {
  return hasDate(day, readPayload('day', metadata));
}

export function isReportMessage(
  report: MessageDay,
  part: number,
  metadata: FoundMetadata | undefined,
): boolean {
  const payload = readPayload('digest', metadata);
  return hasDate(report, payload) && Number(payload['part']) === part;
}

export function isWeekMessage(week: MessageDay, metadata: FoundMetadata | undefined): boolean {
  return hasDate(week, readPayload('week', metadata));
}

export function isNoticeMessage(event: Id<'event'>, metadata: FoundMetadata | undefined): boolean {
  return readPayload('notice', metadata)['event'] === event;
}

export function isPromptMessage(
  {member, date, take}: PromptKey,
  metadata: FoundMetadata | undefined,
): boolean {
  const payload = readPayload('prompt', metadata);
  return payload['member'] === member && payload['date'] === date && Number(payload['take']) === take;
}

/** Returns the key of the blockers that a message shows; empty if it shows none. */
export function readBlockersKey(metadata: FoundMetadata | undefined): string {
  const blockers = metadata?.event_payload?.['blockers'];
  return typeof blockers === 'string' ? blockers : '';
}

/** Returns the revision of the standup that a message shows; 0 when the metadata has none. */
export function readShownRevision(metadata: FoundMetadata | undefined): number {
  return Number(metadata?.event_payload?.['revision']) || 0;
}

function readPayload(
  type: keyof typeof messageTypes,
  metadata: FoundMetadata | undefined,
): Readonly<Record<string, unknown>> {
  return metadata?.event_type === messageTypes[type] ? (metadata.event_payload ?? {}) : {};
}

function hasDate({team, date}: MessageDay, payload: Readonly<Record<string, unknown>>): boolean {
  return payload['team'] === team && payload['date'] === date;
}

function endsWithIdSuffix(id: string, suffix: IdSuffix): boolean {
  return id.endsWith(suffix);
}
