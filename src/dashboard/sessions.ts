// The session of a browser: `POST /app/session` begins one in any way, `DELETE` ends it, and
// `POST /app/session/token` exchanges it for a token of the API.
import type {ChangeHandlers} from './answer.js';
import type {BrowserSessions} from './browser-sessions.js';
import {createCodeWay} from './codes.js';
import type {DashboardContext} from './context.js';
import {createPasskeyWay} from './passkeys.js';
import {createLinkWay} from './sign-in-links.js';

export function createSessionHandlers(
  context: DashboardContext,
  browserSessions: BrowserSessions,
): ChangeHandlers {
  const {sessions, rateLimits, readJson, remember, countFailure} = context;
  const {withSlot, findSession, dropSession} = browserSessions;
  const quota = {limits: rateLimits, isWrite: false};
  const byCode = createCodeWay(context, browserSessions);
  const byPasskey = createPasskeyWay(context, browserSessions);
  const byLink = createLinkWay(context, browserSessions);
  return {
    '/app/session': {
      async POST(request, signInRequest) {
        const body = await readJson(request);
        const signIn = byCode.read(body) ?? byPasskey.read(body) ?? byLink.read(body);
        return signIn(request, signInRequest);
      },
      async DELETE(request, signInRequest) {
        const everywhere = new URLSearchParams(signInRequest.search).get('everywhere') === 'true';
        const session = await findSession(signInRequest.cookie, signInRequest);
        if (session !== undefined) {
          await withSlot(session.workspace, signInRequest, () =>
            sessions.signOut(session, {everywhere}, signInRequest),
          );
        } else if (signInRequest.cookie !== undefined) {
          const refusal = await countFailure(request.ip, signInRequest.deadline);
          if (refusal !== undefined) throw refusal;
        }
        return {operation: 'signOut', status: 204, cookies: [dropSession()], of: session};
      },
    },
    '/app/session/token': {
      async POST(_, signInRequest) {
        const session = await sessions.requireSession(signInRequest.cookie, signInRequest);
        if (signInRequest.cookie !== undefined) remember(signInRequest.cookie);
        const body = await withSlot(session.workspace, signInRequest, () =>
          sessions.grantToken(session, quota, signInRequest),
        );
        return {operation: 'grantToken', status: 200, body, of: session};
      },
    },
    ...byCode.handlers,
    ...byPasskey.handlers,
  };
}
