import {type Call, type Principal, requireScope} from '../domain/access.js';
import {keysOf} from '../domain/answers.js';
import type {Commit, Guard} from '../domain/commit.js';
import {AppError, type ErrorCode, fieldError} from '../domain/errors.js';
import {unbornId} from '../domain/ids.js';
import type {Draft} from '../domain/resource.js';
import {type Metadata, type Source, type Standup, standupListings} from '../domain/standup.js';
import {type Team, unknownTeam} from '../domain/team.js';
import {standupDate} from '../domain/run-times.js';
import type {Member} from '../domain/workspace.js';
import type {Zones} from '../domain/zones.js';
import type {Authority, Proof} from './authority.js';
import {findReferredMember, isReferredAs} from './member-records.js';
import type {Plan} from './mutation.js';
import type {StandupBlockers} from './standup-blockers.js';
import {requireAllowedDate} from './standup-rules.js';
import type {StandupRuns} from './standup-runs.js';
import {requireText, type Said, settleWords} from './standup-words.js';
import type {Clock, DrawId, Records, Teams} from './stores.js';

/** What a standup is made of. */
export interface NewStandup extends NewWords {
  /** Id or slug of a team, in any case. */
  readonly team: string;
}

/** What standups for several teams are made of: one for each, all of them or none. */
export interface NewStandups extends NewWords {
  /** Ids or slugs, each team once. */
  readonly teams: readonly string[];
}

interface NewWords extends Said {
  /** Calendar day; today in the team's zone when left out. */
  readonly date?: string | undefined;
  readonly metadata?: Metadata | undefined;
  /** Whose standup it is: a member by id, e-mail address or Slack user. The caller when left out. */
  readonly author?: string | undefined;
  readonly source: Source;
}

export interface PostParts {
  readonly records: Records;
  readonly teams: Teams;
  readonly zones: Zones;
  readonly standupRuns: StandupRuns;
  readonly clock: Clock;
  readonly drawId: DrawId;
  readonly authority: Authority;
  readonly standupBlockers: StandupBlockers;
}

/** Whose standup it is, and their own zone. */
interface Author {
  readonly author: Principal;
  readonly own: string | null;
  readonly proof: Proof;
}

/** Plans the making of one standup, or of one for each of several teams in one commit. Errors as `Standups.postStandup`. */
export type PlanPost = (call: Call, input: NewStandup | NewStandups, attempt: number) => Promise<Plan>;

