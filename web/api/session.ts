// The session of this browser: the page holds a token of ten minutes, and the cookie that gets the next one
// it can neither read nor name.
import {dropAllDrafts} from './drafts.ts';
import {announce, hear} from './tabs.ts';
import {noAnswer, Problem, problemOf} from './problem.ts';
import type {Schema} from './schema.ts';

interface Grant {
  readonly token: string;
  readonly expires_at: string;
  readonly scopes: readonly string[];
  readonly confirmed_until: string;
}

/** The person and the workspace of a sign-in link. */
export interface OfferedLink {
  readonly member: {readonly id: string; readonly name: string; readonly role: string};
  readonly workspace: {readonly id: string; readonly slug: string; readonly name: string};
  readonly expires_at: string;
}

let grant: {readonly given: Grant; readonly renewAt: number} | undefined;
let asking: Promise<Grant> | undefined;
/** The member that this page is for. */
let person: string | undefined;
/** How many sessions have ended in this page. */
let ended = 0;
const endListeners = new Set<() => void>();
const leaveListeners = new Set<() => Promise<unknown>>();

/** A token that is good for a while yet. Errors: `Problem` with status 401 when nobody is signed in. */
export async function getToken(): Promise<string> {
  if (grant !== undefined && Date.now() < grant.renewAt) return grant.given.token;
  return (await askForToken()).token;
}

/**
 * A request begun for one person is never sent or kept as another: its answer throws once the session is
 * over.
 */
export function watchSession(): () => void {
  const before = ended;
  return () => {
    if (ended !== before) throw new Problem(sessionOver);
  };
}

const sessionOver = {
  status: 401,
  code: 'session_over',
  title: 'Signed out',
  detail: 'The session has ended in this browser, or is another person’s.',
};

/** For what may have to be asked for while the page is left: there is no time for a token then. */
export function prepareToken(): void {
  getToken().catch(() => undefined);
}

/** After a 401: the next call asks for another one. */
export function forgetToken(token: string): void {
  if (grant?.given.token === token) grant = undefined;
}

/** The end (ms) of a powerful scope of the session; 0: it is not held; undefined: not known yet. */
export function heldUntil(scope: string): number | undefined {
  if (grant === undefined) return undefined;
  const {scopes, confirmed_until: until} = grant.given;
  // In its last minute the next token has it no more.
  return scopes.includes(scope) ? Date.parse(until) - 60_000 : 0;
}

/** The id of this browser's session, which its token names; undefined before the first one. */
export function currentSession(): string | undefined {
  return grant && claimsOf(grant.given.token).jti;
}

function claimsOf(token: string): {readonly jti?: string; readonly sub?: string} {
  const payload = token.split('.')[1]?.replaceAll('-', '+').replaceAll('_', '/') ?? '';
  return JSON.parse(atob(payload)) as {jti?: string; sub?: string};
}

export function lookAtLink(link: string): Promise<OfferedLink> {
  return askDoor('POST', '/app/session', {link, look: true}) as Promise<OfferedLink>;
}

/** Uses a sign-in link up. A person who was signed in here before is signed out. */
export async function signIn(link: string): Promise<Schema<'AccessToken'>> {
  const session = await askDoor('POST', '/app/session', {link});
  endHere();
  announce({kind: 'signed-in'});
  return session as Schema<'AccessToken'>;
}

export async function signOut({everywhere = false} = {}): Promise<void> {
  await Promise.allSettled([...leaveListeners].map((finish) => finish()));
  await askDoor('DELETE', everywhere ? '/app/session?everywhere=true' : '/app/session');
  dropAllDrafts();
  endHere();
  announce({kind: 'signed-out'});
}

/** Called before somebody signs out: what waits for *Undo* is still theirs to do. */
export function onLeave(finish: () => Promise<unknown>): void {
  leaveListeners.add(finish);
}

/** Called when the session of this browser has ended or is another's, in whichever tab. */
export function onSessionEnd(listener: () => void): () => void {
  endListeners.add(listener);
  return () => endListeners.delete(listener);
}

/** Forgets in this tab all that belongs to the session. */
export function endHere(): void {
  ended += 1;
  grant = undefined;
  asking = undefined;
  person = undefined;
  for (const listener of endListeners) listener();
}

hear((message) => {
  if (message.kind === 'signed-out' || message.kind === 'signed-in') endHere();
});

function askForToken(): Promise<Grant> {
  if (asking !== undefined) return asking;
  const own = grantToken().finally(() => {
    if (asking === own) asking = undefined;
  });
  asking = own;
  return own;
}

async function grantToken(): Promise<Grant> {
  const requireSame = watchSession();
  const given = (await askDoor('POST', '/app/session/token').catch((error: unknown) => {
    requireSame();
    if (error instanceof Problem && error.status === 401) endHere();
    throw error;
  })) as Grant;
  requireSame();
  const {sub: holder} = claimsOf(given.token);
  if (person !== undefined && person !== holder) {
    // A provider has signed somebody else in, which no page has told.
    endHere();
    announce({kind: 'signed-in'});
    throw new Problem(sessionOver);
  }
  person = holder;
  const lives = Date.parse(given.expires_at) - Date.now();
  const fades = Date.parse(given.confirmed_until) - Date.now();
  // Its power may end sooner than it does.
  const lasts = fades > 0 && fades < lives ? fades : lives * 0.8;
  grant = {given, renewAt: Date.now() + Math.max(1_000, lasts)};
  return given;
}

/** A door route; pages of other sites cannot send the header. */
async function askDoor(method: 'POST' | 'DELETE', path: string, body?: object): Promise<unknown> {
  let answer: Response;
  try {
    answer = await fetch(path, {
      method,
      headers: {'X-Standup-Dashboard': '1', ...(body && {'Content-Type': 'application/json'})},
      ...(body && {body: JSON.stringify(body)}),
      signal: AbortSignal.timeout(15_000),
    });
  } catch (error) {
    const said = {status: 0, code: noAnswer, title: 'No answer', detail: 'The service does not answer.'};
    throw new Problem(said, {cause: error});
  }
  if (!answer.ok) throw await problemOf(answer);
  return answer.status === 204 ? undefined : answer.json();
}
