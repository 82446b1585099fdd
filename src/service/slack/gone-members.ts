import type {RequestContext} from '../../domain/core/access.js';
import {type Id, suffixOf, storedSuffix} from '../../domain/core/ids.js';
import {lists} from '../../domain/core/lists.js';
import type {LogEntry} from '../../domain/events/event.js';
import type {GoneMember} from '../../domain/slack/notice-content.js';
import {listRecords} from '../core/paging.js';
import type {ServiceContext} from '../core/context.js';
import {listMembershipsOf} from '../core/memberships.js';
import {isDeactivationAbsence} from '../absences/gone-from-slack.js';

/** Returns true for an event about a deactivated Slack account; its actor is `slackDoorkeeper`. */
export function reportsDeactivation({type, actor}: LogEntry): boolean {
  return type === 'absence.created' && actor?.type === 'system' && actor.source === 'slack';
}

/** The maximum number of recipients, and of teams in one message. */
const [maxRecipients, mostTeams] = [90, 5];
const maxRead = 1_000;

/** Finds the people in Slack, by their Slack ids, who can act for a team or for the workspace. */
export function createResponsiblePeopleFinder({records}: ServiceContext) {
  /** Returns the owners and admins, owners first. `except`: the id of a member who is left out. */
  async function findAdmins(call: RequestContext, except?: string): Promise<string[]> {
    const found = await Promise.all(
      (['owner', 'admin'] as const).map((role) =>
        listRecords(records, call, {list: lists.membersOfRole(role), limit: maxRead}),
      ),
    );
    const users = found.flat().flatMap(({id, slack_user_id: user}) => (id === except ? [] : (user ?? [])));
    return users.slice(0, maxRecipients);
  }

  /** Returns the team's leads. Without a team, or if no lead is in Slack, returns the owners and admins. */
  async function findResponsiblePeople(call: RequestContext, team: Id<'team'> | undefined, except?: string) {
    const query = team && {list: lists.teamMembers(team), limit: maxRead};
    const memberships = query === undefined ? [] : await listRecords(records, call, query);
    const leads = memberships.filter(({role, member}) => role === 'lead' && member.id !== except);
    const found = await Promise.all(
      leads
        .slice(0, maxRecipients)
        .map(({member}) => records.findBySuffix(call.workspace, suffixOf(member.id), call.deadline)),
    );
    const users = found.flatMap((lead) => lead?.slack_user_id ?? []);
    return users.length > 0 ? users : findAdmins(call, except);
  }

  return {findAdmins, findResponsiblePeople};
}

/** Finds the people to tell that a member's Slack account is deactivated, each with their teams. */
export function createGoneMembers(context: ServiceContext) {
  const {records, teams} = context;
  const {findResponsiblePeople} = createResponsiblePeopleFinder(context);

  /** Returns the deactivated member; undefined if active again, or no longer a member. */
  async function findGoneMember(call: RequestContext, {about}: LogEntry) {
    const {workspace, deadline} = call;
    const absence = await records.findBySuffix(workspace, storedSuffix<'absence'>(about), deadline);
    if (absence === undefined || !isDeactivationAbsence(absence)) return undefined;
    const [memberships, {byReference}] = await Promise.all([
      listMembershipsOf(records, call, absence.member.id),
      teams.all({workspace, deadline}),
    ]);
    const theirs = memberships.flatMap(({team_id: id}) => byReference(id) ?? []);
    const recipients = await Promise.all(
      theirs.map(async (team) => ({
        team,
        users: await findResponsiblePeople(call, team.id, absence.member.id),
      })),
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
    /** Returns the message for one of them; undefined if it is not true any more, or they cannot act. */
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
