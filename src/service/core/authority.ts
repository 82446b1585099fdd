import {type Caller, operatorId} from '../../domain/core/access.js';
import type {Guard} from '../../domain/commit/commit.js';
import {AppError, type RefusalReason} from '../../domain/core/errors.js';
import type {Team} from '../../domain/teams/team.js';
import type {Member} from '../../domain/workspaces/workspace.js';
import type {ServiceEnvironment} from './environment.js';

/**
 * The role of a caller in a workspace. A service account may do what an admin may, within its scopes; only
 * admins can create tokens for it. The operator runs the service and may do everything.
 */
export type CallerRole = 'operator' | 'owner' | 'admin' | 'service_account' | 'member';

/** Guards that prove a right: a commit with these guards fails if the right no longer exists. */
export type Proof = readonly Guard[];

/** Decides who may do what. Roles are read at every use, so a changed role applies at once. */
export type Authority = ReturnType<typeof createAuthority>;

/** The sentence and the reason with which an action is refused that leads and some other people may do. */
export interface SharedRight {
  readonly detail: string;
  readonly reason: RefusalReason;
}

export function createAuthority({records}: ServiceEnvironment) {
  /** Returns the caller's role, with guards for a commit that depends on this role. Errors: as `findRole`. */
  async function readRole({
    workspace,
    principal,
    deadline,
  }: Caller): Promise<{role: CallerRole; proof: Proof}> {
    if (principal.id === operatorId) return {role: 'operator', proof: []};
    if (principal.type === 'service_account') return {role: 'service_account', proof: []};
    const member = await records.find(workspace, principal.id, deadline);
    if (member === undefined) throw new AppError('invalid_token', 'The holder of the access token is gone.');
    return {
      role: member.role,
      proof: [{check: 'revision', id: member.id, revision: member.revision}],
    };
  }

  return {
    /** Returns the caller's role. Errors: `invalid_token` for a member who has been removed. */
    findRole: async (caller: Caller): Promise<CallerRole> => (await readRole(caller)).role,
    prove: readRole,
    /** Allows owners, admins and service accounts. Errors: `forbidden`. */
    async requireAdmin(caller: Caller, act: string): Promise<Proof> {
      const {role, proof} = await readRole(caller);
      if (role !== 'member') return proof;
      throw new AppError('forbidden', `Only an owner or an admin of the workspace may ${act}.`, {
        reason: 'admin_only',
      });
    },
    /** Allows owners only, for creating, changing or removing an owner. Errors: `forbidden`. */
    async requireOwner(caller: Caller, act: string): Promise<Proof> {
      const {role, proof} = await readRole(caller);
      if (role === 'owner' || role === 'operator') return proof;
      throw new AppError('forbidden', `Only an owner of the workspace may ${act}.`, {reason: 'owner_only'});
    },
    /**
     * Allows the same callers as `requireAdmin`, and the leads of this team. `act` is for the error message:
     * the action, or a whole sentence and a reason if other people may do it too. Errors: `forbidden`.
     */
    async requireLead(caller: Caller, team: Team, act: string | SharedRight): Promise<Proof> {
      const {role, proof} = await readRole(caller);
      if (role !== 'member') return proof;
      const {workspace, principal, deadline} = caller;
      const membership = await records.findMembership(workspace, team.id, principal.id, deadline);
      if (membership?.role === 'lead') {
        return [...proof, {check: 'membership', team: team.id, member: principal.id, is: 'lead'}];
      }
      if (typeof act !== 'string') throw new AppError('forbidden', act.detail, {reason: act.reason});
      throw new AppError(
        'forbidden',
        `Only a lead of the team "${team.slug}", or an owner or admin of the workspace, may ${act}.`,
        {reason: 'lead_only'},
      );
    },
    /** Checks that the member has accepted the membership, so that a lead may act. Errors: `forbidden`. */
    async requireAccepted(
      caller: Caller,
      team: Team,
      {id, name}: Pick<Member, 'id' | 'name'>,
    ): Promise<Proof> {
      const {role} = await readRole(caller);
      if (role !== 'member') return [];
      const membership = await records.findMembership(caller.workspace, team.id, id, caller.deadline);
      if (membership?.accepted === true)
        return [{check: 'membership', team: team.id, member: id, is: 'accepted'}];
      throw new AppError(
        'forbidden',
        `${name} was added to the team "${team.slug}" by a lead and has not accepted it yet. No one can act for them there until they post for it themselves, or an owner or admin adds them to it.`,
        {reason: 'not_accepted'},
      );
    },
  };
}
