// Sign-in by an identity provider: `GET /app/sign-in/{provider}` leads there, and `/callback` takes the
// person back.
// Not here: which member that is (ways-in.ts), nor what a session is (service/tokens/sessions.ts).
import {createHash} from 'node:crypto';
import {AppError} from '../domain/core/errors.js';
import {deadlines, lifetimes, processBounds} from '../domain/core/limits.js';
import {parsePass} from '../domain/tokens/session.js';
import {type SignInProblem, SignInRefused} from '../domain/tokens/sign-in.js';
import type {Proven, Sessions, Visit} from '../service/tokens/sessions.js';
import {nameBrowser} from './browser-name.js';
import {createCookie, sessionCookie, tripCookie} from './cookie.js';
import type {Answer, DoorRequest} from './answer.js';
import {clockTolerance, type IdentityProvider, type Proof, type Trip} from './identity-provider.js';
import {comesFromElsewhere, pageOfApp} from './own-pages.js';
import type {Id} from '../domain/core/ids.js';

export interface SignInParts {
  readonly providers: readonly IdentityProvider[];
  /** Encrypts the record that a browser keeps on the way: nobody can read or change it. */
  readonly trips: {seal: (text: string) => string; open: (sealed: string) => string};
  /** True for a return that has not been used yet. */
  readonly takeReturn: (hash: string, deadline: number) => Promise<boolean>;
  /** Counts returns, since each costs a request to a provider; a refusal once there were too many. */
  readonly countReturn: (address: string | undefined, deadline: number) => Promise<AppError | undefined>;
  readonly now: () => number;
  /** 256 random bits, in base64url. */
  readonly drawSecret: () => string;
}

interface DoorSide {
  readonly publicUrl: string;
  readonly sessions: Pick<Sessions, 'signInMember'>;
  readonly countFailure: (address: string | undefined, deadline: number) => Promise<AppError | undefined>;
  readonly findSession: (cookie: string | undefined, visit: Visit) => Promise<Proven | undefined>;
  readonly inPlace: <T>(workspace: Id<'workspace'>, visit: Visit, act: () => Promise<T>) => Promise<T>;
  readonly remember: (pass: string) => void;
}

/** The record in the cookie. */
interface KeptTrip extends Trip {
  readonly provider: string;
  /** The page at which the person continues. */
  readonly to: string;
  /** The start of the sign-in, in ms. */
  readonly at: number;
  /** The present session of this browser: its own cookie is not sent on the way back from another site. */
  readonly instead?: string | undefined;
}

export interface SignInDoor {
  /** `name`: the rest of the address after `/app/sign-in/`. */
  visit: (request: DoorRequest, name: string, search: string, visit: Visit & SessionSide) => Promise<Answer>;
}

interface SessionSide {
  readonly cookie: string | undefined;
}

export const callbackPath = '/app/sign-in/callback';

/** Problems in which nobody has failed to prove anything. */
const nobodysFault: ReadonlySet<SignInProblem> = new Set([
  'cancelled',
  'unknown_provider',
  'provider_unavailable',
  'too_many_tries',
  'unavailable',
  'failed',
]);

