import type {RequestContext} from '../../domain/core/access.js';
import {suffixOf, storedSuffix} from '../../domain/core/ids.js';
import {lists} from '../../domain/core/lists.js';
import type {LogEntry} from '../../domain/events/event.js';
import type {GoneMember} from '../../domain/slack/notice-content.js';
import type {Team} from '../../domain/teams/team.js';
import {listRecords} from '../core/paging.js';
import type {ServiceContext} from '../core/context.js';
import {listMembershipsOf} from '../core/memberships.js';
import {isDeactivationAbsence} from '../absences/gone-from-slack.js';

/**
 * Returns true for an event about a deactivated Slack account. Its actor is `slackDoorkeeper`, for whom the
 * event has no id.
 */
export function reportsDeactivation({type, actor}: LogEntry): boolean {
  return type === 'absence.created' && actor?.type === 'system' && actor.source === 'slack';
}

/** The maximum number of recipients, and of teams in one message. */
const [maxRecipients, mostTeams] = [90, 5];
const maxRead = 1_000;

/**
 * Finds the recipients of the message that a member's Slack account is deactivated, and the teams listed for
 * each recipient.
 */
export function createGoneMembers({records, teams}: ServiceContext) {
  /**
   * Returns the team's leads in Slack, except the deactivated member; if there are none, the owners and
   * admins.
   */
  async function listResponsiblePeople(call: RequestContext, team: Team, gone: string): Promise<string[]> {
    const {workspace, deadline} = call;
    const query = {list: lists.teamMembers(team.id), limit: maxRead};
    const memberships = await listRecords(records, call, query);
    const leads = memberships.filter(({role, member}) => role === 'lead' && member.id !== gone);
    const found = await Promise.all(
      leads.map(({member}) => records.findBySuffix(workspace, suffixOf(member.id), deadline)),
    );
    const users = found.flatMap((lead) => lead?.slack_user_id ?? []);
    return users.length > 0 ? users : listAdmins(call, gone);
  }

  async function listAdmins(call: RequestContext, gone: string): Promise<string[]> {
    const found = await Promise.all(
      (['owner', 'admin'] as const).map((role) =>
        listRecords(records, call, {list: lists.membersOfRole(role), limit: maxRead}),
      ),
    );
    return found.flat().flatMap(({id, slack_user_id: user}) => (id === gone ? [] : (user ?? [])));
  }

  /**
   * Returns the deactivated member; undefined if the account is active again or the person is no longer a
   * member.
   */
  async function findGoneMember(call: RequestContext, {about}: LogEntry) {
    const {workspace, deadline} = call;
    const absence = await records.findBySuffix(workspace, storedSuffix<'absence'>(about), deadline);
    if (absence === undefined || !isDeactivationAbsence(absence)) return undefined;
    const [memberships, {byReference}] = await Promise.all([
      listMembershipsOf(records, call, absence.member.id),
      teams.fresh(workspace, deadline),
    ]);
    const theirs = memberships.flatMap(({team_id: id}) => byReference(id) ?? []);
    const recipients = await Promise.all(
      theirs.map(async (team) => ({team, users: await listResponsiblePeople(call, team, absence.member.id)})),
    );
    return {member: absence.member, recipients};
  }

  return {
    /** Returns the Slack ids of the people who can remove the member from their teams. */
    async listRecipients(call: RequestContext, entry: LogEntry): Promise<string[]> {
      const found = await findGoneMember(call, entry);
      const users = found?.recipients.flatMap((each) => each.users) ?? [];
      return [...new Set(users)].slice(0, maxRecipients);
    },
    /**
     * Returns the message for one of those people; undefined if it is no longer true, or the person can no
     * longer act.
     */
    async find(call: RequestContext, entry: LogEntry, person: string): Promise<GoneMember | undefined> {
      const found = await findGoneMember(call, entry);
      const theirs =
        found?.recipients.filter(({users}) => users.includes(person)).map(({team}) => team) ?? [];
      if (found === undefined || theirs.length === 0) return undefined;
      const {id: member, name} = found.member;
      return {member, name, teams: theirs.slice(0, mostTeams).map(({id, name: of}) => ({id, name: of}))};
    },
  };
}
