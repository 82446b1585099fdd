import {type Call, type Principal, requireScope} from '../../domain/core/access.js';
import {listQuestionKeys} from '../../domain/questions/answers.js';
import {
  type Commit,
  type CommitPart,
  removeDuplicateGuards,
  type Guard,
  joinCommitParts,
} from '../../domain/commit/commit.js';
import type {Reply} from '../../domain/commit/reply.js';
import type {CreateWrite, Write} from '../../domain/commit/writes.js';
import {AppError, fieldError} from '../../domain/core/errors.js';
import {provisionalId, suffixOf} from '../../domain/core/ids.js';
import {limits} from '../../domain/core/limits.js';
import {type Draft, renderDraft} from '../../domain/core/resource.js';
import {
  findPrincipalUnlessAuthor,
  type Metadata,
  type Source,
  type Standup,
  findListsWithStandup,
} from '../../domain/standups/standup.js';
import type {DatedAuthor} from '../../domain/runs/run-times.js';
import {requireTeamAtPointer, type Team, type TeamDirectory} from '../../domain/teams/team.js';
import type {ServiceContext} from '../core/context.js';
import {type Author, createAuthorFinder} from '../teams/authors.js';
import type {DatedDay, StandupDates} from '../runs/standup-dates.js';
import type {StandupRuns} from '../runs/standup-runs.js';
import {createNotifier} from '../inbox/notifications.js';
import {createJoinPlanner} from '../teams/plan-join.js';
import {createStandupBlockers} from './standup-blockers.js';
import {fieldsOfNewStandup} from './find-standup.js';
import {findTeamForPost} from './meant-team.js';
import {requireUpdateOrAnswers, type StandupInput, buildContent} from './standup-content.js';
import {createMentionResolver, listFormattedTexts} from './standup-mentions.js';

/** The content of a new standup, or of one for each of several teams: all or none is created. */
export interface NewStandup extends StandupInput {
  /** The id or slug of a team, in upper or lower case, or a list of different teams. */
  readonly team: string | readonly string[];
  /** The date of the standup. Left out: chosen by `StandupDates`. */
  readonly date?: string | undefined;
  /** The dates for the teams in the list, in the same order, if `date` is left out. */
  readonly dates?: readonly (string | undefined)[] | undefined;
  readonly metadata?: Metadata | undefined;
  /** The author: a member by id, e-mail address or Slack user. Left out: the caller. */
  readonly author?: string | undefined;
  readonly source: Source;
}

/** A standup from a chat. Its author joins the team of the channel in which they post. */
export interface ChannelPost extends Omit<NewStandup, 'team'> {
  /** The team that the author has named. Left out: the channel's team. */
  readonly team?: NewStandup['team'] | undefined;
  readonly channel?: string | undefined;
  /** True if `team`, or the first team in it, is known to be the channel's team. */
  readonly joins?: boolean | undefined;
}

/**
 * Plans one standup, or one for each of several teams, in a single commit. The commit also adds the author to
 * a team that they join by posting. Errors: as `Standups.postStandup`; `TeamUnclear` for a channel.
 */
export type PlanPost = (call: Call, input: ChannelPost, attempt: number) => Promise<Commit>;

