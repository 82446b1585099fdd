import type {Call} from '../../domain/core/access.js';
import {type Commit, type Guard, joinCommitParts, removeDuplicateGuards} from '../../domain/commit/commit.js';
import {AppError, notFound} from '../../domain/core/errors.js';
import {parseWire} from '../../domain/core/resource.js';
import type {Invite, ShownInvite} from '../../domain/invites/invite.js';
import {parsePass} from '../../domain/tokens/session.js';
import type {Answer} from '../core/answers.js';
import type {ServiceContext} from '../core/context.js';
import {planNothing} from '../core/mutation.js';
import type {PresentInvites} from './invite-presenter.js';
import {type OpenInvites, requireEmailDomain, requireOwnAddress} from './open-invites.js';

/** Creates what members with an account accept invites with. */
export function createAcceptInvite(
  {mutate, records, teams}: ServiceContext,
  {findProven, requireOpen, planMemberships, provesAddress, runInOrder}: OpenInvites,
  present: PresentInvites,
) {
  async function planAcceptance(call: Call, link: string): Promise<Commit> {
    const {workspace, principal, deadline} = call;
    if (principal.type !== 'member')
      throw new AppError('forbidden', 'Only people accept invites. A service account joins no team.');
    const [proven, member] = await Promise.all([
      findProven(link, deadline),
      records.find(workspace, principal.id, deadline),
    ]);
    if (proven?.workspace !== workspace || member === undefined) throw notFound('invite');
    const {invite} = proven;
    if (member.email !== null || !(await provesAddress(call, invite)))
      requireOwnAddress(invite, member.email);
    requireEmailDomain(invite, member.email);
    const {isIn, part: memberships} = await planMemberships(call, invite, member);
    const used = isIn ? planNothing(invite) : await (await requireOpen(call, invite.id)).planUseBy(member.id);
    const [revised] = used.writes;
    const same: Guard = {check: 'revision', id: member.id, revision: member.revision};
    const all = joinCommitParts([used, memberships, {guards: [same]}]);
    return {
      ...all,
      guards: removeDuplicateGuards(all.guards),
      reply: revised?.do === 'revise' ? {kind: 'resource', of: revised} : planNothing(invite).reply,
    };
  }

  /**
   * Adds a member to the teams of an invite, which changes no role that they have. Uses nothing up if they
   * are in all of them. Errors: `not_found` for an unknown link; `forbidden` if the invite is not open, or is
   * for another address.
   */
  return async function acceptInvite(call: Call, link: string): Promise<Answer<ShownInvite>> {
    const answer = await runInOrder(parsePass(link)?.suffix ?? '', () =>
      mutate<Invite>(call, () => planAcceptance(call, link)),
    );
    const directory = await teams.all(call);
    const [shown] = await present(call, [parseWire(answer.body)], directory);
    return {...answer, body: JSON.stringify(shown)};
  };
}
