import {type DrawId, drawnPart} from '../../domain/core/ids.js';
import type {Call, Principal} from '../../domain/core/access.js';
import {type Blocker, blockerText, saysTheSame} from '../../domain/blockers/blocker.js';
import {type CommitPart, type Guard, joinParts, nothing} from '../../domain/commit/commit.js';
import type {How} from '../../domain/commit/writes.js';
import {type Clock, dayNumber, toInstant} from '../../domain/core/dates.js';
import {limits} from '../../domain/core/limits.js';
import {lists, placeOf} from '../../domain/core/lists.js';
import type {StandupAnswer} from '../../domain/questions/question.js';
import {parseWire, isSame, toDraft} from '../../domain/core/resource.js';
import type {Standup} from '../../domain/standups/standup.js';
import type {Team} from '../../domain/teams/team.js';
import {changeWrites, deleteWrites, raiseWrites, resolved} from '../blockers/blocker-records.js';
import {readPages} from '../core/paging.js';
import type {Soon} from '../core/soon.js';
import type {Records} from '../../store/core/records.js';

/** What a standup says of what is in the way of its author, besides its answers. */
export interface BlockersSaid {
  /** What the form asks where a team has no questions of its own; undefined when it was not asked, empty for nothing. */
  readonly blockers?: string | undefined;
  /** Ids of the author's blockers that are over. */
  readonly resolved?: readonly string[] | undefined;
}

type Asking = Pick<Team, 'id' | 'slug' | 'questions'>;

/**
 * What standups do to blockers, as parts of their commits. An answer to a question with `raises_blocker` raises one, once: a text that
 * its author has said before, and that is still open in the team, is carried on and not raised again, and where a team has as many
 * open ones as it may have, the standup is made without. While a blocker is only raised it follows its answer, and where that goes it is of the
 * next standup that says the same; what somebody has acknowledged, or resolved, stays whatever becomes of the standup.
 */
export interface StandupBlockers {
  /** `id`: the `unbornId` of the standup. */
  planPosted: (
    call: Call,
    standup: Pick<Standup, 'id' | 'author' | 'answers'>,
    team: Asking,
    said: BlockersSaid,
  ) => Soon<CommitPart>;
  /** `now`: what the standup says from now on. */
  planEdited: (
    call: Call,
    standup: Standup,
    now: Pick<Standup, 'answers'>,
    team: Asking,
    said: BlockersSaid,
  ) => Promise<CommitPart>;
  /**
   * Plans for standups that go, in one plan of a commit: everybody's blockers are read once. `erase`: no revision of a blocker that
   * goes along stays. `firstKept`: the standups of earlier dates go too.
   */
  leaving: (call: Call, how: How, firstKept?: string) => PlanGone;
}

/** Plans that a standup takes along the blockers which it alone has raised; one that another standup says too is of that one from now on. */
export type PlanGone = (standup: Standup, team: Asking) => Promise<CommitPart>;

export interface StandupBlockerParts {
  readonly records: Pick<Records, 'list' | 'count'>;
  readonly drawId: DrawId;
  readonly clock: Clock;
}

/** An author's standups, or resolved blockers, that are read at once, the newest first. */
const atOnce = 100;
/** An author's standups among which one is looked for that says the same. */
const looksAt = 1_000;

