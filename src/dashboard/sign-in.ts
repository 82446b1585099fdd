// Sign-in by an identity provider: `GET /app/sign-in/{provider}` leads there, and `/callback` takes the
// person back.
// Not here: which member that is (ways-in.ts), nor what a session is (service/tokens/sessions.ts).
import {createHash} from 'node:crypto';
import {AppError} from '../domain/core/errors.js';
import {deadlines, lifetimes, processBounds} from '../domain/core/limits.js';
import {parsePass} from '../domain/tokens/session.js';
import {type SignInProblem, SignInRefused} from '../domain/tokens/sign-in.js';
import type {VerifiedSession, Sessions, SignInRequest} from '../service/tokens/sessions.js';
import {nameBrowser} from './browser-name.js';
import {createCookie, sessionCookie, tripCookie} from './cookie.js';
import type {DashboardAnswer, DashboardRequest} from './answer.js';
import {
  clockTolerance,
  type IdentityProvider,
  type VerifiedIdentity,
  type Trip,
} from './identity-provider.js';
import {comesFromOtherSite, safeReturnPage} from './own-pages.js';
import type {Id} from '../domain/core/ids.js';

export interface SignInParts {
  readonly providers: readonly IdentityProvider[];
  /**
   * Encrypts the record that a browser keeps on the way, so that it can be neither read nor changed there.
   */
  readonly trips: {encrypt: (text: string) => string; decrypt: (encrypted: string) => string};
  /** True for a return that has not been used yet. */
  readonly takeReturn: (hash: string, deadline: number) => Promise<boolean>;
  /** Counts returns, since each costs a request to a provider; a refusal once there were too many. */
  readonly countReturn: (address: string | undefined, deadline: number) => Promise<AppError | undefined>;
  readonly now: () => number;
  /** 256 random bits, in base64url. */
  readonly generateSecret: () => string;
}

interface DashboardContext {
  readonly publicUrl: string;
  readonly sessions: Pick<Sessions, 'signInMember'>;
  readonly countFailure: (address: string | undefined, deadline: number) => Promise<AppError | undefined>;
  readonly findSession: (
    cookie: string | undefined,
    signInRequest: SignInRequest,
  ) => Promise<VerifiedSession | undefined>;
  readonly withSlot: <T>(
    workspace: Id<'workspace'>,
    signInRequest: SignInRequest,
    act: () => Promise<T>,
  ) => Promise<T>;
  readonly remember: (pass: string) => void;
}

interface TripCookie extends Trip {
  readonly provider: string;
  /** The page at which the person continues. */
  readonly to: string;
  /** The start of the sign-in, in ms. */
  readonly at: number;
  /** The present session of this browser: its own cookie is not sent on the way back from another site. */
  readonly instead?: string | undefined;
}

export interface SignInHandler {
  /** `name`: the rest of the address after `/app/sign-in/`. */
  handle: (
    request: DashboardRequest,
    name: string,
    search: string,
    signInRequest: SignInRequest & SessionSide,
  ) => Promise<DashboardAnswer>;
}

interface SessionSide {
  readonly cookie: string | undefined;
}

export const callbackPath = '/app/sign-in/callback';

/** Problems that are no failed attempt to prove an identity. */
const nonCredentialProblems: ReadonlySet<SignInProblem> = new Set([
  'cancelled',
  'unknown_provider',
  'provider_unavailable',
  'too_many_tries',
  'unavailable',
  'failed',
]);

