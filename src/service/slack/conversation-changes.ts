import type {Call} from '../../domain/core/access.js';
import {limits} from '../../domain/core/limits.js';
import {type AddDue, applyTypedDeletion, applyTypedEdit} from '../../domain/slack/typed-changes.js';
import {
  type TypedMatter,
  type TypedRecord,
  type TypedUnfit,
  addUnansweredMatter,
} from '../../domain/slack/typed-record.js';
import {
  replayConversation,
  type TypedDraft,
  parseTypedCommand,
  type TypedEnd,
  type UserMessage,
  addMessageToDraft,
} from '../../domain/slack/typing.js';
import type {ServiceContext} from '../core/context.js';
import type {StandupRuns} from '../runs/standup-runs.js';
import {createTypedTeams} from './typed-teams.js';

/** A message, its change, or a button press. `key`: the same if Slack sends the event again. */
export type ConversationEvent = {
  readonly key: string;
  readonly channel: string;
  readonly thread?: string | undefined;
  readonly ts: string;
} & (
  | {
      readonly kind: 'typed';
      readonly text: string;
      /** The reason why the text cannot be posted. */
      readonly unfit?: TypedUnfit | undefined;
      /** True if the message had files, which are ignored. */
      readonly attached?: boolean;
      /** True for a command of `/standup`, which counts only while no question is open. */
      readonly command: boolean;
    }
  | {
      readonly kind: 'edited';
      readonly text: string;
      readonly at: string;
      /** Set if the text is longer than the limit. */
      readonly unfit?: 'long' | undefined;
    }
  | {readonly kind: 'deleted'}
  | {
      readonly kind: 'pressed';
      readonly draft: string;
      readonly text: string;
      readonly slot?: string | undefined;
    }
);

const minuteMs = 60_000;
/** The time for which Slack may send an event again: up to an hour. */
const comesWithinMs = 60 * minuteMs;