export function createPostPlanner(
  context: ServiceContext,
  {standupRuns, standupDates}: {readonly standupRuns: StandupRuns; readonly standupDates: StandupDates},
): PlanPost {
  const {records, teams, generateSuffix} = context;
  const standupBlockers = createStandupBlockers(context);
  const resolveMentions = createMentionResolver(context);
  const planNotifications = createNotifier(context);
  const requireAuthor = createAuthorFinder(context);
  const planJoin = createJoinPlanner(context);

  async function findChannelTeam(
    call: Call,
    post: ChannelPost,
    directory: TeamDirectory,
  ): Promise<NamedTeam> {
    const team = await findTeamForPost(records, call, post.channel ?? '', directory);
    return {reference: team.id, pointer: '#/team', date: post.date, joins: true};
  }

  async function requireTargetTeams(call: Call, input: ChannelPost, attempt: number): Promise<TargetTeams> {
    const requested = listNamedTeams(input);
    if (requested !== undefined && requested.length > limits.teamsPerSubmission) {
      const detail = `A submission is for at most ${limits.teamsPerSubmission} teams.`;
      throw fieldError('validation_failed', '#/teams', detail);
    }
    const known = attempt === 0 ? teams.peekAll(call) : undefined;
    const isEnough = requested?.every(({reference}) => known?.byReference(reference) !== undefined) ?? true;
    const directory = known !== undefined && isEnough ? known : await teams.all(call);
    const seen = await teams.among(directory, call);
    const named = requested ?? [await findChannelTeam(call, input, directory)];
    const asked: TargetTeam[] = [];
    for (const {reference, pointer, date, joins} of named) {
      // Who is in the private channel of a private team joins it by posting there.
      const team = requireTeamAtPointer(pointer, joins ? directory : seen, reference, call);
      const twin = asked.find((one) => one.team.id === team.id);
      if (twin !== undefined) {
        const detail = `The team "${team.slug}" is named twice, at ${twin.pointer} and at ${pointer}.`;
        throw fieldError('validation_failed', pointer, detail);
      }
      asked.push({team, pointer, date, joins});
    }
    return {asked, guard: {check: 'unchanged', collection: 'teams', version: directory.version}};
  }

  /** Finds the day of a standup, and whether the standup is late on that day. */
  async function findDay(
    call: Call,
    team: Team,
    {author, timezone}: {readonly author: Principal; readonly timezone: string | null},
    {attempt, given}: {readonly attempt: number; readonly given: string | undefined},
  ): Promise<DatedDay & {readonly late: boolean}> {
    const dated: DatedAuthor = {member: author.id, timezone};
    if (given !== undefined) await standupDates.requireAllowedDate(call, given, team, dated);
    const {date, day} =
      given === undefined
        ? await standupDates.planDate(call, team, dated, attempt)
        : {date: given, day: await standupRuns.findDay(call, team, given, attempt)};
    return {date, day, late: standupRuns.requireInTime(day, team, date, author)};
  }

  async function findAuthor(
    call: Call,
    input: ChannelPost,
    {team, pointer, joins}: TargetTeam,
    attempt: number,
  ): Promise<Author> {
    const join = joins ? planJoin : undefined;
    try {
      return await requireAuthor(call, input.author, team, 'post', {attempt, join});
    } catch (error) {
      throw nameTeamInError(error, pointer);
    }
  }

  async function findDayForTeam(
    call: Call,
    input: ChannelPost,
    {team, pointer, date: given}: TargetTeam,
    {author, attempt}: {readonly author: Author; readonly attempt: number},
  ): Promise<DatedDay & {readonly late: boolean}> {
    try {
      return await findDay(call, team, author, {attempt, given});
    } catch (error) {
      // The error points to the date in the request or, without one, to the team.
      throw input.date === undefined ? nameTeamInError(error, pointer) : error;
    }
  }

  /** Plans one standup with all of its effects: everything else that a post writes belongs here. */
  async function planStandup(
    call: Call,
    input: ChannelPost,
    asked: TargetTeam,
    {attempt, elsewhere}: {readonly attempt: number; readonly elsewhere: ReadonlySet<string> | undefined},
  ): Promise<PlannedStandup> {
    const {team, joins} = asked;
    const authorship = await findAuthor(call, input, asked, attempt);
    const {author, proof, accepts} = authorship;
    const {date, day, late} = await findDayForTeam(call, input, asked, {author: authorship, attempt});
    const suffix = generateSuffix();
    const {update, answers, questions_version} = buildContent(input, team, elsewhere);
    const draft: Draft<Standup> = {
      object: 'standup',
      ...(input.format === 'markdown' && {format: input.format}),
      team: team.slug,
      team_id: team.id,
      update,
      answers,
      questions_version,
      author,
      posted_by: findPrincipalUnlessAuthor(author, call.principal),
      date,
      source: input.source,
      late,
      edited: false,
      edited_by: null,
      metadata: input.metadata ?? {},
      imported: null,
    };
    const run = await standupRuns.planMove(call, day, {author, suffix, now: {revision: 1, late}});
    const said = {id: provisionalId('standup', suffix), author, answers, format: draft.format};
    const blockers = await standupBlockers.planPosted(call, said, team, input);
    const mentioned = await planNotifications(call, {
      standup: suffix,
      about: suffix,
      by: author.id,
      texts: listFormattedTexts(draft),
    });
    const created: CreateWrite = {
      do: 'create',
      kind: 'standup',
      suffix,
      draft: renderDraft(draft),
      lists: findListsWithStandup(draft),
    };
    return {
      created,
      guards: [...proof, ...run.guards, ...blockers.guards],
      writes: [
        created,
        ...run.writes,
        ...blockers.writes,
        ...accepts.writes,
        ...createDropDraftWrites(author, team, date),
        ...mentioned,
      ],
      events: [
        // The event of the new membership comes before that of the standup.
        ...(joins ? accepts.events : []),
        {type: 'standup.created', about: suffix, revision: 1, team: team.id},
        ...run.events,
        ...blockers.events,
        ...(joins ? [] : accepts.events),
      ],
    };
  }

  async function planPost(call: Call, given: ChannelPost, attempt: number): Promise<Commit> {
    if (given.author !== undefined) requireScope(call, 'standups:write_any');
    requireUpdateOrAnswers(given);
    const {asked, guard} = await requireTargetTeams(call, given, attempt);
    const input = await resolveMentions(call, given);
    // A present name may be longer than the label that was sent.
    if (input !== given) requireUpdateOrAnswers(input);
    const [one] = asked;
    if (one === undefined || Array.isArray(input.team)) {
      const elsewhere = new Set(asked.flatMap(({team}) => listQuestionKeys(team.questions)));
      const plans = asked.map((one) => planStandup(call, input, one, {attempt, elsewhere}));
      const settled = await Promise.allSettled(plans);
      // The caller gets the error of the first team in the list, even if another team failed earlier.
      const planned = settled.map((plan) => {
        if (plan.status === 'rejected') throw plan.reason;
        return plan.value;
      });
      return joinStandupPlans(guard, planned);
    }
    // Spread syntax (`...`) is avoided here: it would take more time than the rest of the plan.
    const {created, guards, writes, events} = await planStandup(call, input, one, {
      attempt,
      elsewhere: undefined,
    });
    const reply: Reply = {kind: 'resource', of: created, beside: fieldsOfNewStandup};
    return {guards: [guard, ...guards], writes, events, reply};
  }

  return planPost;
}