export function createSignInHandler(parts: SignInParts, dashboard: DashboardContext): SignInHandler {
  const {providers, trips, takeReturn, countReturn, now, generateSecret} = parts;
  const {publicUrl, sessions, countFailure, findSession, withSlot, remember} = dashboard;
  const tripCookies = createCookie(publicUrl, tripCookie);
  const cookies = createCookie(publicUrl, sessionCookie);
  let asking = 0;

  async function startSignIn(
    {headers}: DashboardRequest,
    id: string,
    asked: URLSearchParams,
    session: string | undefined,
  ): Promise<Pick<DashboardAnswer, 'location' | 'cookies'>> {
    const to = safeReturnPage(asked.get('to'));
    const provider = providers.find((one) => one.id === id);
    if (provider === undefined) throw new SignInRefused('unknown_provider');
    // A person sent by another site is first asked by our own page whether they want this.
    if (comesFromOtherSite(headers)) return {location: resultPageAddress({to})};
    const trip: TripCookie = {
      provider: id,
      state: generateSecret(),
      nonce: generateSecret(),
      verifier: generateSecret(),
      confirm: asked.get('confirm') === '1',
      to,
      at: now(),
      // Anything else would only fill the cookie.
      instead: session !== undefined && parsePass(session) ? session : undefined,
    };
    if (trip.confirm && !provider.confirms) throw new SignInRefused('not_confirmed');
    const location = await provider.begin(trip);
    return {location, cookies: [tripCookies.keep(trips.encrypt(JSON.stringify(trip)), lifetimes.signIn)]};
  }

  /** The record in this browser, if this return answers it; undefined otherwise. */
  function readTripCookie({headers}: DashboardRequest, search: string): TripCookie | undefined {
    const encrypted = tripCookies.read(headers.cookie);
    if (encrypted === undefined) return undefined;
    try {
      const trip = JSON.parse(trips.decrypt(encrypted)) as TripCookie;
      const isOver = now() - trip.at > lifetimes.signIn * 1_000;
      return isOver || new URLSearchParams(search).get('state') !== trip.state ? undefined : trip;
    } catch {
      return undefined;
    }
  }

  async function finishSignIn(
    request: DashboardRequest,
    search: string,
    trip: TripCookie,
    {requestId, cookie}: SignInRequest & SessionSide,
  ): Promise<Pick<DashboardAnswer, 'location' | 'cookies' | 'of'>> {
    const provider = providers.find((one) => one.id === trip.provider);
    if (provider === undefined) throw new SignInRefused('unknown_provider');
    const deadline = () => performance.now() + deadlines.request;
    const tooMany = await countReturn(request.ip, deadline());
    if (tooMany !== undefined) throw new SignInRefused('too_many_tries');
    const hash = createHash('sha256').update(trip.state).digest('base64url');
    if (!(await takeReturn(hash, deadline()))) throw new SignInRefused('expired', 'taken before');
    if (asking >= processBounds.signIns) throw new SignInRefused('unavailable', 'too many at a time');
    asking++;
    const {proof: identity, vouched} = await verifyWithProvider(provider, search, trip).finally(
      () => asking--,
    );
    const confirmed = provider.confirms && isRecentlyProven(identity, trip);
    if (trip.confirm && !confirmed) throw new SignInRefused('not_confirmed');
    const signInRequest = {deadline: deadline(), requestId};
    return withSlot(vouched.workspace, signInRequest, async () => {
      const instead = await findSession(cookie ?? trip.instead, signInRequest);
      const name = nameBrowser(request.headers['user-agent']);
      const made = await sessions.signInMember({...vouched, confirmed}, {name, instead}, signInRequest);
      remember(made.pass);
      const seconds = (Date.parse(made.session.expires_at) - Date.parse(made.session.created_at)) / 1_000;
      return {
        location: trip.to,
        cookies: [cookies.keep(made.pass, Math.ceil(seconds)), tripCookies.drop()],
        of: {workspace: vouched.workspace, token: made.session},
      };
    });
  }

  async function verifyWithProvider(provider: IdentityProvider, search: string, trip: TripCookie) {
    const identity = await provider.finish(search, trip);
    const vouched = await provider.findMember(identity, performance.now() + findMs);
    return {proof: identity, vouched};
  }

  /** True when they have proven their identity since the start. Errors: `SignInRefused`. */
  function isRecentlyProven({claims}: VerifiedIdentity, {at, confirm}: TripCookie): boolean {
    const {auth_time: proven} = claims;
    if (typeof proven !== 'number') return false;
    if (proven > now() / 1_000 + clockTolerance) {
      if (confirm) throw new SignInRefused('clock', 'auth_time');
      return false;
    }
    return proven >= at / 1_000 - clockTolerance;
  }

  return {
    async handle(request, name, search, signInRequest) {
      const isReturn = name === 'callback';
      const operation = isReturn ? 'returnFromProvider' : 'leaveForProvider';
      const asked = new URLSearchParams(search);
      const trip = isReturn ? readTripCookie(request, search) : undefined;
      const provider = isReturn ? trip?.provider : name;
      try {
        if (isReturn && trip === undefined) throw new SignInRefused('expired', 'not kept by this browser');
        const done =
          trip === undefined
            ? await startSignIn(request, name, asked, signInRequest.cookie)
            : await finishSignIn(request, search, trip, signInRequest);
        return {operation, status: 303, ...done, note: {provider}};
      } catch (error) {
        const refused = toSignInRefusal(error);
        const tooMany = nonCredentialProblems.has(refused.problem)
          ? undefined
          : await countFailure(request.ip, performance.now() + deadlines.request);
        const {problem, reason, cause} =
          tooMany === undefined ? refused : new SignInRefused('too_many_tries');
        const to = trip?.to ?? safeReturnPage(asked.get('to'));
        return {
          operation,
          status: 303,
          location: resultPageAddress({problem, provider, request: signInRequest.requestId, to}),
          // A return that is not this browser's own does not touch a sign-in that is under way.
          ...(trip !== undefined && {cookies: [tripCookies.drop()]}),
          note: {provider, problem, ...(reason !== undefined && {reason})},
          ...(problem === 'failed' && {failure: cause}),
        };
      }
    },
  };
}

/** Slack may be asked for a profile in this time. */
const findMs = 3_000;

/** The page that shows the result. All its parts are from a fixed list, or ours. */
function resultPageAddress({
  problem,
  provider,
  request,
  to,
}: {
  readonly problem?: SignInProblem;
  readonly provider?: string | undefined;
  readonly request?: string | undefined;
  readonly to: string;
}): string {
  // The app's own addresses begin after /app.
  const path = to.replace(/^\/app\/?/, '/');
  const query = new URLSearchParams({
    ...(problem !== undefined && {problem}),
    ...(problem !== undefined && provider !== undefined && {provider}),
    ...(request !== undefined && {request}),
    ...(path !== '/' && {to: path}),
  });
  return query.size === 0 ? '/app/sign-in' : `/app/sign-in?${query}`;
}

function toSignInRefusal(error: unknown): SignInRefused {
  if (error instanceof SignInRefused) return error;
  const code = error instanceof AppError ? error.code : undefined;
  if (code === 'rate_limited') return new SignInRefused('too_many_tries');
  const isAway = code === 'service_unavailable' || code === 'store_lost' || code === 'storage_full';
  return new SignInRefused(isAway ? 'unavailable' : 'failed', code, {cause: error});
}
