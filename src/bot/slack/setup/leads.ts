import {parseWire} from '../../../domain/core/resource.js';
import type {Call, Caller} from '../../../domain/core/access.js';
import {AppError} from '../../../domain/core/errors.js';
import {deadlines} from '../../../domain/core/limits.js';
import type {Team, TeamRole} from '../../../domain/teams/team.js';
import type {SlackContext} from '../core/context.js';
import {isInTeam, type PeopleDeps} from './people.js';
import type {SettingsMemo} from './settings-view.js';
import {maxPeople, type TeamForm} from './team-form.js';
import type {Id} from '../../../domain/core/ids.js';

/** The leads of a team. */
export interface Leads {
  /** The leads' Slack ids. */
  readonly inSlack: readonly string[];
  /** True if the team has further leads who are not in Slack. */
  readonly elsewhere: boolean;
}

const pageSize = 100;
/**
 * The maximum number of people who are searched for leads. In a bigger team, leads are appointed by the API.
 */
const looksAt = 1_000;

/** Finds the leads of a team; undefined if there are too many to show, or the team is too big to search. */
export async function findLeads(
  {teamMembers, members}: Pick<SlackContext['services'], 'teamMembers' | 'members'>,
  access: Caller,
  team: Pick<Team, 'id'>,
): Promise<Leads | undefined> {
  const found: string[] = [];
  let past: number | undefined;
  for (let seen = 0; ; seen += pageSize) {
    if (seen >= looksAt) return undefined;
    const {rows, next} = await teamMembers.listTeamMembers(access, team.id, {past, limit: pageSize});
    const memberships = rows.map(parseWire);
    found.push(...memberships.filter(({role}) => role === 'lead').map(({member}) => member.id));
    if (next === undefined) break;
    past = next;
  }
  if (found.length > maxPeople) return undefined;
  const people = await Promise.all(found.map((id) => members.findMember(access, id)));
  return {
    inSlack: people.flatMap(({slack_user_id: user}) => user ?? []),
    elsewhere: people.some(({slack_user_id: user}) => user === null),
  };
}

/**
 * Compares leads before and after: returns new leads, and people who are no longer leads. People that the
 * form removes from the team are left out.
 */
export function compareLeads(
  {leads}: Pick<TeamForm, 'leads'>,
  {leads: before, ledElsewhere}: Pick<SettingsMemo, 'leads' | 'ledElsewhere'>,
  remove: readonly string[],
): {readonly lead: readonly string[]; readonly unlead: readonly string[]; readonly hasNoLead: boolean} {
  if (leads === undefined || before === undefined) return {lead: [], unlead: [], hasNoLead: false};
  const wanted = leads.filter((id) => !remove.includes(id));
  return {
    lead: wanted.filter((id) => !before.includes(id)),
    unlead: before.filter((id) => !wanted.includes(id) && !remove.includes(id)),
    hasNoLead: before.length > 0 && wanted.length === 0 && !ledElsewhere,
  };
}

/** True if all of these people (Slack ids) are in a team. */
export async function areInTeam(
  deps: PeopleDeps,
  call: Call,
  team: Id<'team'>,
  users: readonly string[],
): Promise<boolean> {
  const found = await Promise.all(
    users.map(async (user) => {
      const member = await deps.services.people.findSlackMember(call, user);
      return member !== undefined && isInTeam(deps, call, {id: team}, member.id);
    }),
  );
  return !found.includes(false);
}

/**
 * Gives people of a team a role. Returns the Slack ids of people for whom that failed. A person who has left
 * the team, or has the role already, counts as done.
 */
export async function setRole(
  {services, log}: PeopleDeps,
  call: Call,
  team: Pick<Team, 'id'>,
  users: readonly string[],
  role: TeamRole,
): Promise<string[]> {
  const failed = await Promise.all(
    users.map(async (user) => {
      const own = {...call, deadline: performance.now() + deadlines.job};
      try {
        const member = await services.people.findSlackMember(own, user);
        if (member === undefined) return [];
        const membership = await services.teamMembers.findTeamMember(own, team.id, member.id);
        if (membership.role !== role) await services.teamMembers.setTeamMember(own, team.id, member.id, role);
        return [];
      } catch (error) {
        const code = error instanceof AppError ? error.code : 'internal_error';
        if (code === 'not_found') return [];
        log.warn({code}, 'could not change a lead of a team');
        return [user];
      }
    }),
  );
  return failed.flat();
}
