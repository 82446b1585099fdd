import {type Commit, emptyCommit} from '../../domain/commit/commit.js';
import type {AccessToken, Call, Caller} from '../../domain/core/access.js';
import {toInstant} from '../../domain/core/dates.js';
import {AppError, notFound} from '../../domain/core/errors.js';
import {type Id, type IdSuffix, isId} from '../../domain/core/ids.js';
import {lifetimes} from '../../domain/core/limits.js';
import {
  createUserCode,
  type DeviceDecision,
  type DeviceLogin,
  type DeviceLoginDecision,
  devicePage,
  formatClientAddress,
  formatUserCode,
  type NewDeviceLogin,
  parseUserCode,
} from '../../domain/tokens/device-login.js';
import {createPageAddress} from '../../domain/tokens/session.js';
import type {Decider, FoundDeviceLogin} from '../../store/tokens/device-logins.js';
import {requireAdmission} from '../core/admission.js';
import type {Answer} from '../core/answers.js';
import type {ServiceContext} from '../core/context.js';
import type {SignInRequest} from './sessions.js';
import {requireOwnToken} from './token-grants.js';
import {createTokenLines} from './token-lines.js';
import type {Tokens} from './tokens.js';

export type DeviceLogins = ReturnType<typeof createDeviceLogins>;

/** A program's look at its login: an error code of RFC 8628, or its token. */
export type PolledLogin =
  | 'authorization_pending'
  | 'slow_down'
  | 'access_denied'
  | 'expired_token'
  | {readonly token: AccessToken; readonly value: string};

/** The number of codes that are tried before a start gives up. A second one is needed once in millions. */
const codeTries = 5;

