import type {Call, RequestContext} from '../../domain/core/access.js';
import {type CommitPart, joinCommitParts} from '../../domain/commit/commit.js';
import {createKeyedQueue} from '../../domain/core/keyed-queue.js';
import {AppError, refusalForPeople} from '../../domain/core/errors.js';
import {type Id, storedSuffix, suffixOf} from '../../domain/core/ids.js';
import {createEmailComparisonKey} from '../../domain/core/text.js';
import {isInEmailDomain} from '../../domain/invites/email-domain.js';
import {computeInviteState, type Invite, type InviteState, maskEmail} from '../../domain/invites/invite.js';
import {mailOfInvite, type MailState} from '../../domain/mail/mail.js';
import {parsePass} from '../../domain/tokens/session.js';
import type {ServiceContext} from '../core/context.js';
import {createTeamsUnchangedGuard} from '../teams/find-team.js';
import {acceptMembership} from '../teams/membership-writes.js';
import {createJoinPlanner, type Joiner} from '../teams/plan-join.js';
import {isProvenBy} from '../tokens/token-records.js';
import {planUse} from './invite-records.js';
import {planJoinedNotice} from './joined-notice.js';
import type {FindInviteRight, InviteRight} from './invite-rights.js';

/** An invite whose secret has been shown. */
export interface ProvenInvite {
  readonly workspace: Id<'workspace'>;
  readonly invite: Invite;
}

/** The states of a mail that no one has got. */
const unread: ReadonlySet<MailState> = new Set(['kept', 'failed', 'dropped']);

export const inviteRefusals: Readonly<Record<Exclude<InviteState, 'open'>, string>> = {
  used: 'This invite was already used.',
  expired: 'This invite has expired. Ask for a new one.',
  revoked: 'This invite was ended. Ask for a new one.',
  blocked: 'The person who invited you can’t add people now. Ask an admin.',
};

/** An invite that may be accepted, with the right of its maker. */
interface OpenInvite {
  readonly invite: Invite;
  readonly right: InviteRight;
  /** The part of a commit that counts the use, with guards of everything that this decision rests on. */
  readonly planUseBy: (member: Id<'member'>) => Promise<CommitPart>;
}

export type OpenInvites = ReturnType<typeof createOpenInvites>;

/** Invites that people join by, or that members accept: what both check, and what both write. */
export function createOpenInvites(context: ServiceContext, findRight: FindInviteRight) {
  const {records, teams, admissions, clock, sha256, mails} = context;
  const planJoin = createJoinPlanner(context);

  return {
    /** All who join by an invite change its record: at once, they would only make each other plan again. */
    runInOrder: createKeyedQueue(),
    async findProven(link: string, deadline: number): Promise<ProvenInvite | undefined> {
      const pass = parsePass(link);
      if (pass === undefined) return undefined;
      const {workspace, secret} = pass;
      const suffix = storedSuffix<'invite'>(pass.suffix);
      const [invite, proof] = await Promise.all([
        records.findBySuffix(workspace, suffix, deadline),
        admissions.findProof(workspace, suffix, deadline),
      ]);
      // A session or a sign-in link has a secret, too.
      if (invite?.object !== 'invite' || proof === undefined) return undefined;
      return isProvenBy(sha256, secret, proof) ? {workspace, invite} : undefined;
    },
    /** Reads an invite again, and asks whether its maker may still give what it gives. */
    async requireOpen(asked: RequestContext, id: Id<'invite'>): Promise<OpenInvite> {
      const [invite, directory] = await Promise.all([
        records.find(asked.workspace, id, asked.deadline),
        teams.all(asked),
      ]);
      if (invite === undefined) throw createUnknownLinkError();
      const right = await findRight(asked, invite, directory);
      const state = computeInviteState(invite, clock.now(), right !== undefined);
      if (state !== 'open') throw refusalForPeople('forbidden', inviteRefusals[state]);
      const guards: CommitPart['guards'] = [
        ...(right?.proof ?? []),
        createTeamsUnchangedGuard(directory),
        {check: 'before', instant: Date.parse(invite.expires_at)},
      ];
      const planUseBy = async (member: Id<'member'>) => {
        const writes = await planJoinedNotice(context, asked, invite, member);
        return joinCommitParts([planUse(invite, member), {guards, writes}]);
      };
      return {invite, right: right ?? {role: 'member', proof: []}, planUseBy};
    },
    /**
     * Plans the memberships that an invite gives, in the teams that are left. They are in the commit that uses
     * the invite: later, a repeat would bring back a person who has been removed from a team since. `isIn`: the
     * person is in all of these teams.
     */
    async planMemberships(
      call: Call,
      {teams: given}: Invite,
      person: Joiner,
    ): Promise<{readonly isIn: boolean; readonly part: CommitPart}> {
      const directory = await teams.all(call);
      let isIn = true;
      const parts: Partial<CommitPart>[] = [{guards: [createTeamsUnchangedGuard(directory)]}];
      for (const {team_id: id, role} of given) {
        const team = directory.byReference(id);
        if (team === undefined) continue;
        const known = await records.findMembership(call.workspace, team.id, person.id, call.deadline);
        const membership = known && (await records.findBySuffix(call.workspace, known.suffix, call.deadline));
        if (membership === undefined) {
          isIn = false;
          parts.push(await planJoin(call, team, person, {role, accepted: true}));
        } else if (!membership.accepted) {
          parts.push(acceptMembership(membership));
        }
      }
      return {isIn, part: joinCommitParts(parts)};
    },
    /**
     * True if only readers of the mails to its address have seen the link of an invite. A mail that was refused
     * or dropped reached no one: its link was then shown in another way.
     */
    async provesAddress({workspace, deadline}: RequestContext, {id}: Invite): Promise<boolean> {
      const mail = await mails.find(workspace, mailOfInvite(suffixOf(id)), deadline);
      return mail?.fact.kind === 'invite' && mail.fact.onlyByMail === true && !unread.has(mail.state);
    },
  };
}

/** Refuses the invite of another address. A member without an address has proven none. */
export function requireOwnAddress({email}: Invite, address: string | null): void {
  const key = (one: string | null) => one && createEmailComparisonKey(one);
  if (email === null || key(email) === key(address)) return;
  throw refusalForPeople('forbidden', `This invite is for ${maskEmail(email)}.`);
}

/** Refuses an address outside the domain of a link. A person without an account has proven no address. */
export function requireEmailDomain({email_domain: domain}: Invite, address: string | null): void {
  if (domain === null || (address !== null && isInEmailDomain(address, domain))) return;
  throw refusalForPeople('forbidden', `This link is for @${domain} addresses.`);
}

export function createUnknownLinkError(): AppError {
  return new AppError('invalid_token', 'This link is not known here. Check that you copied all of it.');
}
