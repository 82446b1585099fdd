import type {Absence} from '../../domain/absences/absence.js';
import type {RequestContext} from '../../domain/core/access.js';
import {addDays, toInstant} from '../../domain/core/dates.js';
import {AppError} from '../../domain/core/errors.js';
import type {Id} from '../../domain/core/ids.js';
import {limits} from '../../domain/core/limits.js';
import {lists} from '../../domain/core/lists.js';
import type {QuotaClaim} from '../../domain/core/quota.js';
import type {CalendarDays, CalendarFeed, CalendarRun} from '../../domain/schedules/calendar-feed.js';
import {generateRunPreviews} from '../../domain/schedules/schedule-preview.js';
import {isExpected, type Team} from '../../domain/teams/team.js';
import {createPageAddress, parsePass} from '../../domain/tokens/session.js';
import type {Member} from '../../domain/workspaces/workspace.js';
import {listAbsencesOf, listAbsencesOfEach} from '../absences/absence-list.js';
import {createDaysOff, type ReadDaysOff} from '../absences/days-off.js';
import {requireAdmission} from '../core/admission.js';
import type {ServiceContext} from '../core/context.js';
import {listMembershipsOf} from '../core/memberships.js';
import {listRecords} from '../core/paging.js';
import {createPassFinder, type VerifiedPass} from '../tokens/pass-tokens.js';

/** The days that a calendar shows: days off of the past weeks too, so that they do not vanish at once. */
const [daysBack, daysAhead] = [14, 60];
/**
 * The largest numbers of teams in a calendar, of members of each whose absences it shows, and of these absences:
 * of one member, so that no one fills it, and of all. Ten times as many would take 230 ms to write.
 */
const most = {teams: limits.teamsPerRow, members: 200, absencesOfOne: daysBack + daysAhead, absences: 2_000};

/** The first and the last day that a calendar shows. */
interface Period {
  readonly from: string;
  readonly until: string;
}

export function createCalendarFeeds(context: ServiceContext) {
  const {records, teams, zones, clock, admissions, tokenUse, workspaces, publicUrl, nextSlice} = context;
  const findTokenOfPass = createPassFinder(context);
  const {readDaysOff} = createDaysOff(context);

  async function listTeamsOf(access: RequestContext, member: Member): Promise<Team[]> {
    const [directory, memberships] = await Promise.all([
      teams.all(access),
      listMembershipsOf(records, access, member.id),
    ]);
    return memberships
      .filter((membership) => isExpected(membership) && membership.member.id === member.id)
      .flatMap(({team_id: id}) => directory.byReference(id) ?? [])
      .slice(0, most.teams);
  }

  async function listRuns(member: Member, team: Team, isOff: ReadDaysOff): Promise<CalendarRun[]> {
    const {schedule, timezone, prompt_at} = team;
    if (schedule === null || team.paused) return [];
    const now = clock.now();
    const from = zones.dayIn(timezone, now);
    const until = addDays(from, daysAhead);
    const asked = {timezone, prompt_at, from, now, limit: daysAhead + 1};
    const runs: CalendarRun[] = [];
    for (const run of generateRunPreviews(schedule, [member], asked, zones)) {
      if (run.date > until) break;
      await nextSlice();
      const [own] = run.members;
      if (own === undefined || isOff(member.id, run.date, team.id) !== undefined) continue;
      runs.push({
        uid: `${team.id}-${run.date}`,
        title: `Standup: ${team.name}`,
        opensAt: own.opens_at,
        closesAt: own.closes_at,
        url: createPageAddress(publicUrl, `/t/${team.slug}`),
        changedAt: team.updated_at,
      });
    }
    return runs;
  }

  /** Returns when the other members of these teams are away, without the reasons. */
  async function listAwayOthers(
    access: RequestContext,
    member: Member,
    named: readonly Team[],
    period: Period,
  ): Promise<CalendarDays[]> {
    const own = new Set(named.map(({id}) => id));
    const found = await Promise.all(
      named.map((team) =>
        listRecords(records, access, {list: lists.teamMembers(team.id), limit: most.members}),
      ),
    );
    const people = new Map<Id<'member'>, {id: Id<'member'>}>();
    for (const {member: other} of found.flat())
      if (other.id !== member.id) people.set(other.id, {id: other.id});
    const others = [...people.values()];
    const bounds = {each: most.absencesOfOne, enough: most.absences};
    const absences = await listAbsencesOfEach(records, access, others, period, bounds);
    return [...absences.values()]
      .flat()
      .filter(
        ({member: other, kind, team_id: team}) =>
          people.has(other.id) && kind === 'away' && (team === null || own.has(team)),
      )
      .slice(0, most.absences)
      .map((absence) => ({
        ...describeAbsence(absence, period),
        title: `${absence.member.name}: away`,
        note: null,
      }));
  }

  async function requireMember({workspace, token}: VerifiedPass, deadline: number): Promise<Member> {
    const member = await records.find(workspace, token.holder.id, deadline);
    if (member?.object !== 'member') throw createFeedOverError();
    return member;
  }

  return {
    /** Finds the feed to which a secret address belongs. Errors: `invalid_token`. */
    async requireFeed(text: string, {deadline}: {readonly deadline: number}): Promise<VerifiedPass> {
      const pass = parsePass(text);
      const feed = pass && (await findTokenOfPass(pass, 'calendar', deadline));
      if (feed === undefined) throw createFeedOverError();
      return feed;
    },
    /** Reads a person's calendar. Errors: `invalid_token`, `rate_limited`. */
    async readFeed(
      feed: VerifiedPass,
      quota: Omit<QuotaClaim, 'principal'>,
      {deadline}: {readonly deadline: number},
    ): Promise<CalendarFeed> {
      const {workspace, token} = feed;
      const access = {workspace, deadline};
      const [member, found] = await Promise.all([
        requireMember(feed, deadline),
        workspaces.find(workspace, deadline),
        requireAdmission(admissions, {
          ...access,
          token: {id: token.id, expiresAt: Date.parse(token.expires_at)},
          quota: {...quota, principal: token.holder.id},
        }),
      ]);
      tokenUse.note(workspace, token.id);
      const today = toInstant(clock.now()).slice(0, 10);
      const period = {from: addDays(today, -daysBack), until: addDays(today, daysAhead)};
      const [named, isOff, own] = await Promise.all([
        listTeamsOf(access, member),
        readDaysOff(access, [member], {from: addDays(today, -1), until: addDays(period.until, 1)}),
        listAbsencesOf(records, access, member.id, period),
      ]);
      const runs: CalendarRun[] = [];
      for (const team of named) runs.push(...(await listRuns(member, team, isOff)));
      const others = await listAwayOthers(access, member, named, period);
      return {
        name: `Standup: ${found?.name ?? ''}`,
        runs,
        days: [
          ...own
            .filter((absence) => absence.member.id === member.id)
            .map((absence) => ({
              ...describeAbsence(absence, period),
              title: absence.kind === 'away' ? 'Away' : 'No standup',
              note: absence.reason,
            })),
          ...others,
        ],
      };
    },
  };
}

function describeAbsence({id, from, until, updated_at}: Absence, period: Period) {
  // An absence without an end is shown up to the last day of the calendar.
  return {uid: id, from, until: until ?? (from > period.until ? from : period.until), changedAt: updated_at};
}

function createFeedOverError(): AppError {
  return new AppError(
    'invalid_token',
    'There is no such calendar: its address is wrong, has expired or was revoked. Make a new one in the dashboard.',
  );
}
