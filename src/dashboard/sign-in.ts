// Sign-in through an identity provider. `GET /app/sign-in/{provider}` sends a person there, and `/callback`
// handles their return. ways-in.ts finds the member, and service/tokens/sessions.ts creates the session.
import {createHash} from 'node:crypto';
import {AppError} from '../domain/core/errors.js';
import {deadlines, lifetimes, processBounds} from '../domain/core/limits.js';
import {parsePass} from '../domain/tokens/session.js';
import {type SignInProblem, SignInRefused} from '../domain/tokens/sign-in.js';
import type {SignInRequest} from '../service/tokens/sessions.js';
import type {BrowserRequest, DashboardAnswer, DashboardRequest} from './answer.js';
import type {BrowserSessions} from './browser-sessions.js';
import {createCookie, tripCookie} from './cookie.js';
import type {DashboardContext} from './context.js';
import {
  clockTolerance,
  type IdentityProvider,
  type VerifiedIdentity,
  type Trip,
} from './identity-provider.js';
import {comesFromOtherSite, findSafeReturnPage} from './own-pages.js';
import {type Invited, joinByProvider, joinPage} from './provider-join.js';

interface TripCookie extends Trip {
  readonly provider: string;
  /** The page to which the person returns after the sign-in. */
  readonly to: string;
  /** The invite by which a person without an account joins. */
  readonly invite?: Invited | undefined;
  /** The start of the sign-in in ms. */
  readonly at: number;
  /** The browser's session: the session cookie is not sent on the way back from another site. */
  readonly instead?: string | undefined;
}

export const callbackPath = '/app/sign-in/callback';

/** Sign-in problems that do not count as a failed authentication. */
const nonCredentialProblems: ReadonlySet<SignInProblem> = new Set([
  'cancelled',
  'unknown_provider',
  'other_person',
  'provider_unavailable',
  'too_many_tries',
  'unavailable',
  'failed',
]);

