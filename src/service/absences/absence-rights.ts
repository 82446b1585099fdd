import type {Absence} from '../../domain/absences/absence.js';
import type {Guard} from '../../domain/commit/commit.js';
import type {Call, Principal} from '../../domain/core/access.js';
import {AppError, fieldError} from '../../domain/core/errors.js';
import {requireTeamAtPointer, type Team} from '../../domain/teams/team.js';
import type {Member} from '../../domain/workspaces/workspace.js';
import type {ServiceContext} from '../core/context.js';
import {describeUnknownMember, findReferredMember, isMemberReferredAs} from '../core/member-references.js';
import type {Proof} from '../core/authority.js';

export function createAbsenceRights({records, teams, authority}: ServiceContext) {
  /** Finds a team by id or slug. Errors: `team_not_found`. */
  async function requireTeam(call: Call, reference: string): Promise<Team> {
    const directory = await teams.of(call);
    return requireTeamAtPointer('#/team', directory, reference, call);
  }

  /**
   * Finds the member whose absence a call enters. The caller's right is checked first, so that a
   * refusal does not reveal which members exist.
   */
  async function requireMember(
    call: Call,
    reference: string | undefined,
    team: string | null,
  ): Promise<{member: Member; proof: Proof}> {
    const {principal, workspace, deadline} = call;
    const self =
      principal.type === 'member' ? await records.find(workspace, principal.id, deadline) : undefined;
    if (self !== undefined && (reference === undefined || isMemberReferredAs(self, reference)))
      return {member: self, proof: [createMemberUnchangedGuard(self)]};
    if (reference === undefined) {
      const detail =
        '`member` must name the absent member, by id, e-mail address or Slack user, such as "ada@example.com": a service account has no absences of its own.';
      throw fieldError('validation_failed', '#/member', detail);
    }
    const found = await findReferredMember(records, call, reference);
    const proof = await requireMayEnter(call, found, [team]);
    if (found !== undefined) return {member: found, proof: [...proof, createMemberUnchangedGuard(found)]};
    const detail = await describeUnknownMember(records, call, reference);
    throw fieldError('validation_failed', '#/member', `\`member\` must name a member. ${detail}`);
  }

  /**
   * Checks that a caller may enter another member's absence: owners and admins may, and a lead may if the
   * absence applies only to teams of the lead. `about`: ids or slugs of those teams before and after the
   * change; null for all teams.
   */
  async function requireMayEnter(
    call: Call,
    member: Pick<Member, 'id' | 'name'> | undefined,
    about: readonly (string | null)[],
  ): Promise<Proof> {
    const {role, proof} = await authority.prove(call);
    if (role !== 'member') return proof;
    const {byReference} = await teams.of(call);
    const rights = about.map(async (reference) => {
      const team = reference === null ? undefined : byReference(reference);
      if (team === undefined) throw createNotOwnAbsenceError();
      const lead = await authority.requireLead(call, team, theirs);
      const membership =
        member && (await records.findMembership(call.workspace, team.id, member.id, call.deadline));
      if (member === undefined || membership === undefined) throw createNotOwnAbsenceError();
      return [...lead, ...(await authority.requireAccepted(call, team, member))];
    });
    return (await Promise.all(rights)).flat();
  }

  /** Finds a team in which this member is. Errors: `team_not_found`, `validation_failed`. */
  async function requireOwnTeam(call: Call, reference: string, member: Principal): Promise<Team> {
    const team = await requireTeam(call, reference);
    const membership = await records.findMembership(call.workspace, team.id, member.id, call.deadline);
    if (membership !== undefined) return team;
    const detail = `\`team\` must be one that the absent is in: ${member.name} is not in the team "${team.slug}". Leave it out for all teams.`;
    throw fieldError('validation_failed', '#/team', detail);
  }

  /** Checks that a caller may change an absence. `to`: the absence's new team, if it changes. */
  async function requireChangeable(call: Call, {member, team_id: team}: Absence, to: string | null = team) {
    return call.principal.id === member.id ? [] : requireMayEnter(call, member, [...new Set([team, to])]);
  }

  return {requireMember, requireChangeable, requireTeam, requireOwnTeam};
}

const theirs = {
  detail:
    'Only the member, or an owner or admin of the workspace, can create or change an absence. A lead can do it for the team they lead: with its name in `team`, if the member has accepted their membership.',
  reason: 'enter_absence',
} as const;

function createNotOwnAbsenceError(): AppError {
  return new AppError('forbidden', theirs.detail, {reason: theirs.reason});
}

function createMemberUnchangedGuard({id, revision}: Member): Guard {
  return {check: 'revision', id, revision};
}
