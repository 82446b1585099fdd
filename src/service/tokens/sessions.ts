import {nothing} from '../../domain/commit/commit.js';
import type {AccessToken, Call, Principal, Scope} from '../../domain/core/access.js';
import {toInstant} from '../../domain/core/dates.js';
import {AppError} from '../../domain/core/errors.js';
import {lifetimes} from '../../domain/core/limits.js';
import type {QuotaClaim} from '../../domain/core/quota.js';
import {
  createPageAddress,
  computeSessionGrant,
  parsePass,
  listScopesOfRole,
  removePowerfulScopes,
} from '../../domain/tokens/session.js';
import {SignInRefused, type VouchedMember} from '../../domain/tokens/sign-in.js';
import type {Member} from '../../domain/workspaces/workspace.js';
import type {Id} from '../../domain/core/ids.js';
import type {ServiceContext} from '../core/context.js';
import {requireAdmission} from '../core/admission.js';
import {createTokenLines, isLiveToken, createTokenRemoval} from './token-lines.js';
import {createPassFinder, type VerifiedPass} from './pass-tokens.js';
import {createSessionMaker, type Decision, type MadeSession} from './make-session.js';
import {createSignInLinkMaker} from './sign-in-links.js';

/** The context of a sign-in by a person who has no token yet. */
export interface SignInRequest {
  readonly deadline: number;
  readonly requestId?: string | undefined;
}

/** A link or session whose secret has been checked: its token and workspace. */
export type VerifiedSession = VerifiedPass;

/** A request for a session. */
export interface SessionRequest {
  readonly name: string;
  /** An earlier session of the browser, which is replaced. */
  readonly instead: VerifiedSession | undefined;
  /** True if the person of the earlier session confirms that it is them. */
  readonly confirms?: boolean;
}

/** A member who is proven. `confirmed`: they have just proven it themselves. */
interface ProvenMember extends VouchedMember {
  readonly confirmed: boolean;
  readonly provenAt?: number;
  /** Returns what proves it, at each attempt of the commit: how it is used up, and that it still may be. */
  readonly proof?: () => Promise<Decision['spent']>;
}

export interface SessionGrant {
  readonly token: string;
  readonly expires_at: string;
  readonly scopes: readonly Scope[];
  /** The time until which the session may do sensitive operations. */
  readonly confirmed_until: string;
}

export type Sessions = ReturnType<typeof createSessions>;

