import type {DrawId} from '../../domain/core/ids.js';
import type {Call, Principal} from '../../domain/core/access.js';
import {type Blocker, blockerText, saysTheSame} from '../../domain/blockers/blocker.js';
import {type CommitPart, type Guard, joinParts, nothing} from '../../domain/commit/commit.js';
import {type Clock, toInstant} from '../../domain/core/dates.js';
import {limits} from '../../domain/core/limits.js';
import {lists} from '../../domain/core/lists.js';
import type {StandupAnswer} from '../../domain/questions/question.js';
import {parseWire, isSame, toDraft} from '../../domain/core/resource.js';
import type {Standup} from '../../domain/standups/standup.js';
import type {Team} from '../../domain/teams/team.js';
import {changeWrites, deleteWrites, raiseWrites, resolved} from '../blockers/blocker-records.js';
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
  planDeleted: (call: Call, standup: Standup, team: Asking) => Promise<CommitPart>;
}

export interface StandupBlockerParts {
  readonly records: Pick<Records, 'list' | 'count'>;
  readonly drawId: DrawId;
  readonly clock: Clock;
}

/** The author's blockers, and their standups, that are looked at, the newest first. */
const looksAt = 100;

export function createStandupBlockers({records, drawId, clock}: StandupBlockerParts): StandupBlockers {
  async function listOwn(
    {workspace, deadline}: Call,
    author: Principal,
  ): Promise<{own: Blocker[]; guard: Guard}> {
    const list = lists.blockersOf(author.id);
    const [count, {rows}] = await Promise.all([
      records.count(workspace, list, deadline),
      records.list(workspace, {list, limit: looksAt}, deadline),
    ]);
    return {
      own: rows.map(({json}) => parseWire(json)),
      // Whoever says the same at the same time in another standup is heard once.
      guard: {check: 'length', list, below: count + 1},
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
    {workspace, deadline}: Call,
    blocker: Blocker,
    team: Asking,
    otherwise: Followed,
  ): Promise<Followed> {
    const list = lists.standupsOfAuthor(blocker.author.id);
    const count = await records.count(workspace, list, deadline);
    const {rows} = await records.list(workspace, {list, limit: looksAt}, deadline);
    for (const {json} of rows.toReversed()) {
      const standup = parseWire(json);
      if (standup.id === blocker.standup || standup.team_id !== team.id) continue;
      const told = toldIn(standup.answers, team, {}).find(({text}) => saysTheSame(text, blocker.text));
      const inWords = blocker.question === null && standup.update.includes(blocker.text);
      if (told === undefined && !inWords) continue;
      const {id, revision} = standup;
      const change = {standup: id, question: told?.question ?? null};
      return changeTo(blocker, change, [{check: 'revision', id, revision}]);
    }
    // A standup that is made meanwhile may carry it on.
    const noOther: Guard = {check: 'length', list, below: count + 1};
    const {guards = []} = otherwise.added ?? {};
    return {...otherwise, added: {...otherwise.added, guards: [...guards, noOther]}};
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
    const found = await listOwn(call, standup.author);
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
      const found = await listOwn(call, standup.author);
      const ended = planResolved(call, over, standup.author, team, found.own);
      const left = found.own.filter(({id}) => !over.includes(id));
      const resolvedNow = found.own.filter(({id}) => over.includes(id));
      const followed = await Promise.all(
        left.map(async (blocker): Promise<Followed> => {
          const isTheirs = blocker.standup === standup.id;
          if (!isTheirs || blocker.state !== 'raised') return {blocker};
          const text = follow(blocker, before, after, said);
          if (text !== undefined && saysTheSame(text, blocker.text)) return changeTo(blocker, {text});
          const here = after.find((told) => saysTheSame(told.text, blocker.text));
          if (here !== undefined) return changeTo(blocker, {question: here.question});
          const otherwise = text === undefined ? {added: deleteWrites(blocker)} : changeTo(blocker, {text});
          return planMoved(call, blocker, team, otherwise);
        }),
      );
      const own = followed.flatMap(({blocker}) => blocker ?? []);
      const isTold = ({question, text}: Told) =>
        [...own, ...resolvedNow].some((one) => one.standup === standup.id && one.question === question) ||
        (question === null
          ? standup.update.includes(text)
          : before.some((one) => one.question === question && one.text === text));
      const fresh = after.filter((told) => !isTold(told));
      const raised = await planRaised(call, fresh, standup, team, {...found, own});
      return joinParts([ended, ...followed.flatMap(({added}) => added ?? []), raised]);
    },
    async planDeleted(call, standup, team) {
      const {own} = await listOwn(call, standup.author);
      const theirs = own.filter(({standup: told, state}) => told === standup.id && state === 'raised');
      return joinParts(
        await Promise.all(
          theirs.map(async (blocker) => {
            const {added} = await planMoved(call, blocker, team, {added: deleteWrites(blocker)});
            return added ?? {};
          }),
        ),
      );
    },
  };
}

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