/** Applies a message or a button press to a member's record, with the replies still to be sent. */
export function createConversationChanges(
  context: ServiceContext,
  {standupRuns}: {readonly standupRuns: StandupRuns},
) {
  const {clock} = context;
  const {listAsked, draftFor, findEnd} = createTypedTeams(context, {standupRuns});

  /** Begins a draft for the questions that the member was asked and has not stopped answering. */
  async function beginDraft(call: Call, record: TypedRecord, id: string): Promise<TypedDraft | undefined> {
    const stopped = record.draft?.ended === undefined ? [] : record.draft.teams;
    const lines = (await listAsked(call)).filter(
      ({team, date}) => !stopped.some((one) => one.id === team.id && one.date === date),
    );
    return draftFor(call, lines, id);
  }

  /** Removes the teams from a draft for which it can no longer be posted. */
  async function dropClosedTeams(
    call: Call,
    draft: TypedDraft,
  ): Promise<{draft: TypedDraft; dropped: [string, TypedEnd][]}> {
    const ends = await Promise.all(draft.teams.map((team) => findEnd(call, team)));
    const dropped = draft.teams.flatMap(({id}, i): [string, TypedEnd][] => {
      const end = ends[i];
      return end === undefined ? [] : [[id, end]];
    });
    const left = draft.teams.filter((_, i) => ends[i] === undefined);
    const [first] = dropped;
    if (left.length > 0 || first === undefined) return {draft: {...draft, teams: left}, dropped};
    return {draft: {...draft, ended: first[1]}, dropped: []};
  }

  /** Returns the changed record; undefined if nothing changes. */
  async function applyConversationEvent(call: Call, record: TypedRecord, event: ConversationEvent) {
    const location = {channel: event.channel, ...(event.thread !== undefined && {thread: event.thread})};
    const due = (of: TypedRecord, matter: TypedMatter, key = event.key) =>
      addUnansweredMatter(of, {key, ...location, ...matter});
    const known: TypedRecord = {...record, heard: [...record.heard, event.key]};
    switch (event.kind) {
      case 'typed':
        return applyWithinPace(known, async () => {
          const taken = await applyTypedMessage(call, known, event, due);
          const isText = event.attached === true && event.unfit === undefined;
          return isText ? due(taken, {is: 'unfit', why: 'attached'}, `attached/${event.ts}`) : taken;
        });
      case 'pressed': {
        const {draft} = known;
        if (draft?.id !== event.draft)
          return known.done.some(({id}) => id === event.draft) ? known : due(known, {is: 'over'});
        const message = {ts: event.ts, text: event.text, ...(event.slot !== undefined && {slot: event.slot})};
        return applyMessage(call, {...known, draft: reopenDraft(draft)}, message, (of, matter, key) =>
          due(of, matter.is === 'word' ? {is: 'pressed', ts: event.ts} : matter, key),
        );
      }
      case 'edited': {
        const changed = applyTypedEdit(known, {...event, mayCome: mayStillArrive(known, event.ts)}, due);
        // A change of a posted standup is never skipped, however fast messages come.
        const isDone = changed?.due.at(-1)?.is === 'edit-posted';
        return changed === undefined || isDone ? changed : applyWithinPace(known, async () => changed);
      }
      case 'deleted':
        return applyTypedDeletion(known, {ts: event.ts, mayCome: mayStillArrive(known, event.ts)}, due);
    }

    function applyWithinPace(of: TypedRecord, next: () => Promise<TypedRecord>): Promise<TypedRecord> {
      return next().then((changed) => {
        const now = clock.now();
        const pace = [...of.pace.filter((at) => at > now - minuteMs), now];
        if (pace.length <= limits.typedPerMinute) return {...changed, pace};
        // The message is stored. Replies to it follow when the member writes more slowly.
        if ((of.slowed ?? 0) > now - minuteMs) return {...changed, pace, due: of.due};
        return due({...changed, pace, slowed: now, due: of.due}, {is: 'slow'});
      });
    }
  }

  async function applyTypedMessage(
    call: Call,
    record: TypedRecord,
    heard: Extract<ConversationEvent, {kind: 'typed'}> & {readonly at?: string},
    due: AddDue,
  ): Promise<TypedRecord> {
    const {ts, text, command, key, unfit} = heard;
    const {draft} = record;
    const early = record.early?.find((one) => one.ts === ts);
    if (early !== undefined) {
      const rest = {...record, early: record.early?.filter((one) => one !== early) ?? []};
      if (!('at' in early)) return rest;
      const now = {text: early.text, unfit: early.text === '' ? ('empty' as const) : undefined};
      return applyTypedMessage(call, rest, {...heard, ...now, command: false, at: early.at}, due);
    }
    const message = {ts, text, ...(heard.at !== undefined && {editedAt: heard.at})};
    const isOpen = draft !== undefined && draft.ended === undefined;
    if (unfit !== undefined && (unfit !== 'emoji' || !isOpen)) return due(record, {is: 'unfit', why: unfit});
    const resumes = /^(?:continue|go on)[.!]?$/i.test(text.trim()) && draft?.ended === 'stopped';
    if (isOpen && isAbandoned(draft, ts)) {
      const lines = await listAsked(call);
      const goesOn = lines.some(({team, date}) =>
        draft.teams.some((one) => one.id === team.id && one.date === date),
      );
      const {draft: _old, ...rest} = record;
      if (lines.length > 0 && !goesOn)
        return applyTypedMessage(call, due(rest, {is: 'left', draft}, `left/${draft.id}`), heard, due);
    }
    if (draft !== undefined && (isOpen || resumes))
      return applyMessage(call, {...record, draft: reopenDraft(draft)}, message, due);
    if (command) return due(record, {is: 'command', ts, text});
    const begun = await beginDraft(call, record, key);
    if (begun !== undefined) return applyMessage(call, {...record, draft: begun}, message, due);
    if (parseTypedCommand(text) !== undefined) return due(record, {is: 'idle'});
    return due(addOffer(record, message), {is: 'offer', ts});
  }

  async function applyMessage(call: Call, record: TypedRecord, message: UserMessage, due: AddDue) {
    if (record.draft === undefined) return record;
    const {draft, dropped} = await dropClosedTeams(call, addMessageToDraft(record.draft, message));
    const updated = dropped.reduce<TypedRecord>(
      (of, [team, why]) => due(of, {is: 'dropped', team, why}, `dropped/${draft.id}/${team}`),
      {...record, draft},
    );
    const {ts} = message;
    const answered = due(updated, {is: 'word', ts});
    // A message after the end of the draft may be meant for something else, so the bot offers to post it by
    // itself.
    const isExtra = replayConversation(draft).effects.get(ts)?.does === 'extra' && message.slot === undefined;
    const isOver = draft.ended !== undefined && draft.ended !== 'stopped';
    return isOver && isExtra ? due(addOffer(answered, message), {is: 'offer', ts}, `offer/${ts}`) : answered;
  }

  function mayStillArrive({heard}: TypedRecord, ts: string): boolean {
    return !heard.includes(ts) && Number(ts) * 1_000 > clock.now() - comesWithinMs;
  }

  return {take: applyConversationEvent, begin: beginDraft};
}

/** Returns true if the last message is so old that the person may mean another standup. */
function isAbandoned({words: messages}: TypedDraft, ts: string): boolean {
  return Number(ts) - Number(messages.at(-1)?.ts ?? 0) > leftAfterSeconds;
}

const leftAfterSeconds = 4 * 3_600;

function addOffer(record: TypedRecord, {ts, text, editedAt}: UserMessage): TypedRecord {
  const offer = {ts, text, ...(editedAt !== undefined && {at: editedAt})};
  return {...record, offers: [...record.offers.filter((one) => one.ts !== ts), offer]};
}

/** Reopens a draft that the person has ended with `stop`. */
function reopenDraft({ended, ...draft}: TypedDraft): TypedDraft {
  return ended === undefined || ended === 'stopped' ? draft : {...draft, ended};
}
