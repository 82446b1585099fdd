import type {Commit} from '../../domain/commit/commit.js';
import {createWrite, reviseWrite} from '../../domain/commit/writes.js';
import type {Call, Caller, RequestContext} from '../../domain/core/access.js';
import {toInstant} from '../../domain/core/dates.js';
import {AppError, fieldError, notFound} from '../../domain/core/errors.js';
import {type Id, isId, suffixOf} from '../../domain/core/ids.js';
import {lifetimes, limits} from '../../domain/core/limits.js';
import {lists, type Page, type PageQuery} from '../../domain/core/lists.js';
import {
  type Draft,
  isUnchangedByDraft,
  parseWire,
  toDraft,
  type WireJson,
} from '../../domain/core/resource.js';
import {
  type CreatedCredential,
  createPasskeyOptions,
  isNewCounter,
  type NewPasskey,
  parseUserHandle,
  type Passkey,
  type PasskeyAssertion,
  type PasskeyChange,
  type PasskeyVerifier,
  type ShownPasskey,
} from '../../domain/tokens/passkey.js';
import {requireWayIn, SignInRefused} from '../../domain/tokens/sign-in.js';
import type {Member} from '../../domain/workspaces/workspace.js';
import type {Answer} from '../core/answers.js';
import type {ServiceContext} from '../core/context.js';
import {planNothing} from '../core/mutation.js';
import {type Precondition, requireRevision} from '../core/precondition.js';
import {createNoticeWrites, limitNotices} from '../core/queue-mail.js';
import type {MadeSession} from './make-session.js';
import {listPasskeysOf, planPasskeyRemoval} from './passkey-records.js';
import type {SessionRequest, Sessions, SignInRequest} from './sessions.js';

export type Passkeys = ReturnType<typeof createPasskeys>;

/** A passkey that has signed a challenge. */
export interface ProvenPasskey {
  readonly workspace: Id<'workspace'>;
  readonly passkey: Passkey;
  readonly counter: number;
}

/** The encrypted content of the ticket for a new passkey. */
interface Ticket {
  readonly challenge: string;
  /** The session that asked for the options. */
  readonly session: string;
  /** The end of the ticket (ms). */
  readonly until: number;
}

const minuteMs = 60_000;

