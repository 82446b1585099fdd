import {type Call, type Principal, requireScope} from '../../domain/core/access.js';
import {keysOf} from '../../domain/questions/answers.js';
import {
  type Commit,
  type CommitPart,
  distinctGuards,
  type Guard,
  joinCommitParts,
} from '../../domain/commit/commit.js';
import type {Reply} from '../../domain/commit/reply.js';
import type {CreateWrite} from '../../domain/commit/writes.js';
import {AppError, fieldError} from '../../domain/core/errors.js';
import {type GenerateSuffix, provisionalId} from '../../domain/core/ids.js';
import {limits} from '../../domain/core/limits.js';
import {type Draft, renderDraft} from '../../domain/core/resource.js';
import {
  otherThanAuthor,
  type Metadata,
  type Source,
  type Standup,
  standupListings,
} from '../../domain/standups/standup.js';
import type {DatedAuthor} from '../../domain/runs/run-times.js';
import {requireTeamAt, type Team, type TeamDirectory} from '../../domain/teams/team.js';
import type {Authority} from '../core/authority.js';
import {type Author, createRequireAuthor} from './authors.js';
import {findTeamForPost} from './meant-team.js';
import type {StandupBlockers} from './standup-blockers.js';
import {type Flow, runFlow, runAllFlows, type MaybePromise, waitFor} from '../core/maybe-promise.js';
import type {DatedDay, StandupDates} from '../runs/standup-dates.js';
import type {StandupRuns} from '../runs/standup-runs.js';
import type {TimeZoneChanges} from '../runs/time-zone-changes.js';
import {requireUpdateOrAnswers, type StandupInput, buildContent} from './standup-content.js';
import {createPlanJoin} from '../teams/plan-join.js';
import type {Teams} from '../../store/core/directories.js';
import type {Records} from '../../store/core/records.js';

/** The content of a standup, or of one for each of several teams: either all are created or none. */
export interface NewStandup extends StandupInput {
  /** Id or slug of a team, in any case; or a list of them, each team once. */
  readonly team: string | readonly string[];
  /** Calendar day; found by `StandupDates` when left out. */
  readonly date?: string | undefined;
  /** Dates for the teams of the list, in its order, when `date` is left out. */
  readonly dates?: readonly (string | undefined)[] | undefined;
  readonly metadata?: Metadata | undefined;
  /** The author: a member by id, e-mail address or Slack user. The caller when left out. */
  readonly author?: string | undefined;
  readonly source: Source;
}

/** A standup from a chat: its author joins the team of the channel in which they post. */
export interface ChannelPost extends Omit<NewStandup, 'team'> {
  /** The team that the author has named; else the channel's. */
  readonly team?: NewStandup['team'] | undefined;
  readonly channel?: string | undefined;
  /** True when `team`, or the first of them, is known to be the channel's. */
  readonly joins?: boolean | undefined;
}

export interface PostParts {
  readonly records: Records;
  readonly teams: Teams;
  readonly standupRuns: StandupRuns;
  readonly standupDates: StandupDates;
  readonly generateSuffix: GenerateSuffix;
  readonly authority: Authority;
  readonly standupBlockers: StandupBlockers;
  readonly timeZoneChanges: Pick<TimeZoneChanges, 'ofTeam'>;
}

/**
 * Plans one standup, or one for each of several teams in one commit, which also adds the author to a team
 * that they join by it. Errors: as `Standups.postStandup`; `TeamUnclear` for a channel.
 */
export type PlanPost = (call: Call, input: ChannelPost, attempt: number) => MaybePromise<Commit>;