export function createStandupBlockers({records, drawId, clock}: StandupBlockerParts): StandupBlockers {
  /** All that standups of a team have raised and nobody has resolved, and a guard that nothing comes or goes meanwhile. */
  async function listOpen(
    {workspace, deadline}: Call,
    team: Pick<Team, 'id'>,
  ): Promise<{open: Blocker[]; guard: Guard}> {
    const list = lists.openBlockersOfTeam(team.id);
    const {rows} = await records.list(workspace, {list, limit: limits.openBlockersPerTeam}, deadline);
    const open = rows.map(({json}) => parseWire(json));
    const drawn = open.map(({id}) => drawnPart(id)).toReversed();
    return {open, guard: {check: 'listed', list, drawn}};
  }

  /** An author's open blockers in a team. */
  async function listOwn(
    call: Call,
    author: Principal,
    team: Pick<Team, 'id'>,
  ): Promise<{own: Blocker[]; guard: Guard}> {
    const list = lists.blockersOf(author.id);
    const [count, {open}] = await Promise.all([
      records.count(call.workspace, list, call.deadline),
      listOpen(call, team),
    ]);
    return {
      own: open.filter((blocker) => blocker.author.id === author.id),
      // Whoever says the same at the same time in another standup is heard once.
      guard: {check: 'length', list, below: count + 1},
    };
  }

  /** Those that a standup has raised and that are over. */
  async function listResolved(
    {workspace, deadline}: Call,
    {id, author}: Pick<Standup, 'id' | 'author'>,
  ): Promise<Blocker[]> {
    const query = {list: lists.blockersOf(author.id), limit: atOnce};
    const {rows} = await records.list(workspace, query, deadline);
    return rows
      .map(({json}) => parseWire(json))
      .filter(({standup, state}) => standup === id && state === 'resolved');
  }

  /** Reads authors' standups, each page once for all blockers of a plan. */
  function readOthers({workspace, deadline}: Call, firstKept = ''): Others {
    const from = firstKept === '' ? undefined : placeOf(dayNumber(firstKept), 0);
    const known = new Map<string, Promise<OtherPages>>();
    async function read(author: Principal): Promise<OtherPages> {
      const list = lists.standupsOfAuthor(author.id);
      const count = await records.count(workspace, list, deadline);
      const pages: Standup[][] = [];
      for await (const rows of readPages(records, {workspace, deadline}, {list, limit: atOnce, from})) {
        pages.push(rows.map(({json}) => parseWire(json)));
        if (pages.length * atOnce >= looksAt) break;
      }
      const [newest = []] = pages;
      const unchanged = newest.map(({id, revision}) => ({check: 'revision', id, revision}) as const);
      // Another standup may say it meanwhile: one that is made, or one that is edited.
      return {pages, guards: [{check: 'length', list, below: count + 1}, ...unchanged]};
    }
    return (author) => {
      const pages = known.get(author.id) ?? read(author);
      known.set(author.id, pages);
      return pages;
    };
  }

  /** Raises what is new among `texts`, as far as there is room. */
  async function planRaised(
    {workspace, deadline}: Call,
    texts: readonly Told[],
    {id: standup, author}: Pick<Standup, 'id' | 'author'>,
    team: Asking,
    {own, guard}: {own: readonly Blocker[]; guard: Guard},
  ): Promise<CommitPart> {
    const open = own.filter(({team_id, state}) => team_id === team.id && state !== 'resolved');
    const fresh: Told[] = [];
    const carried: Guard[] = [];
    for (const told of texts) {
      const known = open.find(({text}) => saysTheSame(text, told.text));
      if (known !== undefined) carried.push({check: 'revision', id: known.id, revision: known.revision});
      else if (!fresh.some(({text}) => saysTheSame(text, told.text))) fresh.push(told);
    }
    // It goes when the standup that raised it goes first.
    const carriedOn = {...nothing, guards: carried};
    if (fresh.length === 0) return carriedOn;
    const list = lists.openBlockersOfTeam(team.id);
    const room = limits.openBlockersPerTeam - (await records.count(workspace, list, deadline));
    const raised = fresh
      .slice(0, Math.max(0, room))
      .map(({question, text}) => raiseWrites({team, author, text, standup, question}, drawId()));
    if (raised.length === 0) return carriedOn;
    const hasRoom: Guard = {check: 'length', list, below: limits.openBlockersPerTeam - raised.length + 1};
    return joinParts([{guards: [...carried, guard, hasRoom]}, ...raised]);
  }

  /** The blocker as one of another standup of its author that says the same; `otherwise` where there is none. */
  async function planMoved(
    others: Others,
    blocker: Blocker,
    team: Asking,
    otherwise: Followed,
  ): Promise<Followed> {
    const {pages, guards} = await others(blocker.author);
    for (const standup of pages.flatMap((page) => page.toReversed())) {
      if (standup.id === blocker.standup || standup.team_id !== team.id) continue;
      const told = toldIn(standup.answers, team, {}).find(({text}) => saysTheSame(text, blocker.text));
      const inWords = blocker.question === null && standup.update.includes(blocker.text);
      if (told === undefined && !inWords) continue;
      const {id, revision} = standup;
      const change = {standup: id, question: told?.question ?? null};
      return changeTo(blocker, change, [{check: 'revision', id, revision}]);
    }
    const {guards: before = []} = otherwise.added ?? {};
    return {...otherwise, added: {...otherwise.added, guards: [...before, ...guards]}};
  }

  function planResolved(
    {principal}: Call,
    ids: readonly string[],
    author: Principal,
    team: Pick<Team, 'id'>,
    own: readonly Blocker[],
  ): CommitPart {
    const over = own.filter(
      ({id, team_id, state, author: {id: whose}}) =>
        ids.includes(id) && team_id === team.id && state !== 'resolved' && whose === author.id,
    );
    const at = toInstant(clock.now());
    return joinParts(over.map((blocker) => changeWrites(blocker, resolved(blocker, principal, at))));
  }

  async function planTold(
    call: Call,
    standup: Pick<Standup, 'id' | 'author'>,
    team: Asking,
    {told, over}: {readonly told: readonly Told[]; readonly over: readonly string[]},
  ): Promise<CommitPart> {
    const found = await listOwn(call, standup.author, team);
    const ended = planResolved(call, over, standup.author, team, found.own);
    const left = {...found, own: found.own.filter(({id}) => !over.includes(id))};
    return joinParts([ended, await planRaised(call, told, standup, team, left)]);
  }

  return {
    planPosted(call, standup, team, said) {
      const told = toldIn(standup.answers, team, said);
      const over = said.resolved ?? [];
      return told.length === 0 && over.length === 0 ? nothing : planTold(call, standup, team, {told, over});
    },
    async planEdited(call, standup, now, team, said) {
      const before = toldIn(standup.answers, team, {});
      const after = toldIn(now.answers, team, said);
      const over = said.resolved ?? [];
      const isUnchanged = JSON.stringify(before) === JSON.stringify(after) && said.blockers === undefined;
      if (isUnchanged && over.length === 0) return nothing;
      const [found, resolvedBefore] = await Promise.all([
        listOwn(call, standup.author, team),
        listResolved(call, standup),
      ]);
      const others = readOthers(call);
      const ended = planResolved(call, over, standup.author, team, found.own);
      const left = found.own.filter(({id}) => !over.includes(id));
      const resolvedByNow = [...resolvedBefore, ...found.own.filter(({id}) => over.includes(id))];
      const elsewhere = left.filter((one) => one.standup !== standup.id);
      const followed = await Promise.all(
        left.map(async (blocker): Promise<Followed> => {
          const isTheirs = blocker.standup === standup.id;
          if (!isTheirs || blocker.state !== 'raised') return {blocker};
          const text = follow(blocker, before, after, said);
          if (text !== undefined && saysTheSame(text, blocker.text)) return changeTo(blocker, {text});
          const here = after.find((told) => saysTheSame(told.text, blocker.text));
          if (here !== undefined) return changeTo(blocker, {question: here.question});
          // Another one that says so already is carried on.
          const goes = text === undefined || elsewhere.some((one) => saysTheSame(one.text, text));
          const otherwise = goes ? {added: deleteWrites(blocker)} : changeTo(blocker, {text});
          return planMoved(others, blocker, team, otherwise);
        }),
      );
      const own = followed.flatMap(({blocker}) => blocker ?? []);
      const isTold = ({question, text}: Told) =>
        [...own, ...resolvedByNow].some((one) => one.standup === standup.id && one.question === question) ||
        (question === null
          ? standup.update.includes(text)
          : before.some((one) => one.question === question && one.text === text));
      const fresh = after.filter((told) => !isTold(told));
      const raised = await planRaised(call, fresh, standup, team, {...found, own});
      return joinParts([ended, ...followed.flatMap(({added}) => added ?? []), raised]);
    },
    leaving(call, how, firstKept) {
      const others = readOthers(call, firstKept);
      const known = new Map<string, ReturnType<typeof listOpen>>();
      return async (standup, team) => {
        const reading = known.get(team.id) ?? listOpen(call, team);
        known.set(team.id, reading);
        const {open, guard} = await reading;
        const theirs = open.filter(({standup: told, state}) => told === standup.id && state === 'raised');
        const parts = await Promise.all(
          theirs.map(async (blocker) => {
            const {added} = await planMoved(others, blocker, team, {added: deleteWrites(blocker, how)});
            return added ?? {};
          }),
        );
        // An edit may raise one and leave the standup as it is.
        return joinParts([{guards: [guard]}, ...parts]);
      };
    },
  };
}

