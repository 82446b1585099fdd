// The session of this browser: the page holds a token that lasts ten minutes; the cookie that gets the next
// one is invisible to scripts.
import {dropAllDrafts} from './drafts.ts';
import {sendToOtherTabs, onTabMessage} from './tabs.ts';
import {noAnswer, Problem, problemOf} from './problem.ts';
import type {Schema} from './schema.ts';

interface Grant {
  readonly token: string;
  readonly expires_at: string;
  readonly scopes: readonly string[];
  readonly confirmed_until: string;
}

/** The member and the workspace of a sign-in link. */
export interface OfferedLink {
  readonly member: {readonly id: string; readonly name: string; readonly role: string};
  readonly workspace: {readonly id: string; readonly slug: string; readonly name: string};
  readonly expires_at: string;
}

let grant: {readonly given: Grant; readonly renewAt: number} | undefined;
let asking: Promise<Grant> | undefined;
/** The member this page belongs to. */
let person: string | undefined;
/** The number of sessions that have ended in this page. */
let ended = 0;
const endListeners = new Set<() => void>();
const leaveListeners = new Set<() => Promise<unknown>>();

/**
 * Returns a token that stays valid for a while. Errors: `Problem` with status 401 when no one is signed in.
 */
export async function getToken(): Promise<string> {
  if (grant !== undefined && Date.now() < grant.renewAt) return grant.given.token;
  return (await requestToken()).token;
}

/**
 * Ensures that a request started by one person is never sent or kept for another: the returned function
 * throws once the session has ended.
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

/** Fetches a token ahead of requests sent while the page is left, when there is no time to fetch one. */
export function prepareToken(): void {
  getToken().catch(() => undefined);
}

/** Drops a token after a 401; the next call fetches another. */
export function forgetToken(token: string): void {
  if (grant?.given.token === token) grant = undefined;
}

/**
 * The end (ms) of an elevated scope of the session; 0: the session does not have it; undefined: not known
 * yet.
 */
export function scopeExpiry(scope: string): number | undefined {
  if (grant === undefined) return undefined;
  const {scopes, confirmed_until: until} = grant.given;
  // The next token may lack the scope within its last minute.
  return scopes.includes(scope) ? Date.parse(until) - 60_000 : 0;
}

/** The id of this browser's session, from its token; undefined before the first token. */
export function currentSession(): string | undefined {
  return grant && claimsOf(grant.given.token).jti;
}

function claimsOf(token: string): {readonly jti?: string; readonly sub?: string} {
  const payload = token.split('.')[1]?.replaceAll('-', '+').replaceAll('_', '/') ?? '';
  return JSON.parse(atob(payload)) as {jti?: string; sub?: string};
}

export function fetchSignInLink(link: string): Promise<OfferedLink> {
  return callSession('POST', '/app/session', {link, look: true}) as Promise<OfferedLink>;
}

/** Redeems a sign-in link. Signs out the person who was signed in here before. */
export async function signIn(link: string): Promise<Schema<'AccessToken'>> {
  const session = await callSession('POST', '/app/session', {link});
  clearSession();
  sendToOtherTabs({kind: 'signed-in'});
  return session as Schema<'AccessToken'>;
}

export async function signOut({everywhere = false} = {}): Promise<void> {
  await Promise.allSettled([...leaveListeners].map((finish) => finish()));
  await callSession('DELETE', everywhere ? '/app/session?everywhere=true' : '/app/session');
  dropAllDrafts();
  clearSession();
  sendToOtherTabs({kind: 'signed-out'});
}

/** Called before the person signs out: changes that wait for *Undo* are still sent in their name. */
export function beforeSignOut(finish: () => Promise<unknown>): void {
  leaveListeners.add(finish);
}

/** Called when the session of this browser has ended or belongs to another person, in any tab. */
export function onSessionEnd(listener: () => void): () => void {
  endListeners.add(listener);
  return () => endListeners.delete(listener);
}

/** Clears everything of the session in this tab. */
export function clearSession(): void {
  ended += 1;
  grant = undefined;
  asking = undefined;
  person = undefined;
  for (const listener of endListeners) listener();
}

onTabMessage((message) => {
  if (message.kind === 'signed-out' || message.kind === 'signed-in') clearSession();
});

function requestToken(): Promise<Grant> {
  if (asking !== undefined) return asking;
  const own = grantToken().finally(() => {
    if (asking === own) asking = undefined;
  });
  asking = own;
  return own;
}

async function grantToken(): Promise<Grant> {
  const requireSame = watchSession();
  const given = (await callSession('POST', '/app/session/token').catch((error: unknown) => {
    requireSame();
    if (error instanceof Problem && error.status === 401) clearSession();
    throw error;
  })) as Grant;
  requireSame();
  const {sub: holder} = claimsOf(given.token);
  if (person !== undefined && person !== holder) {
    // A provider has signed in another person, which no tab has announced.
    clearSession();
    sendToOtherTabs({kind: 'signed-in'});
    throw new Problem(sessionOver);
  }
  person = holder;
  const tokenMs = Date.parse(given.expires_at) - Date.now();
  const elevatedMs = Date.parse(given.confirmed_until) - Date.now();
  // The elevated scopes may end before the token does.
  const validMs = elevatedMs > 0 && elevatedMs < tokenMs ? elevatedMs : tokenMs * 0.8;
  grant = {given, renewAt: Date.now() + Math.max(1_000, validMs)};
  return given;
}

/** Calls a session route; pages of other sites cannot send this header. */
async function callSession(method: 'POST' | 'DELETE', path: string, body?: object): Promise<unknown> {
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
