import {parseWire} from '../../domain/core/resource.js';
import type {RequestContext} from '../../domain/core/access.js';
import {addDays, dayNumber} from '../../domain/core/dates.js';
import {lists, positionOf} from '../../domain/core/lists.js';
import {completeSchedule, type NewSchedule} from '../../domain/schedules/schedule.js';
import {
  type PreviewedPerson,
  type PreviewedRun,
  generateRunPreviews,
  type SchedulePreview,
} from '../../domain/schedules/schedule-preview.js';
import {isExpected, type Team} from '../../domain/teams/team.js';
import {listRecords, readPages} from '../core/paging.js';
import type {TeamReader} from '../core/reach.js';
import type {ServiceContext} from '../core/context.js';
import {requireTeam} from '../runs/run-views.js';

const readAtOnce = 200;

export function createSchedulePreviews({records, teams, zones, clock, nextSlice}: ServiceContext) {
  async function listTeamMembers(call: RequestContext, team: Team): Promise<PreviewedPerson[]> {
    const people: PreviewedPerson[] = [];
    const list = lists.teamMembers(team.id);
    for await (const rows of readPages(records, call, {list, limit: readAtOnce})) {
      const memberships = rows.map(({json}) => parseWire(json)).filter(isExpected);
      const members = await Promise.all(
        memberships.map(({member}) => records.find(call.workspace, member.id, call.deadline)),
      );
      // A deleted member's membership is listed until a job removes it.
      for (const member of members) if (member !== undefined) people.push(member);
    }
    return people.toSorted(compareNames);
  }

  /** Returns the dates of existing runs, as far ahead as a schedule can create them. */
  async function listRunDates(call: RequestContext, team: Team, now: number): Promise<Set<string>> {
    const from = positionOf(dayNumber(addDays(zones.dayIn('UTC', now), -2)), 0);
    const query = {list: lists.runsOfTeam(team.id), from, upward: true, limit: readAtOnce};
    return new Set((await listRecords(records, call, query)).map(({date}) => date));
  }

  return {
    /**
     * Returns the next `limit` runs of a team, from a given date or now. `schedule`: shows the runs of this
     * schedule even if the team is paused, so that a form can preview it; `timezone`: in this time zone.
     * Errors: `not_found`.
     */
    async previewSchedule(
      access: TeamReader,
      reference: string,
      {
        limit,
        from,
        schedule: given,
        timezone: other,
      }: {
        readonly limit: number;
        readonly from?: string | undefined;
        readonly schedule?: NewSchedule | undefined;
        readonly timezone?: string | undefined;
      },
    ): Promise<SchedulePreview> {
      const team = await requireTeam(teams, access, reference);
      const now = clock.now();
      const {id, slug} = team;
      const timezone = other ?? team.timezone;
      const schedule = given ? completeSchedule(given, zones.dayIn(timezone, now)) : team.schedule;
      const reason = schedule === null ? 'no_schedule' : team.paused && !given ? 'paused' : null;
      const shown = {object: 'schedule_preview', team: slug, team_id: id, timezone, reason} as const;
      if (schedule === null || reason !== null) return {...shown, runs: []};
      const [people, taken] = await Promise.all([
        listTeamMembers(access, team),
        listRunDates(access, team, now),
      ]);
      const asked = {timezone, prompt_at: team.prompt_at, from, now, limit, taken};
      const runs: PreviewedRun[] = [];
      for (const run of generateRunPreviews(schedule, people, asked, zones)) {
        runs.push(run);
        await nextSlice();
      }
      return {...shown, runs};
    },
  };
}

function compareNames(one: PreviewedPerson, other: PreviewedPerson): number {
  return one.name.localeCompare(other.name) || one.id.localeCompare(other.id);
}
