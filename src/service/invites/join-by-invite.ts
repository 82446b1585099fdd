import type {Call, RequestContext} from '../../domain/core/access.js';
import {requireWayIn} from '../../domain/tokens/sign-in.js';
import {
  type Commit,
  type CommitPart,
  joinCommitParts,
  removeDuplicateGuards,
} from '../../domain/commit/commit.js';
import type {Language} from '../../domain/core/compiled/languages.js';
import {refusalForPeople} from '../../domain/core/errors.js';
import {type Id, type IdSuffix, provisionalId, suffixOf} from '../../domain/core/ids.js';
import {lifetimes} from '../../domain/core/limits.js';
import {parseWire} from '../../domain/core/resource.js';
import {createEmailComparisonKey, normalizeEmail} from '../../domain/core/text.js';
import {type Invite, maskEmail} from '../../domain/invites/invite.js';
import type {Member} from '../../domain/workspaces/workspace.js';
import type {ServiceContext} from '../core/context.js';
import {findByAddress} from '../core/member-references.js';
import {createMarkUnconfirmedWrites} from '../members/given-names.js';
import {draftMember, planMemberCreation} from '../members/member-records.js';
import type {MadeSession} from '../tokens/make-session.js';
import type {SessionRequest, Sessions, SignInRequest} from '../tokens/sessions.js';
import type {PresentInvites} from './invite-presenter.js';
import {planErasureOfCodeMails} from './invite-records.js';
import {type AddressProof, createJoinCall, createJoinCodes} from './join-codes.js';
import {
  createUnknownLinkError,
  inviteRefusals,
  type OpenInvites,
  type ProvenInvite,
  requireEmailDomain,
  requireOwnAddress,
} from './open-invites.js';

/** A person without an account. `key`: 128 random bits of the page, with which a lost answer is repeated. */
export interface NewPerson {
  readonly name: string;
  readonly timezone: string | null;
  /** The language of their browser. */
  readonly locale: Language | null;
  readonly key: string;
  /** Needed for a link while mail is on. */
  readonly proof?: AddressProof | undefined;
  /** The address that an identity provider has verified. */
  readonly vouched?: string;
}

