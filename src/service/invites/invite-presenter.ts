import type {RequestContext} from '../../domain/core/access.js';
import {computeInviteState, type Invite, type ShownInvite} from '../../domain/invites/invite.js';
import type {TeamDirectory} from '../../domain/teams/team.js';
import type {ServiceContext} from '../core/context.js';
import {createInviteRightFinder} from './invite-rights.js';

/** Returns invites with their present state, and with the present names of their makers. */
export type PresentInvites = (
  asked: RequestContext,
  invites: readonly Invite[],
  directory: TeamDirectory,
) => Promise<ShownInvite[]>;

export function createInvitePresenter(context: ServiceContext): PresentInvites {
  const {records, clock} = context;
  const findRight = createInviteRightFinder(context);

  return async function presentInvites(asked, invites, directory) {
    const ids = [...new Set(invites.flatMap(({created_by: maker}) => maker?.id ?? []))];
    const makers = await records.findMany(asked.workspace, ids, asked.deadline);
    const names = new Map(ids.map((id, i) => [id, makers[i]?.name ?? null]));
    return Promise.all(
      invites.map(async (invite) => {
        const {created_by: maker} = invite;
        // The right of an invite that has ended is not asked: its state says all.
        const isOpen = computeInviteState(invite, clock.now(), true) === 'open';
        const right = isOpen ? await findRight(asked, maker, invite, directory) : undefined;
        return {
          ...invite,
          state: computeInviteState(invite, clock.now(), right !== undefined),
          created_by: maker && {...maker, name: names.get(maker.id) ?? null},
        };
      }),
    );
  };
}
