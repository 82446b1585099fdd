import type {Absence, ReasonAudience} from '../../domain/absences/absence.js';
import type {Caller, PrincipalId, RequestContext} from '../../domain/core/access.js';
import type {Id} from '../../domain/core/ids.js';
import type {Team} from '../../domain/teams/team.js';
import type {ServiceContext} from '../core/context.js';
import {listMembershipsOf} from '../core/memberships.js';

/** An absence as a caller may see it. `isWhole` is false if the reason is hidden from the caller. */
export interface ReadAbsence {
  readonly absence: Absence;
  readonly isWhole: boolean;
}

/** Decides who may read a reason when it is written, and later whether a caller may read it. */
export function createAbsenceReasons({records, teams, authority}: ServiceContext) {
  return {
    /**
     * Returns who may read a reason: `team` if every team concerned has chosen that everyone may, else
     * `leads`. These teams are the given team or, without one, all teams whose membership the member has
     * accepted.
     */
    async findAudience(
      access: RequestContext,
      member: PrincipalId,
      team: Pick<Team, 'id'> | undefined,
    ): Promise<ReasonAudience> {
      const [directory, memberships] = await Promise.all([
        teams.all(access),
        team === undefined
          ? listMembershipsOf(records, access, member)
          : [{team_id: team.id, accepted: true}],
      ]);
      const about = memberships
        .filter(({accepted}) => accepted)
        .map(({team_id: id}) => directory.byReference(id));
      const isOpen = about.length > 0 && about.every((one) => one?.absence_reasons === 'team');
      return isOpen ? 'team' : 'leads';
    },
    /** Reads the caller's role once, and returns a function that presents absences to this caller. */
    async createShow(access: Caller): Promise<(absence: Absence) => Promise<ReadAbsence>> {
      const callerRole = await authority.findRole(access);
      const memberships =
        callerRole === 'member' ? await listMembershipsOf(records, access, access.principal.id) : [];
      const led = new Set(memberships.filter(({role}) => role === 'lead').map(({team_id: id}) => id));
      const teamsOf = new Map<PrincipalId, Promise<ReadonlySet<Id<'team'>>>>();

      /** A membership made by a lead alone gives no rights over the member, who first must accept it. */
      async function listTeamsLedBy(member: PrincipalId): Promise<ReadonlySet<Id<'team'>>> {
        const theirs = await listMembershipsOf(records, access, member);
        return new Set(theirs.filter(({accepted}) => accepted).map(({team_id: id}) => id));
      }

      async function maySeeReason({member, team_id: about}: Absence): Promise<boolean> {
        if (callerRole !== 'member' || member.id === access.principal.id) return true;
        if (about !== null && !led.has(about)) return false;
        if (led.size === 0) return false;
        const found = teamsOf.get(member.id) ?? listTeamsLedBy(member.id);
        teamsOf.set(member.id, found);
        const theirs = await found;
        return about === null ? [...led].some((id) => theirs.has(id)) : theirs.has(about);
      }

      return async (absence) => {
        const isOpen = absence.reason === null || absence.reason_for === 'team';
        if (isOpen || (await maySeeReason(absence))) return {absence, isWhole: true};
        return {absence: {...absence, reason: null}, isWhole: false};
      };
    },
  };
}
