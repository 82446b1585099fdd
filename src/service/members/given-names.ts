// A person can sign in as a member with the member's e-mail address or Slack user. An admin may set both, but
// must not gain an owner's rights by that. If an admin has set them for an owner, no one can sign in with
// them until an owner confirms them.
import type {Write} from '../../domain/commit/writes.js';
import type {Call} from '../../domain/core/access.js';
import {AppError} from '../../domain/core/errors.js';
import type {IdSuffix} from '../../domain/core/ids.js';
import type {Draft} from '../../domain/core/resource.js';
import type {Member} from '../../domain/workspaces/workspace.js';
import {type MemberChange} from '../../domain/workspaces/workspace.js';
import type {ServiceContext} from '../core/context.js';
import {isUnconfirmed} from '../core/member-references.js';
import {memberNames} from './member-records.js';

interface GivenNames {
  readonly before: Member | undefined;
  readonly after: Draft<Member>;
  readonly change: MemberChange;
  readonly suffix: IdSuffix<'member'>;
}

/** Plans the writes for a member's new address or Slack user. */
export function createUnconfirmedNamesPlanner({records, authority}: ServiceContext) {
  return async function planGivenNames(
    call: Call,
    {before, after, change, suffix}: GivenNames,
  ): Promise<readonly Write[]> {
    const gives = memberNames.some(
      ({member}) => after[member] !== null && after[member] !== before?.[member],
    );
    if (!gives && after.role !== 'owner') return [];
    const role = await authority.findRole(call);
    if (role !== 'owner' && role !== 'operator') return gives ? createMarkUnconfirmedWrites(suffix) : [];
    const isNamed = memberNames.every(({member}) => after[member] === null || change[member] !== undefined);
    const mayConfirm = after.role === 'owner' && (isNamed || role === 'operator');
    const confirms = mayConfirm && before !== undefined && (await isUnconfirmed(records, call, before.id));
    return confirms ? createClearUnconfirmedWrites(suffix) : [];
  };
}

/** Returns the writes that record that a caller who is not an owner has set such a name. */
export function createMarkUnconfirmedWrites(suffix: IdSuffix<'member'>): Write[] {
  return [{do: 'name', names: 'unconfirmed', name: suffix, suffix}];
}

/**
 * Returns the writes that remove that record, because an owner has confirmed the address and the Slack user,
 * or because the member is deleted.
 */
export function createClearUnconfirmedWrites(suffix: IdSuffix<'member'>): Write[] {
  return [{do: 'free-name', names: 'unconfirmed', name: suffix, suffix}];
}

export function createUnconfirmedSlackUserError(): AppError {
  return new AppError(
    'forbidden',
    'You are an owner now, and your Slack user was linked by a member who is not an owner. Another owner confirms it by PATCH /v1/members/{member} with `role`, `email` and `slack_user_id`.',
    {reason: 'unconfirmed_name'},
  );
}