export function createSessions(context: ServiceContext) {
  const {mutate, records, clock, admissions, tokenUse, workspaces, signer, publicUrl, waysIn} = context;
  const findTokenOfPass = createPassFinder(context);
  const tokenLines = createTokenLines(context);

  function computeInstantAfterSeconds(seconds: number): string {
    return toInstant((Math.floor(clock.now() / 1_000) + seconds) * 1_000);
  }

  async function requireMember({workspace, token}: VerifiedSession, deadline: number): Promise<Member> {
    const member = await records.find(workspace, token.holder.id, deadline);
    if (member?.object !== 'member') throw new AppError('invalid_token', `${token.holder.name} is gone.`);
    return member;
  }

  const callOf = ({workspace, token}: VerifiedSession, signInRequest: SignInRequest): Call =>
    createCallAs(workspace, token.holder, signInRequest);

  function createCallAs(
    workspace: Id<'workspace'>,
    principal: Principal,
    {deadline, requestId}: SignInRequest,
  ): Call {
    const own = {workspace, principal, scopes: new Set<Scope>(), deadline} as const;
    return {...own, entryPoint: 'dashboard', ...(requestId !== undefined && {requestId})};
  }

  /** The session expires at the latest with the token that made the link. */
  async function findSessionExpiry({workspace, token}: VerifiedSession, deadline: number): Promise<string> {
    const end = computeInstantAfterSeconds(lifetimes.session);
    if (token.parent === null) return end;
    const parent = await records.find(workspace, token.parent, deadline);
    if (parent === undefined) throw createLinkExpiredError();
    return parent.expires_at < end ? parent.expires_at : end;
  }

  async function endSession(
    session: VerifiedSession,
    how: 'signed-out' | 'signed-out-here',
    signInRequest: SignInRequest,
  ): Promise<void> {
    const call = callOf(session, signInRequest);
    const {workspace, token} = session;
    await mutate(call, async () => {
      const gone = (await records.find(workspace, token.id, signInRequest.deadline)) === undefined;
      const revoked =
        how === 'signed-out'
          ? await tokenLines.planRevocationOf(call, token.holder.id, 'signed-out')
          : gone
            ? nothing
            : await tokenLines.planRevocation(call, token);
      return {effect: 'release', ...revoked, reply: {kind: 'empty'}};
    });
  }

  const makeSession = createSessionMaker(context);
  return {
    createSignInLink: createSignInLinkMaker(context),
    /** Returns the address of a page at which people sign in by themselves; undefined where links are on. */
    findAddressWithoutLink: (page?: string) =>
      waysIn.has('link') ? undefined : createPageAddress(publicUrl, page),
    /** Checks a sign-in link without using it up. Errors: `invalid_token`. */
    async requireLink(text: string, {deadline}: SignInRequest): Promise<VerifiedSession> {
      const pass = parsePass(text);
      const link = pass && (await findTokenOfPass(pass, 'sign_in_link', deadline));
      if (link === undefined) throw createLinkExpiredError();
      return link;
    },
    /** Returns the member that a link signs in, and the workspace. Errors: `invalid_token`. */
    async describeLink(link: VerifiedSession, {deadline}: SignInRequest) {
      const [member, workspace] = await Promise.all([
        requireMember(link, deadline),
        workspaces.find(link.workspace, deadline),
      ]);
      if (workspace === undefined) throw createLinkExpiredError();
      return {member, workspace};
    },
    /** Uses a link up and creates a session. Errors: `invalid_token`. */
    async signIn(link: VerifiedSession, {name, instead}: SessionRequest, signInRequest: SignInRequest) {
      const call = callOf(link, signInRequest);
      const made = await makeSession(call, name, async () => {
        const [found, member, expiresAt] = await Promise.all([
          records.find(link.workspace, link.token.id, signInRequest.deadline),
          requireMember(link, signInRequest.deadline),
          findSessionExpiry(link, signInRequest.deadline),
        ]);
        if (found === undefined || !isLiveToken(found, clock)) throw createLinkExpiredError();
        const {created_by, parent} = link.token;
        const scopes = chooseSessionScopes(link.token, member);
        return {
          member,
          scopes,
          expiresAt,
          created_by,
          parent,
          spent: {...nothing, writes: createTokenRemoval(link.token)},
        };
      });
      if (instead !== undefined) await endSession(instead, 'signed-out-here', signInRequest);
      return made;
    },
    /**
     * Creates a session for a member who is proven, by an identity provider, a passkey, a code or an invite. Unless
     * `confirmed`, it allows no sensitive operations. `provenAt`: the time (ms) of a proof that ends when the
     * member changes. Errors: `SignInRefused`; `forbidden` for a person who confirms as another one.
     */
    async signInMember(
      {
        workspace,
        member: id,
        confirmed,
        provenAt = Number.POSITIVE_INFINITY,
        proof = async () => nothing,
      }: ProvenMember,
      {name, instead, confirms = false}: SessionRequest,
      signInRequest: SignInRequest,
    ): Promise<MadeSession> {
      const find = async (): Promise<Member> => {
        const found = await records.find(workspace, id, signInRequest.deadline);
        if (found === undefined || Date.parse(found.updated_at) >= provenAt)
          throw new SignInRefused('unknown_person');
        return found;
      };
      const holder = {type: 'member', id, name: (await find()).name} as const;
      if (confirms && instead !== undefined && instead.token.holder.id !== id)
        throw createOtherPersonError(instead.token.holder.name, holder.name);
      const made = await makeSession(createCallAs(workspace, holder, signInRequest), name, async () => {
        const member = await find();
        const ofRole = listScopesOfRole(member.role);
        const scopes = confirmed ? ofRole : removePowerfulScopes(ofRole);
        const expiresAt = computeInstantAfterSeconds(lifetimes.session);
        return {member, scopes, expiresAt, created_by: holder, parent: null, spent: await proof()};
      });
      if (instead !== undefined) await endSession(instead, 'signed-out-here', signInRequest);
      return made;
    },
    /** Returns the browser's session. Errors: `authentication_required` for none, `invalid_token`. */
    async requireSession(text: string | undefined, {deadline}: SignInRequest): Promise<VerifiedSession> {
      if (text === undefined) {
        throw new AppError('authentication_required', 'You are not signed in: open a sign-in link.');
      }
      const pass = parsePass(text);
      const session = pass && (await findTokenOfPass(pass, 'session', deadline));
      if (session !== undefined) return session;
      throw new AppError('invalid_token', 'The session is over: open another sign-in link.');
    },
    /** Issues a token for the API to a session. Errors: `invalid_token`, `rate_limited`. */
    async grantToken(
      session: VerifiedSession,
      quota: Omit<QuotaClaim, 'principal'>,
      {deadline}: SignInRequest,
    ): Promise<SessionGrant> {
      const {workspace, token} = session;
      const [member, kid] = await Promise.all([
        requireMember(session, deadline),
        signer.findSigningKeyId(deadline),
        requireAdmission(admissions, {
          workspace,
          token: {id: token.id, expiresAt: Date.parse(token.expires_at)},
          deadline,
          quota: {...quota, principal: token.holder.id},
        }),
      ]);
      tokenUse.note(workspace, token.id);
      const now = clock.now();
      const {scopes, expiresAt, confirmedUntil} = computeSessionGrant(token, member.role, now);
      const [issued, expires] = [Math.floor(now / 1_000), Math.floor(expiresAt / 1_000)];
      const {id} = token;
      const own = {id, subject: member.id, workspace, scopes, session: true} as const;
      return {
        token: await signer.sign({...own, issuedAt: issued, expiresAt: expires}, kid),
        expires_at: toInstant(expires * 1_000),
        scopes,
        confirmed_until: toInstant(confirmedUntil),
      };
    },
    /** Ends a session; with `everywhere`, all sessions and sign-in links of its member. */
    signOut: (
      session: VerifiedSession,
      {everywhere}: {readonly everywhere: boolean},
      signInRequest: SignInRequest,
    ): Promise<void> => endSession(session, everywhere ? 'signed-out' : 'signed-out-here', signInRequest),
  };
}

/**
 * Returns the scopes of a session. If another member or a program made the link, the session cannot create
 * tokens, which would outlast it.
 */
function chooseSessionScopes({scopes, holder, created_by: maker, parent}: AccessToken, {role}: Member) {
  const ofRole = listScopesOfRole(role);
  const own = parent === null && (maker === null || maker.id === holder.id);
  return scopes.filter((scope) => ofRole.includes(scope) && (own || scope !== 'tokens:manage'));
}

function createOtherPersonError(here: string, other: string): AppError {
  return new AppError(
    'forbidden',
    `You are signed in as ${here}, and this is ${other}. Confirm as ${here}, or sign out first.`,
  );
}

function createLinkExpiredError(): AppError {
  return new AppError(
    'invalid_token',
    'This sign-in link was used before, has been withdrawn, or is older than 10 minutes. Ask for another one.',
  );
}