export function createPlanPost(parts: PostParts): PlanPost {
  const {records, teams, generateSuffix, standupRuns, standupDates} = parts;
  const requireAuthor = createRequireAuthor(parts);
  const planJoin = createPlanJoin(parts);

  function* findChannelTeam(
    call: Call,
    post: ChannelPost,
    directory: TeamDirectory,
  ): Flow<readonly NamedTeam[]> {
    const {channel = '', date} = post;
    const team = yield* waitFor(findTeamForPost(records, call, channel, directory));
    return [{reference: team.id, pointer: '#/team', date, joins: true}];
  }

  function* requireTargetTeams(call: Call, input: ChannelPost, attempt: number): Flow<TargetTeams> {
    const requested = teamsNamedIn(input);
    if (requested !== undefined && requested.length > limits.teamsPerSubmission) {
      const detail = `A submission is for at most ${limits.teamsPerSubmission} teams.`;
      throw fieldError('validation_failed', '#/teams', detail);
    }
    let directory = attempt === 0 ? teams.peek(call.workspace) : undefined;
    if (directory === undefined || requested?.some(({reference}) => !directory?.byReference(reference))) {
      directory = yield* waitFor(teams.fresh(call.workspace, call.deadline));
    }
    const named = requested ?? (yield* findChannelTeam(call, input, directory));
    const asked: TargetTeam[] = [];
    for (const {reference, pointer, date, joins} of named) {
      const team = requireTeamAt(pointer, directory, reference, call);
      const twin = asked.find((one) => one.team.id === team.id);
      if (twin !== undefined) {
        const detail = `The team "${team.slug}" is named twice, at ${twin.pointer} and at ${pointer}.`;
        throw fieldError('validation_failed', pointer, detail);
      }
      asked.push({team, pointer, date, joins});
    }
    return {asked, guard: {check: 'unchanged', collection: 'teams', version: directory.version}};
  }

  /** The day of a standup, from the request or found, and whether it is late there. */
  function* findDay(
    call: Call,
    team: Team,
    {author, timezone}: {readonly author: Principal; readonly timezone: string | null},
    {attempt, given}: {readonly attempt: number; readonly given: string | undefined},
  ): Flow<DatedDay & {readonly late: boolean}> {
    const dated: DatedAuthor = {member: author.id, timezone};
    if (given !== undefined) yield* waitFor(standupDates.requireAllowedDate(call, given, team, dated));
    const {date, day} =
      given === undefined
        ? yield* waitFor(standupDates.planDate(call, team, dated, attempt))
        : {date: given, day: yield* waitFor(standupRuns.findDay(call, team, given, attempt))};
    return {date, day, late: standupRuns.requireInTime(day, team, date, author)};
  }

  function* findAuthor(
    call: Call,
    input: ChannelPost,
    {team, pointer, joins}: TargetTeam,
    attempt: number,
  ): Flow<Author> {
    const join = joins ? planJoin : undefined;
    try {
      return yield* waitFor(requireAuthor(call, input.author, team, 'post', {attempt, join}));
    } catch (error) {
      throw nameTeamInError(error, pointer);
    }
  }

  function* findDayFor(
    call: Call,
    input: ChannelPost,
    {team, pointer, date: given}: TargetTeam,
    {author, attempt}: {readonly author: Author; readonly attempt: number},
  ): Flow<DatedDay & {readonly late: boolean}> {
    try {
      return yield* findDay(call, team, author, {attempt, given});
    } catch (error) {
      // The error points to a date in the request; without one it points to the team.
      throw input.date === undefined ? nameTeamInError(error, pointer) : error;
    }
  }

  /** One standup with all its effects: everything else that a post writes belongs here. */
  function* planStandup(
    call: Call,
    input: ChannelPost,
    asked: TargetTeam,
    {attempt, elsewhere}: {readonly attempt: number; readonly elsewhere: ReadonlySet<string> | undefined},
  ): Flow<PlannedStandup> {
    const {team, joins} = asked;
    const authorship = yield* findAuthor(call, input, asked, attempt);
    const {author, proof, accepts} = authorship;
    const {date, day, late} = yield* findDayFor(call, input, asked, {author: authorship, attempt});
    const suffix = generateSuffix();
    const {update, answers, questions_version} = buildContent(input, team, elsewhere);
    const draft: Draft<Standup> = {
      object: 'standup',
      team: team.slug,
      team_id: team.id,
      update,
      answers,
      questions_version,
      author,
      posted_by: otherThanAuthor(author, call.principal),
      date,
      source: input.source,
      late,
      edited: false,
      edited_by: null,
      metadata: input.metadata ?? {},
    };
    const run = yield* waitFor(standupRuns.planMove(call, day, {author, suffix, now: {revision: 1, late}}));
    const said = {id: provisionalId('standup', suffix), author, answers};
    const blockers = yield* waitFor(parts.standupBlockers.planPosted(call, said, team, input));
    const created: CreateWrite = {
      do: 'create',
      kind: 'standup',
      suffix,
      draft: renderDraft(draft),
      lists: standupListings(draft),
    };
    return {
      created,
      guards: [...proof, ...run.guards, ...blockers.guards],
      writes: [created, ...run.writes, ...blockers.writes, ...accepts.writes],
      events: [
        // Emits the event of a new member before that of their standup.
        ...(joins ? accepts.events : []),
        {type: 'standup.created', about: suffix, revision: 1, team: team.id},
        ...run.events,
        ...blockers.events,
        ...(joins ? [] : accepts.events),
      ],
    };
  }

  function* planPost(call: Call, input: ChannelPost, attempt: number): Flow<Commit> {
    if (input.author !== undefined) requireScope(call, 'standups:write_any');
    requireUpdateOrAnswers(input);
    const {asked, guard} = yield* requireTargetTeams(call, input, attempt);
    const [one] = asked;
    if (one === undefined || Array.isArray(input.team)) {
      const elsewhere = new Set(asked.flatMap(({team}) => keysOf(team.questions)));
      const flows = asked.map((one) => planStandup(call, input, one, {attempt, elsewhere}));
      return joinStandupPlans(guard, yield* waitFor(runAllFlows(flows)));
    }
    // Avoids `...`, which costs more than the rest of a plan.
    const {created, guards, writes, events} = yield* planStandup(call, input, one, {
      attempt,
      elsewhere: undefined,
    });
    const reply: Reply = {kind: 'resource', of: created, beside: {slack: null}};
    return {guards: [guard, ...guards], writes, events, reply};
  }

  return (call, input, attempt) => runFlow(planPost(call, input, attempt));
}

