import type {Call} from '../../domain/core/access.js';
import {addDays, dayNumber} from '../../domain/core/dates.js';
import {AppError} from '../../domain/core/errors.js';
import {suffixOf, type Id} from '../../domain/core/ids.js';
import {limits} from '../../domain/core/limits.js';
import {lists, positionOf} from '../../domain/core/lists.js';
import type {PromptLine} from '../../domain/prompts/prompt.js';
import {completeQuestion, type Question} from '../../domain/questions/question.js';
import {isExpected, type Team} from '../../domain/teams/team.js';
import {findPlan} from '../../domain/standups/plan.js';
import type {TypedDraft, TypedEnd, TypedTeam} from '../../domain/slack/typing.js';
import {createDayRange, listRecords} from '../core/paging.js';
import type {ServiceContext} from '../core/context.js';
import {createDaysOff} from '../absences/days-off.js';
import {createPromptService} from '../prompts/prompts.js';
import type {StandupRuns} from '../runs/standup-runs.js';

/** The days around today in UTC whose reminders are read; each has a day in the member's zone. */
const daysAround = [-1, 0, 1];

const part = (key: string, required: boolean): Question =>
  completeQuestion({key, label: key, type: 'text', required});

/** Finds the teams for which a typed text may be meant. */
export function createTypedTeams(
  context: ServiceContext,
  {standupRuns}: {readonly standupRuns: StandupRuns},
) {
  const {records, teams, prompts, clock, zones} = context;
  const {findState: findPromptState} = createPromptService(context);
  const daysOff = createDaysOff(context);

  async function findLastStandupBefore(call: Call, date: string, team?: Id<'team'>) {
    const query = {
      list: lists.standupsOfAuthor(call.principal.id),
      to: positionOf(dayNumber(date), 0),
      limit: team === undefined ? 1 : maxRead,
    };
    const found = await listRecords(records, call, query);
    return found.find(({team_id}) => team === undefined || team_id === team);
  }

  return {
    /** Lists the runs that the caller was asked about and can still post for, first closing first. */
    async listAsked(call: Call): Promise<readonly PromptLine[]> {
      const {workspace, deadline, principal} = call;
      if (principal.type !== 'member') return [];
      const today = zones.dayIn('UTC', clock.now());
      const found = await Promise.all(
        daysAround.map(async (away) => {
          const prompt = await prompts.find(
            workspace,
            suffixOf(principal.id),
            addDays(today, away),
            deadline,
          );
          if (prompt?.ts === undefined && prompt?.sending === undefined) return [];
          const state = await findPromptState(call, prompt);
          return state?.lines.filter(({state: lineState}) => lineState === 'open') ?? [];
        }),
      );
      const lines = found.flat();
      const once = lines.filter(({run}, i) => lines.findIndex((other) => other.run === run) === i);
      return once.toSorted((a, b) => a.closesAt - b.closesAt);
    },
    /** Returns the draft of a standup for these runs; undefined if there are no runs. */
    async draftFor(call: Call, lines: readonly PromptLine[], id: string): Promise<TypedDraft | undefined> {
      const [first] = lines;
      if (first === undefined) return undefined;
      const {team} = first;
      if (team.questions.length > 0) return createQuestionDraft(call, team, first.date, id);
      // All teams that ask only for Yesterday, Today and Blockers get the same text, so the member answers
      // once for all of them.
      const alike = lines.filter(
        (line, i) =>
          line.team.questions.length === 0 &&
          lines.findIndex((other) => other.team.id === line.team.id) === i,
      );
      const last = await findLastStandupBefore(call, first.date);
      const yesterday = last === undefined ? '' : findPlan(last);
      return {
        id,
        teams: alike.slice(0, limits.teamsPerSubmission).map(({team: one, date}) => ({id: one.id, date})),
        asks: 'parts',
        version: null,
        questions: [
          part('today', true),
          ...(yesterday === '' ? [part('yesterday', false)] : []),
          part('blockers', false),
        ],
        given: yesterday === '' ? {} : {yesterday},
        words: [],
      };
    },
    /** Returns why a draft can no longer be posted for a team; undefined if it can. */
    async findEnd(call: Call, {id, date}: TypedTeam): Promise<TypedEnd | undefined> {
      const {workspace, deadline, principal} = call;
      const [directory, stored] = await Promise.all([
        teams.of(call),
        records.find(workspace, principal.id, deadline),
      ]);
      const team = directory.byReference(id);
      if (team === undefined || stored?.object !== 'member') return 'gone';
      const list = lists.standupsOfAuthor(principal.id);
      const range = {list, ...createDayRange(date, date), limit: maxRead};
      const [membership, off, posted, run] = await Promise.all([
        records.findMembership(workspace, id, principal.id, deadline),
        daysOff.listDaysOff(call, [stored], date, team.id),
        listRecords(records, call, range),
        standupRuns.findDay(call, team, date, 1),
      ]);
      if (posted.some(({team_id}) => team_id === id)) return 'posted';
      if (membership === undefined || !isExpected(membership)) return 'left';
      if (off.has(stored.id)) return 'away';
      return teamAcceptsStandup(run, team, date, principal) ? undefined : 'closed';
    },
  };

  async function createQuestionDraft(call: Call, team: Team, date: string, id: string): Promise<TypedDraft> {
    const last = await findLastStandupBefore(call, date, team.id);
    const today = last?.answers.find(({question, type}) => question === 'today' && type === 'text')?.value;
    return {
      id,
      teams: [{id: team.id, date}],
      asks: 'questions',
      version: team.questions_version,
      questions: team.questions,
      given: typeof today === 'string' ? {yesterday: today} : {},
      words: [],
    };
  }

  function teamAcceptsStandup(
    run: Awaited<ReturnType<StandupRuns['findDay']>>,
    team: Team,
    date: string,
    principal: Call['principal'],
  ): boolean {
    try {
      standupRuns.requireInTime(run, team, date, principal);
      return true;
    } catch (error) {
      if (error instanceof AppError && error.code === 'run_closed') return false;
      throw error;
    }
  }
}

/** The number of a person's latest standups that are loaded at most. */
const maxRead = 100;
