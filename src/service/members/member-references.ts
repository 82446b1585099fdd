import {parseWire} from '../../domain/core/resource.js';
import {type PrincipalId, requireScope, type Viewer} from '../../domain/core/access.js';
import {createParameterError} from '../../domain/core/errors.js';
import {type Id, isId} from '../../domain/core/ids.js';
import {lists} from '../../domain/core/lists.js';
import {findNearMatches, quoteForMessage, formatSuggestions} from '../../domain/core/text.js';
import {findReferredMember} from './member-records.js';
import type {Records} from '../../store/core/records.js';

/** Finds members by a reference in a request: an id, an e-mail address, a Slack user, or `me`. */
export interface MemberReferences {
  /**
   * Returns the member's id for a filter. A reference that is an id may belong to nobody. Only callers who
   * may read members learn whether an address belongs to a member. Errors: `invalid_parameter`,
   * `insufficient_scope`.
   */
  resolve: (access: Viewer, reference: string | undefined) => Promise<Id<'member'> | undefined>;
  /** Returns the id of an author for a filter. An author may also be a service account. */
  resolveAuthor: (access: Viewer, reference: string | undefined) => Promise<PrincipalId | undefined>;
  /**
   * Returns the error message for a reference that matches no member. If the caller may read members, it
   * suggests likely ones.
   */
  unknown: (access: Viewer, reference: string) => Promise<string>;
}

/** The number of newest members that are searched for a suggestion. */
const maxRead = 500;

export function createMemberReferences({
  records,
}: {
  readonly records: Pick<Records, 'find' | 'findBySuffix' | 'findName' | 'list'>;
}): MemberReferences {
  /**
   * Returns the members with a similar name or address, each with a reference that belongs to no other
   * member.
   */
  async function findSimilarMembers(
    {workspace, scopes, deadline}: Viewer,
    reference: string,
  ): Promise<string> {
    if (scopes?.has('members:read') !== true) return '';
    const {rows} = await records.list(workspace, {list: lists.members(), limit: maxRead}, deadline);
    const members = rows.map(({json}) => parseWire(json));
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

  async function createUnknownMemberMessage(access: Viewer, reference: string): Promise<string> {
    const named = 'a member is named by id (mem_…), e-mail address, Slack user (U…) or "me".';
    if (reference === 'me') return `"me" is a service account here, and no member: ${named}`;
    const hint = isId('member', reference) ? '' : await findSimilarMembers(access, reference);
    return `There is no member ${quoteForMessage(reference)} in this workspace: ${named}${hint}`;
  }

  async function resolveMember(access: Viewer, reference: string | undefined, parameter = 'member') {
    if (reference === undefined || isId('member', reference)) return reference;
    const {principal, scopes} = access;
    if (reference === 'me' && principal?.type === 'member') return principal.id;
    if (scopes !== undefined) requireScope({scopes}, 'members:read');
    const member = await findReferredMember(records, access, reference);
    if (member !== undefined) return member.id;
    throw createParameterError(
      parameter,
      `\`${parameter}\` must name a member. ${await createUnknownMemberMessage(access, reference)}`,
    );
  }

  return {
    resolve: (access, reference) => resolveMember(access, reference),
    async resolveAuthor(access, reference) {
      if (reference !== undefined && isId('service_account', reference)) return reference;
      if (reference === 'me' && access.principal !== undefined) return access.principal.id;
      return resolveMember(access, reference, 'author');
    },
    unknown: createUnknownMemberMessage,
  };
}
