import type {Call} from '../../domain/core/access.js';
import {AppError} from '../../domain/core/errors.js';
import {limits} from '../../domain/core/limits.js';
import {type AddDue, deleted, edited, editsOf, withMeanwhile} from '../../domain/slack/typed-changes.js';
import {
  bounded,
  emptyRecord,
  type TypedDone,
  type TypedDue,
  type TypedMatter,
  type TypedOffer,
  type TypedRecord,
  type TypedUnfit,
  withDue,
} from '../../domain/slack/typed-record.js';
import {
  converse,
  type TypedDraft,
  typedCommand,
  type TypedEnd,
  type TypedWord,
  withWord,
} from '../../domain/slack/typing.js';
import type {Member} from '../../domain/workspaces/workspace.js';
import type {Mutate, Plan} from '../core/mutation.js';
import type {Clock, DrawId, Records, TypedRecords} from '../core/stores.js';
import {createTypedTeams, type TypedTeamParts} from './typed-teams.js';

/** A message, what became of one, or a button of a conversation. `key`: the same whenever Slack sends it. */
export type Heard = {
  readonly key: string;
  readonly channel: string;
  readonly thread?: string | undefined;
  readonly ts: string;
} & (
  | {
      readonly kind: 'typed';
      readonly text: string;
      /** Why it is no text that could be posted. */
      readonly unfit?: TypedUnfit | undefined;
      /** It is a word of `/standup`, while nothing has been asked or answered. */
      readonly command: boolean;
    }
  | {
      readonly kind: 'edited';
      readonly text: string;
      readonly at: string;
      /** Longer than what is kept. */
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

/** The answers that somebody is owed, by whoever has the token. */
export interface Turn {
  readonly token: string;
  /** Of one who has not said what came of it: whether its answer arrived has to be looked up. */
  readonly earlier?: string | undefined;
  readonly record: TypedRecord;
  readonly due: readonly TypedDue[];
}

/** `heard`: it has been answered, or need not be; `busy`: somebody is answering, who may not live to. */
export type Taken = Turn | 'heard' | 'busy';

export interface TypingService {
  /**
   * Keeps what somebody (Slack's id) has typed, begins a conversation with it where they have been asked,
   * and gives the right to answer. One that comes again changes nothing. Errors: those of a write.
   */
  hear(call: Call, user: string, heard: Heard): Promise<Taken>;
  /**
   * These are answered; what has come meanwhile is the next turn of the same token. `shown`: the message
   * that shows the draft now.
   */
  said(
    call: Call,
    user: string,
    turn: Turn,
    shown?: {readonly draft: string; readonly channel: string; readonly ts: string},
  ): Promise<Turn | undefined>;
  /** Nothing was said: whoever hears the message again may answer at once. */
  release(call: Call, user: string, turn: Turn): Promise<void>;
  find(
    call: Pick<Call, 'workspace' | 'principal' | 'deadline'>,
    user: string,
  ): Promise<TypedRecord | undefined>;
  /**
   * A draft or an offer has been posted as these words: none of it are kept, and what has come meanwhile is
   * due. With a `place` what the person has been asked besides is asked next.
   */
  finish(
    call: Call,
    user: string,
    done: TypedDone,
    posted: {
      readonly words: readonly TypedWord[];
      readonly place?: Pick<TypedDue, 'key' | 'channel' | 'thread'>;
    },
  ): Promise<TypedRecord>;
  /** The right to answer what is due though nothing more has been heard. */
  resume(call: Call, user: string): Promise<Taken>;
  /** A draft ends. Without a reason it is forgotten. */
  end(call: Call, user: string, draft: string, reason?: TypedDraft['ended']): Promise<void>;
  /** An offer is declined. */
  decline(call: Call, user: string, ts: string): Promise<void>;
}

export interface TypingParts extends TypedTeamParts {
  readonly mutate: Mutate;
  readonly typedRecords: TypedRecords;
  readonly drawId: DrawId;
  readonly clock: Clock;
  readonly records: Records;
}

/** Whoever answers has one call of Slack's to make; after this time they count as gone (ms). */
const sayingMs = 8_000;
const minuteMs = 60_000;
/** Slack sends an event again for up to an hour. */
const comesWithinMs = 60 * minuteMs;

export function createTyping(parts: TypingParts): TypingService {
  const {mutate, typedRecords, drawId, clock, records} = parts;
  const {listAsked, draftFor, findEnd} = createTypedTeams(parts);

  async function read(
    {workspace, principal, deadline}: Pick<Call, 'workspace' | 'principal' | 'deadline'>,
    user: string,
  ) {
    const kept = await typedRecords.find(workspace, user, deadline);
    const found = kept === undefined ? undefined : (JSON.parse(kept.json) as TypedRecord);
    const own = found?.member === principal.id ? found : undefined;
    return {version: kept?.version ?? '', record: own ?? emptyRecord(principal.id)};
  }

  /**
   * Changes the record; undefined leaves it as it is. A person who is erased meanwhile leaves nothing
   * behind.
   */
  async function change(
    call: Call,
    user: string,
    next: (record: TypedRecord) => Promise<TypedRecord | undefined> | TypedRecord | undefined,
  ): Promise<TypedRecord> {
    let result = emptyRecord(call.principal.id);
    await mutate(call, async (): Promise<Plan> => {
      const [{version, record}, member] = await Promise.all([
        read(call, user),
        records.find<Member>(call.workspace, call.principal.id, call.deadline),
      ]);
      if (member === undefined) throw new AppError('not_found', 'There is no such member any more.');
      const changed = await next(record);
      result = bounded(changed ?? record);
      const {id, revision} = member;
      return {
        commit: {
          guards: [
            {check: 'typed', slackUser: user, version},
            {check: 'revision', id, revision},
          ],
          writes:
            changed === undefined
              ? []
              : [{do: 'keep-typed', slackUser: user, version: drawId(), json: JSON.stringify(result)}],
          events: [],
          reply: {status: 204},
        },
      };
    });
    return result;
  }

  /** One of what people have been asked and have not stopped answering. */
  async function begin(call: Call, record: TypedRecord, id: string): Promise<TypedDraft | undefined> {
    const stopped = record.draft?.ended === undefined ? [] : record.draft.teams;
    const lines = (await listAsked(call)).filter(
      ({team, date}) => !stopped.some((one) => one.id === team.id && one.date === date),
    );
    return draftFor(call, lines, id);
  }

  /** The draft for those of its teams for which it can still be posted. */
  async function look(
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

  async function take(call: Call, record: TypedRecord, heard: Heard): Promise<TypedRecord | undefined> {
    const place = {channel: heard.channel, ...(heard.thread !== undefined && {thread: heard.thread})};
    const due = (of: TypedRecord, matter: TypedMatter, key = heard.key) =>
      withDue(of, {key, ...place, ...matter});
    const known: TypedRecord = {...record, heard: [...record.heard, heard.key]};
    switch (heard.kind) {
      case 'typed':
        return paced(known, () => typed(call, known, heard, due));
      case 'pressed': {
        const {draft} = known;
        if (draft?.id !== heard.draft)
          return known.done.some(({id}) => id === heard.draft) ? known : due(known, {is: 'over'});
        const word = {ts: heard.ts, text: heard.text, ...(heard.slot !== undefined && {slot: heard.slot})};
        return spoken(call, {...known, draft: reopened(draft)}, word, (of, matter, key) =>
          due(of, matter.is === 'word' ? {is: 'pressed', ts: heard.ts} : matter, key),
        );
      }
      case 'edited': {
        const changed = edited(known, {...heard, mayCome: mayCome(known, heard.ts)}, due);
        // A change of a standup is not left undone.
        const isDone = changed?.due.at(-1)?.is === 'edit-posted';
        return changed === undefined || isDone ? changed : paced(known, async () => changed);
      }
      case 'deleted':
        return deleted(known, {ts: heard.ts, mayCome: mayCome(known, heard.ts)}, due);
    }

    function paced(of: TypedRecord, next: () => Promise<TypedRecord>): Promise<TypedRecord> {
      return next().then((changed) => {
        const now = clock.now();
        const pace = [...of.pace.filter((at) => at > now - minuteMs), now];
        if (pace.length <= limits.typedPerMinute) return {...changed, pace};
        // It is kept; what there is to say is said once the person is slower.
        if ((of.slowed ?? 0) > now - minuteMs) return {...changed, pace, due: of.due};
        return due({...changed, pace, slowed: now, due: of.due}, {is: 'slow'});
      });
    }
  }

  async function typed(
    call: Call,
    record: TypedRecord,
    heard: Extract<Heard, {kind: 'typed'}> & {readonly at?: string},
    due: AddDue,
  ): Promise<TypedRecord> {
    const {ts, text, command, key, unfit} = heard;
    const {draft} = record;
    const early = record.early?.find((one) => one.ts === ts);
    if (early !== undefined) {
      const rest = {...record, early: record.early?.filter((one) => one !== early) ?? []};
      if (!('at' in early)) return rest;
      const now = {text: early.text, unfit: early.text === '' ? ('empty' as const) : undefined};
      return typed(call, rest, {...heard, ...now, command: false, at: early.at}, due);
    }
    const word = {ts, text, ...(heard.at !== undefined && {editedAt: heard.at})};
    const isOpen = draft !== undefined && draft.ended === undefined;
    if (unfit !== undefined && (unfit !== 'emoji' || !isOpen)) return due(record, {is: 'unfit', why: unfit});
    const resumes = /^(?:continue|go on)[.!]?$/i.test(text.trim()) && draft?.ended === 'stopped';
    if (isOpen && isLeft(draft, ts)) {
      const lines = await listAsked(call);
      const goesOn = lines.some(({team, date}) =>
        draft.teams.some((one) => one.id === team.id && one.date === date),
      );
      const {draft: _old, ...rest} = record;
      if (lines.length > 0 && !goesOn)
        return typed(call, due(rest, {is: 'left', draft}, `left/${draft.id}`), heard, due);
    }
    if (draft !== undefined && (isOpen || resumes))
      return spoken(call, {...record, draft: reopened(draft)}, word, due);
    if (command) return due(record, {is: 'command', ts, text});
    const begun = await begin(call, record, key);
    if (begun !== undefined) return spoken(call, {...record, draft: begun}, word, due);
    if (typedCommand(text) !== undefined) return due(record, {is: 'idle'});
    return due(withOffer(record, word), {is: 'offer', ts});
  }

  async function spoken(call: Call, record: TypedRecord, word: TypedWord, due: AddDue): Promise<TypedRecord> {
    if (record.draft === undefined) return record;
    const {draft, dropped} = await look(call, withWord(record.draft, word));
    const told = dropped.reduce<TypedRecord>(
      (of, [team, why]) => due(of, {is: 'dropped', team, why}, `dropped/${draft.id}/${team}`),
      {...record, draft},
    );
    const {ts} = word;
    const answered = due(told, {is: 'word', ts});
    // A word that comes too late may be meant for something else.
    const isExtra = converse(draft).effects.get(ts)?.does === 'extra' && word.slot === undefined;
    const isOver = draft.ended !== undefined && draft.ended !== 'stopped';
    return isOver && isExtra ? due(withOffer(answered, word), {is: 'offer', ts}, `offer/${ts}`) : answered;
  }

  function mayCome({heard}: TypedRecord, ts: string): boolean {
    return !heard.includes(ts) && Number(ts) * 1_000 > clock.now() - comesWithinMs;
  }

  async function turnFor(call: Call, user: string, heard?: Heard): Promise<Taken> {
    let taken: Taken = 'heard';
    const record = await change(call, user, async (before) => {
      const fresh = heard !== undefined && !before.heard.includes(heard.key) ? heard : undefined;
      const isNew = fresh !== undefined;
      const after = fresh === undefined ? before : await take(call, before, fresh);
      taken = 'heard';
      if (after === undefined || after.due.length === 0) return isNew ? after : undefined;
      const now = clock.now();
      const {saying} = after;
      if (saying !== undefined && now - saying.at < sayingMs && now >= saying.at) {
        // Whoever answers goes on until nothing is left, and their own message comes again if they do not.
        taken = isNew ? 'heard' : 'busy';
        return isNew ? after : undefined;
      }
      const token = drawId();
      taken = {token, earlier: saying?.token, record: after, due: after.due};
      return {...after, saying: {token, at: now}};
    });
    return typeof taken === 'string' ? taken : {...(taken as Turn), record, due: record.due};
  }

  return {
    hear: (call, user, heard) => turnFor(call, user, heard),
    resume: (call, user) => turnFor(call, user),
    async said(call, user, turn, shown) {
      const keys = new Set(turn.due.map(({key}) => key));
      const record = await change(call, user, (before) => {
        const due = before.due.filter(({key}) => !keys.has(key));
        const {saying, draft, ...rest} = before;
        const isMine = saying?.token === turn.token;
        const summary = shown !== undefined &&
          draft?.id === shown.draft && {summary: {channel: shown.channel, ts: shown.ts}};
        const kept = {...rest, due, ...(draft && {draft: {...draft, ...summary}})};
        if (!isMine) return saying === undefined ? kept : {...kept, saying};
        return due.length === 0 ? kept : {...kept, saying: {token: turn.token, at: clock.now()}};
      });
      if (record.saying?.token !== turn.token) return undefined;
      return {token: turn.token, record, due: record.due};
    },
    async release(call, user, turn) {
      await change(call, user, ({saying, ...rest}) => (saying?.token === turn.token ? rest : undefined));
    },
    async find(call, user) {
      const {version, record} = await read(call, user);
      return version === '' ? undefined : record;
    },
    finish: (call, user, done, {words, place}) =>
      change(call, user, async (before) => {
        if (before.done.some(({id}) => id === done.id)) return undefined;
        const {draft, ...rest} = before;
        const isDraft = draft?.id === done.id;
        const offered = rest.offers.find(({ts}) => ts === done.id);
        const kept: TypedRecord = {
          ...rest,
          ...(!isDraft && draft && {draft}),
          offers: rest.offers.filter((offer) => offer !== offered),
          done: [...rest.done, {...done, edits: editsOf(words)}],
        };
        if (place === undefined) return kept;
        const {key, channel, thread} = place;
        const at = {channel, ...(thread !== undefined && {thread})};
        const stood = isDraft ? draft.words : offered === undefined ? [] : [wordOf(offered)];
        const changed = withMeanwhile(kept, {words: stood, posted: words, done}, at);
        if (!isDraft) return changed;
        // Whoever answers in the place of one who is killed now finds what is to be said.
        const due = changed.due.map((one) =>
          one.key === key ? ({key, ...at, is: 'posted', done: done.id} as const) : one,
        );
        const told = {...changed, due};
        const next = await begin(call, kept, `after/${done.id}`);
        if (next === undefined) return told;
        return withDue({...told, draft: next}, {key: `begin/${next.id}`, ...at, is: 'begin'});
      }),
    async end(call, user, draft, reason) {
      await change(call, user, ({draft: known, ...rest}) => {
        if (known?.id !== draft) return undefined;
        return reason === undefined ? rest : {...rest, draft: {...known, ended: reason}};
      });
    },
    async decline(call, user, ts) {
      await change(call, user, (before) => ({
        ...before,
        offers: before.offers.filter((offer) => offer.ts !== ts),
      }));
    },
  };
}

/** Whether so much time has passed that another standup may be meant. */
function isLeft({words}: TypedDraft, ts: string): boolean {
  return Number(ts) - Number(words.at(-1)?.ts ?? 0) > leftAfterSeconds;
}

const leftAfterSeconds = 4 * 3_600;

function wordOf({ts, text, at}: TypedOffer): TypedWord {
  return {ts, text, ...(at !== undefined && {editedAt: at})};
}

function withOffer(record: TypedRecord, {ts, text, editedAt}: TypedWord): TypedRecord {
  const offer = {ts, text, ...(editedAt !== undefined && {at: editedAt})};
  return {...record, offers: [...record.offers.filter((one) => one.ts !== ts), offer]};
}

/** Goes on after `stop`. */
function reopened({ended, ...draft}: TypedDraft): TypedDraft {
  return ended === undefined || ended === 'stopped' ? draft : {...draft, ended};
}