export function createSignInDoor(parts: SignInParts, door: DoorSide): SignInDoor {
  const {providers, trips, takeReturn, countReturn, now, drawSecret} = parts;
  const {publicUrl, sessions, countFailure, findSession, inPlace, remember} = door;
  const tripCookies = createCookie(publicUrl, tripCookie);
  const cookies = createCookie(publicUrl, sessionCookie);
  let asking = 0;

  async function setOut(
    {headers}: DoorRequest,
    id: string,
    asked: URLSearchParams,
    session: string | undefined,
  ): Promise<Pick<Answer, 'location' | 'cookies'>> {
    const to = pageOfApp(asked.get('to'));
    const provider = providers.find((one) => one.id === id);
    if (provider === undefined) throw new SignInRefused('unknown_provider');
    // A person sent by another site is first asked by our own page whether they want this.
    if (comesFromElsewhere(headers)) return {location: addressOf({to})};
    const trip: KeptTrip = {
      provider: id,
      state: drawSecret(),
      nonce: drawSecret(),
      verifier: drawSecret(),
      confirm: asked.get('confirm') === '1',
      to,
      at: now(),
      // Anything else would only fill the cookie.
      instead: session !== undefined && parsePass(session) ? session : undefined,
    };
    if (trip.confirm && !provider.confirms) throw new SignInRefused('not_confirmed');
    const location = await provider.begin(trip);
    return {location, cookies: [tripCookies.keep(trips.seal(JSON.stringify(trip)), lifetimes.signIn)]};
  }

  /** The record in this browser, if this return answers it; undefined otherwise. */
  function openTrip({headers}: DoorRequest, search: string): KeptTrip | undefined {
    const sealed = tripCookies.read(headers.cookie);
    if (sealed === undefined) return undefined;
    try {
      const trip = JSON.parse(trips.open(sealed)) as KeptTrip;
      const isOver = now() - trip.at > lifetimes.signIn * 1_000;
      return isOver || new URLSearchParams(search).get('state') !== trip.state ? undefined : trip;
    } catch {
      return undefined;
    }
  }

  async function comeBack(
    request: DoorRequest,
    search: string,
    trip: KeptTrip,
    {requestId, cookie}: Visit & SessionSide,
  ): Promise<Pick<Answer, 'location' | 'cookies' | 'of'>> {
    const provider = providers.find((one) => one.id === trip.provider);
    if (provider === undefined) throw new SignInRefused('unknown_provider');
    const deadline = () => performance.now() + deadlines.request;
    const tooMany = await countReturn(request.ip, deadline());
    if (tooMany !== undefined) throw new SignInRefused('too_many_tries');
    const hash = createHash('sha256').update(trip.state).digest('base64url');
    if (!(await takeReturn(hash, deadline()))) throw new SignInRefused('expired', 'taken before');
    if (asking >= processBounds.signIns) throw new SignInRefused('unavailable', 'too many at a time');
    asking++;
    const {proof, vouched} = await askProvider(provider, search, trip).finally(() => asking--);
    const confirmed = provider.confirms && isFresh(proof, trip);
    if (trip.confirm && !confirmed) throw new SignInRefused('not_confirmed');
    const visit = {deadline: deadline(), requestId};
    return inPlace(vouched.workspace, visit, async () => {
      const instead = await findSession(cookie ?? trip.instead, visit);
      const name = nameBrowser(request.headers['user-agent']);
      const made = await sessions.signInMember({...vouched, confirmed}, {name, instead}, visit);
      remember(made.pass);
      const seconds = (Date.parse(made.session.expires_at) - Date.parse(made.session.created_at)) / 1_000;
      return {
        location: trip.to,
        cookies: [cookies.keep(made.pass, Math.ceil(seconds)), tripCookies.drop()],
        of: {workspace: vouched.workspace, token: made.session},
      };
    });
  }

  async function askProvider(provider: IdentityProvider, search: string, trip: KeptTrip) {
    const proof = await provider.finish(search, trip);
    const vouched = await provider.findMember(proof, performance.now() + findMs);
    return {proof, vouched};
  }

  /** True when they have proven their identity since the start. Errors: `SignInRefused`. */
  function isFresh({claims}: Proof, {at, confirm}: KeptTrip): boolean {
    const {auth_time: proven} = claims;
    if (typeof proven !== 'number') return false;
    if (proven > now() / 1_000 + clockTolerance) {
      if (confirm) throw new SignInRefused('clock', 'auth_time');
      return false;
    }
    return proven >= at / 1_000 - clockTolerance;
  }

  return {
    async visit(request, name, search, visit) {
      const isReturn = name === 'callback';
      const operation = isReturn ? 'returnFromProvider' : 'leaveForProvider';
      const asked = new URLSearchParams(search);
      const trip = isReturn ? openTrip(request, search) : undefined;
      const provider = isReturn ? trip?.provider : name;
      try {
        if (isReturn && trip === undefined) throw new SignInRefused('expired', 'not kept by this browser');
        const done =
          trip === undefined
            ? await setOut(request, name, asked, visit.cookie)
            : await comeBack(request, search, trip, visit);
        return {operation, status: 303, ...done, note: {provider}};
      } catch (error) {
        const refused = asRefusal(error);
        const tooMany = nobodysFault.has(refused.problem)
          ? undefined
          : await countFailure(request.ip, performance.now() + deadlines.request);
        const {problem, reason, cause} =
          tooMany === undefined ? refused : new SignInRefused('too_many_tries');
        const to = trip?.to ?? pageOfApp(asked.get('to'));
        return {
          operation,
          status: 303,
          location: addressOf({problem, provider, request: visit.requestId, to}),
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
function addressOf({
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
  const place = to.replace(/^\/app\/?/, '/');
  const query = new URLSearchParams({
    ...(problem !== undefined && {problem}),
    ...(problem !== undefined && provider !== undefined && {provider}),
    ...(request !== undefined && {request}),
    ...(place !== '/' && {to: place}),
  });
  return query.size === 0 ? '/app/sign-in' : `/app/sign-in?${query}`;
}

function asRefusal(error: unknown): SignInRefused {
  if (error instanceof SignInRefused) return error;
  const code = error instanceof AppError ? error.code : undefined;
  if (code === 'rate_limited') return new SignInRefused('too_many_tries');
  const isAway = code === 'service_unavailable' || code === 'store_lost' || code === 'storage_full';
  return new SignInRefused(isAway ? 'unavailable' : 'failed', code, {cause: error});
}