export function createSignInHandler(
  context: DashboardContext,
  {withSlot, describeBrowser, keepSession}: BrowserSessions,
) {
  const {signIn, publicUrl, sessions, countFailure} = context;
  const {providers, trips, takeReturn, countReturn, now, generateSecret} = signIn;
  const tripCookies = createCookie(publicUrl, tripCookie);
  let asking = 0;

  async function startSignIn(
    {headers}: DashboardRequest,
    id: string,
    {to, confirm, invite}: Pick<TripCookie, 'to' | 'confirm' | 'invite'>,
    session: string | undefined,
  ): Promise<Pick<DashboardAnswer, 'location' | 'cookies'>> {
    const provider = providers.find((one) => one.id === id);
    if (provider === undefined) throw new SignInRefused('unknown_provider');
    // If another site sent the person here, our own page first asks whether they want to sign in.
    if (comesFromOtherSite(headers)) return {location: createResultPageAddress({to})};
    const trip: TripCookie = {
      provider: id,
      state: generateSecret(),
      nonce: generateSecret(),
      verifier: generateSecret(),
      confirm,
      to,
      invite,
      at: now(),
      // The value of an invalid session cookie is left out, because it would only take space in this cookie.
      instead: session !== undefined && parsePass(session) ? session : undefined,
    };
    if (trip.confirm && !provider.confirms) throw new SignInRefused('not_confirmed');
    const location = await provider.begin(trip);
    return {location, cookies: [tripCookies.keep(trips.encrypt(JSON.stringify(trip)), lifetimes.signIn)]};
  }

  /** Returns the state in the cookie, if the redirect belongs to this sign-in. */
  function readSignInStateCookie({headers}: DashboardRequest, search: string): TripCookie | undefined {
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
    trip: TripCookie,
    {requestId, cookie, search}: BrowserRequest,
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
    const confirmed = provider.confirms && isIdentityRecentlyProven(identity, trip);
    if (trip.confirm && !confirmed) throw new SignInRefused('not_confirmed');
    const signInRequest = {deadline: deadline(), requestId, cookie: cookie ?? trip.instead, search};
    return withSlot(vouched.workspace, signInRequest, async () => {
      const asked = {...(await describeBrowser(request, signInRequest)), confirms: trip.confirm};
      const isMember = 'member' in vouched;
      const made = isMember
        ? await sessions.signInMember({...vouched, confirmed}, asked, signInRequest)
        : await joinByProvider(context, trip.invite, vouched, asked, signInRequest);
      const {cookies, of} = keepSession(vouched.workspace, made);
      const location = isMember ? trip.to : `${joinPage}?joined=1`;
      return {location, cookies: [...cookies, tripCookies.drop()], of};
    });
  }

  async function verifyWithProvider(provider: IdentityProvider, search: string, trip: TripCookie) {
    const identity = await provider.finish(search, trip);
    const vouched = await provider.findMember(identity, performance.now() + findMs);
    return {proof: identity, vouched};
  }

  /** True if the identity was proven since the start of this sign-in. Errors: `SignInRefused`. */
  function isIdentityRecentlyProven({claims}: VerifiedIdentity, {at, confirm}: TripCookie): boolean {
    const {auth_time: proven} = claims;
    if (typeof proven !== 'number') return false;
    if (proven > now() / 1_000 + clockTolerance) {
      if (confirm) throw new SignInRefused('clock', 'auth_time');
      return false;
    }
    return proven >= at / 1_000 - clockTolerance;
  }

  /** Runs one step of a sign-in. A failure leads to the page that explains it. */
  async function runStep(
    request: DashboardRequest,
    {requestId}: SignInRequest,
    step: Pick<DashboardAnswer, 'operation'> & {
      readonly provider: string | undefined;
      readonly to: string;
      readonly joins: boolean;
      /** The sign-in that ends with a failure. */
      readonly ends: boolean;
    },
    act: () => Promise<Pick<DashboardAnswer, 'location' | 'cookies' | 'of'>>,
  ): Promise<DashboardAnswer> {
    const {operation, provider, to, joins, ends} = step;
    try {
      return {operation, status: 303, ...(await act()), note: {provider}};
    } catch (error) {
      const refused = toSignInRefusal(error, joins);
      const tooMany = nonCredentialProblems.has(refused.problem)
        ? undefined
        : await countFailure(request.ip, performance.now() + deadlines.request);
      const {problem, reason, cause} = tooMany === undefined ? refused : new SignInRefused('too_many_tries');
      return {
        operation,
        status: 303,
        location: createResultPageAddress({problem, provider, request: requestId, to, joins}),
        ...(ends && {cookies: [tripCookies.drop()]}),
        note: {provider, problem, ...(reason !== undefined && {reason})},
        ...(problem === 'failed' && {failure: cause}),
      };
    }
  }

  return {
    /** Handles a request below `/app/sign-in/`. `name` is the rest of its path. */
    async handle(
      request: DashboardRequest,
      name: string,
      signInRequest: BrowserRequest,
    ): Promise<DashboardAnswer> {
      const {search, cookie} = signInRequest;
      const asked = new URLSearchParams(search);
      if (name !== 'callback') {
        const [to, confirm] = [findSafeReturnPage(asked.get('to')), asked.get('confirm') === '1'];
        const step = {operation: 'leaveForProvider', provider: name, to, joins: false, ends: false};
        return runStep(request, signInRequest, step, () => startSignIn(request, name, {to, confirm}, cookie));
      }
      const trip = readSignInStateCookie(request, search);
      const step = {
        operation: 'returnFromProvider',
        provider: trip?.provider,
        to: trip?.to ?? findSafeReturnPage(asked.get('to')),
        joins: trip?.invite !== undefined,
        // Another sign-in's redirect must not end the sign-in that has begun in this browser.
        ends: trip !== undefined,
      };
      return runStep(request, signInRequest, step, () => {
        if (trip === undefined) throw new SignInRefused('expired', 'not kept by this browser');
        return finishSignIn(request, trip, signInRequest);
      });
    },
    /** Sends a person to a provider, to join by an invite. The page goes to the `location` of the answer. */
    async leaveToJoin(
      request: DashboardRequest,
      id: string,
      invite: Invited,
      signInRequest: BrowserRequest,
    ): Promise<DashboardAnswer> {
      const step = {operation: 'leaveToJoin', provider: id, to: joinPage, joins: true, ends: false};
      const {location, ...answer} = await runStep(request, signInRequest, step, () =>
        startSignIn(request, id, {to: joinPage, confirm: false, invite}, signInRequest.cookie),
      );
      return {...answer, status: 200, body: {location}};
    },
  };
}

/** The time limit (ms) for finding the member, for which Slack may be asked. */
const findMs = 3_000;

/** Returns the address of the page that shows the result. Nothing in it comes from outside. */
function createResultPageAddress({
  problem,
  provider,
  request,
  to,
  joins = false,
}: {
  readonly problem?: SignInProblem;
  readonly provider?: string | undefined;
  readonly request?: string | undefined;
  readonly to: string;
  readonly joins?: boolean;
}): string {
  // Addresses inside the app begin after /app.
  const path = to.replace(/^\/app\/?/, '/');
  const query = new URLSearchParams({
    ...(problem !== undefined && {problem}),
    ...(problem !== undefined && provider !== undefined && {provider}),
    ...(request !== undefined && {request}),
    ...(path !== '/' && !joins && {to: path}),
  });
  const page = joins ? joinPage : '/app/sign-in';
  return query.size === 0 ? page : `${page}?${query}`;
}

function toSignInRefusal(error: unknown, joins: boolean): SignInRefused {
  if (error instanceof SignInRefused) return error;
  const code = error instanceof AppError ? error.code : undefined;
  // The page looks at the invite again, and says if it has ended.
  if (joins && (code === 'forbidden' || code === 'invalid_token')) return new SignInRefused('other_address');
  if (code === 'forbidden') return new SignInRefused('other_person');
  if (code === 'rate_limited') return new SignInRefused('too_many_tries');
  const isAway =
    code === 'service_unavailable' ||
    code === 'store_lost' ||
    code === 'storage_full' ||
    code === 'workspace_read_only';
  return new SignInRefused(isAway ? 'unavailable' : 'failed', code, {cause: error});
}
