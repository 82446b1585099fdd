import {suffixOf} from '../../domain/core/ids.js';
import type {Call, Principal} from '../../domain/core/access.js';
import {type Blocker, findBlockerText, isEquivalentText} from '../../domain/blockers/blocker.js';
import {type CommitPart, type Guard, joinCommitParts, nothing} from '../../domain/commit/commit.js';
import type {RemovalMode} from '../../domain/commit/writes.js';
import {dayNumber, toInstant} from '../../domain/core/dates.js';
import {limits} from '../../domain/core/limits.js';
import {plainText, removeMarks} from '../../domain/core/markdown.js';
import {lists, positionOf} from '../../domain/core/lists.js';
import {parseWire, isUnchangedByDraft, toDraft} from '../../domain/core/resource.js';
import type {Standup} from '../../domain/standups/standup.js';
import type {Team} from '../../domain/teams/team.js';
import {listRecords, readPages} from '../core/paging.js';
import type {PlanStandupBlockers} from '../core/kind-rules.js';
import type {ServiceContext} from '../core/context.js';
import {
  createChangeBlockerWrites,
  createDeleteBlockerWrites,
  createRaiseBlockerWrites,
  draftResolvedBlocker,
} from '../blockers/blocker-records.js';

/** The blockers given with a standup, in addition to its answers. */
export interface BlockersInput {
  /**
   * The text of the blocker field, for a team without its own questions, in the notation of the standup;
   * undefined if the field was not shown, empty for no blockers.
   */
  readonly blockers?: string | undefined;
  /** The ids of the author's blockers that are resolved by this standup. */
  readonly resolved?: readonly string[] | undefined;
}

type BlockerTeam = Pick<Team, 'id' | 'slug' | 'questions'>;
type StandupAnswers = Pick<Standup, 'id' | 'author' | 'answers' | 'format'>;
type StandupTexts = Pick<Standup, 'update' | 'answers' | 'format'>;

/**
 * Plans the effects of standups on blockers, as parts of their commits.
 * - An answer to a question with `raises_blocker` raises a blocker. If the author has an open blocker with
 *   the same text in the team, none is raised again. In a team with too many open blockers, the standup is
 *   created without one.
 * - A blocker in the state `raised` changes with its answer. If the answer is removed, the blocker moves to
 *   the next standup with the same text.
 * - An acknowledged or resolved blocker stays, even if the standup is deleted.
 */
export interface StandupBlockers {
  /** Plans the blockers of a new standup. `id`: the standup's provisional id. */
  planPosted: (
    call: Call,
    standup: StandupAnswers,
    team: BlockerTeam,
    input: BlockersInput,
  ) => Promise<CommitPart>;
  /** Plans the blockers of an edited standup. `now`: the standup's new content. */
  planEdited: (
    call: Call,
    standup: Standup,
    now: StandupTexts,
    team: BlockerTeam,
    input: BlockersInput,
  ) => Promise<CommitPart>;
  /**
   * Plans the blockers of standups that one commit deletes; each author's blockers are read once. `erase`:
   * keeps no revision of a deleted blocker. `firstKept`: standups of earlier dates are deleted too.
   */
  leaving: (call: Call, how: RemovalMode, firstKept?: string) => PlanGone;
}

/**
 * Plans the deletion of the blockers that only this standup has raised. If another standup contains the same
 * blocker, the blocker moves to that standup instead.
 */
export type PlanGone = (standup: Standup, team: BlockerTeam) => Promise<CommitPart>;

/** The number of an author's latest standups whose formatting is read to find the same text. */
const maxFormatted = 30;

/** The number of an author's standups, or resolved blockers, read at once, newest first. */
const atOnce = 100;
/** The maximum number of an author's standups that are searched for one with the same text. */
const maxRead = 1_000;

