import type {Commit} from '../../domain/commit/commit.js';
import type {Call} from '../../domain/core/access.js';
import {AppError} from '../../domain/core/errors.js';
import {listLastEdits, mergeMeanwhileMessages} from '../../domain/slack/typed-changes.js';
import {
  trimTypedRecord,
  createEmptyTypedRecord,
  type TypedDone,
  type TypedDue,
  type TypedOffer,
  type TypedRecord,
  addUnansweredMatter,
} from '../../domain/slack/typed-record.js';
import type {TypedDraft, UserMessage} from '../../domain/slack/typing.js';
import type {ServiceContext} from '../core/context.js';
import type {StandupRuns} from '../runs/standup-runs.js';
import {createConversationChanges, type ConversationEvent} from './conversation-changes.js';

/** The replies that must still be sent to a member. Only the process that holds `token` may send them. */
export interface PendingReplies {
  readonly token: string;
  /** The token of a process that recorded no result. We must look in Slack for its reply. */
  readonly earlier?: string | undefined;
  readonly record: TypedRecord;
  readonly due: readonly TypedDue[];
}

/**
 * The result of a claim to send the replies to a person: the replies, if this process may send them. `heard`:
 * the event has been answered, or needs no answer. `busy`: another process is answering, but may crash first.
 */
export type TakeResult = PendingReplies | 'heard' | 'busy';

