// Signing in with a passkey: `POST /app/session/passkey` gives a challenge, which the browser keeps in a
// cookie, and `POST /app/session` takes the signature.
import {createHash} from 'node:crypto';
import {AppError} from '../domain/core/errors.js';
import {lifetimes} from '../domain/core/limits.js';
import type {PasskeyAssertion} from '../domain/tokens/passkey.js';
import {requireWayIn} from '../domain/tokens/sign-in.js';
import type {SignInRequest} from '../service/tokens/sessions.js';
import type {DashboardRequest, SignInWay} from './answer.js';
import {createBodyError, readFields} from './body.js';
import type {BrowserSessions} from './browser-sessions.js';
import type {DashboardContext} from './context.js';
import {challengeCookie, createCookie} from './cookie.js';

export function createPasskeyWay(
  context: DashboardContext,
  {withSlot, describeBrowser, presentSession}: BrowserSessions,
): SignInWay {
  const {passkeys, waysIn} = context;
  const challenges = createChallenges(context);
  return {
    read(body) {
      const given = readPasskeyRequest(body);
      if (given === undefined) return undefined;
      requireWayIn(waysIn, 'passkey');
      return async (request, signInRequest) => {
        const challenge = challenges.read(request);
        const proven = await passkeys.requireProven(given.assertion, challenge, signInRequest);
        await challenges.take(challenge, request, signInRequest);
        return withSlot(proven.workspace, signInRequest, async () => {
          const asked = {...(await describeBrowser(request, signInRequest)), confirms: given.confirms};
          const made = await passkeys.signIn(proven, asked, signInRequest);
          const answer = presentSession('signInWithPasskey', proven.workspace, made);
          return {...answer, cookies: [...(answer.cookies ?? []), challenges.drop()]};
        });
      };
    },
    handlers: {
      '/app/session/passkey': {
        async POST() {
          requireWayIn(waysIn, 'passkey');
          const {challenge, cookie} = challenges.create();
          const body = passkeys.createSignInOptions(challenge);
          return {operation: 'challengePasskey', status: 200, body, cookies: [cookie]};
        },
      },
    },
  };
}

function createChallenges({publicUrl, signIn}: DashboardContext) {
  const {challenges, takeReturn, countReturn, generateSecret, now} = signIn;
  const cookies = createCookie(publicUrl, challengeCookie);

  function createStaleError(): AppError {
    return new AppError(
      'invalid_token',
      `Signing in with a passkey took more than ${lifetimes.passkeyChallenge / 60} minutes, or began in another browser. Try again.`,
    );
  }

  return {
    create() {
      const challenge = generateSecret();
      const until = now() + lifetimes.passkeyChallenge * 1_000;
      const kept = challenges.encrypt(JSON.stringify({challenge, until}));
      return {challenge, cookie: cookies.keep(kept, lifetimes.passkeyChallenge)};
    },
    /** Returns the challenge that this browser keeps. Errors: `invalid_token`. */
    read({headers}: DashboardRequest): string {
      try {
        const kept = challenges.decrypt(cookies.read(headers.cookie) ?? '');
        const {challenge, until} = JSON.parse(kept) as {challenge: string; until: number};
        if (until > now()) return challenge;
      } catch {
        // There is no cookie, or it is not ours.
      }
      throw createStaleError();
    },
    /**
     * Uses a challenge up, in every process. Only for a signature that was verified, since each use is
     * remembered. Errors: `invalid_token` the second time; `rate_limited` for too many from a network.
     */
    async take(challenge: string, {ip}: DashboardRequest, {deadline}: SignInRequest): Promise<void> {
      const tooMany = await countReturn(ip, deadline);
      if (tooMany !== undefined) {
        const {retryAfter = 60} = tooMany.context;
        throw new AppError(
          'rate_limited',
          `Too many sign-ins come from your network. Try again after ${retryAfter} s.`,
          {retryAfter},
        );
      }
      const hash = createHash('sha256').update(challenge).digest('base64url');
      if (!(await takeReturn(hash, deadline))) throw createStaleError();
    },
    drop: cookies.drop,
  };
}

/**
 * Reads a sign-in by passkey from a body; undefined for another way. `confirms`: the person who is signed in
 * confirms that it is them. Errors: `validation_failed`.
 */
function readPasskeyRequest(body: unknown) {
  const {passkey, confirm = false} = readFields(body);
  if (passkey === undefined) return undefined;
  if (typeof confirm !== 'boolean') throw createBodyError('confirm', 'must be true or false');
  const given = readFields(passkey);
  const read = (field: string): string => {
    const value = given[field];
    if (typeof value === 'string' && /^[\w-]{1,12000}$/.test(value)) return value;
    throw createBodyError(`passkey/${field}`, 'must be base64url without padding');
  };
  const assertion: PasskeyAssertion = {
    id: read('id'),
    clientData: read('client_data_json'),
    authenticatorData: read('authenticator_data'),
    signature: read('signature'),
    userHandle: read('user_handle'),
  };
  return {assertion, confirms: confirm};
}
