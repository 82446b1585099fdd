import type {Call, Principal} from '../domain/access.js';
import {type Blocker, blockerText, saysTheSame} from '../domain/blocker.js';
import type {Guard} from '../domain/commit.js';
import {toInstant} from '../domain/dates.js';
import {limits} from '../domain/limits.js';
import {lists} from '../domain/lists.js';
import type {StandupAnswer} from '../domain/question.js';
import {toDraft} from '../domain/resource.js';
import type {Standup} from '../domain/standup.js';
import type {Team} from '../domain/team.js';
import {type Added, changeWrites, deleteWrites, raiseWrites, resolved} from './blocker-records.js';
import type {Clock, DrawId, Records} from './stores.js';

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
 * open ones as it may have, the standup is made without. While a blocker is only raised it follows its answer; what somebody has acknowledged, or
 * resolved, stays whatever becomes of the standup.
 */
export interface StandupBlockers {
  /** `id`: the `unbornId` of the standup. */
  planPosted(
    call: Call,
    standup: Pick<Standup, 'id' | 'author' | 'answers'>,
    team: Asking,
    said: BlockersSaid,
  ): Promise<Added>;
  /** `now`: what the standup says from now on. */
  planEdited(
    call: Call,
    standup: Standup,
    now: Pick<Standup, 'answers'>,
    team: Asking,
    said: BlockersSaid,
  ): Promise<Added>;
  planDeleted(call: Call, standup: Standup): Promise<Added>;
}

export interface StandupBlockerParts {
  readonly records: Pick<Records, 'list' | 'count'>;
  readonly drawId: DrawId;
  readonly clock: Clock;
}

/** The author's blockers that are looked at, the newest first. */
const looksAt = 100;

const nothing: Added = {guards: [], writes: [], events: []};

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
      own: rows.map(({json}) => JSON.parse(json) as Blocker),
      // Whoever says the same at the same time in another standup is heard once.
      guard: {check: 'shorter', list, than: count + 1},
    };
  }

  /** Raises what is new among `texts`, as far as there is room. */
  async function planRaised(
    {workspace, deadline}: Call,
    texts: readonly Told[],
    {id: standup, author}: Pick<Standup, 'id' | 'author'>,
    team: Asking,
    {own, guard}: {own: readonly Blocker[]; guard: Guard},
  ): Promise<Added> {
    const open = own.filter(({team_id, state}) => team_id === team.id && state !== 'resolved');
    const known = open.map(({text}) => text);
    const fresh: Told[] = [];
    for (const told of texts) {
      if (known.some((text) => saysTheSame(text, told.text))) continue;
      known.push(told.text);
      fresh.push(told);
    }
    if (fresh.length === 0) return nothing;
    const list = lists.openBlockersOfTeam(team.id);
    const room = limits.openBlockersPerTeam - (await records.count(workspace, list, deadline));
    const raised = fresh
      .slice(0, Math.max(0, room))
      .map(({question, text}) => raiseWrites({team, author, text, standup, question}, drawId()));
    if (raised.length === 0) return nothing;
    return {
      guards: [guard, {check: 'shorter', list, than: limits.openBlockersPerTeam - raised.length + 1}],
      writes: raised.flatMap(({writes}) => writes),
      events: raised.flatMap(({events}) => events),
    };
  }

  function planResolved(
    {principal}: Call,
    ids: readonly string[],
    author: Principal,
    team: Pick<Team, 'id'>,
    own: readonly Blocker[],
  ): Added {
    const over = own.filter(
      ({id, team_id, state, author: {id: whose}}) =>
        ids.includes(id) && team_id === team.id && state !== 'resolved' && whose === author.id,
    );
    const at = toInstant(clock.now());
    return join(over.map((blocker) => changeWrites(blocker, resolved(blocker, principal, at))));
  }

  return {
    async planPosted(call, standup, team, said) {
      const told = toldIn(standup.answers, team, said);
      const over = said.resolved ?? [];
      if (told.length === 0 && over.length === 0) return nothing;
      const found = await listOwn(call, standup.author);
      const ended = planResolved(call, over, standup.author, team, found.own);
      const left = {...found, own: found.own.filter(({id}) => !over.includes(id))};
      return join([ended, await planRaised(call, told, standup, team, left)]);
    },
    async planEdited(call, standup, now, team, said) {
      const before = toldIn(standup.answers, team, {});
      const after = toldIn(now.answers, team, said);
      const over = said.resolved ?? [];
      const isSame = JSON.stringify(before) === JSON.stringify(after) && said.blockers === undefined;
      if (isSame && over.length === 0) return nothing;
      const found = await listOwn(call, standup.author);
      const theirs = found.own.filter((blocker) => blocker.standup === standup.id);
      const ended = planResolved(call, over, standup.author, team, found.own);
      const followed = theirs
        .filter(({id, state}) => state === 'raised' && !over.includes(id))
        .map((blocker) => follow(blocker, before, after, said));
      const isTold = ({question, text}: Told) =>
        theirs.some((blocker) => blocker.question === question) ||
        (question === null
          ? standup.update.includes(text)
          : before.some((one) => one.question === question && one.text === text));
      const fresh = after.filter((told) => !isTold(told));
      const left = {...found, own: found.own.filter(({id}) => !over.includes(id))};
      return join([ended, ...followed, await planRaised(call, fresh, standup, team, left)]);
    },
    async planDeleted(call, standup) {
      const {own} = await listOwn(call, standup.author);
      return join(
        own.filter(({standup: told, state}) => told === standup.id && state === 'raised').map(deleteWrites),
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
): Told[] {
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

/** What becomes of a blocker that nobody has acknowledged when what its standup says of it has changed. */
function follow(
  blocker: Blocker,
  before: readonly Told[],
  after: readonly Told[],
  {blockers}: BlockersSaid,
): Pick<Added, 'writes' | 'events'> {
  const {question} = blocker;
  if (question === null && blockers === undefined) return nothing;
  const was = before.find((told) => told.question === question)?.text;
  const is = after.find((told) => told.question === question)?.text;
  // What is not asked any more is not told of before either.
  if (is === was) return question === null ? deleteWrites(blocker) : nothing;
  if (is === undefined) return deleteWrites(blocker);
  return is === blocker.text ? nothing : changeWrites(blocker, {...toDraft(blocker), text: is});
}

function join(parts: readonly Partial<Added>[]): Added {
  return {
    guards: parts.flatMap(({guards = []}) => guards),
    writes: parts.flatMap(({writes = []}) => writes),
    events: parts.flatMap(({events = []}) => events),
  };
}