/** Creates what people without an account look at an invite with, and join by it. */
export function createJoinByInvite(
  context: ServiceContext,
  {sessions, open, present}: {sessions: Sessions; open: OpenInvites; present: PresentInvites},
) {
  const {mutate, records, teams, workspaces, clock, sha256, generateSuffix, mails, mail, waysIn} = context;
  const {findProven, requireOpen, planMemberships, provesAddress, runInOrder} = open;
  const joinCodes = createJoinCodes(context);

  /**
   * True if people join by the form of the page, without a provider. A link that someone passed on is a way to
   * sign in by link, which proves no address. One that only a mail had, or that asks for a mailed code, is one
   * by mail. In development, nothing is mailed.
   */
  async function admitsByForm(asked: RequestContext, invite: Invite): Promise<boolean> {
    if (joinCodes.needsCode(invite)) return true;
    if (invite.email_domain !== null) return false;
    if (waysIn.has('link')) return true;
    return waysIn.has('mail') && (mail === 'kept' || (await provesAddress(asked, invite)));
  }

  async function planNewMember(
    call: Call,
    given: Invite,
    {name, timezone, locale}: NewPerson,
    suffix: IdSuffix<'member'>,
    ownAddress: string | null,
  ): Promise<Commit> {
    const id = provisionalId('member', suffix);
    const memberships = await planMemberships(call, given, {id, name});
    const {invite, right, planUseBy} = await requireOpen(call, given.id);
    const {role} = invite;
    const email = ownAddress ?? invite.email;
    if (ownAddress !== null) requireOwnAddress(invite, ownAddress);
    requireEmailDomain(invite, ownAddress);
    if (email !== null && (await findByAddress(records, call, email)) !== undefined)
      throw refusalForPeople('forbidden', 'You’re already a member. Sign in instead.');
    // Without a proof of the address, only makers who may set addresses give it. Anyone who saw the link may have
    // joined by it, so the member is also marked without an address: a higher role ends what they made.
    const isProven = ownAddress !== null || (email !== null && (await provesAddress(call, invite)));
    const isStored = isProven || (email !== null && right.role !== 'member');
    const draft = draftMember({
      name,
      email: isStored ? email : null,
      timezone,
      locale: locale ?? invite.locale,
      role: role === 'admin' ? role : 'member',
    });
    const made = planMemberCreation({...draft, ...(isProven && {email_status: 'proven'})}, suffix);
    const guards: CommitPart['guards'] =
      email === null
        ? []
        : [{check: 'name-free', names: 'email', name: createEmailComparisonKey(email), but: suffix}];
    const codeMails = ownAddress === null ? [] : await planErasureOfCodeMails(mails, call, ownAddress);
    const writes = [...codeMails, ...(isProven ? [] : createMarkUnconfirmedWrites(suffix))];
    const all = joinCommitParts([made, await planUseBy(id), {guards, writes}, memberships.part]);
    return {
      ...all,
      guards: removeDuplicateGuards(all.guards),
      reply: {kind: 'resource', of: made.created},
    };
  }

  /** Checks that a key, with which someone has joined, still signs them in. */
  async function requireJustJoined(
    {workspace, invite}: ProvenInvite,
    id: Id<'member'>,
    deadline: number,
  ): Promise<void> {
    const member = await records.find(workspace, id, deadline);
    const isRecent =
      member !== undefined && Date.parse(member.created_at) + lifetimes.signInLink * 1_000 > clock.now();
    if (!isRecent || member.role !== invite.role) throw refusalForPeople('forbidden', inviteRefusals.used);
  }

  return {
    /** Finds the invite of a link. Errors: `invalid_token`, the same for every link that is not known. */
    async requireInvite(link: string, {deadline}: SignInRequest): Promise<ProvenInvite> {
      const proven = await findProven(link, deadline);
      if (proven === undefined) throw createUnknownLinkError();
      return proven;
    },
    /** Returns an invite as the holder of its link sees it. */
    async lookAtInvite({workspace: id, invite}: ProvenInvite, {deadline}: SignInRequest) {
      const asked = {workspace: id, deadline};
      const [workspace, directory] = await Promise.all([
        workspaces.find(id, deadline),
        teams.all({workspace: id, deadline}),
      ]);
      const [shown] = await present(asked, [invite], directory);
      if (workspace === undefined || shown === undefined) throw createUnknownLinkError();
      const {email, email_domain, role, state, created_by: maker, expires_at} = shown;
      const isMember =
        state === 'open' && email !== null && (await findByAddress(records, asked, email)) !== undefined;
      return {
        workspace: {id: workspace.id, slug: workspace.slug, name: workspace.name},
        /** `member`: the invited address has become that of a member, who signs in instead. */
        state: isMember ? 'member' : state,
        /** The invited address without most of its letters; null for a link. */
        email: email && maskEmail(email),
        email_domain,
        role,
        teams: shown.teams.flatMap(({team_id, role: teamRole}) => {
          const team = directory.byReference(team_id);
          return team === undefined ? [] : [{id: team.id, slug: team.slug, name: team.name, role: teamRole}];
        }),
        invited_by: maker?.name ?? null,
        /** True if a person without an account proves an address by a code. */
        needs_code: joinCodes.needsCode(invite),
        /** True if a person without an account can join only through a provider. */
        needs_provider: !(await admitsByForm(asked, invite)),
        expires_at,
      };
    },
    /**
     * Starts a code with which a person proves their address, and returns the function that mails it. Errors:
     * `forbidden` if the invite is not open, or has an address; `rate_limited`.
     */
    async askToProve(
      {workspace, invite}: ProvenInvite,
      given: {readonly link: string; readonly email: string},
      signInRequest: SignInRequest,
    ): Promise<(deadline: number) => Promise<void>> {
      await requireOpen({workspace, deadline: signInRequest.deadline}, invite.id);
      requireEmailDomain(invite, given.email);
      requireWayIn(waysIn, 'mail');
      if (invite.email !== null) throw refusalForPeople('forbidden', 'This invite needs no code.');
      return joinCodes.ask({workspace, invite}, given, signInRequest);
    },
    /**
     * Makes a member of a person without an account in the teams of the invite, and then creates their session.
     * The same `key` and address finish what was begun: within 10 minutes, and as long as the member has the
     * role of the invite. Errors: `forbidden` if the invite is not open.
     */
    async joinByInvite(
      proven: ProvenInvite,
      person: NewPerson,
      session: SessionRequest,
      signInRequest: SignInRequest,
    ): Promise<MadeSession> {
      const {workspace, invite} = proven;
      if (
        person.vouched === undefined &&
        !(await admitsByForm({workspace, deadline: signInRequest.deadline}, invite))
      ) {
        requireEmailDomain(invite, null);
        throw refusalForPeople('forbidden', 'You can’t join here with a link alone.');
      }
      const suffix = generateSuffix();
      const hashOf = (text: string) => Buffer.from(sha256(text)).toString('base64url');
      const own = suffixOf(invite.id);
      // Two people may join in one tab, which has one key: each finishes only what began with their own address.
      const address = createEmailComparisonKey(person.vouched ?? person.proof?.email ?? '');
      const hash = hashOf(`invite\0${own}\0${person.key}\0${address}`);
      const idempotency = {hash, fingerprint: hashOf(own)};
      const {deadline} = signInRequest;
      const call = {...createJoinCall(workspace, signInRequest), idempotency};
      let asked: Promise<string | null> | undefined;
      const {body} = await runInOrder(own, () =>
        mutate<Member>(call, async () => {
          // A link that has ended causes no work in its teams. A code is taken once for all attempts; a repeat by
          // the same key gets the stored answer instead.
          await requireOpen(call, invite.id);
          asked ??=
            person.vouched === undefined
              ? joinCodes.prove(invite, person.proof, deadline)
              : Promise.resolve(normalizeEmail(person.vouched));
          return planNewMember(call, invite, person, suffix, await asked);
        }),
      );
      const {id} = parseWire(body);
      await requireJustJoined(proven, id, deadline);
      return sessions.signInMember({workspace, member: id, confirmed: true}, session, signInRequest);
    },
  };
}
