import type {Id} from '../../domain/core/ids.js';
import type {NoticeEvent} from '../../domain/slack/notice-content.js';
import type {SlackComment, SlackPost} from '../../domain/slack/slack-post.js';
import type {FoundMetadata, MessageMetadata, PromptKey} from './chat.js';

export const messageTypes = {
  standup: 'standup_posted',
  day: 'standup_day',
  digest: 'standup_digest',
  week: 'standup_week',
  copy: 'standup_report_copy',
  comment: 'standup_comment',
  notice: 'webhook_notice',
  prompt: 'standup_prompt',
  typed: 'standup_typed',
} as const;

/** The fields that identify a message. `blockers`, `counts`: keys of those shown, if there are any. */
interface Payloads {
  standup: {standup: Id<'standup'>; revision: number; part: number; blockers?: string; counts?: string};
  day: {team: string; date: string};
  digest: {team: string; date: string; part: number};
  week: {team: string; date: string};
  copy: {team: string; copy: string; part: number};
  comment: {standup: Id<'standup'>; comment: Id<'comment'>; part: number};
  notice: {event: NoticeEvent};
  prompt: PromptKey;
  typed: {key: string};
}

export function createMetadata<T extends keyof Payloads>(type: T, payload: Payloads[T]): MessageMetadata {
  return {event_type: messageTypes[type], event_payload: {...payload}};
}

/** True if this metadata has this type and these fields. The chat may return a number as text. */
export function hasMetadata<T extends keyof Payloads>(
  metadata: FoundMetadata | undefined,
  type: T,
  fields: Readonly<Partial<Payloads[T]>>,
): boolean {
  const payload = readPayload(type, metadata);
  return (
    payload !== undefined &&
    Object.entries(fields).every(([name, value]) => String(payload[name]) === String(value))
  );
}

/** True if this metadata is that of a message of this standup. `number` is the message's number from 1. */
export function isStandupMessage(
  {suffix}: SlackPost,
  number: number,
  metadata: FoundMetadata | undefined,
): boolean {
  const {standup, part = 1} = readPayload('standup', metadata) ?? {};
  return typeof standup === 'string' && standup.endsWith(suffix) && Number(part) === number;
}

/** True if this metadata is that of a message of this comment. `number` is the message's number from 1. */
export function isCommentMessage(
  {suffix}: SlackComment,
  number: number,
  metadata: FoundMetadata | undefined,
): boolean {
  const {comment, part} = readPayload('comment', metadata) ?? {};
  return typeof comment === 'string' && comment.endsWith(suffix) && Number(part) === number;
}

/** Returns the key of the blockers, or of the counts, that a message shows; empty if it shows none. */
export function readDetailKey(metadata: FoundMetadata | undefined, detail: 'blockers' | 'counts'): string {
  const key = metadata?.event_payload?.[detail];
  return typeof key === 'string' ? key : '';
}

/** Returns the revision of the standup that a message shows; 0 when the metadata has none. */
export function readShownRevision(metadata: FoundMetadata | undefined): number {
  return Number(metadata?.event_payload?.['revision']) || 0;
}

function readPayload(
  type: keyof Payloads,
  metadata: FoundMetadata | undefined,
): FoundMetadata['event_payload'] {
  return metadata?.event_type === messageTypes[type] ? metadata.event_payload : undefined;
}
