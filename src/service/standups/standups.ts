import {addFieldsToWireJson, parseWire, type WireJson} from '../../domain/core/resource.js';
import type {Page, PageQuery} from '../../domain/core/lists.js';
import type {Call, Caller, RequestContext, PrincipalId} from '../../domain/core/access.js';
import {AppError, notFound} from '../../domain/core/errors.js';
import {setRequestCount} from '../../domain/core/quota.js';
import {suffixOf, isId, storedId, storedSuffix, type Id} from '../../domain/core/ids.js';
import {
  presentStandupRevision,
  type ShownStandup,
  type Standup,
  type StandupRevision,
  type PostResult,
} from '../../domain/standups/standup.js';
import type {Team} from '../../domain/teams/team.js';
import type {ServiceContext} from '../core/context.js';
import {resolveAuthor} from '../core/member-references.js';
import type {Answer} from '../core/answers.js';
import type {Precondition} from '../core/precondition.js';
import type {StandupDates} from '../runs/standup-dates.js';
import type {StandupRuns} from '../runs/standup-runs.js';
import {createChangePlans, type StandupChange} from './change-standup.js';
import {createStandupFinder} from './find-standup.js';
import {TeamUnclear} from './meant-team.js';
import {type ChannelPost, createPostPlanner, type NewStandup} from './post-standup.js';
import {createStandupExporter, type ExportStandups} from './standup-export.js';
import {
  createShownStandupLister,
  createStandupLister,
  type MarkedPage,
  type WithAuthorReference,
  type StandupFilter,
  type StandupQuery,
} from './standup-list.js';

/** Operations on standups. `findDate` does not depend on the caller. */
export type Standups = ReturnType<typeof createStandups>;

/**
 * The result of a post from a chat. `joined`: the id of the team that the author joined by posting. `teams`:
 * the teams from which the author may choose, if any.
 */
export type PostedFromChannel =
  | {readonly outcome: 'posted'; readonly answer: Answer<PostResult>; readonly joined: Id<'team'> | undefined}
  | {readonly outcome: 'unclear'; readonly teams: readonly Team[]};