/** Programs without a browser that people sign in: device authorization, in the shapes of RFC 8628. */
export function createDeviceLogins(context: ServiceContext, {tokens}: {readonly tokens: Tokens}) {
  const {mutate, admissions, records, deviceLogins, signer, generateSecret, generateSuffix, publicUrl} =
    context;
  const tokenLines = createTokenLines(context);

  /** Returns the member who decides. Errors: `forbidden` for a program. */
  function requirePerson(call: Caller): Decider {
    requireOwnToken(call);
    const {workspace, principal} = call;
    if (isId('member', principal.id)) return {workspace, member: principal.id};
    throw new AppError('forbidden', 'Only people sign programs in: a service account may not.');
  }

  /** Finds a waiting login by its typed code. Errors: `not_found`, `rate_limited` for too many wrong codes. */
  async function requireLogin(call: Caller, typed: string): Promise<FoundDeviceLogin & {userCode: string}> {
    const userCode = parseUserCode(typed);
    if (userCode === undefined) throw createUnknownCodeError();
    const found = await deviceLogins.find(requirePerson(call), userCode, call.deadline);
    if (found === undefined) throw createUnknownCodeError();
    if (typeof found === 'object') return {...found, userCode};
    const seconds = Math.ceil(found / 1_000);
    throw new AppError('rate_limited', `Too many wrong codes. Repeat after ${seconds} s.`, {
      retryAfter: seconds,
    });
  }

  /** Plans the token of a login. `state`: `approved` if the approval is recorded. Errors: `forbidden`. */
  async function planToken(
    call: Call,
    {name, scopes}: Pick<FoundDeviceLogin, 'name' | 'scopes'>,
    suffix: IdSuffix<'access_token'>,
    state: 'approving' | 'approved',
  ): Promise<Commit> {
    const fixed = {suffix, isRecorded: state === 'approved'};
    const planned = await tokens.planTokenOfLogin(call, {name, scopes}, fixed);
    if (planned === undefined) throw createDecidedError(false);
    return planned;
  }

  return {
    /** Starts a login for a program. Errors: `rate_limited` while too many programs wait. */
    async start(
      {name, scopes}: NewDeviceLogin,
      {address, deadline}: {readonly address: string | undefined; readonly deadline: number},
    ) {
      const asked = {name: name.trim(), scopes: [...new Set(scopes)], address: formatClientAddress(address)};
      for (let i = 0; i < codeTries; i++) {
        const deviceCode = generateSecret();
        const userCode = createUserCode(Buffer.from(generateSecret(), 'base64url'));
        const started = await deviceLogins.start({deviceCode, userCode}, asked, deadline);
        if (started === 'started') {
          return {
            device_code: deviceCode,
            user_code: formatUserCode(userCode),
            verification_uri: createPageAddress(publicUrl, devicePage),
            expires_in: lifetimes.deviceLogin,
            interval: lifetimes.deviceLoginPause,
          };
        }
        if (started === 'code-taken') continue;
        const seconds = Math.ceil(started / 1_000);
        throw new AppError(
          'rate_limited',
          `Too many programs wait for a sign-in. Repeat after ${seconds} s.`,
          {
            retryAfter: seconds,
          },
        );
      }
      throw new Error('no code for people is free');
    },
    /**
     * Returns a login that waits, by the code that the person has typed. Once decided it is shown only to the
     * person whose approval a crash has interrupted. Errors: `not_found`, `forbidden`, `rate_limited`.
     */
    async findLogin(call: Caller, typed: string, address: string | undefined): Promise<DeviceLogin> {
      const {userCode, name, scopes, address: from, at, state, isOwn} = await requireLogin(call, typed);
      if (state !== 'pending' && !(state === 'approving' && isOwn)) throw createUnknownCodeError();
      return {
        object: 'device_login',
        user_code: formatUserCode(userCode),
        name,
        scopes,
        requested_from: from,
        your_address: formatClientAddress(address),
        created_at: toInstant(at),
        expires_at: toInstant(at + lifetimes.deviceLogin * 1_000),
      };
    },
    /**
     * Approves or denies a login. An approval commits the token first, and then records it for the program: a
     * repeat by the same person completes it after a crash. Errors: `not_found`, `forbidden`, `rate_limited`,
     * `scope_escalation`, `limit_reached`.
     */
    async decide(call: Call, typed: string, decision: DeviceDecision): Promise<Answer<DeviceLoginDecision>> {
      const approves = decision === 'approve';
      const suffix = approves ? generateSuffix() : undefined;
      let hash: string | undefined;
      const answer = await mutate<AccessToken | DeviceLoginDecision>(call, async () => {
        // The decision is fixed before the commit, which would be the first to notice a revoked token.
        await requireAdmission(admissions, call);
        const {userCode, state, ...login} = await requireLogin(call, typed);
        hash = login.hash;
        // The person may still deny what they may not approve.
        if (suffix !== undefined && state === 'pending') await planToken(call, login, suffix, 'approving');
        const decided = await deviceLogins.decide(hash, requirePerson(call), suffix, call.deadline);
        if (decided.state === 'gone' || !decided.isOwn) throw createUnknownCodeError();
        const isDenied = decided.state === 'denied';
        if (isDenied === approves) throw createDecidedError(isDenied);
        if (decided.state !== 'denied') return planToken(call, login, decided.suffix, decided.state);
        const body = JSON.stringify(presentDecision(userCode, decision, null));
        return {...emptyCommit, reply: {kind: 'inline', accepted: false, body}};
      });
      const {id, replayed} = answer;
      if (id === undefined) return answer as Answer<DeviceLoginDecision>;
      // An answer that is repeated after the end of the login has nothing to record.
      if (hash !== undefined) {
        const kid = await signer.findSigningKeyId(call.deadline);
        await deviceLogins.approve(hash, id, kid, call.deadline);
      }
      const body = JSON.stringify(presentDecision(parseUserCode(typed) ?? '', decision, id));
      return {outcome: 'changed', body, replayed};
    },
    /**
     * Revokes the token of a program that signs out. The caller has verified it. Nothing happens if it has ended
     * already. Errors: `forbidden` for a token that is no program's.
     */
    async signOut(
      {workspace, id}: {readonly workspace: Id<'workspace'>; readonly id: Id<'access_token'>},
      {deadline, requestId}: SignInRequest,
    ): Promise<void> {
      const token = await records.find(workspace, id, deadline);
      if (token === undefined) return;
      if (token.client === null) {
        throw new AppError('forbidden', 'Only tokens of signed-in programs end here. Use DELETE /v1/tokens.');
      }
      const call: Call = {
        workspace,
        principal: token.holder,
        scopes: new Set(token.scopes),
        deadline,
        entryPoint: token.client,
        ...(requestId !== undefined && {requestId}),
      };
      await mutate(call, async () => ({
        effect: 'release',
        ...(await tokenLines.planRevocation(call, token)),
        reply: {kind: 'empty'},
      }));
    },
    /** Returns what became of a login, for its program. */
    async poll(deviceCode: string, deadline: number): Promise<PolledLogin> {
      const polled = await deviceLogins.poll(deviceCode, deadline);
      switch (polled.state) {
        case 'pending':
          return 'authorization_pending';
        case 'early':
          return 'slow_down';
        case 'denied':
          return 'access_denied';
        case 'gone':
          return 'expired_token';
        case 'approved': {
          const {workspace, token, kid} = polled;
          return (await tokens.signAgain({workspace, deadline}, token, kid)) ?? 'access_denied';
        }
      }
    },
  };
}

function presentDecision(
  userCode: string,
  decision: DeviceDecision,
  token: DeviceLoginDecision['token'],
): DeviceLoginDecision {
  return {object: 'device_login_decision', user_code: formatUserCode(userCode), decision, token};
}

function createUnknownCodeError(): AppError {
  return notFound('code');
}

function createDecidedError(isDenied: boolean): AppError {
  return new AppError(
    'forbidden',
    isDenied
      ? 'You have denied this sign-in. Start another one in the program.'
      : 'You have approved this sign-in already. To end it, revoke its access token.',
  );
}
