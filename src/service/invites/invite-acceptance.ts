import {type Call, everyScope, type RequestContext} from '../../domain/core/access.js';
import {
  type Commit,
  type CommitPart,
  type Guard,
  joinCommitParts,
  removeDuplicateGuards,
} from '../../domain/commit/commit.js';
import type {Language} from '../../domain/core/compiled/languages.js';
import {createKeyedQueue} from '../../domain/core/keyed-queue.js';
import {AppError, notFound, refusalForPeople} from '../../domain/core/errors.js';
import {type Id, type IdSuffix, provisionalId, storedSuffix, suffixOf} from '../../domain/core/ids.js';
import {lifetimes} from '../../domain/core/limits.js';
import {parseWire} from '../../domain/core/resource.js';
import {createEmailComparisonKey} from '../../domain/core/text.js';
import {isInEmailDomain} from '../../domain/invites/email-domain.js';
import {
  computeInviteState,
  type Invite,
  type InviteState,
  maskEmail,
  type ShownInvite,
} from '../../domain/invites/invite.js';
import {mailOfInvite, type MailState} from '../../domain/mail/mail.js';
import type {Team, TeamRole} from '../../domain/teams/team.js';
import {parsePass} from '../../domain/tokens/session.js';
import type {Member, Workspace} from '../../domain/workspaces/workspace.js';
import type {Answer} from '../core/answers.js';
import type {ServiceContext} from '../core/context.js';
import {findByAddress} from '../core/member-references.js';
import {planNothing} from '../core/mutation.js';
import {createNoticeWrites} from '../core/queue-mail.js';
import {createMarkUnconfirmedWrites} from '../members/given-names.js';
import {draftMember, planMemberCreation} from '../members/member-records.js';
import {createTeamsUnchangedGuard} from '../teams/find-team.js';
import {acceptMembership} from '../teams/membership-writes.js';
import {createJoinPlanner, type Joiner} from '../teams/plan-join.js';
import type {MadeSession} from '../tokens/make-session.js';
import type {SessionRequest, Sessions, SignInRequest} from '../tokens/sessions.js';
import {isProvenBy} from '../tokens/token-records.js';
import type {PresentInvites} from './invite-presenter.js';
import {planErasureOfCodeMails, planUse} from './invite-records.js';
import type {FindInviteRight, InviteRight} from './invite-rights.js';
import {type AddressProof, createJoinCodes, doorkeeper} from './join-codes.js';

/** An invite whose secret has been shown. */
export interface ProvenInvite {
  readonly workspace: Id<'workspace'>;
  readonly invite: Invite;
}

/** An invite as the holder of its link sees it. */
export interface InviteLook {
  readonly workspace: Pick<Workspace, 'id' | 'slug' | 'name'>;
  /** `member`: the invited address has become that of a member, who signs in instead. */
  readonly state: InviteState | 'member';
  /** The invited address without most of its letters; null for a link. */
  readonly email: string | null;
  readonly role: string;
  readonly teams: readonly (Pick<Team, 'id' | 'slug' | 'name'> & {readonly role: TeamRole})[];
  readonly invited_by: string | null;
  /** True if a person without an account proves an address by a code. */
  readonly needs_code: boolean;
  readonly expires_at: string;
}

/** A person without an account. `key`: 128 random bits of the page, with which a lost answer is repeated. */
export interface NewPerson {
  readonly name: string;
  readonly timezone: string | null;
  /** The language of their browser. */
  readonly locale: Language | null;
  readonly key: string;
  /** Needed for a link while mail is on. */
  readonly proof?: AddressProof | undefined;
}

export interface InviteAcceptance {
  /** Finds the invite of a link. Errors: `invalid_token`, the same for every link that is not known. */
  requireInvite: (link: string, signInRequest: SignInRequest) => Promise<ProvenInvite>;
  lookAtInvite: (proven: ProvenInvite, signInRequest: SignInRequest) => Promise<InviteLook>;
  /**
   * Starts a code with which a person proves their address, and returns the function that mails it. Errors:
   * `forbidden` if the invite is not open, or has an address; `rate_limited`.
   */
  askToProve: (
    proven: ProvenInvite,
    given: {readonly link: string; readonly email: string},
    signInRequest: SignInRequest,
  ) => Promise<(deadline: number) => Promise<void>>;
  /**
   * Makes a member of a person without an account in the teams of the invite, and then creates their session.
   * The same `key` finishes what was begun: within 10 minutes, and as long as the member has the role of the
   * invite. Errors: `forbidden` if the invite is not open.
   */
  joinByInvite: (
    proven: ProvenInvite,
    person: NewPerson,
    session: SessionRequest,
    signInRequest: SignInRequest,
  ) => Promise<MadeSession>;
  /**
   * Adds a member to the teams of an invite, which changes no role that they have. Uses nothing up if they
   * are in all of them. Errors: `not_found` for an unknown link; `forbidden` if the invite is not open, or is
   * for another address.
   */
  acceptInvite: (call: Call, link: string) => Promise<Answer<ShownInvite>>;
}

