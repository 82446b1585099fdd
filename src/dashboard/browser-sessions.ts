import {AppError} from '../domain/core/errors.js';
import type {Id} from '../domain/core/ids.js';
import type {MadeSession} from '../service/tokens/make-session.js';
import type {SessionRequest, SignInRequest, VerifiedSession} from '../service/tokens/sessions.js';
import type {BrowserRequest, DashboardAnswer, DashboardRequest} from './answer.js';
import {findBrowserName} from './browser-name.js';
import type {DashboardContext} from './context.js';
import {createCookie, sessionCookie} from './cookie.js';

export type BrowserSessions = ReturnType<typeof createBrowserSessions>;

/** The session that a browser has, and the one that it gets: the same for every way to sign in. */
export function createBrowserSessions({publicUrl, sessions, enter, remember}: DashboardContext) {
  const cookies = createCookie(publicUrl, sessionCookie);

  /** Finds the session that a browser has at the moment, before it gets a new one. */
  async function findSession(
    cookie: string | undefined,
    signInRequest: SignInRequest,
  ): Promise<VerifiedSession | undefined> {
    try {
      return await sessions.requireSession(cookie, signInRequest);
    } catch (error) {
      if (error instanceof AppError && isUnauthenticated(error)) return undefined;
      throw error;
    }
  }

  /** Gives a session to a browser: the cookie, and the fields for the log. */
  function keepSession(workspace: Id<'workspace'>, {session, pass}: MadeSession) {
    remember(pass);
    const seconds = (Date.parse(session.expires_at) - Date.parse(session.created_at)) / 1_000;
    return {cookies: [cookies.keep(pass, Math.ceil(seconds))], of: {workspace, token: session}};
  }

  return {
    readCookie: cookies.read,
    findSession,
    keepSession,
    dropSession: cookies.drop,
    /** Waits for a slot before a session uses the store, because webhook deliveries need the store too. */
    async withSlot<T>(
      workspace: Id<'workspace'>,
      {deadline}: SignInRequest,
      act: () => Promise<T>,
    ): Promise<T> {
      const leave = await enter(workspace, (deadline - performance.now()) / 2);
      try {
        return await act();
      } finally {
        leave();
      }
    },
    /** Describes the browser that gets a session, which replaces the one that it has. */
    async describeBrowser(
      {headers}: DashboardRequest,
      signInRequest: BrowserRequest,
    ): Promise<SessionRequest> {
      const instead = await findSession(signInRequest.cookie, signInRequest);
      return {name: findBrowserName(headers['user-agent']), instead};
    },
    presentSession(operation: string, workspace: Id<'workspace'>, made: MadeSession): DashboardAnswer {
      return {operation, status: 201, body: made.session, ...keepSession(workspace, made)};
    },
  };
}

function isUnauthenticated({code}: AppError): boolean {
  return code === 'invalid_token' || code === 'authentication_required';
}