/** Returns the write by which a post drops the draft of its day. */
function createDropDraftWrites(author: Principal, team: Team, date: string): readonly Write[] {
  if (author.type !== 'member') return [];
  return [{do: 'drop-drafts', member: author.id, of: {team: suffixOf(team.id), date}}];
}

function joinStandupPlans(guard: Guard, planned: readonly PlannedStandup[]): Commit {
  const all = joinCommitParts(planned);
  return {
    ...all,
    guards: removeDuplicateGuards([guard, ...all.guards]),
    reply: {
      kind: 'list',
      of: planned.map(({created}) => created),
      beside: fieldsOfNewStandup,
    },
  };
}

/** A team as the request names it, with its position in the request. */
interface NamedTeam {
  readonly reference: string;
  readonly pointer: string;
  readonly date: string | undefined;
  /** True if the author joins this team by posting. */
  readonly joins: boolean;
}

interface TargetTeam extends Omit<NamedTeam, 'reference'> {
  readonly team: Team;
}

/** The teams that a request names, and the guard for a plan that uses these teams. */
interface TargetTeams {
  readonly asked: readonly TargetTeam[];
  readonly guard: Guard;
}

type PlannedStandup = CommitPart & {readonly created: CreateWrite};

/** Returns the teams named in a post; undefined if the channel determines the team. */
function listNamedTeams({team, date, dates, joins = false}: ChannelPost): readonly NamedTeam[] | undefined {
  if (team === undefined) return undefined;
  if (typeof team === 'string') return [{reference: team, pointer: '#/team', date, joins}];
  return team.map((reference, index) => ({
    reference,
    pointer: `#/teams/${index}`,
    date: date ?? dates?.[index],
    joins: joins && index === 0,
  }));
}

/** Makes an error name the team, if the post has several teams or no date. */
function nameTeamInError(error: unknown, pointer: string): unknown {
  if (!(error instanceof AppError)) return error;
  const {code, message, context} = error;
  if (context.inputErrors?.some((inputError) => inputError.pointer !== '#/date')) return error;
  if (context.inputErrors === undefined && pointer === '#/team') return error;
  return new AppError(code, message, {...context, inputErrors: [{code, detail: message, pointer}]});
}
