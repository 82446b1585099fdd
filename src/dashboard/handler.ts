// src/dashboard/: the page at `/app`, and how a browser gets a session and an API token. The rules of
// sessions are in service/tokens/sessions.ts.
import type {ServerResponse} from 'node:http';
import {AppError, fieldError} from '../domain/core/errors.js';
import {deadlines} from '../domain/core/limits.js';
import {type CodeSubject, createCodeExpiredError} from '../domain/tokens/sign-in-code.js';
import {SignInRefused} from '../domain/tokens/sign-in.js';
import type {MadeSession} from '../service/tokens/make-session.js';
import type {SessionRequest, SignInRequest, VerifiedSession} from '../service/tokens/sessions.js';
import {findBrowserName} from './browser-name.js';
import {createCookie, sessionCookie} from './cookie.js';
import type {DashboardAnswer, DashboardRequest} from './answer.js';
import {requireNavigation, requireRequestFromOwnPage} from './own-pages.js';
import type {DashboardContext} from './context.js';
import {type CodeRequest, readCodeRequest, readCodeSubject} from './codes.js';
import {readInviteRequest} from './invites.js';
import {
  readReminderRequest,
  readSubscriptionRequest,
  findUnsubscribePage,
  unsubscribePath,
} from './mail-links.js';
import {createChallenges, type PasskeyRequest, readPasskeyRequest} from './passkeys.js';
import {createShell} from './shell.js';
import {createSignInHandler} from './sign-in.js';
import type {Id} from '../domain/core/ids.js';

