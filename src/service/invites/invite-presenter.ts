import type {RequestContext} from '../../domain/core/access.js';
import {composeId, suffixOf} from '../../domain/core/ids.js';
import {computeInviteState, type Invite, type ShownInvite} from '../../domain/invites/invite.js';
import {mailOfInvite} from '../../domain/mail/mail.js';
import type {TeamDirectory} from '../../domain/teams/team.js';
import type {ServiceContext} from '../core/context.js';
import {createInviteRightFinder} from './invite-rights.js';

/** Returns invites with their present state, and with the present names of their makers and their mails. */
export type PresentInvites = (
  asked: RequestContext,
  invites: readonly Invite[],
  directory: TeamDirectory,
) => Promise<ShownInvite[]>;

export function createInvitePresenter(context: ServiceContext): PresentInvites {
  const {records, mails, clock} = context;
  const findRight = createInviteRightFinder(context);

  async function findMail({workspace, deadline}: RequestContext, {id, email}: Invite) {
    // A link is not mailed. The mail of an invite goes with its address.
    if (email === null) return null;
    const mail = await mails.find(workspace, mailOfInvite(suffixOf(id)), deadline);
    if (mail === undefined) return null;
    const {suffix, queuedAt, state, detail = null} = mail;
    return {id: composeId('mail', queuedAt, suffix), state, detail};
  }

  return async function presentInvites(asked, invites, directory) {
    const ids = [...new Set(invites.flatMap(({created_by: maker}) => maker?.id ?? []))];
    const makers = await records.findMany(asked.workspace, ids, asked.deadline);
    const names = new Map(ids.map((id, i) => [id, makers[i]?.name ?? null]));
    return Promise.all(
      invites.map(async (invite) => {
        const {created_by: maker} = invite;
        // The right of an invite that has ended is not asked: its state says all.
        const isOpen = computeInviteState(invite, clock.now(), true) === 'open';
        const [right, mail] = await Promise.all([
          isOpen ? findRight(asked, invite, directory) : undefined,
          findMail(asked, invite),
        ]);
        return {
          ...invite,
          state: computeInviteState(invite, clock.now(), right !== undefined),
          created_by: maker && {...maker, name: names.get(maker.id) ?? null},
          mail,
        };
      }),
    );
  };
}