export function createPlanPost(parts: PostParts): PlanPost {
  const {records, teams, zones, clock, drawId, authority, standupRuns} = parts;

  async function requireTeams(
    call: Call,
    named: readonly Named[],
    attempt: number,
  ): Promise<{asked: readonly Asked[]; guard: Guard}> {
    let directory = attempt === 0 ? await teams.get(call.workspace, call.deadline) : undefined;
    if (directory === undefined || named.some(({reference}) => !directory?.byReference(reference))) {
      directory = await teams.fresh(call.workspace, call.deadline);
    }
    const asked: Asked[] = [];
    for (const {reference, pointer} of named) {
      const team = directory.byReference(reference);
      if (team === undefined) throw fieldError('team_not_found', pointer, unknownTeam(reference, directory));
      const twin = asked.find((one) => one.team.id === team.id);
      if (twin !== undefined) {
        const detail = `The team "${team.slug}" is named twice, at ${twin.pointer} and at ${pointer}.`;
        throw fieldError('validation_failed', pointer, detail);
      }
      asked.push({team, pointer});
    }
    return {asked, guard: {check: 'unchanged', collection: 'teams', version: directory.version}};
  }

  /** Whose standup a post makes. A member is in the team they post for; a service account is in none and posts for all. */
  async function requireAuthor(call: Call, reference: string | undefined, team: Team): Promise<Author> {
    const {workspace, principal, deadline} = call;
    if (principal.type === 'service_account') {
      return reference === undefined || reference === principal.id
        ? {author: principal, own: null, proof: []}
        : requireOther(call, reference, team);
    }
    const [place, member] = await Promise.all([
      records.findTeamPlace(workspace, team.id, principal.id, deadline),
      records.find<Member>(workspace, principal.id, deadline),
    ]);
    if (reference !== undefined && !(member && isReferredAs(member, reference))) {
      return requireOther(call, reference, team);
    }
    if (place === undefined || member === undefined) {
      throw new AppError('forbidden', `You are not in the team "${team.slug}", so you cannot post for it.`);
    }
    return {author: principal, own: member.timezone, proof: stillIn(team, member)};
  }

  /** Those who may write for a member of this team, and nobody else: the right is asked before it is told who there is. */
  async function requireOther(call: Call, reference: string, team: Team): Promise<Author> {
    const proof = await authority.requireLead(call, team, 'post for somebody else');
    const member = await findReferredMember(records, call, reference);
    if (member === undefined) {
      const detail = `There is no member "${reference}": \`author\` is the id, the e-mail address or the Slack user of one.`;
      throw fieldError('validation_failed', '#/author', detail);
    }
    const {id, name} = member;
    const place = await records.findTeamPlace(call.workspace, team.id, id, call.deadline);
    if (place === undefined) {
      const detail = `${name} is not in the team "${team.slug}". Add them to it first, then repeat.`;
      throw fieldError('validation_failed', '#/author', detail);
    }
    return {
      author: {type: 'member', id, name},
      own: member.timezone,
      proof: [...proof, ...stillIn(team, member)],
    };
  }

  /** One standup with all that it brings about: what else a post writes has its place here. */
  async function planFor(
    call: Call,
    input: NewStandup | NewStandups,
    {team, pointer}: Asked,
    {attempt, elsewhere}: {readonly attempt: number; readonly elsewhere: ReadonlySet<string> | undefined},
  ): Promise<Planned> {
    const {author, own, proof} = await requireAuthor(call, input.author, team).catch((error: unknown) => {
      throw isFor(error, pointer);
    });
    const date = input.date ?? standupDate(team, own, zones, clock.now());
    if (input.date !== undefined) requireAllowedDate(parts, date, team, own);
    const day = await standupRuns.findDay(call, team, date, attempt);
    const late = standupRuns.requireInTime(day, team, date, author);
    const drawn = drawId();
    const draft: Draft<Standup> = {
      object: 'standup',
      team: team.slug,
      team_id: team.id,
      ...settleWords(input, team, elsewhere),
      author,
      date,
      source: input.source,
      late,
      edited: false,
      metadata: input.metadata ?? {},
    };
    const run = await standupRuns.planMove(call, day, {author, drawn, now: {revision: 1, late}});
    const said = {id: unbornId('standup', drawn), author, answers: draft.answers};
    const blockers = await parts.standupBlockers.planPosted(call, said, team, input);
    return {
      drawn,
      guards: [...proof, ...run.guards, ...blockers.guards],
      writes: [
        {do: 'create', kind: 'standup', drawn, draft, lists: standupListings(draft)},
        ...run.writes,
        ...blockers.writes,
      ],
      events: [
        {type: 'standup.created', about: drawn, revision: 1, team: team.id},
        ...run.events,
        ...blockers.events,
      ],
    };
  }

  async function plan(call: Call, input: NewStandup | NewStandups, attempt: number): Promise<Plan> {
    if (input.author !== undefined) requireScope(call, 'standups:write_any');
    if (input.update !== undefined) requireText(input.update);
    const several = 'teams' in input;
    const {asked, guard} = await requireTeams(call, namedIn(input), attempt);
    const elsewhere = several ? new Set(asked.flatMap(({team}) => keysOf(team.questions))) : undefined;
    const planned = await inOrder(asked.map((one) => planFor(call, input, one, {attempt, elsewhere})));
    const references = planned.map(({drawn}) => ({drawn, revision: 1}));
    const [resource] = references;
    return {
      commit: {
        guards: distinct([guard, ...planned.flatMap(({guards}) => guards)]),
        writes: planned.flatMap(({writes}) => writes),
        events: planned.flatMap(({events}) => events),
        reply: {
          status: 201,
          beside: {slack: null},
          ...(several ? {resources: references} : resource !== undefined && {resource}),
        },
      },
    };
  }

  return async function planPost(call, input, attempt) {
    try {
      return await plan(call, input, attempt);
    } catch (error) {
      // The first attempt may go by what the team was a moment ago: nobody is refused for that.
      if (attempt > 0 || !(error instanceof AppError) || !byTeam.has(error.code)) throw error;
      return plan(call, input, 1);
    }
  };
}

/** Refusals that follow from what a team is set to. */
const byTeam: ReadonlySet<ErrorCode> = new Set(['date_not_allowed', 'run_closed', 'validation_failed']);

/** A team as a request names it, and where. */
interface Named {
  readonly reference: string;
  readonly pointer: string;
}

interface Asked {
  readonly team: Team;
  readonly pointer: string;
}

/** What one standup adds to a commit. */
type Planned = Pick<Commit, 'guards' | 'writes' | 'events'> & {readonly drawn: string};

function namedIn(input: NewStandup | NewStandups): readonly Named[] {
  if (!('teams' in input)) return [{reference: input.team, pointer: '#/team'}];
  return input.teams.map((reference, index) => ({reference, pointer: `#/teams/${index}`}));
}

/** Among several teams a refusal says which of them it is about. */
function isFor(error: unknown, pointer: string): unknown {
  if (!(error instanceof AppError) || error.context.faults !== undefined || pointer === '#/team')
    return error;
  const {code, message} = error;
  return new AppError(code, message, {...error.context, faults: [{code, detail: message, pointer}]});
}

/** The first refusal in the order of the teams, whichever comes first in time. */
async function inOrder<T>(all: readonly Promise<T>[]): Promise<T[]> {
  const settled = await Promise.allSettled(all);
  return settled.map((one) => {
    if (one.status === 'rejected') throw one.reason;
    return one.value;
  });
}

/** Standups for several teams rest on the same member. */
function distinct(guards: readonly Guard[]): Guard[] {
  return [...new Map(guards.map((guard) => [JSON.stringify(guard), guard])).values()];
}

/** A standup of somebody who has left in the meantime would be one that nobody clears away. */
function stillIn(team: Team, {id, revision}: Member): Proof {
  return [
    {check: 'joined', team: team.id, member: id},
    {check: 'revision', id, revision},
  ];
}
