import type {NamedKinds, NameSpace} from '../../domain/commit/writes.js';
import {type PrincipalId, type RequestContext, requireScope, type Viewer} from '../../domain/core/access.js';
import {AppError, createParameterError} from '../../domain/core/errors.js';
import {type Id, isId, suffixOf} from '../../domain/core/ids.js';
import {lists} from '../../domain/core/lists.js';
import {
  createEmailComparisonKey,
  findNearMatches,
  formatSuggestions,
  quoteForMessage,
} from '../../domain/core/text.js';
import type {RecordOf} from '../../domain/records.js';
import type {Member} from '../../domain/workspaces/workspace.js';
import type {Records} from '../../store/core/records.js';
import {listRecords} from './paging.js';

/** Returns the key under which a name is unique. */
export function createNameKey(names: NameSpace, name: string): string {
  return names === 'email' ? createEmailComparisonKey(name) : name;
}

/** Finds the member with an e-mail address, however it is spelt. */
export function findByAddress(
  records: Records,
  asked: RequestContext,
  address: string,
): Promise<Member | undefined> {
  return findByUniqueName(records, asked, 'email', createNameKey('email', address));
}

export async function findByUniqueName<N extends NameSpace>(
  records: Records,
  {workspace, deadline}: RequestContext,
  names: N,
  name: string,
): Promise<RecordOf<NamedKinds[N]> | undefined> {
  const suffix = await records.findName(workspace, names, name, deadline);
  return suffix === undefined ? undefined : records.findBySuffix(workspace, suffix, deadline);
}

const slackUser = /^[UW][A-Z0-9]{2,20}$/;

/**
 * Finds the member with an id, a Slack user or an e-mail address, or `me`. Errors: `insufficient_scope` for
 * anything but an id if the caller may not read members.
 */
export async function findReferredMember(
  records: Records,
  asked: Viewer,
  reference: string,
): Promise<Member | undefined> {
  if (reference === 'me') {
    const {workspace, principal, deadline} = asked;
    return principal?.type === 'member' ? records.find(workspace, principal.id, deadline) : undefined;
  }
  if (isId('member', reference)) return records.find(asked.workspace, reference, asked.deadline);
  const found = slackUser.test(reference)
    ? await findByUniqueName(records, asked, 'slack-user', reference)
    : await findByAddress(records, asked, reference);
  const {principal, scopes} = asked;
  // Only callers who may read members, and the person themselves, learn whether a name exists.
  if (scopes !== undefined && found?.id !== principal?.id) requireScope({scopes}, 'members:read');
  return found;
}

const isAddressOf = (reference: string, email: string | null): boolean =>
  email !== null && createEmailComparisonKey(reference) === createEmailComparisonKey(email);

/** True if a member is the one with this id, Slack user or e-mail address, or `me`. */
export function isMemberReferredAs({id, slack_user_id, email}: Member, reference: string): boolean {
  return (
    reference === 'me' || reference === id || reference === slack_user_id || isAddressOf(reference, email)
  );
}

/** Finds a member by id, e-mail address, Slack user or `me`. Errors: as `findReferredMember`, `not_found`. */
export async function requireMember(records: Records, access: Viewer, reference: string): Promise<Member> {
  const member = await findReferredMember(records, access, reference);
  if (member !== undefined) return member;
  throw new AppError('not_found', await describeUnknownMember(records, access, reference));
}

/**
 * Returns the member's id for a filter. A reference that is an id may belong to no one. Only callers who may
 * read members learn whether an address belongs to a member. Errors: `invalid_parameter`,
 * `insufficient_scope`.
 */
export async function resolveMember(
  records: Records,
  access: Viewer,
  reference: string | undefined,
  parameter = 'member',
): Promise<Id<'member'> | undefined> {
  if (reference === undefined || isId('member', reference)) return reference;
  const {principal, scopes} = access;
  if (reference === 'me' && principal?.type === 'member') return principal.id;
  if (scopes !== undefined) requireScope({scopes}, 'members:read');
  const member = await findReferredMember(records, access, reference);
  if (member !== undefined) return member.id;
  throw createParameterError(
    parameter,
    `\`${parameter}\` must name a member. ${await describeUnknownMember(records, access, reference)}`,
  );
}

/** Returns the id of an author for a filter. An author may also be a service account. */
export async function resolveAuthor(
  records: Records,
  access: Viewer,
  reference: string | undefined,
): Promise<PrincipalId | undefined> {
  if (reference !== undefined && isId('service_account', reference)) return reference;
  if (reference === 'me' && access.principal !== undefined) return access.principal.id;
  return resolveMember(records, access, reference, 'author');
}

/** Returns the error for a reference to no member, with suggestions if the caller may read members. */
export async function describeUnknownMember(
  records: Records,
  access: Viewer,
  reference: string,
): Promise<string> {
  const named = 'a member is named by id (mem_…), e-mail address, Slack user (U…) or "me".';
  if (reference === 'me') return `"me" is a service account here, and no member: ${named}`;
  const hint = isId('member', reference) ? '' : await findSimilarMembers(records, access, reference);
  return `There is no member ${quoteForMessage(reference)} in this workspace: ${named}${hint}`;
}

/** The number of newest members that are searched for a suggestion. */
const maxRead = 500;

/** Returns members with a similar name or address, each with a reference that is theirs alone. */
async function findSimilarMembers(records: Records, access: Viewer, reference: string): Promise<string> {
  if (access.scopes?.has('members:read') !== true) return '';
  const members = await listRecords(records, access, {list: lists.members(), limit: maxRead});
  const byTerm = new Map<string, string>();
  for (const {id, name, email} of members) {
    const [local = ''] = (email ?? '').split('@');
    for (const term of [name, email ?? '', local])
      if (term !== '') byTerm.set(term.toLowerCase(), email ?? id);
  }
  const exact = byTerm.get(reference.toLowerCase());
  const near = findNearMatches(reference, [...byTerm.keys()]).flatMap((term) => byTerm.get(term) ?? []);
  return formatSuggestions(exact === undefined ? [...new Set(near)] : [exact]);
}

/** True if someone else may have signed in as this member, by an address, a Slack user or an invite. */
export async function isUnconfirmed(
  records: Records,
  {workspace, deadline}: RequestContext,
  id: Id<'member'>,
): Promise<boolean> {
  return (await records.findName(workspace, 'unconfirmed', suffixOf(id), deadline)) !== undefined;
}

/** True for an owner who may not sign in by e-mail address or Slack user until an owner confirms them. */
export async function isUnconfirmedOwner(
  records: Records,
  asked: RequestContext,
  {id, role}: Pick<Member, 'id' | 'role'>,
): Promise<boolean> {
  return role === 'owner' && isUnconfirmed(records, asked, id);
}
