import {type Commit, joinCommitParts} from '../../domain/commit/commit.js';
import type {Write} from '../../domain/commit/writes.js';
import type {Call, PrincipalId, RequestContext} from '../../domain/core/access.js';
import {suffixOf, type Id, type IdSuffix, isId, storedId} from '../../domain/core/ids.js';
import {type ListName, lists} from '../../domain/core/lists.js';
import {isFormerMemberId} from '../../domain/imports/import.js';
import type {ServiceContext} from '../core/context.js';
import {listActions} from '../core/kind-rules.js';
import {type Precondition, requireRevision} from '../core/precondition.js';
import {listInvitesTo, planErasureOfAddress, planErasureOfCodeMails} from '../invites/invite-records.js';
import {createTokenLines} from '../tokens/token-lines.js';
import {createMemberRights} from './member-rights.js';
import {createClearUnconfirmedWrites} from './given-names.js';
import {planUniqueNames} from './member-records.js';
import {createUnmarkSlackNameWrites} from './slack-names.js';

/** The maximum number of a member's revisions that are read to find one that is still stored. */
const manyRevisions = 200;

/**
 * Plans the removal of a member. `erasure`: the id suffix of an erasure, if everything the member wrote is
 * removed too. Errors: as `MemberService.deleteMember`.
 */
export function createMemberRemovalPlanner(context: ServiceContext) {
  const {records, authority, kinds, mails} = context;
  const tokenLines = createTokenLines(context);
  const rights = createMemberRights(context);

  /**
   * Returns true if this member has been removed but some of their data is still stored. Lists are found by
   * the second half of the member's id.
   */
  async function hasLeftTraces({workspace, deadline}: Call, id: string): Promise<boolean> {
    if (!isId('member', id)) return false;
    if ((await records.findBySuffix(workspace, suffixOf(id), deadline)) !== undefined) return false;
    const steps = listActions(kinds, 'person').flat();
    const left = [...steps.map(({list}) => list(id)), lists.removedOf(id)];
    const counts = await Promise.all(left.map((list) => records.count(workspace, list, deadline)));
    return counts.some((count) => count > 0) && !(await belongsToAnother({workspace, deadline}, id, left));
  }

  /**
   * Returns true if the data that is found by the second half of this id belongs to another member, or to a
   * service account, whose id has the same second half.
   */
  async function belongsToAnother(
    {workspace, deadline}: RequestContext,
    id: Id<'member'>,
    left: readonly ListName[],
  ): Promise<boolean> {
    const suffix = suffixOf(id);
    const [themselves, ...pages] = await Promise.all([
      records.listRevisions(workspace, suffix, {from: 1, to: manyRevisions}, deadline),
      ...left.map(async (list) => (await records.list(workspace, {list, limit: 1}, deadline)).rows),
    ]);
    const whole = new RegExp(`"[a-z]+_[0-9a-z]{10}${suffix}"`, 'g');
    const candidates = [...themselves, ...pages.flat().map(({json}) => json)];
    // People may write any id into a name or into metadata. A record belongs to the member only if it
    // contains this very id.
    return candidates.some((json) => json.match(whole)?.includes(`"${id}"`) === false);
  }

  async function planErasureOfTraces(call: Call, id: string, suffix: IdSuffix<'erasure'>): Promise<Commit> {
    const guards = await authority.requireAdmin(call, 'remove members');
    const member = storedId<'member'>(id);
    const {writes, reply} = createErasurePart(member, suffix, 0);
    return {effect: 'release', guards, writes: [...writes, ...createBarWrites(member)], events: [], reply};
  }

  /** After this commit no caller can act as the member. A job clears the member's data later. */
  return async function planRemoval(
    call: Call,
    reference: string,
    erasure: IdSuffix<'erasure'> | undefined,
    expected?: Precondition,
  ): Promise<Commit> {
    const erase = erasure !== undefined;
    // The right is checked first: the search for traces takes long, and its duration could reveal that a
    // member existed.
    if (erase) await authority.requireAdmin(call, 'remove members');
    if (erase && (await hasLeftTraces(call, reference))) return planErasureOfTraces(call, reference, erasure);
    const member = await rights.requireTarget(call, reference, 'remove members');
    const {id} = member;
    const proof = await rights.requireManager(call, [member.role], 'remove members');
    requireRevision(expected, member.revision);
    const lastOwner = member.role === 'owner' ? [await rights.guardLastOwner(call, 'removed')] : [];
    const tokens = await tokenLines.planRevocationOf(call, id, erase ? 'erase' : 'gone');
    const suffix = suffixOf(id);
    const email = erase ? member.email : null;
    const invites = email === null ? [] : await listInvitesTo(records, call, email);
    const codeMails = email === null ? [] : await planErasureOfCodeMails(mails, call, email);
    const uninvited = joinCommitParts(invites.map(planErasureOfAddress));
    const revoked = tokens.writes.filter((write) => write.do === 'admit-token').length;
    const {writes, reply} = erase
      ? createErasurePart(id, erasure, revoked)
      : {
          writes: [{do: 'begin-work', work: {kind: 'forget-member', member: id, erase}} as const],
          reply: {kind: 'empty'} as const,
        };
    return {
      effect: 'release',
      guards: [...proof, ...lastOwner, ...tokens.guards],
      writes: [
        {
          do: 'remove',
          how: erase ? 'erase' : 'remove',
          id,
          from: member.revision,
          lists: [lists.members(), lists.membersOfRole(member.role)],
          names: [id],
        },
        ...planUniqueNames(member, undefined, suffix).writes,
        {do: 'drop-drafts', member: id, of: 'all'},
        {do: 'drop-inbox', member: id},
        {do: 'drop-slack-status', member: id},
        ...createClearUnconfirmedWrites(suffix),
        ...createUnmarkSlackNameWrites(member, undefined, suffix),
        ...tokens.writes,
        ...uninvited.writes,
        ...codeMails,
        ...writes,
      ],
      events: [
        ...tokens.events,
        ...uninvited.events,
        {type: 'member.left', about: suffix, revision: member.revision},
      ],
      reply,
    };
  };
}

/** Returns the writes after which no import brings a former member back, who has no record. */
function createBarWrites(member: Id<'member'>): Write[] {
  if (!isFormerMemberId(member)) return [];
  const suffix = suffixOf(member);
  return [{do: 'name', names: 'imported', name: suffix, suffix}];
}

/** Returns the job that erases a member, and the record that shows the progress. */
function createErasurePart(
  member: PrincipalId,
  erasure: IdSuffix<'erasure'>,
  revoked: number,
): Pick<Commit, 'writes' | 'reply'> {
  return {
    writes: [
      {do: 'begin-work', work: {kind: 'forget-member', member, erase: true, erasure}},
      {do: 'start-erasure', suffix: erasure, member, revoked},
    ],
    reply: {kind: 'erasure', erasure},
  };
}
