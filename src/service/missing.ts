import type {Access} from '../domain/access.js';
import {AppError, notFound} from '../domain/errors.js';
import {lists} from '../domain/lists.js';
import {type MissingPerson, missingReasons, type MissingWhy, type TeamMissing} from '../domain/missing.js';
import type {Run} from '../domain/run.js';
import {closingFor} from '../domain/run-times.js';
import type {Team} from '../domain/team.js';
import type {Member} from '../domain/workspace.js';
import type {Zones} from '../domain/zones.js';
import type {Authority} from './authority.js';
import type {DaysOff} from './days-off.js';
import type {RunPeople} from './run-people.js';
import {listRuns} from './run-looks.js';
import type {StandupDates} from './standup-dates.js';
import type {Clock, PromptRecords, Records, Teams} from './stores.js';

type Asked = Pick<Access, 'workspace' | 'scopes'> & {readonly deadline: number};

/** `viewer`: who asks, by id; undefined for somebody who is no member yet. Errors: `not_found` for the team. */
export type FindMissing = (asked: Asked, team: string, viewer: string | undefined) => Promise<TeamMissing>;

export interface MissingParts {
  readonly records: Pick<Records, 'list'>;
  readonly teams: Pick<Teams, 'fresh'>;
  readonly authority: Pick<Authority, 'requireLead'>;
  readonly people: Pick<RunPeople, 'listTeam' | 'listPosted'>;
  readonly daysOff: Pick<DaysOff, 'listDaysOff'>;
  readonly prompts: Pick<PromptRecords, 'findUnreachable'>;
  readonly standupDates: Pick<StandupDates, 'findDate'>;
  readonly zones: Zones;
  readonly clock: Pick<Clock, 'now'>;
}

export function createFindMissing(parts: MissingParts): FindMissing {
  const {records, teams, authority, people, daysOff, prompts, standupDates, zones, clock} = parts;

  async function mayManage(asked: Asked, team: Team, viewer: string | undefined): Promise<boolean> {
    if (viewer === undefined) return false;
    const principal = {type: 'member', id: viewer, name: ''} as const;
    try {
      await authority.requireLead({...asked, principal}, team, 'see who is missing');
      return true;
    } catch (error) {
      if (error instanceof AppError && (error.code === 'forbidden' || error.code === 'invalid_token'))
        return false;
      throw error;
    }
  }

  /** The run that is open, the latest of several; else that of today, where it counts; and its date. */
  async function findDay(asked: Asked, team: Team) {
    const open = (await listRuns(records, asked, lists.openRunsOfTeam(team.id))).at(-1);
    if (open !== undefined) return {run: open, date: open.date};
    const date = await standupDates.findDate(asked, team, {member: undefined, timezone: null});
    const [run] = await listRuns(records, asked, lists.runsOfTeam(team.id), date);
    return {run: run?.date === date && run.state === 'closed' ? run : undefined, date};
  }

  return async (asked, reference, viewer) => {
    const team = (await teams.fresh(asked.workspace, asked.deadline)).byReference(reference);
    if (team === undefined) throw notFound('team');
    const [manages, {run, date}, everybody] = await Promise.all([
      mayManage(asked, team, viewer),
      findDay(asked, team),
      people.listTeam(asked, team.id),
    ]);
    const expected = run && new Set(run.participants.map(({member}) => member));
    const members = expected === undefined ? everybody : everybody.filter(({id}) => expected.has(id));
    const posted = await people.listPosted(asked, {team_id: team.id, date});
    const left = members.filter(({id}) => !posted.has(id));
    const ids = left.map(({id}) => id);
    const [off, unreachable] = await Promise.all([
      daysOff.listDaysOff(asked, left, date, team),
      run === undefined
        ? new Set<string>()
        : prompts.findUnreachable(asked.workspace, run.id, ids, asked.deadline),
    ]);
    const now = clock.now();
    const rank = (why: MissingWhy) => missingReasons.indexOf(why);
    const missing = left
      .map((member): MissingPerson => {
        const dayOff = off.get(member.id);
        const why =
          dayOff?.status ?? (unreachable.has(member.id) ? 'unreachable' : openWhy(member, run, now));
        const {id, name, slack_user_id: slackUser} = member;
        return {id, name, slackUser, why, until: why === 'away' ? (dayOff?.until ?? null) : null};
      })
      .toSorted((a, b) => rank(a.why) - rank(b.why) || a.name.localeCompare(b.name));
    const counts: Partial<Record<MissingWhy, number>> = {};
    for (const {why} of missing) counts[why] = (counts[why] ?? 0) + 1;
    return {
      team,
      date,
      closesAt: run?.state === 'open' ? Date.parse(run.closes_at) : undefined,
      posted: members.length - left.length,
      counts,
      people: manages || team.names_missing ? missing : undefined,
      manages,
    };
  };

  function openWhy(member: Member, run: Run | undefined, now: number): MissingWhy {
    const isOver = run !== undefined && (run.state !== 'open' || now >= closingFor(run, member.id, zones));
    if (isOver) return 'missed';
    if (member.slack_user_id === null) return 'no_slack';
    return member.reminders.enabled ? 'expected' : 'reminders_off';
  }
}
