import {type Call, type Principal, requireScope} from '../domain/access.js';
import type {Guard} from '../domain/commit.js';
import {AppError, type ErrorCode, fieldError} from '../domain/errors.js';
import type {Draft} from '../domain/resource.js';
import {type Metadata, type Source, type Standup, standupListings} from '../domain/standup.js';
import {type Team, unknownTeam} from '../domain/team.js';
import {standupDate} from '../domain/run-times.js';
import type {Member} from '../domain/workspace.js';
import type {Zones} from '../domain/zones.js';
import type {Authority, Proof} from './authority.js';
import {findReferredMember, isReferredAs} from './member-records.js';
import type {Plan} from './mutation.js';
import {requireAllowedDate} from './standup-rules.js';
import type {StandupRuns} from './standup-runs.js';
import {type Said, settleWords} from './standup-words.js';
import type {Clock, DrawId, Records, Teams} from './stores.js';

/** What a standup is made of. */
export interface NewStandup extends Said {
  /** Id or slug of a team, in any case. */
  readonly team: string;
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
}

/** Whose standup it is, and their own zone. */
interface Author {
  readonly author: Principal;
  readonly own: string | null;
  readonly proof: Proof;
}

/** Plans the making of a standup. Errors as `Standups.postStandup`. */
export type PlanPost = (call: Call, input: NewStandup, attempt: number) => Promise<Plan>;

export function createPlanPost(parts: PostParts): PlanPost {
  const {records, teams, zones, clock, drawId, authority, standupRuns} = parts;

  async function requireTeam(
    call: Call,
    reference: string,
    attempt: number,
  ): Promise<{team: Team; guard: Guard}> {
    let directory = attempt === 0 ? await teams.get(call.workspace, call.deadline) : undefined;
    let team = directory?.byReference(reference);
    if (team === undefined || directory === undefined) {
      directory = await teams.fresh(call.workspace, call.deadline);
      team = directory.byReference(reference);
    }
    if (team === undefined) throw fieldError('team_not_found', '#/team', unknownTeam(reference, directory));
    return {team, guard: {check: 'unchanged', collection: 'teams', version: directory.version}};
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

  async function plan(call: Call, input: NewStandup, attempt: number): Promise<Plan> {
    if (input.author !== undefined) requireScope(call, 'standups:write_any');
    const {team, guard} = await requireTeam(call, input.team, attempt);
    const {author, own, proof} = await requireAuthor(call, input.author, team);
    const date = input.date ?? standupDate(team, own, zones, clock.now());
    if (input.date !== undefined) requireAllowedDate(parts, date, team, own);
    const day = await standupRuns.findDay(call, team, date, attempt);
    const late = standupRuns.requireInTime(day, team, date, author);
    const drawn = drawId();
    const draft: Draft<Standup> = {
      object: 'standup',
      team: team.slug,
      team_id: team.id,
      ...settleWords(input, team),
      author,
      date,
      source: input.source,
      late,
      edited: false,
      metadata: input.metadata ?? {},
    };
    const run = await standupRuns.planMove(call, day, {author, drawn, now: {revision: 1, late}});
    return {
      commit: {
        guards: [guard, ...proof, ...run.guards],
        writes: [{do: 'create', kind: 'standup', drawn, draft, lists: standupListings(draft)}, ...run.writes],
        events: [{type: 'standup.created', about: drawn, revision: 1, team: team.id}, ...run.events],
        reply: {status: 201, resource: {drawn, revision: 1}, beside: {slack: null}},
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

/** A standup of somebody who has left in the meantime would be one that nobody clears away. */
function stillIn(team: Team, {id, revision}: Member): Proof {
  return [
    {check: 'joined', team: team.id, member: id},
    {check: 'revision', id, revision},
  ];
}