/** Standups of somebody, the newest page first, and guards that no other of them says more than was read. */
interface OtherPages {
  readonly pages: readonly Standup[][];
  readonly guards: readonly Guard[];
}

type Others = (author: Principal) => Promise<OtherPages>;

/** One blocker as a standup tells of it: the question that asked, or null where it was the form. */
interface Told {
  readonly question: string | null;
  readonly text: string;
}

function toldIn(
  answers: readonly StandupAnswer[],
  {questions}: Pick<Team, 'questions'>,
  {blockers = ''}: BlockersSaid,
): readonly Told[] {
  if (answers.length === 0 && blockers === '') return [];
  const raising = questions.filter((question) => question.type === 'text' && question.raises_blocker);
  const keys = new Set(raising.map(({key}) => key));
  const given = [
    ...answers
      .filter(({question}) => keys.has(question))
      .map(({question, value}) => ({question, text: String(value)})),
    {question: null, text: blockers},
  ];
  return given.flatMap(({question, text}) => {
    const told = blockerText(text);
    return told === undefined ? [] : [{question, text: told}];
  });
}

/** A blocker as it is from now on, if it stays, and what makes it so. */
interface Followed {
  readonly blocker?: Blocker;
  readonly added?: Partial<CommitPart>;
}

function changeTo(
  blocker: Blocker,
  change: Partial<Pick<Blocker, 'text' | 'standup' | 'question'>>,
  guards: readonly Guard[] = [],
): Followed {
  const next = {...blocker, ...change};
  if (isSame(blocker, toDraft(next))) return {blocker};
  return {blocker: next, added: {...changeWrites(blocker, toDraft(next)), guards}};
}

/** What its standup says from now on in place of a blocker that nobody has acknowledged; undefined for nothing. */
function follow(
  {question, text}: Blocker,
  before: readonly Told[],
  after: readonly Told[],
  {blockers}: BlockersSaid,
): string | undefined {
  if (question === null && blockers === undefined) return text;
  const was = before.find((told) => told.question === question)?.text;
  const is = after.find((told) => told.question === question)?.text;
  // What is not asked any more is not told of before either.
  return is === was && question !== null ? text : is;
}
