import type {PrincipalId, RequestContext} from '../../domain/core/access.js';
import {addDays, dayNumber} from '../../domain/core/dates.js';
import {suffixOf, type Id} from '../../domain/core/ids.js';
import {lists, positionOf} from '../../domain/core/lists.js';
import {findNextReminder, lookAheadDays, type NextReminder} from '../../domain/prompts/next-reminder.js';
import {listDatesAround} from '../../domain/prompts/prompt-days.js';
import {listOpenLines, needsNewMessage} from '../../domain/prompts/prompt.js';
import type {Standup} from '../../domain/standups/standup.js';
import {isExpected, type Team} from '../../domain/teams/team.js';
import type {Member} from '../../domain/workspaces/workspace.js';
import {listRecords} from '../core/paging.js';
import type {ServiceContext} from '../core/context.js';
import {listMembershipsOf} from '../core/memberships.js';
import {createDaysOff} from '../absences/days-off.js';
import {listRuns} from '../runs/run-looks.js';
import {createPromptService} from './prompts.js';

type UpcomingReminder = Extract<NextReminder, {kind: 'reminder'}>;

const mostTeams = 20;
/** The number of recent and future standups that are read. */
const maxRead = 100;

/**
 * Finds the time at which a member will be reminded next, or the reason why they will not be; undefined for a
 * deleted member or one without a team. Looks at snoozed messages and, two weeks ahead, at up to 20 teams
 * with a schedule, those with reminders first.
 */
export function createNextReminderFinder(context: ServiceContext) {
  const {records, teams, prompts, zones, clock} = context;
  const {findState: findPromptState} = createPromptService(context);
  const daysOff = createDaysOff(context);

  async function listTeams(asked: RequestContext, member: PrincipalId): Promise<Team[]> {
    const [memberships, directory] = await Promise.all([
      listMembershipsOf(records, asked, member),
      teams.all(asked),
    ]);
    const mine = new Set(memberships.filter(isExpected).map(({team_id: team}) => team));
    return directory.teams.filter(({id}) => mine.has(id));
  }

  async function listPostedKeys(asked: RequestContext, member: PrincipalId, from: string) {
    const query = {
      list: lists.standupsOfAuthor(member),
      from: positionOf(dayNumber(from), 0),
      limit: maxRead,
    };
    return new Set((await listRecords(records, asked, query)).map(createTeamDateKey));
  }

  /** Returns the first message of the member that was snoozed or waits for the end of their quiet hours. */
  async function findDelayedPrompt(asked: RequestContext, member: Member, now: number) {
    const {workspace, deadline} = asked;
    const around = listDatesAround([zones.dayIn('UTC', now)]);
    const own = await prompts.listOf(workspace, suffixOf(member.id), around, deadline);
    const found = await Promise.all(
      own.map(async ({date}): Promise<UpcomingReminder | undefined> => {
        const prompt = await prompts.find(workspace, suffixOf(member.id), date, deadline);
        if (prompt === undefined) return undefined;
        const isSentThen =
          prompt.ts === undefined || (prompt.snoozed === undefined && needsNewMessage(prompt));
        const at = isSentThen ? prompt.notBefore : prompt.snoozed;
        if (prompt.failed !== undefined || at === undefined || at <= now) return;
        const state = await findPromptState(asked, prompt);
        const first = listOpenLines(state).find(({closesAt}) => closesAt > at);
        if (first === undefined || !state?.wanted) return undefined;
        return {kind: 'reminder', at, date: first.date, team: first.team};
      }),
    );
    return found.flatMap((one) => one ?? []).toSorted((a, b) => a.at - b.at)[0];
  }

  return async function findNextOfTeams(
    asked: RequestContext,
    id: Id<'member'>,
  ): Promise<NextReminder | undefined> {
    const [member, mine] = await Promise.all([
      records.find(asked.workspace, id, asked.deadline),
      listTeams(asked, id),
    ]);
    if (member === undefined || mine.length === 0) return undefined;
    if (!member.reminders.enabled) return {kind: 'off'};
    const now = clock.now();
    const [waiting, scheduled] = await Promise.all([
      findDelayedPrompt(asked, member, now),
      findScheduledReminder(asked, member, mine, now),
    ]);
    if (waiting === undefined) return scheduled;
    return scheduled.kind === 'reminder' && scheduled.at < waiting.at ? scheduled : waiting;
  };

  async function findScheduledReminder(
    asked: RequestContext,
    member: Member,
    mine: readonly Team[],
    now: number,
  ): Promise<NextReminder> {
    const today = zones.dayIn('UTC', now);
    const from = addDays(today, -2);
    const scheduled = mine
      .filter(({paused, schedule}) => !paused && schedule !== null)
      .toSorted((a, b) => (b.schedule?.reminders.length ?? 0) - (a.schedule?.reminders.length ?? 0))
      .slice(0, mostTeams);
    // Most members have no reminders, so nothing has to be read for them.
    if (scheduled.length === 0) return {kind: 'no-reminders'};
    const [findDayOff, posted, ...runs] = await Promise.all([
      daysOff.readDaysOff(asked, [member], {from, until: addDays(today, lookAheadDays + 1)}),
      listPostedKeys(asked, member.id, from),
      ...scheduled.map(({id: team}) => listRuns(records, asked, lists.runsOfTeam(team), from)),
    ]);
    return findNextReminder(
      member,
      scheduled.map((team, i) => ({team, runs: runs[i] ?? []})),
      {
        hasPosted: (team, date) => posted.has(createTeamDateKey({team_id: team, date})),
        findDayOff: (date, team) => findDayOff(member.id, date, team),
      },
      now,
      zones,
    );
  }
}

function createTeamDateKey({team_id: team, date}: Pick<Standup, 'team_id' | 'date'>): string {
  return `${team}/${date}`;
}
