// The session of this browser. The page holds an access token that lasts ten minutes; the cookie that renews
// the token is invisible to scripts.
import {dropAllDrafts} from './drafts.ts';
import {readItem, removeItem, storeItem} from './storage.ts';
import {sendToOtherTabs, onTabMessage} from './tabs.ts';
import {noAnswer, Problem, toProblem} from './problem.ts';

interface Grant {
  readonly token: string;
  readonly expires_at: string;
  readonly scopes: readonly string[];
  readonly confirmed_until: string;
}

let grant: {readonly given: Grant; readonly renewAt: number} | undefined;
let asking: Promise<Grant> | undefined;
/** Id of the member who is signed in on this page. */
let person: string | undefined;
/** Number of sessions that have ended since this page was loaded. */
let ended = 0;
/** Exists while this browser has a session, and after a session that has ended by itself or from elsewhere. */
const sessionMark = 'standup:session';
const endListeners = new Set<() => void>();
const leaveListeners = new Set<() => Promise<unknown>>();

/** Returns a token that stays valid for a while. Throws a `Problem` (401) when no one is signed in. */
export async function getToken(): Promise<string> {
  if (grant !== undefined && Date.now() < grant.renewAt) return grant.given.token;
  return (await requestToken()).token;
}

/** Returns a function that throws once the session has ended: the next person must not see its data. */
export function guardSession(): () => void {
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

/** Fetches a token in advance, since there is no time to fetch one when the page is left. */
export function prepareToken(): void {
  getToken().catch(() => undefined);
}

/** Drops a token after a 401; the next call fetches another. */
export function forgetToken(token: string): void {
  if (grant?.given.token === token) grant = undefined;
}

/** Time (ms) at which the session loses an elevated scope; 0 without the scope, undefined if not known. */
export function getScopeExpiry(scope: string): number | undefined {
  if (grant === undefined) return undefined;
  const {scopes, confirmed_until: until} = grant.given;
  // Treat the scope as ended one minute early, since the next token may lack it.
  return scopes.includes(scope) ? Date.parse(until) - 60_000 : 0;
}

/** The id of this browser's session, from its token; undefined before the first token. */
export function getSessionId(): string | undefined {
  return grant && readTokenClaims(grant.given.token).jti;
}

function readTokenClaims(token: string): {readonly jti?: string; readonly sub?: string} {
  const payload = token.split('.')[1]?.replaceAll('-', '+').replaceAll('_', '/') ?? '';
  return JSON.parse(atob(payload)) as {jti?: string; sub?: string};
}

export async function signOut({everywhere = false} = {}): Promise<void> {
  await Promise.allSettled([...leaveListeners].map((finish) => finish()));
  await callSession('DELETE', everywhere ? '/app/session?everywhere=true' : '/app/session');
  dropAllDrafts();
  removeItem(sessionMark);
  clearSession();
  sendToOtherTabs({kind: 'signed-out'});
}

/** True if this browser had a session that was not signed out here. To be asked when there is none. */
export function hadSession(): boolean {
  return readItem(sessionMark) !== null;
}

/** Adds a function that runs before the sign-out, such as to send changes that still offer *Undo*. */
export function onBeforeSignOut(finish: () => Promise<unknown>): void {
  leaveListeners.add(finish);
}

/** Adds a listener for the end of this browser's session, or a sign-in by another person, in any tab. */
export function onSessionEnd(listener: () => void): () => void {
  endListeners.add(listener);
  return () => endListeners.delete(listener);
}

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
  const requireSame = guardSession();
  const given = (await callSession('POST', '/app/session/token').catch((error: unknown) => {
    requireSame();
    if (error instanceof Problem && error.status === 401) clearSession();
    throw error;
  })) as Grant;
  requireSame();
  storeItem(sessionMark, '1');
  const {sub: holder} = readTokenClaims(given.token);
  if (person !== undefined && person !== holder) {
    // Another person signed in through an identity provider. No tab announced this, so tell the others.
    clearSession();
    sendToOtherTabs({kind: 'signed-in'});
    throw new Problem(sessionOver);
  }
  person = holder;
  const tokenMs = Date.parse(given.expires_at) - Date.now();
  const elevatedMs = Date.parse(given.confirmed_until) - Date.now();
  // The elevated scopes may end before the token expires.
  const validMs = elevatedMs > 0 && elevatedMs < tokenMs ? elevatedMs : tokenMs * 0.8;
  grant = {given, renewAt: Date.now() + Math.max(1_000, validMs)};
  return given;
}

/** Calls a session route with a header that pages of other sites cannot send. */
export async function callSession(method: 'POST' | 'DELETE', path: string, body?: object): Promise<unknown> {
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
  if (!answer.ok) throw await toProblem(answer);
  return answer.status === 204 || answer.status === 202 ? undefined : answer.json();
}