/** The time (ms) of one call to Slack, after which a process that sends replies counts as crashed. */
const sayingMs = 8_000;
export function createTyping(context: ServiceContext, {standupRuns}: {readonly standupRuns: StandupRuns}) {
  const {records, clock, mutate, typedRecords, generateSuffix} = context;
  const {take, begin} = createConversationChanges(context, {standupRuns});

  async function readTypedRecord(
    {workspace, principal, deadline}: Pick<Call, 'workspace' | 'principal' | 'deadline'>,
    user: string,
  ) {
    const kept = await typedRecords.find(workspace, user, deadline);
    const found = kept === undefined ? undefined : (JSON.parse(kept.json) as TypedRecord);
    const own = found?.member === principal.id ? found : undefined;
    return {version: kept?.version ?? '', record: own ?? createEmptyTypedRecord(principal.id)};
  }

  /** Changes the record; undefined leaves it unchanged. No record of an erased person remains. */
  async function changeRecord(
    call: Call,
    user: string,
    next: (record: TypedRecord) => Promise<TypedRecord | undefined> | TypedRecord | undefined,
  ): Promise<TypedRecord> {
    let result = createEmptyTypedRecord(call.principal.id);
    await mutate(call, async (): Promise<Commit> => {
      const [{version, record}, member] = await Promise.all([
        readTypedRecord(call, user),
        records.find(call.workspace, call.principal.id, call.deadline),
      ]);
      if (member === undefined) throw new AppError('not_found', 'There is no such member any more.');
      const changed = await next(record);
      result = trimTypedRecord(changed ?? record);
      const {id, revision} = member;
      return {
        guards: [
          {check: 'typed', slackUser: user, version},
          {check: 'revision', id, revision},
        ],
        writes:
          changed === undefined
            ? []
            : [{do: 'keep-typed', slackUser: user, version: generateSuffix(), json: JSON.stringify(result)}],
        events: [],
        reply: {kind: 'empty'},
      };
    });
    return result;
  }

  async function claimPendingReplies(
    call: Call,
    user: string,
    heard?: ConversationEvent,
  ): Promise<TakeResult> {
    let result: TakeResult = 'heard';
    const record = await changeRecord(call, user, async (before) => {
      const fresh = heard !== undefined && !before.heard.includes(heard.key) ? heard : undefined;
      const isNew = fresh !== undefined;
      const after = fresh === undefined ? before : await take(call, before, fresh);
      result = 'heard';
      if (after === undefined || after.due.length === 0) return isNew ? after : undefined;
      const now = clock.now();
      const {saying} = after;
      if (saying !== undefined && now - saying.at < sayingMs && now >= saying.at) {
        // The process that sends replies continues until none is left. If it crashes, Slack sends this
        // message again.
        result = isNew ? 'heard' : 'busy';
        return isNew ? after : undefined;
      }
      const token = generateSuffix();
      result = {token, earlier: saying?.token, record: after, due: after.due};
      return {...after, saying: {token, at: now}};
    });
    return typeof result === 'string' ? result : {...(result as PendingReplies), record, due: record.due};
  }

  return {
    /**
     * Stores the text that a person (Slack id) has typed, and begins a conversation if the bot has asked
     * them for a standup. Also claims the sending of the replies for this process. A message that Slack sends
     * again changes nothing. Errors: those of a write.
     */
    hear: (call: Call, user: string, event: ConversationEvent): Promise<TakeResult> =>
      claimPendingReplies(call, user, event),
    /** Claims the sending of the due replies for this process, without a new message. */
    resume: (call: Call, user: string): Promise<TakeResult> => claimPendingReplies(call, user),
    /**
     * Records that these replies were sent. Returns the replies that have become due meanwhile, under the
     * same token. `shown`: the message that now shows the draft.
     */
    async said(
      call: Call,
      user: string,
      pending: PendingReplies,
      shown?: {readonly draft: string; readonly channel: string; readonly ts: string},
    ): Promise<PendingReplies | undefined> {
      const keys = new Set(pending.due.map(({key}) => key));
      const record = await changeRecord(call, user, (before) => {
        const due = before.due.filter(({key}) => !keys.has(key));
        const {saying, draft, ...rest} = before;
        const isMine = saying?.token === pending.token;
        const summary = shown !== undefined &&
          draft?.id === shown.draft && {summary: {channel: shown.channel, ts: shown.ts}};
        const kept = {...rest, due, ...(draft && {draft: {...draft, ...summary}})};
        if (!isMine) return saying === undefined ? kept : {...kept, saying};
        return due.length === 0 ? kept : {...kept, saying: {token: pending.token, at: clock.now()}};
      });
      if (record.saying?.token !== pending.token) return undefined;
      return {token: pending.token, record, due: record.due};
    },
    /** Gives up the claim to send replies, so that the next process with the message may answer. */
    async release(call: Call, user: string, pending: PendingReplies): Promise<void> {
      await changeRecord(call, user, ({saying, ...rest}) =>
        saying?.token === pending.token ? rest : undefined,
      );
    },
    async find(
      call: Pick<Call, 'workspace' | 'principal' | 'deadline'>,
      user: string,
    ): Promise<TypedRecord | undefined> {
      const {version, record} = await readTypedRecord(call, user);
      return version === '' ? undefined : record;
    },
    /**
     * Records that a draft or typed text has been posted as a standup. The text is deleted here, and changes
     * typed meanwhile become due. With a `location`, the person is asked the next open question now.
     */
    finish: (
      call: Call,
      user: string,
      done: TypedDone,
      {
        messages,
        location,
      }: {
        readonly messages: readonly UserMessage[];
        readonly location?: Pick<TypedDue, 'key' | 'channel' | 'thread'>;
      },
    ): Promise<TypedRecord> =>
      changeRecord(call, user, async (before) => {
        if (before.done.some(({id}) => id === done.id)) return undefined;
        const {draft, ...rest} = before;
        const isDraft = draft?.id === done.id;
        const offered = rest.offers.find(({ts}) => ts === done.id);
        const kept: TypedRecord = {
          ...rest,
          ...(!isDraft && draft && {draft}),
          offers: rest.offers.filter((offer) => offer !== offered),
          done: [...rest.done, {...done, edits: listLastEdits(messages)}],
        };
        if (location === undefined) return kept;
        const {key, channel, thread} = location;
        const at = {channel, ...(thread !== undefined && {thread})};
        const stood = isDraft ? draft.words : offered === undefined ? [] : [convertOfferToMessage(offered)];
        const changed = mergeMeanwhileMessages(kept, {messages: stood, posted: messages, done}, at);
        if (!isDraft) return changed;
        // If this process is killed, the process that takes over finds these replies to send.
        const due = changed.due.map((one) =>
          one.key === key ? ({key, ...at, is: 'posted', done: done.id} as const) : one,
        );
        const updated = {...changed, due};
        const next = await begin(call, kept, `after/${done.id}`);
        if (next === undefined) return updated;
        return addUnansweredMatter({...updated, draft: next}, {key: `begin/${next.id}`, ...at, is: 'begin'});
      }),
    /** Ends a draft. Without a reason the draft is deleted. */
    async end(call: Call, user: string, draft: string, reason?: TypedDraft['ended']): Promise<void> {
      await changeRecord(call, user, ({draft: known, ...rest}) => {
        if (known?.id !== draft) return undefined;
        return reason === undefined ? rest : {...rest, draft: {...known, ended: reason}};
      });
    },
    async decline(call: Call, user: string, ts: string): Promise<void> {
      await changeRecord(call, user, (before) => ({
        ...before,
        offers: before.offers.filter((offer) => offer.ts !== ts),
      }));
    },
  };
}

function convertOfferToMessage({ts, text, at}: TypedOffer): UserMessage {
  return {ts, text, ...(at !== undefined && {editedAt: at})};
}
