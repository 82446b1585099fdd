import {parseWire} from '../../domain/core/resource.js';
import type {Write} from '../../domain/commit/writes.js';
import type {PrincipalId, RequestContext} from '../../domain/core/access.js';
import {lists} from '../../domain/core/lists.js';
import {browserRecipient, findEndOfQuietHours, type PromptMoment} from '../../domain/prompts/prompt.js';
import type {Run} from '../../domain/runs/run.js';
import type {RunGroup} from '../../domain/runs/run-steps.js';
import {isExpected, type TeamMember} from '../../domain/teams/team.js';
import type {Member} from '../../domain/workspaces/workspace.js';
import type {Id} from '../../domain/core/ids.js';
import {createDayRange, listAllRecords, readPages} from '../core/paging.js';
import type {ServiceContext} from '../core/context.js';
import {createDaysOff} from '../absences/days-off.js';
import {planRefusal, type ReminderReach} from './reminder-reach.js';

/** A member who has not posted. `spared`: the reason for a member who is not to be reminded now. */
export interface MissingMember {
  readonly member: Member;
  readonly spared: NoReminderReason | undefined;
}

/** The reason why a member who has not posted is not reminded. */
export type NoReminderReason = 'reminders_off' | 'quiet_hours' | 'day_off';

const pageSize = 500;

export function createRunPeople(context: ServiceContext) {
  const {records, zones} = context;
  const daysOff = createDaysOff(context);
  const listMemberships = (call: RequestContext, team: Id<'team'>): Promise<TeamMember[]> =>
    listAllRecords(records, call, {list: lists.teamMembers(team), limit: pageSize, upward: true});

  /** Returns the members with these ids, without those who have left the workspace. */
  async function findMembers({workspace, deadline}: RequestContext, ids: readonly Id<'member'>[]) {
    const found = await records.findMany(workspace, ids, deadline);
    return found.filter((member) => member !== undefined);
  }

  /** Returns the members of a group who are still expected and have not posted. */
  async function findMissingMembers(call: RequestContext, run: Run, group: RunGroup): Promise<Member[]> {
    const [expected, posted] = await Promise.all([
      records.listExpected(call.workspace, run.team_id, group.members, call.deadline),
      listPostedAuthors(call, run),
    ]);
    return findMembers(
      call,
      group.members.filter((id) => expected.has(id) && !posted.has(id)),
    );
  }

  async function listPostedAuthors(call: RequestContext, {team_id, date}: Run): Promise<Set<PrincipalId>> {
    const range = {...createDayRange(date, date), upward: true, limit: pageSize};
    const posted = new Set<PrincipalId>();
    for await (const rows of readPages(records, call, {list: lists.standupsOfTeam(team_id), ...range}))
      for (const {json} of rows) posted.add(parseWire(json).author.id);
    return posted;
  }

  const zoneOf = (member: Member, run: Run): string => member.timezone ?? run.timezone;

  const notBefore = (member: Member, run: Run, now: number): number =>
    findEndOfQuietHours(member.reminders, zoneOf(member, run), now, zones);

  /** Returns a member's own choice against a reminder: reminders off, or quiet hours until the run closes. */
  function findReminderOptOut(
    member: Member,
    run: Run,
    group: RunGroup,
    now: number,
  ): Exclude<NoReminderReason, 'day_off'> | undefined {
    if (!member.reminders.enabled) return 'reminders_off';
    return notBefore(member, run, now) < group.closes ? undefined : 'quiet_hours';
  }

  return {
    /** Returns the members expected in a team (all except observers), in the order of joining. */
    listExpected: async (call: RequestContext, team: Id<'team'>): Promise<Member[]> =>
      findMembers(
        call,
        (await listMemberships(call, team)).filter(isExpected).map(({member}) => member.id),
      ),
    /**
     * Returns the members of a group (people with the same opening and closing times) who are to
     * be reminded now: still expected in the team, without a standup, not off, and with reminders on. Leaves
     * out members whose quiet hours last until the run closes. `isAsked` restricts the members further.
     */
    async listToRemind(
      call: RequestContext,
      run: Run,
      group: RunGroup,
      now: number,
      isAsked: (member: Member) => boolean,
    ): Promise<Member[]> {
      const members = await findMissingMembers(call, run, group);
      const wanting = members.filter(
        (member) => isAsked(member) && findReminderOptOut(member, run, group, now) === undefined,
      );
      const off = await daysOff.listDaysOff(call, wanting, run.date, run.team_id);
      return wanting.filter(({id}) => !off.has(id));
    },
    /** Returns the members of a group who have not posted, with reasons not to remind them now. */
    async listMissing(
      call: RequestContext,
      run: Run,
      group: RunGroup,
      now: number,
    ): Promise<readonly MissingMember[]> {
      const members = await findMissingMembers(call, run, group);
      const off = await daysOff.listDaysOff(call, members, run.date, run.team_id);
      return members.map((member) => ({
        member,
        spared: off.has(member.id) ? 'day_off' : findReminderOptOut(member, run, group, now),
      }));
    },
    /**
     * Returns the writes of the message that reminds a member. If no channel reaches them, open tabs show it.
     * If mail servers refuse their address, the report names them as it does after a refused message.
     */
    promptWrites(
      member: Member,
      run: Run,
      {group, moment}: {readonly group: RunGroup; readonly moment: PromptMoment},
      now: number,
      reach: ReminderReach,
    ): Write[] {
      const from = notBefore(member, run, now);
      return [
        ...planRefusal(reach, run.id, member.id),
        {
          do: 'prompt',
          member: member.id,
          // Slack may be connected again before the run closes. Where it is not served, the store knows that.
          user: reach.channel === undefined ? (member.slack_user_id ?? browserRecipient) : reach.to,
          // The reminder belongs to the day on which it is sent.
          date: zones.dayIn(zoneOf(member, run), from),
          team: run.team_id,
          run: run.id,
          closesAt: group.closes,
          moment,
          notBefore: from,
        },
      ];
    },
  };
}
