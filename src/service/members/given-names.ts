// The e-mail address and the Slack user of a member let a person sign in as that member. An admin may set
// both, but must not gain the rights of an owner: set by an admin, they do not sign in an owner until an
// owner has confirmed them.
import type {Write} from '../../domain/commit/writes.js';
import type {Call, RequestContext} from '../../domain/core/access.js';
import {AppError} from '../../domain/core/errors.js';
import {suffixOf, type IdSuffix} from '../../domain/core/ids.js';
import type {Draft} from '../../domain/core/resource.js';
import type {Member} from '../../domain/workspaces/workspace.js';
import type {Records} from '../../store/core/records.js';
import type {Authority} from '../core/authority.js';
import {type MemberChange, memberNames} from './member-records.js';

interface GivenNames {
  readonly before: Member | undefined;
  readonly after: Draft<Member>;
  readonly change: MemberChange;
  readonly suffix: IdSuffix<'member'>;
}

/** `unconfirmed`: a caller below an owner set one of these names before this change. */
export type PlanGivenNames = (
  call: Call,
  names: GivenNames,
) => Promise<{readonly writes: readonly Write[]; readonly unconfirmed: boolean}>;

export function createPlanUnconfirmedNames({
  records,
  authority,
}: {
  readonly records: Pick<Records, 'findName'>;
  readonly authority: Pick<Authority, 'findRole'>;
}): PlanGivenNames {
  return async function planGivenNames(call, {before, after, change, suffix}) {
    const gives = memberNames.some(
      ({member}) => after[member] !== null && after[member] !== before?.[member],
    );
    if (!gives && after.role !== 'owner') return {writes: [], unconfirmed: false};
    const [role, found] = await Promise.all([
      authority.findRole(call),
      before && records.findName(call.workspace, 'unconfirmed', suffix, call.deadline),
    ]);
    const unconfirmed = found !== undefined;
    if (role !== 'owner' && role !== 'operator') {
      return {writes: gives ? markUnconfirmedWrites(suffix) : [], unconfirmed};
    }
    const isNamed = memberNames.every(({member}) => after[member] === null || change[member] !== undefined);
    const confirms = unconfirmed && after.role === 'owner' && (isNamed || role === 'operator');
    return {writes: confirms ? clearUnconfirmedWrites(suffix) : [], unconfirmed};
  };
}

/** Marks that a caller below an owner set a name of the member. */
export function markUnconfirmedWrites(suffix: IdSuffix<'member'>): Write[] {
  return [{do: 'name', names: 'unconfirmed', name: suffix, suffix}];
}

/** The names of a member are valid again, or are gone with the member. */
export function clearUnconfirmedWrites(suffix: IdSuffix<'member'>): Write[] {
  return [{do: 'free-name', names: 'unconfirmed', name: suffix, suffix}];
}

/** True for an owner who may not sign in by e-mail address or Slack user. */
export async function isUnconfirmed(
  records: Pick<Records, 'findName'>,
  {workspace, deadline}: RequestContext,
  {id, role}: Pick<Member, 'id' | 'role'>,
): Promise<boolean> {
  if (role !== 'owner') return false;
  return (await records.findName(workspace, 'unconfirmed', suffixOf(id), deadline)) !== undefined;
}

export function unconfirmedSlackUser(): AppError {
  return new AppError(
    'forbidden',
    'You are an owner now, and your Slack user was linked by a member who is not an owner. Another owner confirms it by PATCH /v1/members/{member} with `role`, `email` and `slack_user_id`.',
    {reason: 'unconfirmed_name'},
  );
}
