import type {TypedDone, TypedDue, TypedEarly, TypedMatter, TypedRecord, TypedUnfit} from './typed-record.js';
import {
  compareMessageTs,
  parseTypedCommand,
  type UserMessage,
  editMessageOfDraft,
  removeMessageOfDraft,
} from './typing.js';

/**
 * Adds a message or edit that the bot must answer, in the channel and thread of the current message. The key
 * is by default that of the message.
 */
export type AddDue = (of: TypedRecord, matter: TypedMatter, key?: string) => TypedRecord;

interface MessageChange {
  readonly ts: string;
  /** True if the message may arrive after its edit: Slack sends events twice and in any order. */
  readonly mayCome: boolean;
}

/**
 * The number of edits and deletions that are stored while their messages have not arrived. It exceeds what a
 * person makes in that time.
 */
const mostEarly = 5;

/**
 * Returns the record after an edit; undefined when the edit changes nothing. An edit older than the last one
 * of its message is ignored.
 */
export function applyTypedEdit(
  record: TypedRecord,
  {
    ts,
    text,
    at,
    unfit,
    mayCome,
  }: MessageChange & {
    readonly text: string;
    readonly at: string;
    /** The reason why the text cannot be posted. */
    readonly unfit?: TypedUnfit | undefined;
  },
  due: AddDue,
): TypedRecord | undefined {
  const {draft, offers, done} = record;
  if (unfit !== undefined) {
    const known = [...(draft?.words ?? []), ...offers].some((one) => one.ts === ts);
    const isKnown = known || done.some(({slots}) => Object.hasOwn(slots, ts));
    return isKnown ? due(record, {is: 'unfit', why: unfit}) : undefined;
  }
  const isLater = (than = '0') => compareMessageTs(than, at) < 0;
  const message = draft?.words.find((one) => one.ts === ts);
  if (draft !== undefined && message !== undefined) {
    if (!isLater(message.editedAt)) return undefined;
    return due({...record, draft: editMessageOfDraft(draft, ts, text, at)}, {is: 'edit', ts});
  }
  const offered = offers.find((offer) => offer.ts === ts);
  if (offered !== undefined) {
    if (!isLater(offered.at)) return undefined;
    const changed = offers.map((offer) => (offer.ts === ts ? {ts, text, at} : offer));
    return due({...record, offers: changed}, {is: 'edited-offer', ts});
  }
  const posted = done.findLast(({slots}) => Object.hasOwn(slots, ts));
  if (posted !== undefined) {
    if (!isLater(posted.edits?.[ts])) return undefined;
    return due(addPostedEdit(record, posted.id, ts, at), {is: 'edit-posted', ts, text, at});
  }
  const before = record.early?.find((one) => one.ts === ts);
  const isKept = before === undefined || ('at' in before && isLater(before.at));
  return mayCome && isKept ? addEarlyTypedChange(record, {ts, text, at}) : undefined;
}

export function applyTypedDeletion(
  record: TypedRecord,
  {ts, mayCome}: MessageChange,
  due: AddDue,
): TypedRecord | undefined {
  const {draft, offers, done} = record;
  if (draft?.words.some((message) => message.ts === ts) === true)
    return due({...record, draft: removeMessageOfDraft(draft, ts)}, {is: 'deleted'});
  if (offers.some((offer) => offer.ts === ts))
    return due({...record, offers: offers.filter((offer) => offer.ts !== ts)}, {is: 'deleted-offer'});
  if (done.some(({slots}) => Object.hasOwn(slots, ts))) return due(record, {is: 'deleted-posted', ts});
  return mayCome ? addEarlyTypedChange(record, {ts}) : undefined;
}

function addEarlyTypedChange(record: TypedRecord, change: TypedEarly): TypedRecord {
  const others = (record.early ?? []).filter(({ts}) => ts !== change.ts);
  return {...record, early: [...others, change].slice(-mostEarly)};
}

function addPostedEdit(record: TypedRecord, id: string, ts: string, at: string): TypedRecord {
  const done = record.done.map((one) => (one.id === id ? {...one, edits: {...one.edits, [ts]: at}} : one));
  return {...record, done};
}

/**
 * Returns the record after the draft `posted` was posted as `done`, while more `messages` arrived. Edits and
 * deletions in between become changes of the posted standup. Other texts are offered for a new post.
 */
export function mergeMeanwhileMessages(
  record: TypedRecord,
  {
    messages,
    posted,
    done,
  }: {messages: readonly UserMessage[]; posted: readonly UserMessage[]; done: TypedDone},
  location: Pick<TypedDue, 'channel' | 'thread'>,
): TypedRecord {
  return messages.reduce((of, message): TypedRecord => {
    const {ts, editedAt: at} = message;
    const before = posted.find((one) => one.ts === ts);
    const text = message.now ?? message.text;
    // The draft no longer exists, so the bot's unanswered questions about its messages are dropped too.
    const apart = (matter: TypedMatter, more: TypedRecord = of): TypedRecord => {
      const due = more.due.filter((one) => !('ts' in one && one.ts === ts) && one.key !== `gone/${ts}`);
      return {...more, due: [...due, {key: `after/${done.id}/${ts}`, ...location, ...matter}]};
    };
    if (before === undefined) {
      if (message.gone !== undefined || message.slot !== undefined || parseTypedCommand(text) !== undefined)
        return of;
      const offer = {ts, text, ...(at !== undefined && {at})};
      return apart({is: 'offer', ts}, {...of, offers: [...of.offers, offer]});
    }
    if (!Object.hasOwn(done.slots, ts)) return of;
    if (message.gone !== undefined && before.gone === undefined) return apart({is: 'deleted-posted', ts});
    if (at === undefined || at === before.editedAt) return of;
    return apart({is: 'edit-posted', ts, text, at}, addPostedEdit(of, done.id, ts, at));
  }, record);
}

/** Returns the time of the last edit of each edited message, by the message's `ts`. */
export function listLastEdits(messages: readonly UserMessage[]): Record<string, string> {
  return Object.fromEntries(
    messages.flatMap(({ts, editedAt}) => (editedAt === undefined ? [] : [[ts, editedAt]])),
  );
}