/** Members add, rename and remove their passkeys, and sign in with them. */
export function createPasskeys(context: ServiceContext, {sessions}: {readonly sessions: Sessions}) {
  const {mutate, records, clock, cipher, workspaces, passkeyUses, passkeys: verifier, waysIn} = context;
  const {generateSuffix, generateSecret} = context;

  /** Finds the member of a call, who must be signed in to the dashboard. Errors: `forbidden`. */
  async function requireOwnMember({workspace, principal, token, deadline}: Caller): Promise<Member> {
    if (token?.session !== true || !isId('member', principal.id)) {
      throw new AppError(
        'forbidden',
        'Passkeys belong to people: only a session of the dashboard may use them, no access token.',
      );
    }
    const member = await records.find(workspace, principal.id, deadline);
    if (member === undefined) throw new AppError('invalid_token', 'The holder of the session is gone.');
    return member;
  }

  function requireVerifier(): PasskeyVerifier {
    requireWayIn(waysIn, 'passkey');
    if (verifier !== undefined) return verifier;
    throw new AppError(
      'forbidden',
      'Browsers allow no passkeys at an IP address. The operator sets an address with a host name by PUBLIC_URL.',
    );
  }

  async function present(asked: RequestContext, passkeys: readonly Passkey[]): Promise<ShownPasskey[]> {
    const ids = passkeys.map(({id}) => id);
    const uses = await passkeyUses.find(asked.workspace, ids, asked.deadline);
    return passkeys.map((passkey, i) => {
      const {minute = 0} = uses[i] ?? {};
      return {...passkey, last_used_at: minute === 0 ? null : toInstant(minute * minuteMs)};
    });
  }

  async function requirePasskey(access: Caller, id: string): Promise<Passkey> {
    const {workspace, deadline} = access;
    const member = await requireOwnMember(access);
    const found = isId('passkey', id) ? await records.find(workspace, id, deadline) : undefined;
    if (found?.holder.id !== member.id) throw notFound('passkey');
    return found;
  }

  /** Returns the challenge in a ticket. Errors: `validation_failed`. */
  function openTicket(call: Call, member: Member, text: string): string {
    try {
      const {challenge, session, until} = JSON.parse(cipher.decrypt('passkey', member.id, text)) as Ticket;
      if (session === call.token?.id && until > clock.now()) return challenge;
    } catch {
      // The ticket is another person's, or was never ours.
    }
    throw fieldError(
      'validation_failed',
      '#/ticket',
      `\`ticket\` must be of this session and at most ${lifetimes.passkeyChallenge / 60} minutes old. Ask for new options.`,
    );
  }

  async function planCreation(
    call: Call,
    {ticket, name, credential}: NewPasskey,
    verify: (challenge: string) => Promise<CreatedCredential | undefined>,
  ): Promise<Commit> {
    const member = await requireOwnMember(call);
    const verified = await verify(openTicket(call, member, ticket));
    if (verified === undefined) {
      throw fieldError(
        'validation_failed',
        '#/credential',
        '`credential` must be created with these options, at the address of this service, by a device that asks for a fingerprint, a face or a PIN.',
      );
    }
    const held = await listPasskeysOf(records, call, member.id);
    if (held.some(({credential_id: id}) => id === credential.id))
      throw fieldError('validation_failed', '#/credential/id', '`credential` is a passkey of yours already.');
    if (held.length >= limits.passkeysPerMember) {
      throw new AppError(
        'limit_reached',
        `You have ${limits.passkeysPerMember} passkeys already. Remove one first.`,
      );
    }
    const suffix = generateSuffix();
    const list = lists.passkeysOf(member.id);
    const draft: Draft<Passkey> = {
      object: 'passkey',
      name: name ?? (await findSessionName(call)),
      holder: {type: 'member', id: member.id},
      credential_id: credential.id,
      public_key: verified.publicKey,
      transports: credential.transports ?? [],
      backed_up: verified.backedUp,
    };
    const created = createWrite('passkey', suffix, draft, [{list}]);
    const fact = {kind: 'notice', about: 'passkey_added', passkey: suffix} as const;
    const {id, email: to} = member;
    const notices = to === null ? [] : createNoticeWrites(context, fact, {member: id, to});
    return {
      guards: [{check: 'length', list, below: held.length + 1}],
      writes: [
        created,
        {do: 'note-passkey-use', suffix, use: {counter: verified.counter, minute: 0}},
        // The session of a member who leaves meanwhile is over, so that nothing is queued for them.
        ...(await limitNotices(context, call, {kind: fact.about, about: to ?? ''}, notices)),
      ],
      events: [{type: 'passkey.created', about: suffix, revision: 1}],
      reply: {kind: 'resource', of: created, beside: {last_used_at: null}},
    };
  }

  /** Returns the name of the browser that is signed in. */
  async function findSessionName({workspace, token, deadline}: Call): Promise<string> {
    const id = token?.id ?? '';
    const session = isId('access_token', id) ? await records.find(workspace, id, deadline) : undefined;
    return session?.name ?? 'Passkey';
  }

  return {
    /** True where browsers allow passkeys. */
    isOn: verifier !== undefined && waysIn.has('passkey'),
    /**
     * Returns the options with which a browser creates a passkey for the caller, and a ticket for the request
     * that adds it. Errors: `forbidden`, `limit_reached`.
     */
    async createChallenge(access: Caller) {
      const member = await requireOwnMember(access);
      const {rpId} = requireVerifier();
      const [workspace, known] = await Promise.all([
        workspaces.find(access.workspace, access.deadline),
        listPasskeysOf(records, access, member.id),
      ]);
      if (workspace === undefined) throw notFound('workspace');
      const challenge = generateSecret();
      const until = clock.now() + lifetimes.passkeyChallenge * 1_000;
      const ticket: Ticket = {challenge, session: access.token?.id ?? '', until};
      return {
        object: 'passkey_challenge' as const,
        ticket: cipher.encrypt('passkey', member.id, JSON.stringify(ticket)),
        expires_at: toInstant(until),
        public_key: createPasskeyOptions({rpId, challenge, workspace, member, known}),
      };
    },
    /**
     * Adds a passkey of the caller. Without `name` it gets the name of the browser. Errors: `forbidden`,
     * `validation_failed`, `limit_reached`.
     */
    createPasskey(call: Call, input: NewPasskey): Promise<Answer<ShownPasskey>> {
      let verified: Promise<CreatedCredential | undefined> | undefined;
      const verify = (challenge: string) =>
        (verified ??= requireVerifier().verifyCreated(input.credential, challenge));
      return mutate(call, () => planCreation(call, input, verify));
    },
    /** Lists the passkeys of the caller, newest first. Errors: `forbidden`. */
    async listPasskeys(access: Caller, page: PageQuery): Promise<Page<WireJson<ShownPasskey>>> {
      const member = await requireOwnMember(access);
      const list = lists.passkeysOf(member.id);
      const {rows, next} = await records.list(access.workspace, {list, ...page}, access.deadline);
      const shown = await present(
        access,
        rows.map(({json}) => parseWire(json)),
      );
      return {rows: shown.map((passkey) => JSON.stringify(passkey)), next};
    },
    /** Returns a passkey of the caller. Errors: `forbidden`, `not_found`. */
    async findPasskey(access: Caller, id: string): Promise<ShownPasskey> {
      const [shown] = await present(access, [await requirePasskey(access, id)]);
      if (shown === undefined) throw notFound('passkey');
      return shown;
    },
    /** Renames a passkey of the caller. Errors: `forbidden`, `not_found`, `precondition_failed`. */
    changePasskey: (
      call: Call,
      id: string,
      {name}: PasskeyChange,
      expected?: Precondition,
    ): Promise<Answer<ShownPasskey>> =>
      mutate(call, async () => {
        const passkey = await requirePasskey(call, id);
        requireRevision(expected, passkey.revision);
        const [{last_used_at} = {last_used_at: null}] = await present(call, [passkey]);
        const draft = {...toDraft(passkey), ...(name !== undefined && {name})};
        if (isUnchangedByDraft(passkey, draft)) return planNothing(passkey, {last_used_at});
        const revised = reviseWrite(passkey, draft);
        return {
          guards: [],
          writes: [revised],
          events: [{type: 'passkey.updated', about: suffixOf(passkey.id), revision: passkey.revision + 1}],
          reply: {kind: 'resource', of: revised, beside: {last_used_at}},
        };
      }),
    /**
     * Removes a passkey of the caller. Sessions that it opened stay. Errors: `forbidden`, `not_found`,
     * `precondition_failed`.
     */
    deletePasskey: (call: Call, id: string, expected?: Precondition): Promise<Answer<void>> =>
      mutate(call, async () => {
        const passkey = await requirePasskey(call, id);
        requireRevision(expected, passkey.revision);
        return {effect: 'release', guards: [], ...planPasskeyRemoval([passkey]), reply: {kind: 'empty'}};
      }),
    /** Returns the options with which a browser lets a passkey sign a challenge. Errors: `forbidden`. */
    createSignInOptions: (challenge: string) => ({
      challenge,
      rpId: requireVerifier().rpId,
      timeout: lifetimes.passkeyChallenge * 1_000,
      userVerification: 'required',
    }),
    /**
     * Verifies that a passkey has signed a challenge. The handle only says where to look: the passkey is that
     * of its list with the id of the assertion. Errors: `invalid_token`, `forbidden`.
     */
    async requireProven(
      assertion: PasskeyAssertion,
      challenge: string,
      {deadline}: SignInRequest,
    ): Promise<ProvenPasskey> {
      const {verifyAssertion} = requireVerifier();
      const handle = parseUserHandle(assertion.userHandle);
      if (handle === undefined) throw createUnknownPasskeyError();
      const {workspace, member} = handle;
      const held = await listPasskeysOf(records, {workspace, deadline}, member);
      const passkey = held.find(({credential_id: id}) => id === assertion.id);
      if (passkey === undefined) throw createUnknownPasskeyError();
      const counter = await verifyAssertion(assertion, challenge, passkey.public_key);
      if (counter === undefined) throw createUnknownPasskeyError();
      return {workspace, passkey, counter};
    },
    /**
     * Signs the member of a passkey in, with all rights of their role. Errors: `invalid_token` if the passkey
     * has been removed meanwhile, or its counter says that it was copied; `forbidden`.
     */
    async signIn(
      {workspace, passkey: {id, holder}, counter}: ProvenPasskey,
      request: SessionRequest,
      signInRequest: SignInRequest,
    ): Promise<MadeSession> {
      if (!isId('member', holder.id)) throw createUnknownPasskeyError();
      const {deadline} = signInRequest;
      const suffix = suffixOf(id);
      const proof = async () => {
        const [passkey, [use]] = await Promise.all([
          records.find(workspace, id, deadline),
          passkeyUses.find(workspace, [id], deadline),
        ]);
        if (passkey === undefined || use === undefined || !isNewCounter(counter, use.counter))
          throw createUnknownPasskeyError();
        const minute = Math.floor(clock.now() / minuteMs);
        return {
          guards: [
            {check: 'revision', id, revision: passkey.revision} as const,
            {check: 'passkey-use', passkey: suffix, use} as const,
          ],
          writes: [{do: 'note-passkey-use', suffix, use: {counter, minute}} as const],
        };
      };
      const vouched = {workspace, member: holder.id, confirmed: true, proof};
      return sessions.signInMember(vouched, request, signInRequest).catch((error: unknown) => {
        throw error instanceof SignInRefused ? createUnknownPasskeyError() : error;
      });
    },
  };
}

function createUnknownPasskeyError(): AppError {
  return new AppError(
    'invalid_token',
    'This passkey did not work: it may have been removed here, or the sign-in took too long. Try again, or sign in another way.',
  );
}