function joinStandupPlans(guard: Guard, planned: readonly PlannedStandup[]): Commit {
  const all = joinCommitParts(planned);
  return {
    ...all,
    guards: distinctGuards([guard, ...all.guards]),
    reply: {
      kind: 'list',
      of: planned.map(({created}) => created),
      beside: {slack: null},
    },
  };
}

/** A team as a request names it, and its position in the request. */
interface NamedTeam {
  readonly reference: string;
  readonly pointer: string;
  readonly date: string | undefined;
  /** True when the author joins it by this post. */
  readonly joins: boolean;
}

interface TargetTeam extends Omit<NamedTeam, 'reference'> {
  readonly team: Team;
}

/** The teams that a request names, and the guard for a plan that uses them. */
interface TargetTeams {
  readonly asked: readonly TargetTeam[];
  readonly guard: Guard;
}

/** The part of a commit for one standup. */
type PlannedStandup = CommitPart & {readonly created: CreateWrite};

/** Undefined when the channel determines the team. */
function teamsNamedIn({team, date, dates, joins = false}: ChannelPost): readonly NamedTeam[] | undefined {
  if (team === undefined) return undefined;
  if (typeof team === 'string') return [{reference: team, pointer: '#/team', date, joins}];
  return team.map((reference, index) => ({
    reference,
    pointer: `#/teams/${index}`,
    date: date ?? dates?.[index],
    joins: joins && index === 0,
  }));
}

/** With several teams, or with a date that the request does not have, the error names the team. */
function nameTeamInError(error: unknown, pointer: string): unknown {
  if (!(error instanceof AppError)) return error;
  const {code, message, context} = error;
  if (context.inputErrors?.some((inputError) => inputError.pointer !== '#/date')) return error;
  if (context.inputErrors === undefined && pointer === '#/team') return error;
  return new AppError(code, message, {...context, inputErrors: [{code, detail: message, pointer}]});
}
