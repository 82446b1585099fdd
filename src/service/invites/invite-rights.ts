import type {PrincipalReference, RequestContext} from '../../domain/core/access.js';
import type {Invite} from '../../domain/invites/invite.js';
import type {TeamDirectory} from '../../domain/teams/team.js';
import type {CallerRole, Proof} from '../core/authority.js';
import type {ServiceContext} from '../core/context.js';

/** The role of a maker who may give what an invite gives, and guards for as long as that is so. */
export interface InviteRight {
  readonly role: CallerRole;
  readonly proof: Proof;
}

/**
 * Finds out whether a maker may give what an invite gives, both when it is made and when it is accepted:
 * never more than the maker could give directly. Owners invite members and admins. Admins and service
 * accounts invite members. Leads invite members into teams that they lead, as member or observer, unless the
 * workspace's `leads_invite` is false. The issuer of the maker's token must have that right, too: they may
 * hold the link. Returns undefined for a maker or issuer who may not, or is gone.
 */
export type FindInviteRight = (
  asked: RequestContext,
  invite: Pick<Invite, 'role' | 'teams' | 'created_by' | 'issued_by'>,
  directory: TeamDirectory,
) => Promise<InviteRight | undefined>;

export function createInviteRightFinder({records, workspaces}: ServiceContext): FindInviteRight {
  async function findRightOf(
    {workspace, deadline}: RequestContext,
    maker: PrincipalReference | null,
    {role, teams}: Pick<Invite, 'role' | 'teams'>,
    directory: TeamDirectory,
  ): Promise<InviteRight | undefined> {
    if (maker === null) return {role: 'operator', proof: []};
    const found = await records.find(workspace, maker.id, deadline);
    if (found === undefined) return undefined;
    const proof: Proof = [{check: 'revision', id: found.id, revision: found.revision}];
    if (found.object === 'member' && found.role === 'owner') return {role: 'owner', proof};
    if (role !== 'member') return undefined;
    if (found.object === 'service_account') return {role: 'service_account', proof};
    if (found.role === 'admin') return {role: 'admin', proof};
    const own = await workspaces.find(workspace, deadline);
    if (own?.leads_invite !== true) return undefined;
    const left = teams.filter(({team_id: team}) => directory.byReference(team) !== undefined);
    const memberships = await Promise.all(
      left.map(({team_id: team}) => records.findMembership(workspace, team, found.id, deadline)),
    );
    const leads = left.length > 0 && memberships.every((membership) => membership?.role === 'lead');
    if (!leads || left.some((one) => one.role === 'lead')) return undefined;
    const guards = left.map(
      ({team_id: team}) => ({check: 'membership', team, member: found.id, is: 'lead'}) as const,
    );
    const setting = {check: 'revision', id: own.id, revision: own.revision} as const;
    return {role: 'member', proof: [...proof, setting, ...guards]};
  }

  return async function findInviteRight(asked, invite, directory) {
    const [own, ...others] = await Promise.all(
      [invite.created_by, ...invite.issued_by].map((one) => findRightOf(asked, one, invite, directory)),
    );
    if (own === undefined || others.includes(undefined)) return undefined;
    return {...own, proof: [own, ...others].flatMap((right) => right?.proof ?? [])};
  };
}
