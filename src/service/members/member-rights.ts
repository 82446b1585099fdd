import type {Guard} from '../../domain/commit/commit.js';
import type {Call} from '../../domain/core/access.js';
import {AppError} from '../../domain/core/errors.js';
import {lists} from '../../domain/core/lists.js';
import type {Member, MemberRole} from '../../domain/workspaces/workspace.js';
import type {ServiceContext} from '../core/context.js';
import {describeUnknownMember, findReferredMember} from '../core/member-references.js';
import type {Proof} from '../core/authority.js';

export function createMemberRights({records, authority}: ServiceContext) {
  /**
   * Finds a member to be changed. Only callers who may change the member learn whether the reference exists.
   * Errors: `forbidden`, `not_found`.
   */
  async function requireTarget(call: Call, reference: string, act: string): Promise<Member> {
    const member = await findReferredMember(records, call, reference);
    if (member?.id !== call.principal.id) await authority.requireAdmin(call, act);
    if (member === undefined)
      throw new AppError('not_found', await describeUnknownMember(records, call, reference));
    return member;
  }

  /** Checks that the caller may manage members of these roles: for owners, only owners may. */
  function requireManager(call: Call, roles: readonly MemberRole[], act: string): Promise<Proof> {
    return roles.includes('owner')
      ? authority.requireOwner(call, 'make, change or remove an owner')
      : authority.requireAdmin(call, act);
  }

  /** Checks that an owner remains: without one, no member could become one. Errors: `last_owner`. */
  async function guardLastOwner({workspace, deadline}: Call, act: string): Promise<Guard> {
    const list = lists.membersOfRole('owner');
    if ((await records.count(workspace, list, deadline)) > 1) return {check: 'length', list, above: 1};
    throw new AppError(
      'last_owner',
      `This member is the workspace's last owner and cannot be ${act}. Make another member an owner first.`,
    );
  }

  return {requireTarget, requireManager, guardLastOwner};
}