/** The states of a mail that nobody has got. */
const unread: ReadonlySet<MailState> = new Set(['kept', 'failed', 'dropped']);

const refusals: Readonly<Record<Exclude<InviteState, 'open'>, string>> = {
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
  readonly planUseBy: (member: Id<'member'>) => CommitPart;
}

export function createInviteAcceptance(
  context: ServiceContext,
  {
    sessions,
    findRight,
    present,
  }: {
    readonly sessions: Sessions;
    readonly findRight: FindInviteRight;
    readonly present: PresentInvites;
  },
): InviteAcceptance {
  const {mutate, records, teams, admissions, workspaces, clock, sha256, generateSuffix, mails} = context;
  const planJoin = createJoinPlanner(context);
  const joinCodes = createJoinCodes(context);
  // All who join by an invite change its record: at once, they would only make each other plan again.
  const runInOrder = createKeyedQueue();

  async function findProven(link: string, deadline: number): Promise<ProvenInvite | undefined> {
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
  }

  /** Reads an invite again, and asks whether its maker may still give what it gives. */
  async function requireOpen(asked: RequestContext, id: Id<'invite'>): Promise<OpenInvite> {
    const [invite, directory] = await Promise.all([
      records.find(asked.workspace, id, asked.deadline),
      teams.fresh(asked.workspace, asked.deadline),
    ]);
    if (invite === undefined) throw createUnknownLinkError();
    const right = await findRight(asked, invite.created_by, invite, directory);
    requireOpenState(computeInviteState(invite, clock.now(), right !== undefined));
    const guards: CommitPart['guards'] = [
      ...(right?.proof ?? []),
      createTeamsUnchangedGuard(directory),
      {check: 'before', instant: Date.parse(invite.expires_at)},
    ];
    const maker = await findMakerWithAddress(asked, invite);
    const planUseBy = (member: Id<'member'>) => {
      const notified =
        maker === undefined || maker.member === member ? [] : createMakerNotice(invite, member, maker);
      return joinCommitParts([planUse(invite, member), {guards, writes: notified}]);
    };
    return {invite, right: right ?? {role: 'member', proof: []}, planUseBy};
  }

  /** Finds the address of the person who made an invite. The proof of their right guards its present state. */
  async function findMakerWithAddress({workspace, deadline}: RequestContext, {created_by: maker}: Invite) {
    const found = maker === null ? undefined : await records.find(workspace, maker.id, deadline);
    if (found?.object !== 'member' || found.email === null || found.email_status === 'refused')
      return undefined;
    return {member: found.id, to: found.email};
  }

  function createMakerNotice(
    {id}: Invite,
    member: Id<'member'>,
    maker: {readonly member: Id<'member'>; readonly to: string},
  ): CommitPart['writes'] {
    const fact = {kind: 'notice', about: 'joined', invite: suffixOf(id), joined: suffixOf(member)} as const;
    return createNoticeWrites(context, fact, maker);
  }

  /**
   * Plans the memberships that an invite gives, in the teams that are left. They are in the commit that uses
   * the invite: later, a repeat would bring back a person who has been removed from a team since. `isIn`: the
   * person is in all of these teams.
   */
  async function planMemberships(
    call: Call,
    {teams: given}: Invite,
    person: Joiner,
  ): Promise<{readonly isIn: boolean; readonly part: CommitPart}> {
    const directory = await teams.fresh(call.workspace, call.deadline);
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
  }

  /**
   * Whether the link of an invite was shown to nobody but who reads the mails to its address. A mail that was
   * refused or dropped reached nobody: who has its link got it in another way.
   */
  async function provesAddress({workspace, deadline}: RequestContext, {id}: Invite): Promise<boolean> {
    const mail = await mails.find(workspace, mailOfInvite(suffixOf(id)), deadline);
    return mail?.fact.kind === 'invite' && mail.fact.onlyByMail === true && !unread.has(mail.state);
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
    const all = joinCommitParts([made, planUseBy(id), {guards, writes}, memberships.part]);
    return {
      ...all,
      guards: removeDuplicateGuards(all.guards),
      reply: {kind: 'resource', of: made.created},
    };
  }

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
    if (member.email !== null || !(await provesAddress(call, invite))) requireOwnAddress(invite, member);
    requireEmailDomain(invite, member.email);
    const {isIn, part: memberships} = await planMemberships(call, invite, member);
    const used = isIn ? planNothing(invite) : (await requireOpen(call, invite.id)).planUseBy(member.id);
    const [revised] = used.writes;
    const same: Guard = {check: 'revision', id: member.id, revision: member.revision};
    const all = joinCommitParts([used, memberships, {guards: [same]}]);
    return {
      ...all,
      guards: removeDuplicateGuards(all.guards),
      reply: revised?.do === 'revise' ? {kind: 'resource', of: revised} : planNothing(invite).reply,
    };
  }

  /** Checks that a key, with which somebody has joined, still signs them in. */
  async function requireJustJoined(
    {workspace, invite}: ProvenInvite,
    id: Id<'member'>,
    deadline: number,
  ): Promise<void> {
    const member = await records.find(workspace, id, deadline);
    const isRecent =
      member !== undefined && Date.parse(member.created_at) + lifetimes.signInLink * 1_000 > clock.now();
    if (!isRecent || member.role !== invite.role) throw refusalForPeople('forbidden', refusals.used);
  }

  return {
    async requireInvite(link, {deadline}) {
      const proven = await findProven(link, deadline);
      if (proven === undefined) throw createUnknownLinkError();
      return proven;
    },
    async lookAtInvite({workspace: id, invite}, {deadline}) {
      const asked = {workspace: id, deadline};
      const [workspace, directory] = await Promise.all([
        workspaces.find(id, deadline),
        teams.fresh(id, deadline),
      ]);
      const [shown] = await present(asked, [invite], directory);
      if (workspace === undefined || shown === undefined) throw createUnknownLinkError();
      const {email, role, state, created_by: maker, expires_at} = shown;
      const isMember =
        state === 'open' && email !== null && (await findByAddress(records, asked, email)) !== undefined;
      return {
        workspace: {id: workspace.id, slug: workspace.slug, name: workspace.name},
        state: isMember ? 'member' : state,
        email: email && maskEmail(email),
        role,
        teams: shown.teams.flatMap(({team_id, role: teamRole}) => {
          const team = directory.byReference(team_id);
          return team === undefined ? [] : [{id: team.id, slug: team.slug, name: team.name, role: teamRole}];
        }),
        invited_by: maker?.name ?? null,
        needs_code: joinCodes.needsCode(invite),
        expires_at,
      };
    },
    async askToProve({workspace, invite}, given, signInRequest) {
      await requireOpen({workspace, deadline: signInRequest.deadline}, invite.id);
      requireEmailDomain(invite, given.email);
      if (invite.email !== null) throw refusalForPeople('forbidden', 'This invite needs no code.');
      return joinCodes.ask({workspace, invite}, given, signInRequest);
    },
    async joinByInvite(proven, person, session, signInRequest) {
      const {workspace, invite} = proven;
      const suffix = generateSuffix();
      const hashOf = (text: string) => Buffer.from(sha256(text)).toString('base64url');
      const own = suffixOf(invite.id);
      const idempotency = {hash: hashOf(`invite\0${own}\0${person.key}`), fingerprint: hashOf(own)};
      const {deadline, requestId} = signInRequest;
      const call: Call = {
        workspace,
        principal: doorkeeper,
        scopes: everyScope,
        deadline,
        entryPoint: 'dashboard',
        idempotency,
        ...(requestId !== undefined && {requestId}),
      };
      let asked: Promise<string | null> | undefined;
      const {body} = await runInOrder(own, () =>
        mutate<Member>(call, async () => {
          // A link that has ended causes no work in its teams. A code is taken once for all attempts; a repeat by
          // the same key gets the stored answer instead.
          await requireOpen(call, invite.id);
          asked ??= joinCodes.prove(invite, person.proof, deadline);
          return planNewMember(call, invite, person, suffix, await asked);
        }),
      );
      const {id} = parseWire(body);
      await requireJustJoined(proven, id, deadline);
      return sessions.signInMember({workspace, member: id, confirmed: true}, session, signInRequest);
    },
    async acceptInvite(call, link) {
      const answer = await runInOrder(parsePass(link)?.suffix ?? '', () =>
        mutate<Invite>(call, () => planAcceptance(call, link)),
      );
      const directory = await teams.fresh(call.workspace, call.deadline);
      const [shown] = await present(call, [parseWire(answer.body)], directory);
      return {...answer, body: JSON.stringify(shown)};
    },
  };
}

function requireOpenState(state: InviteState): void {
  if (state !== 'open') throw refusalForPeople('forbidden', refusals[state]);
}

/** Refuses the invite of another address. A member without an address has proven none. */
function requireOwnAddress({email}: Invite, member: Member): void {
  const key = (address: string | null) => address && createEmailComparisonKey(address);
  if (email === null || key(email) === key(member.email)) return;
  throw refusalForPeople('forbidden', `This invite is for ${maskEmail(email)}.`);
}

/** Refuses an address outside the domain of a link. A person without an account has proven no address. */
function requireEmailDomain({email_domain: domain}: Invite, address: string | null): void {
  if (domain === null || (address !== null && isInEmailDomain(address, domain))) return;
  throw refusalForPeople('forbidden', `This link is for @${domain} addresses.`);
}

function createUnknownLinkError(): AppError {
  return new AppError('invalid_token', 'This link is not known here. Check that you copied all of it.');
}