export function createStandupBlockers({records, generateSuffix, clock}: ServiceContext): StandupBlockers {
  /** Returns all unresolved blockers of a team's standups, and a guard that the list does not change. */
  async function listOpenTeamBlockers(
    call: Call,
    team: BlockerTeam,
  ): Promise<{open: Blocker[]; guard: Guard}> {
    const list = lists.openBlockersOfTeam(team.id);
    const open = await listRecords(records, call, {list, limit: limits.openBlockersPerTeam});
    const suffixes = open.map(({id}) => suffixOf(id)).toReversed();
    return {open, guard: {check: 'listed', list, suffixes}};
  }

  async function listOpenAuthorBlockers(
    call: Call,
    author: Principal,
    team: BlockerTeam,
  ): Promise<{own: Blocker[]; guard: Guard}> {
    const list = lists.blockersOf(author.id);
    const [count, {open}] = await Promise.all([
      records.count(call.workspace, list, call.deadline),
      listOpenTeamBlockers(call, team),
    ]);
    return {
      own: open.filter((blocker) => blocker.author.id === author.id),
      // This guard ensures that two standups with the same text at the same time raise only one blocker.
      guard: {check: 'length', list, below: count + 1},
    };
  }

  async function listResolvedBlockers(call: Call, {id, author}: StandupAnswers): Promise<Blocker[]> {
    const found = await listRecords(records, call, {list: lists.blockersOf(author.id), limit: atOnce});
    return found.filter(({standup, state}) => standup === id && state === 'resolved');
  }

  /** Creates a function that reads authors' standups, each page only once for all blockers. */
  function createOtherStandupsReader({workspace, deadline}: Call, firstKept = ''): LoadOtherPages {
    const from = firstKept === '' ? undefined : positionOf(dayNumber(firstKept), 0);
    const known = new Map<string, Promise<OtherPages>>();
    async function readOtherStandups(author: Principal): Promise<OtherPages> {
      const list = lists.standupsOfAuthor(author.id);
      const count = await records.count(workspace, list, deadline);
      const pages: Standup[][] = [];
      for await (const rows of readPages(records, {workspace, deadline}, {list, limit: atOnce, from})) {
        pages.push(rows.map(({json}) => parseWire(json)));
        if (pages.length * atOnce >= maxRead) break;
      }
      const [newest = []] = pages;
      const unchanged = newest.map(({id, revision}) => ({check: 'revision', id, revision}) as const);
      // Another standup, new or edited, may contain the same text by now. These guards then make the commit
      // fail.
      return {pages, guards: [{check: 'length', list, below: count + 1}, ...unchanged]};
    }
    return (author) => {
      const pages = known.get(author.id) ?? readOtherStandups(author);
      known.set(author.id, pages);
      return pages;
    };
  }

  /** Raises the blockers in `texts` that do not exist yet, up to the limit. */
  async function planRaisedBlockers(
    {workspace, deadline}: Call,
    texts: readonly MentionedBlocker[],
    {id: standup, author}: StandupAnswers,
    team: BlockerTeam,
    {own, guard}: {own: readonly Blocker[]; guard: Guard},
  ): Promise<CommitPart> {
    const open = own.filter(({team_id, state}) => team_id === team.id && state !== 'resolved');
    const fresh: MentionedBlocker[] = [];
    const carried: Guard[] = [];
    for (const mention of texts) {
      const known = open.find(({text}) => isEquivalentText(text, mention.text));
      if (known !== undefined) carried.push({check: 'revision', id: known.id, revision: known.revision});
      else if (!fresh.some(({text}) => isEquivalentText(text, mention.text))) fresh.push(mention);
    }
    // The guards fail if the standup that raised the blocker is deleted first.
    const carriedOn = {...nothing, guards: carried};
    if (fresh.length === 0) return carriedOn;
    const list = lists.openBlockersOfTeam(team.id);
    const room = limits.openBlockersPerTeam - (await records.count(workspace, list, deadline));
    const raised = fresh
      .slice(0, Math.max(0, room))
      .map(({question, text}) =>
        createRaiseBlockerWrites({team, author, text, standup, question}, generateSuffix()),
      );
    if (raised.length === 0) return carriedOn;
    const hasRoom: Guard = {check: 'length', list, below: limits.openBlockersPerTeam - raised.length + 1};
    return joinCommitParts([{guards: [...carried, guard, hasRoom]}, ...raised]);
  }

  /** Moves a blocker to another standup of its author with the same text, or returns `otherwise`. */
  async function planMoveBlocker(
    others: LoadOtherPages,
    blocker: Blocker,
    team: BlockerTeam,
    otherwise: BlockerPlan,
  ): Promise<BlockerPlan> {
    const {pages, guards} = await others(blocker.author);
    for (const [i, standup] of pages.flatMap((page) => page.toReversed()).entries()) {
      if (standup.id === blocker.standup || standup.team_id !== team.id) continue;
      // Reading the formatting of a thousand texts would block for seconds.
      const toPlain: (text: string) => string = i < maxFormatted ? plainText : removeMarks;
      const mention = listMentionedBlockers(standup, team, {}, toPlain).find(({text}) =>
        isEquivalentText(text, blocker.text),
      );
      const isInUpdate =
        blocker.question === null && getPlain(standup.update, standup.format, toPlain).includes(blocker.text);
      if (mention === undefined && !isInUpdate) continue;
      const {id, revision} = standup;
      const change = {standup: id, question: mention?.question ?? null};
      return planBlockerChange(blocker, change, [{check: 'revision', id, revision}]);
    }
    const {guards: before = []} = otherwise.added ?? {};
    return {...otherwise, added: {...otherwise.added, guards: [...before, ...guards]}};
  }

  function planResolveBlockers(
    {principal}: Call,
    ids: readonly string[],
    author: Principal,
    team: BlockerTeam,
    own: readonly Blocker[],
  ): CommitPart {
    const over = own.filter(
      ({id, team_id, state, author: {id: authorId}}) =>
        ids.includes(id) && team_id === team.id && state !== 'resolved' && authorId === author.id,
    );
    const at = toInstant(clock.now());
    return joinCommitParts(
      over.map((blocker) => createChangeBlockerWrites(blocker, draftResolvedBlocker(blocker, principal, at))),
    );
  }

  async function planMentionedBlockers(
    call: Call,
    standup: StandupAnswers,
    team: BlockerTeam,
    {mentioned, over}: {readonly mentioned: readonly MentionedBlocker[]; readonly over: readonly string[]},
  ): Promise<CommitPart> {
    const found = await listOpenAuthorBlockers(call, standup.author, team);
    const ended = planResolveBlockers(call, over, standup.author, team, found.own);
    const left = {...found, own: found.own.filter(({id}) => !over.includes(id))};
    return joinCommitParts([ended, await planRaisedBlockers(call, mentioned, standup, team, left)]);
  }

  return {
    async planPosted(call, standup, team, input) {
      const mentioned = listMentionedBlockers(standup, team, input);
      const over = input.resolved ?? [];
      return mentioned.length === 0 && over.length === 0
        ? nothing
        : planMentionedBlockers(call, standup, team, {mentioned, over});
    },
    async planEdited(call, standup, now, team, input) {
      const before = listMentionedBlockers(standup, team, {});
      const after = listMentionedBlockers(now, team, input);
      const over = input.resolved ?? [];
      const isUnchanged = JSON.stringify(before) === JSON.stringify(after) && input.blockers === undefined;
      if (isUnchanged && over.length === 0) return nothing;
      const [found, resolvedBefore] = await Promise.all([
        listOpenAuthorBlockers(call, standup.author, team),
        listResolvedBlockers(call, standup),
      ]);
      const others = createOtherStandupsReader(call);
      const ended = planResolveBlockers(call, over, standup.author, team, found.own);
      const left = found.own.filter(({id}) => !over.includes(id));
      const resolvedByNow = [...resolvedBefore, ...found.own.filter(({id}) => over.includes(id))];
      const elsewhere = left.filter((one) => one.standup !== standup.id);
      const followed = await Promise.all(
        left.map(async (blocker): Promise<BlockerPlan> => {
          const isTheirs = blocker.standup === standup.id;
          if (!isTheirs || blocker.state !== 'raised') return {blocker};
          const text = findNewTextOfBlocker(blocker, before, after, input);
          if (text !== undefined && isEquivalentText(text, blocker.text))
            return planBlockerChange(blocker, {text});
          const here = after.find((mention) => isEquivalentText(mention.text, blocker.text));
          if (here !== undefined) return planBlockerChange(blocker, {question: here.question});
          // If the author has another open blocker with the new text, this blocker is not needed for that
          // text.
          const goes = text === undefined || elsewhere.some((one) => isEquivalentText(one.text, text));
          const otherwise = goes
            ? {added: createDeleteBlockerWrites(blocker)}
            : planBlockerChange(blocker, {text});
          return planMoveBlocker(others, blocker, team, otherwise);
        }),
      );
      const own = followed.flatMap(({blocker}) => blocker ?? []);
      // A reworded text raises no second blocker once the first is acknowledged or resolved. But a text that is
      // nowhere in the standup would be lost, and one that replaces a blocker resolved now is another blocker.
      const isKnown = ({question, text}: MentionedBlocker) => {
        const isKept = question !== null || endsWithBlocker(now, text);
        const isCovered = [...own, ...resolvedByNow].some(
          (one) =>
            one.standup === standup.id &&
            one.question === question &&
            ((isKept && !over.includes(one.id)) || isEquivalentText(one.text, text)),
        );
        const wasHere =
          question === null
            ? endsWithBlocker(standup, text)
            : before.some((one) => one.question === question && one.text === text);
        return isCovered || wasHere;
      };
      const fresh = after.filter((mention) => !isKnown(mention));
      const raised = await planRaisedBlockers(call, fresh, standup, team, {...found, own});
      return joinCommitParts([ended, ...followed.flatMap(({added}) => added ?? []), raised]);
    },
    leaving(call, how, firstKept) {
      const others = createOtherStandupsReader(call, firstKept);
      const known = new Map<string, ReturnType<typeof listOpenTeamBlockers>>();
      return async (standup, team) => {
        const reading = known.get(team.id) ?? listOpenTeamBlockers(call, team);
        known.set(team.id, reading);
        const {open, guard} = await reading;
        const theirs = open.filter(({standup: source, state}) => source === standup.id && state === 'raised');
        const parts = await Promise.all(
          theirs.map(async (blocker) => {
            const {added} = await planMoveBlocker(others, blocker, team, {
              added: createDeleteBlockerWrites(blocker, how),
            });
            return added ?? {};
          }),
        );
        // An edit may raise a blocker and leave the standup itself unchanged.
        return joinCommitParts([{guards: [guard]}, ...parts]);
      };
    },
  };
}

