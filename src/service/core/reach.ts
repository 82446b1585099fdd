import type {Access, PrincipalReference, RequestContext} from '../../domain/core/access.js';
import {isId} from '../../domain/core/ids.js';
import type {Reach} from '../../domain/teams/team.js';
import type {Records} from '../../store/core/records.js';
import {listRolesOf} from './memberships.js';

/**
 * A reader with the right by which it reads: its principal, and the scopes of its token. Without a principal: a
 * person of Slack who is no member yet.
 */
export interface TeamReader extends RequestContext, Pick<Access, 'scopes'> {
  readonly principal: PrincipalReference | undefined;
}

/**
 * Returns which private teams a reader may see. Members see those that they are in, whatever their role there;
 * owners and admins see all. Service accounts, also those of the operator and of jobs, see all with the scope
 * `teams:private`, and otherwise none. Roles and memberships are read at every use, so changes apply at once.
 */
export async function findReach(records: Records, {principal, scopes, ...asked}: TeamReader): Promise<Reach> {
  if (principal === undefined) return new Set();
  const {type, id} = principal;
  if (type !== 'member') return scopes.has('teams:private') ? 'all' : new Set();
  // A person of Slack who is no member yet has an empty id.
  if (!isId('member', id)) return new Set();
  const [member, roles] = await Promise.all([
    records.find(asked.workspace, id, asked.deadline),
    listRolesOf(records, asked, id),
  ]);
  if (member === undefined) return new Set();
  return member.role === 'member' ? new Set(roles.keys()) : 'all';
}
