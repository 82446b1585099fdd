// The e-mail address and the Slack user of a member let somebody in as that member. An admin may give both to a
// member, but not the rights of an owner: these names let nobody in as an owner before an owner has confirmed them.
import type {Write} from '../../domain/commit/writes.js';
import type {Call, Reader} from '../../domain/core/access.js';
import {AppError} from '../../domain/core/errors.js';
import {drawnPart, type IdSuffix} from '../../domain/core/ids.js';
import type {Draft} from '../../domain/core/resource.js';
import type {Member} from '../../domain/workspaces/workspace.js';
import type {Records} from '../../store/core/records.js';
import type {Authority} from '../core/authority.js';
import {type MemberChange, memberNames} from './member-records.js';

interface GivenNames {
  readonly before: Member | undefined;
  readonly after: Draft<Member>;
  readonly change: MemberChange;
  readonly drawn: IdSuffix<'member'>;
}

/** `unconfirmed`: somebody below an owner has given them a name at some time before this change. */
export type PlanGivenNames = (
  call: Call,
  names: GivenNames,
) => Promise<{readonly writes: readonly Write[]; readonly unconfirmed: boolean}>;

export function createPlanGivenNames({
  records,
  authority,
}: {
  readonly records: Pick<Records, 'findName'>;
  readonly authority: Pick<Authority, 'findStanding'>;
}): PlanGivenNames {
  return async function planGivenNames(call, {before, after, change, drawn}) {
    const gives = memberNames.some(
      ({member}) => after[member] !== null && after[member] !== before?.[member],
    );
    if (!gives && after.role !== 'owner') return {writes: [], unconfirmed: false};
    const [standing, found] = await Promise.all([
      authority.findStanding(call),
      before && records.findName(call.workspace, 'unconfirmed', drawn, call.deadline),
    ]);
    const unconfirmed = found !== undefined;
    if (standing !== 'owner' && standing !== 'operator') {
      return {writes: gives ? giveNameWrites(drawn) : [], unconfirmed};
    }
    const isNamed = memberNames.every(({member}) => after[member] === null || change[member] !== undefined);
    const confirms = unconfirmed && after.role === 'owner' && (isNamed || standing === 'operator');
    return {writes: confirms ? confirmWrites(drawn) : [], unconfirmed};
  };
}

/** Somebody below an owner has given a member a name. */
export function giveNameWrites(drawn: IdSuffix<'member'>): Write[] {
  return [{do: 'name', names: 'unconfirmed', name: drawn, drawn}];
}

/** The names of a member count again, or are gone with the member. */
export function confirmWrites(drawn: IdSuffix<'member'>): Write[] {
  return [{do: 'free-name', names: 'unconfirmed', name: drawn, drawn}];
}

/** True for an owner whom neither an e-mail address nor a Slack user may let in. */
export async function isUnconfirmed(
  records: Pick<Records, 'findName'>,
  {workspace, deadline}: Reader,
  {id, role}: Pick<Member, 'id' | 'role'>,
): Promise<boolean> {
  if (role !== 'owner') return false;
  return (await records.findName(workspace, 'unconfirmed', drawnPart(id), deadline)) !== undefined;
}

/** The refusal of a Slack user that is unconfirmed. */
export function unconfirmedSlackUser(): AppError {
  return new AppError(
    'forbidden',
    'You are an owner now, and your Slack user was linked by somebody who is no owner. Another owner confirms it by PATCH /v1/members/{member} with `role`, `email` and `slack_user_id`.',
    {reason: 'unconfirmed_name'},
  );
}