/** Plans the deletion of the blockers of standups that are past the retention period, for one plan. */
export function createExpiredBlockerPlanner(
  context: ServiceContext,
): (call: Call, firstKept: string) => PlanStandupBlockers {
  const {leaving} = createStandupBlockers(context);
  return (call, firstKept) => {
    const planGone = leaving(call, 'erase', firstKept);
    return async (standup) => {
      const directory = await context.teams.all(call);
      const team = directory.byReference(standup.team_id);
      // The deletion of a team removes everything in the team.
      return team === undefined ? nothing : planGone(standup, team);
    };
  };
}

/** Pages of an author's standups, newest first, and guards that no other standup appears. */
interface OtherPages {
  readonly pages: readonly Standup[][];
  readonly guards: readonly Guard[];
}

type LoadOtherPages = (author: Principal) => Promise<OtherPages>;

/** A blocker mentioned in a standup: with its question, or null for the blocker field of the form. */
interface MentionedBlocker {
  readonly question: string | null;
  readonly text: string;
}

function listMentionedBlockers(
  {answers, format}: Pick<StandupTexts, 'answers' | 'format'>,
  {questions}: BlockerTeam,
  {blockers = ''}: BlockersInput,
  toPlain: (text: string) => string = plainText,
): readonly MentionedBlocker[] {
  if (answers.length === 0 && blockers === '') return [];
  const raising = questions.filter((question) => question.type === 'text' && question.raises_blocker);
  const keys = new Set(raising.map(({key}) => key));
  const given = [
    ...answers
      .filter(({question}) => keys.has(question))
      .map(({question, value}) => ({question, text: getPlain(String(value), format, toPlain)})),
    {question: null, text: getPlain(blockers, format, toPlain)},
  ];
  return given.flatMap(({question, text}) => {
    const blocker = findBlockerText(text);
    return blocker === undefined ? [] : [{question, text: blocker}];
  });
}

