import {type CommitPart, nothing} from '../../domain/commit/commit.js';
import {reviseWrite} from '../../domain/commit/writes.js';
import type {Call} from '../../domain/core/access.js';
import {type Id, suffixOf} from '../../domain/core/ids.js';
import {type Draft, toDraft} from '../../domain/core/resource.js';
import {createEmailComparisonKey} from '../../domain/core/text.js';
import type {EmailStatus, Member} from '../../domain/workspaces/workspace.js';
import type {ServiceContext} from './context.js';

/** Returns a changed member with the status of their address: a new address is not proven. */
export function updateEmailStatus(before: Draft<Member>, after: Draft<Member>): Draft<Member> {
  const fresh = after.email === null ? null : 'unproven';
  return {...after, email_status: after.email === before.email ? before.email_status : fresh};
}

/** Plans a new status of an address, at most one write; none if it is no more that of the member. */
export function planEmailStatus(
  member: Member,
  email: string,
  status: EmailStatus,
): Pick<CommitPart, 'writes' | 'events'> {
  const isTheirs =
    member.email !== null && createEmailComparisonKey(member.email) === createEmailComparisonKey(email);
  if (!isTheirs || member.email_status === status) return nothing;
  return {
    writes: [reviseWrite(member, {...toDraft(member), email_status: status})],
    events: [{type: 'member.updated', about: suffixOf(member.id), revision: member.revision + 1}],
  };
}

/** Records that a member has read a mail to this address. */
export function createAddressProver({mutate, records}: ServiceContext) {
  return async function proveAddress(call: Call, id: Id<'member'>, email: string): Promise<void> {
    await mutate(call, async () => {
      const member = await records.find(call.workspace, id, call.deadline);
      const plan = member === undefined ? nothing : planEmailStatus(member, email, 'proven');
      return {guards: [], ...plan, reply: {kind: 'empty'}};
    });
  };
}
