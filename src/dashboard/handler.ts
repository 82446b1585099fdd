// src/dashboard/: the page at `/app`, and how a browser gets a session and an API token. The rules of
// sessions are in service/tokens/sessions.ts.
import type {ServerResponse} from 'node:http';
import {AppError} from '../domain/core/errors.js';
import {deadlines} from '../domain/core/limits.js';
import type {ChangeHandler, ChangeHandlers, DashboardRequest} from './answer.js';
import {createBrowserSessions} from './browser-sessions.js';
import type {DashboardContext} from './context.js';
import {createDeviceLoginHandlers} from './device-logins.js';
import {createInviteHandlers} from './invites.js';
import {createMailLinkHandlers, findUnsubscribePage} from './mail-links.js';
import {requireNavigation, requireProgram, requireRequestFromOwnPage} from './own-pages.js';
import {createSessionHandlers} from './sessions.js';
import {createShell} from './shell.js';
import {createSignInHandler} from './sign-in.js';

/** Answers a request below `/app`, or passes it on with an error that the API answers. */
export type DashboardHandler = (
  request: DashboardRequest,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void;

export function createDashboardHandler(context: DashboardContext): DashboardHandler {
  const {publicUrl, pace, countFailure, refuseMethod, chooseRequestId, dataHeaders, meter, log} = context;
  const choices = context.signIn.providers.map(({id, name, confirms}) => ({id, name, confirms}));
  const metas = {
    'sign-in-providers': JSON.stringify(choices),
    features: context.features.join(' '),
    ...(context.hasSlack && {slack: 'on'}),
  };
  const shell = createShell(context, metas);
  const browserSessions = createBrowserSessions(context);
  const signIn = createSignInHandler(context, browserSessions);
  const mailLinks = createMailLinkHandlers(context, browserSessions);
  const acts: ChangeHandlers = {
    ...createSessionHandlers(context, browserSessions),
    ...createInviteHandlers(context, browserSessions, signIn),
    ...mailLinks.handlers,
  };
  const programs = createDeviceLoginHandlers(context);

  async function runChangeHandler(
    act: ChangeHandler,
    request: DashboardRequest,
    response: ServerResponse,
    requireOwn: typeof requireRequestFromOwnPage,
  ): Promise<void> {
    const begunAt = performance.now();
    const deadline = begunAt + deadlines.request;
    const requestId = chooseRequestId(request);
    const {search} = splitUrl(request);
    requireOwn(request.headers, publicUrl);
    const cookie = browserSessions.readCookie(request.headers.cookie);
    await pace(cookie);
    const answer = await act(request, {deadline, requestId, cookie, search}).catch(async (error: unknown) => {
      if (!(error instanceof AppError) || error.code !== 'invalid_token') throw error;
      throw (await countFailure(request.ip, deadline)) ?? error;
    });
    const {operation, status, body, location, of, note, failure, after} = answer;
    response.writeHead(status, {
      ...dataHeaders,
      'Cache-Control': 'no-store',
      'X-Request-Id': requestId,
      ...(body !== undefined && {'Content-Type': 'application/json'}),
      ...(location !== undefined && {Location: location}),
      ...(answer.cookies && {'Set-Cookie': [...answer.cookies]}),
    });
    response.end(body && JSON.stringify(body));
    const ms = performance.now() - begunAt;
    const {method = ''} = request;
    meter.countRequest(operation, method, status, ms);
    const caller = {principal: of?.token.holder.id, token: of?.token.id, workspace: of?.workspace};
    log.info(
      {request_id: requestId, operation, method, status, ms: Math.round(ms * 10) / 10, ...caller, ...note},
      'request',
    );
    if (failure !== undefined) log.error({request_id: requestId, operation}, 'a sign-in failed', failure);
    await after?.().catch((error: unknown) =>
      log.error({request_id: requestId, operation}, 'a step after the answer failed', error),
    );
  }

  return function handleDashboard(request, response, next) {
    const {path} = splitUrl(request);
    const {method = ''} = request;
    const program = programs[path]?.[method];
    if (program !== undefined) {
      runChangeHandler(program, request, response, requireProgram).catch(next);
      return;
    }
    const here = acts[path] ?? programs[path] ?? {};
    const act = Object.hasOwn(here, method) ? here[method] : undefined;
    if (act !== undefined) {
      runChangeHandler(act, request, response, requireRequestFromOwnPage).catch((error: unknown) => {
        const over =
          error instanceof AppError && error.code === 'invalid_token' && path === '/app/session/token';
        if (over && !response.headersSent) response.setHeader('Set-Cookie', browserSessions.dropSession());
        next(error);
      });
      return;
    }
    const unsubscribe = method === 'POST' ? mailLinks.findUnsubscribe(path) : undefined;
    if (unsubscribe !== undefined) {
      // Mail providers send this request, so it comes from no page of ours. It changes one preference alone.
      const requireNothing = (): void => undefined;
      runChangeHandler(unsubscribe, request, response, requireNothing).catch(next);
      return;
    }
    const isHead = method === 'HEAD';
    if (method !== 'GET' && !isHead) {
      return refuseMethod(request, response, ['GET', 'HEAD', 'OPTIONS', ...Object.keys(here)]);
    }
    const page = findUnsubscribePage(path);
    if (page !== undefined) {
      response.writeHead(303, {...dataHeaders, 'Cache-Control': 'no-store', Location: page}).end();
      meter.countRequest('open', method, 303, 0);
      return;
    }
    const way = isHead ? undefined : /^\/app\/sign-in\/([a-z0-9-]{1,40})$/.exec(path)?.[1];
    if (way !== undefined) {
      const go: ChangeHandler = (_, signInRequest) => signIn.handle(request, way, signInRequest);
      runChangeHandler(go, request, response, requireNavigation).catch(next);
      return;
    }
    const begunAt = performance.now();
    if (path === '/app/worker.js') {
      if (!shell.sendWorker(response, isHead)) return next();
    } else if (!path.startsWith('/app/assets')) shell.sendPage(response, isHead);
    else {
      const name = path.slice('/app/assets/'.length);
      if (!shell.sendAsset(name, request.headers['accept-encoding'], response, isHead)) return next();
    }
    meter.countRequest('open', method, 200, performance.now() - begunAt);
  };
}

function splitUrl({originalUrl, url: given = '/'}: DashboardRequest): {path: string; search: string} {
  const url = originalUrl ?? given;
  const mark = url.indexOf('?');
  return mark === -1 ? {path: url, search: ''} : {path: url.slice(0, mark), search: url.slice(mark)};
}