function getPlain(text: string, format: Standup['format'], toPlain: (text: string) => string): string {
  return format === 'markdown' ? toPlain(text) : text;
}

/** True if the last lines of an update are this text: all forms write the field for blockers there. */
function endsWithBlocker({update, format = 'plain'}: StandupTexts, text: string): boolean {
  return plainText(update, format).trimEnd().endsWith(`\n${text}`);
}

/** The blocker after the change, if it stays, and the part of the commit that changes the blocker. */
interface BlockerPlan {
  readonly blocker?: Blocker;
  readonly added?: Partial<CommitPart>;
}

function planBlockerChange(
  blocker: Blocker,
  change: Partial<Pick<Blocker, 'text' | 'standup' | 'question'>>,
  guards: readonly Guard[] = [],
): BlockerPlan {
  const next = {...blocker, ...change};
  if (isUnchangedByDraft(blocker, toDraft(next))) return {blocker};
  return {blocker: next, added: {...createChangeBlockerWrites(blocker, toDraft(next)), guards}};
}

/** Returns the standup's new text for a blocker that is not acknowledged; undefined if there is none. */
function findNewTextOfBlocker(
  {question, text}: Blocker,
  before: readonly MentionedBlocker[],
  after: readonly MentionedBlocker[],
  {blockers}: BlockersInput,
): string | undefined {
  if (question === null && blockers === undefined) return text;
  const was = before.find((mention) => mention.question === question)?.text;
  const is = after.find((mention) => mention.question === question)?.text;
  // If a question has been removed meanwhile, the standup has no answer to it, before or after the edit.
  return is === was && question !== null ? text : is;
}