export function createStandups(
  context: ServiceContext,
  {standupRuns, standupDates}: {readonly standupRuns: StandupRuns; readonly standupDates: StandupDates},
) {
  const {records, mutate, commits} = context;
  const listStandups = createStandupLister(context);
  const listShownStandups = createShownStandupLister(context);
  const exportStandups = createStandupExporter(context);
  const {requireStandup, findSlackMessage, findThread} = createStandupFinder(context);
  const planPost = createPostPlanner(context, {standupRuns, standupDates});
  const {planEdit, planDelete, requireChangeable} = createChangePlans(context, {standupRuns, standupDates});

  /** Returns the standups that a call with this idempotency key has posted, if they still exist. */
  async function findStandupsOfEarlierReply(call: Call): Promise<Standup[]> {
    const reply = (await commits.findReply(call))?.reply;
    const made = reply?.kind === 'resource' ? [reply.of] : reply?.kind === 'list' ? reply.of : [];
    const found = await Promise.all(
      made.map(({suffix}) =>
        records.findBySuffix(call.workspace, storedSuffix<'standup'>(suffix), call.deadline),
      ),
    );
    return found.filter((standup) => standup !== undefined);
  }

  return {
    /**
     * Posts a standup. Errors: `validation_failed`, `team_not_found`, `date_not_allowed`, `run_closed`,
     * `forbidden` for a member who is not in the team. With an author: `insufficient_scope` without
     * `standups:write_any`, `forbidden` except for leads of the team, owners and admins. For a list of teams
     * the answer is a list of standups, and errors name the team by its index.
     */
    postStandup(call: Call, input: NewStandup): Promise<Answer<PostResult>> {
      setRequestCount(call.quota, countTeams(input));
      return mutate(call, (attempt) => planPost(call, input, attempt), {usesCache: true});
    },
    /**
     * Posts a standup from a chat. The author joins the channel's team in the same commit, so a refused post
     * joins no team. A repeated request gets the same answer and joins no team again.
     */
    async postFromChannel(call: Call, input: ChannelPost): Promise<PostedFromChannel> {
      setRequestCount(call.quota, countTeams(input));
      let joined: Id<'team'> | undefined;
      const plan = async (attempt: number) => {
        const commit = await planPost(call, input, attempt);
        joined = commit.events.find(({type}) => type === 'team.member_added')?.team;
        return commit;
      };
      try {
        const answer = await mutate<PostResult>(call, plan, {usesCache: true});
        return {outcome: 'posted', answer, joined: answer.replayed ? undefined : joined};
      } catch (error) {
        if (error instanceof TeamUnclear) return {outcome: 'unclear', teams: error.teams};
        throw error;
      }
    },
    /**
     * Returns the date of a standup that a member (id) would post for a team now; without a member, that
     * anyone would post. See `StandupDates`.
     */
    findDate: async (asked: RequestContext, team: Team, member?: PrincipalId): Promise<string> =>
      (await standupDates.findDates(asked, [team], member)).get(team.id) ?? '',
    findDates: standupDates.findDates,
    /** Returns the dates of standups that the caller would post now for these teams, as far as they exist. */
    async findNextDates(asked: Caller, references: readonly string[]): Promise<string[]> {
      const {principal} = asked;
      const known = await context.teams.of(asked);
      const named = references.flatMap((reference) => known.byReference(reference) ?? []);
      const member = principal.type === 'member' ? principal.id : undefined;
      return [...(await standupDates.findDates(asked, named, member)).values()];
    },
    /** Checks that a standup posted now for that date would not be too late. Errors: `run_closed`. */
    async requireInTime({workspace, deadline, principal}: Caller, team: Team, date: string): Promise<void> {
      const day = await standupRuns.findDay({workspace, deadline}, team, date, 1);
      standupRuns.requireInTime(day, team, date, principal);
    },
    /**
     * Changes the given fields of a standup. A change without effect makes no revision and no event. The answer
     * has the thread as it is now, also when it is repeated: a stored one would have names.
     */
    async editStandup(
      call: Call,
      id: string,
      change: StandupChange,
      expected?: Precondition,
    ): Promise<Answer<ShownStandup>> {
      const plan = (attempt: number) => planEdit(call, attempt, id, change, expected);
      const answer = await mutate<ShownStandup>(call, plan);
      const thread = await findThread(call, storedId(id));
      return {...answer, body: addFieldsToWireJson(answer.body, {thread})};
    },
    deleteStandup: (call: Call, id: string, expected?: Precondition): Promise<Answer<void>> =>
      mutate(call, (attempt) => planDelete(call, attempt, id, expected)),
    findStandup: async (access: Caller, id: string): Promise<Standup> =>
      (await requireStandup(access, id)).standup,
    /** Finds a standup that the caller may change. Errors: `not_found`, `forbidden` as `editStandup`. */
    async findChangeable(access: Caller, id: string): Promise<Standup> {
      const {standup, team} = await requireStandup(access, id);
      await requireChangeable(access, standup, team);
      return standup;
    },
    /**
     * Deletes a standup of the caller and returns its content. Errors: as `deleteStandup`, and `forbidden`
     * for everyone except the author. With `anybody`, all callers who may change the standup are allowed.
     */
    async retractStandup(
      call: Call,
      id: string,
      of: 'themselves' | 'anybody' = 'themselves',
    ): Promise<Standup> {
      let retracted: Standup | undefined;
      await mutate(call, async (attempt) => {
        retracted = (await requireStandup(call, id)).standup;
        const isOwn = retracted.author.id === call.principal.id;
        if (isOwn || of === 'anybody') return planDelete(call, attempt, id);
        throw new AppError('forbidden', `Only its author ${retracted.author.name} can delete it.`, {
          reason: 'not_author',
          person: retracted.author.name,
        });
      });
      if (retracted === undefined) throw notFound('standup');
      return retracted;
    },
    /**
     * Returns the last content of a deleted standup to its author, as long as it is stored (30 days);
     * undefined for all other callers. `revision`: any of its revisions, at most 100 before the last.
     */
    async findDeleted(
      {workspace, principal, deadline}: Caller,
      {id, revision}: {readonly id: string; readonly revision: number},
    ): Promise<Standup | undefined> {
      if (!isId('standup', id) || (await records.find(workspace, id, deadline)) !== undefined)
        return undefined;
      const range = {from: revision, to: revision + 100};
      const [last] = await records.listRevisions(workspace, suffixOf(id), range, deadline);
      const standup = last === undefined ? undefined : parseWire(last);
      return standup?.id === id && standup.author.id === principal.id ? standup : undefined;
    },
    listKept: findStandupsOfEarlierReply,
    async findShownStandup(access: Caller, id: string): Promise<ShownStandup> {
      const {standup} = await requireStandup(access, id);
      const [slack, thread] = await Promise.all([
        findSlackMessage(access, standup.id),
        findThread(access, standup.id),
      ]);
      return {...standup, slack, thread};
    },
    listStandups,
    /** Lists standups with their Slack messages. `known`: the caller's token (`mark`) of a page. */
    async listShownStandups(
      access: Caller,
      query: WithAuthorReference<StandupQuery>,
      known?: string,
    ): Promise<MarkedPage> {
      const author = await resolveAuthor(records, access, query.author);
      return listShownStandups(access, {...query, author}, known);
    },
    exportStandups: async (
      call: Call,
      filter: WithAuthorReference<StandupFilter>,
    ): ReturnType<ExportStandups> =>
      exportStandups(call, {...filter, author: await resolveAuthor(records, call, filter.author)}),
    /** Lists the earlier revisions of a standup, newest first. Errors: `not_found`. */
    async listRevisions(
      access: Caller,
      id: string,
      {past, limit}: PageQuery,
    ): Promise<Page<WireJson<StandupRevision>>> {
      const {standup} = await requireStandup(access, id);
      const to = Math.min(past ?? standup.revision, standup.revision) - 1;
      const from = Math.max(1, to - limit + 1);
      const found = await records.listRevisions(
        access.workspace,
        suffixOf(standup.id),
        {from, to},
        access.deadline,
      );
      const rows = found.map((json) => JSON.stringify(presentStandupRevision(parseWire(json))));
      return {rows, next: from > 1 ? from : undefined};
    },
  };
}

/** Returns the number of teams of a post: a post for several teams counts once for each of them. */
function countTeams({team}: Pick<ChannelPost, 'team'>): number {
  return Array.isArray(team) ? Math.max(1, team.length) : 1;
}