/** Answers a request below `/app`, or passes it on with an error that the API answers. */
export type DashboardHandler = (
  request: DashboardRequest,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void;

/** A function that handles one kind of change. The path and method of the request choose it. */
type ChangeHandler = (
  request: DashboardRequest,
  signInRequest: SignInRequest & SessionSide,
) => Promise<DashboardAnswer>;

interface SessionSide {
  readonly cookie: string | undefined;
}

export function createDashboardHandler(context: DashboardContext): DashboardHandler {
  const {sessions, invites, codes, passkeys, mailLinks, publicUrl, pace, remember, enter, countFailure} =
    context;
  const {rateLimits, readJson, refuseMethod, chooseRequestId, dataHeaders, meter, log, countAskedCode} =
    context;
  const cookies = createCookie(publicUrl, sessionCookie);
  const challenges = createChallenges(context);
  const choices = context.signIn.providers.map(({id, name, confirms}) => ({id, name, confirms}));
  const metas = {
    'sign-in-providers': JSON.stringify(choices),
    features: context.features.join(' '),
    ...(context.hasSlack && {slack: 'on'}),
  };
  const shell = createShell(context, metas);
  const quota = {limits: rateLimits, isWrite: false};

  /** Waits for a slot before a session uses the store, because webhook deliveries need the store too. */
  async function withSlot<T>(
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
  }

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

  /** Describes the browser that gets a session, which replaces the one that it has. */
  async function describeBrowser(
    request: DashboardRequest,
    signInRequest: SignInRequest & SessionSide,
  ): Promise<SessionRequest> {
    const instead = await findSession(signInRequest.cookie, signInRequest);
    return {name: findBrowserName(request.headers['user-agent']), instead};
  }

  function presentSession(
    operation: string,
    workspace: Id<'workspace'>,
    {session, pass}: MadeSession,
    others: readonly string[] = [],
  ): DashboardAnswer {
    remember(pass);
    const seconds = (Date.parse(session.expires_at) - Date.parse(session.created_at)) / 1_000;
    const kept = [cookies.keep(pass, Math.ceil(seconds))];
    return {
      operation,
      status: 201,
      body: session,
      cookies: [...kept, ...others],
      of: {workspace, token: session},
    };
  }

  async function signInWithPasskey(
    request: DashboardRequest,
    {assertion, confirms}: PasskeyRequest,
    signInRequest: SignInRequest & SessionSide,
  ): Promise<DashboardAnswer> {
    const challenge = challenges.read(request);
    const proven = await passkeys.requireProven(assertion, challenge, signInRequest);
    await challenges.take(challenge, request, signInRequest);
    return withSlot(proven.workspace, signInRequest, async () => {
      const asked = {...(await describeBrowser(request, signInRequest)), confirms};
      const made = await passkeys.signIn(proven, asked, signInRequest);
      return presentSession('signInWithPasskey', proven.workspace, made, [challenges.drop()]);
    });
  }

  /** Answers before a code is mailed, so that the time of the answer tells nothing. */
  function answerThenMail(operation: string, mail: (deadline: number) => Promise<void>): DashboardAnswer {
    return {operation, status: 202, after: () => mail(performance.now() + deadlines.job)};
  }

  /** Returns the person that a code is for: the one in the body, or the one who is signed in. */
  async function findCodeSubject(
    named: CodeSubject | undefined,
    signInRequest: SignInRequest & SessionSide,
  ): Promise<CodeSubject> {
    if (named !== undefined) return named;
    const session = await sessions.requireSession(signInRequest.cookie, signInRequest);
    return codes.findOwnSubject(session, signInRequest);
  }

  async function signInByCode(
    request: DashboardRequest,
    {subject, code}: CodeRequest,
    signInRequest: SignInRequest & SessionSide,
  ): Promise<DashboardAnswer> {
    const found = await findCodeSubject(subject, signInRequest);
    const proven = await codes.take(found, code, signInRequest);
    return withSlot(proven.workspace, signInRequest, async () => {
      const asked = await describeBrowser(request, signInRequest);
      const made = await sessions
        .signInMember({...proven, confirmed: true}, asked, signInRequest)
        .catch((error: unknown) => {
          // The member was changed or removed while the code was being used.
          throw error instanceof SignInRefused ? createCodeExpiredError() : error;
        });
      return {
        ...presentSession('signInByCode', proven.workspace, made),
        after: () => codes.proveAddress(proven, found.email, performance.now() + deadlines.request),
      };
    });
  }

  const signIn = createSignInHandler(context, {findSession, withSlot});

  const acts: Readonly<Record<string, Readonly<Record<string, ChangeHandler>>>> = {
    '/app/session': {
      async POST(request, signInRequest) {
        const body = await readJson(request);
        const byCode = readCodeRequest(body);
        if (byCode !== undefined) return signInByCode(request, byCode, signInRequest);
        const byPasskey = readPasskeyRequest(body);
        if (byPasskey !== undefined) return signInWithPasskey(request, byPasskey, signInRequest);
        const {text, looks} = readSignInLink(body);
        const link = await sessions.requireLink(text, signInRequest);
        return withSlot(link.workspace, signInRequest, async () => {
          if (looks) {
            const {member, workspace} = await sessions.describeLink(link, signInRequest);
            const shown = {
              member: {id: member.id, name: member.name, role: member.role},
              workspace: {id: workspace.id, slug: workspace.slug, name: workspace.name},
              expires_at: link.token.expires_at,
            };
            return {operation: 'lookAtLink', status: 200, body: shown, of: link};
          }
          const asked = await describeBrowser(request, signInRequest);
          return presentSession('signIn', link.workspace, await sessions.signIn(link, asked, signInRequest));
        });
      },
      async DELETE(request, signInRequest) {
        const everywhere =
          new URL(parseRequestUrl(request), publicUrl).searchParams.get('everywhere') === 'true';
        const session = await findSession(signInRequest.cookie, signInRequest);
        if (session !== undefined) {
          await withSlot(session.workspace, signInRequest, () =>
            sessions.signOut(session, {everywhere}, signInRequest),
          );
        } else if (signInRequest.cookie !== undefined) {
          const refusal = await countFailure(request.ip, signInRequest.deadline);
          if (refusal !== undefined) throw refusal;
        }
        return {operation: 'signOut', status: 204, cookies: [cookies.drop()], of: session};
      },
    },
    '/app/invite': {
      async POST(request, signInRequest) {
        const {link, email, person} = readInviteRequest(await readJson(request));
        const proven = await invites.requireInvite(link, signInRequest);
        if (email !== undefined) {
          const tooMany = await countAskedCode(request.ip, signInRequest.deadline);
          if (tooMany !== undefined) throw tooMany;
          const mail = await invites.askToProve(proven, {link, email}, signInRequest);
          return answerThenMail('askToProveAddress', mail);
        }
        return withSlot(proven.workspace, signInRequest, async () => {
          if (person === undefined) {
            const body = await invites.lookAtInvite(proven, signInRequest);
            return {operation: 'lookAtInvite', status: 200, body};
          }
          const asked = await describeBrowser(request, signInRequest);
          // People who join by one invite wait for each other, so a join may take as long as a job.
          const deadline = signInRequest.deadline + deadlines.job - deadlines.request;
          const made = await invites.joinByInvite(proven, person, asked, {...signInRequest, deadline});
          return presentSession('joinByInvite', proven.workspace, made);
        });
      },
    },
    '/app/session/code': {
      async POST(request, signInRequest) {
        const subject = await findCodeSubject(readCodeSubject(await readJson(request)), signInRequest);
        const tooMany = await countAskedCode(request.ip, signInRequest.deadline);
        if (tooMany !== undefined) throw tooMany;
        const mail = await codes.ask(subject, signInRequest);
        return answerThenMail('askForCode', mail);
      },
    },
    '/app/session/passkey': {
      async POST() {
        const {challenge, cookie} = challenges.create();
        const body = passkeys.createSignInOptions(challenge);
        return {operation: 'challengePasskey', status: 200, body, cookies: [cookie]};
      },
    },
    '/app/reminder': {
      async POST(request, signInRequest) {
        const {token, act} = readReminderRequest(await readJson(request));
        const proven = await mailLinks.requireReminder(token, signInRequest);
        return withSlot(proven.workspace, signInRequest, async () => {
          const body =
            act === undefined
              ? await mailLinks.lookAtDay(proven, signInRequest)
              : await mailLinks.actOnDay(proven, act, signInRequest);
          return {operation: 'followReminder', status: 200, body};
        });
      },
    },
    '/app/unsubscribe': {
      async POST(request, signInRequest) {
        const token = readSubscriptionRequest(await readJson(request));
        const proven = await mailLinks.requireSubscription(token, signInRequest);
        return {operation: 'lookAtSubscription', status: 200, body: mailLinks.lookAtSubscription(proven)};
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
  };

  /** Ends the mails of a link, without reading anything else of the request. */
  async function unsubscribe(token: string, signInRequest: SignInRequest): Promise<DashboardAnswer> {
    const proven = await mailLinks.requireSubscription(token, signInRequest);
    await withSlot(proven.workspace, signInRequest, () => mailLinks.unsubscribe(proven, signInRequest));
    return {operation: 'unsubscribe', status: 200, body: {}};
  }

  async function runChangeHandler(
    act: ChangeHandler,
    request: DashboardRequest,
    response: ServerResponse,
    requireOwn: typeof requireRequestFromOwnPage,
  ): Promise<void> {
    const begunAt = performance.now();
    const deadline = begunAt + deadlines.request;
    const requestId = chooseRequestId(request);
    requireOwn(request.headers, publicUrl);
    const cookie = cookies.read(request.headers.cookie);
    await pace(cookie);
    const answer = await act(request, {deadline, requestId, cookie}).catch(async (error: unknown) => {
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
    const {path, search} = splitUrl(request);
    const {method = ''} = request;
    const here = acts[path] ?? {};
    const act = Object.hasOwn(here, method) ? here[method] : undefined;
    if (act !== undefined) {
      runChangeHandler(act, request, response, requireRequestFromOwnPage).catch((error: unknown) => {
        const over =
          error instanceof AppError && error.code === 'invalid_token' && path === '/app/session/token';
        if (over && !response.headersSent) response.setHeader('Set-Cookie', cookies.drop());
        next(error);
      });
      return;
    }
    const ended = method === 'POST' ? unsubscribePath.exec(path)?.[1] : undefined;
    if (ended !== undefined) {
      // Mail providers send this request, so it comes from no page of ours. It changes one preference alone.
      const requireNothing = (): void => undefined;
      const end: ChangeHandler = (_, signInRequest) => unsubscribe(ended, signInRequest);
      runChangeHandler(end, request, response, requireNothing).catch(next);
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
      const go: ChangeHandler = (_, signInRequest) => signIn.handle(request, way, search, signInRequest);
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

function parseRequestUrl({originalUrl, url}: DashboardRequest): string {
  return originalUrl ?? url ?? '/';
}

function splitUrl(request: DashboardRequest): {path: string; search: string} {
  const url = parseRequestUrl(request);
  const mark = url.indexOf('?');
  return mark === -1 ? {path: url, search: ''} : {path: url.slice(0, mark), search: url.slice(mark)};
}

function isUnauthenticated({code}: AppError): boolean {
  return code === 'invalid_token' || code === 'authentication_required';
}

/** Reads a sign-in link from a body. With `look`, it is only shown, and stays valid. */
function readSignInLink(body: unknown): {text: string; looks: boolean} {
  const given = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  const {link, look = false} = given;
  if (typeof link !== 'string') {
    throw fieldError(
      'validation_failed',
      '#/link',
      '`link` must be what stands behind the # of a sign-in link.',
    );
  }
  if (typeof look !== 'boolean') {
    throw fieldError('validation_failed', '#/look', '`look` must be true or false.');
  }
  return {text: link, looks: look};
}
