import {type IdSuffix, storedSuffix} from '../core/ids.js';

/** The channel of a message in Slack, and its id (`ts`) there. */
export interface SlackLocation {
  readonly channel: string;
  readonly ts: string;
}

/**
 * What we know of a message in a channel: the standup whose thread it starts, the comment that was made of it,
 * or that it was deleted before we heard of it. `editedAt`: Slack's time of the edit that the comment shows;
 * empty for none.
 */
export type KnownMessage =
  | {readonly kind: 'standup'; readonly suffix: IdSuffix<'standup'>}
  | {readonly kind: 'comment'; readonly suffix: IdSuffix<'comment'>; readonly editedAt: string}
  | {readonly kind: 'gone'};

export function formatKnownMessage(known: KnownMessage): string {
  if (known.kind === 'gone') return known.kind;
  return `${known.kind} ${known.suffix}${known.kind === 'comment' ? ` ${known.editedAt}` : ''}`;
}

export function parseKnownMessage(value: string): KnownMessage {
  const [kind, suffix = '', editedAt = ''] = value.split(' ');
  if (kind === 'standup') return {kind, suffix: storedSuffix(suffix)};
  return kind === 'comment' ? {kind, suffix: storedSuffix(suffix), editedAt} : {kind: 'gone'};
}
