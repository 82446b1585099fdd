// src/api/: the entry point /v1, with its route table, schemas, problems, checks and OpenAPI document. No
// other folder may use `express` and `jose`.
// A handler parses a request, calls one service function, and presents the result. Decisions belong to
// `service/`.
import express, {
  type Express,
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import {createPacer} from '../domain/core/pacer.js';
import {calendarPath} from '../domain/tokens/session.js';
import {sharePath} from '../domain/tokens/share-link.js';
import {allowCorsMethods, allowCorsOrigins} from './http/cors.js';
import {type CalendarFeedSource, createCalendarFeedHandler} from './server/calendar-feeds.js';
import {createSharedWeekHandler, type SharedWeekSource} from './server/shared-weeks.js';
import {createDispatch, type Dispatch, type RunChannel} from './server/dispatch.js';
import {createMcpChallenge, describeMcpResource, mcpMetadataPath, mcpPath} from './http/mcp-resource.js';
import {presentApiIndex} from './openapi/api-index.js';
import {createReferencePages} from './openapi/docs.js';
import type {ApiContext} from './server/context.js';
import {createHealth, createJwksHandler} from './server/health.js';
import {createLlmsTxt} from './openapi/llms-txt.js';
import {createMetricsHandler} from './server/metrics-handler.js';
import {createOpenApi} from './openapi/openapi.js';
import {presentProblemIndex, presentProblemPage} from './openapi/problem-pages.js';
import type {Route} from './http/route.js';
import {createDataHeaders, type HeaderLines, createPageHeaders} from './http/security-headers.js';
import {createDocumentSender} from './http/send-document.js';
import {createSecurityPage, presentSecurityTxt} from './openapi/security-txt.js';

/** Paths for operators, like `/metrics`. Each process answers them about itself. */
const operatorData = ['/healthz', '/readyz'];
/** Paths that need no token. */
const openData = [...operatorData, '/.well-known/jwks.json', '/v1', '/openapi.json', '/llms.txt'];
const openPages = ['/', '/problems', '/problems/:code', '/docs{/*asset}'];

/** The pieces of large documents sent in each tick of the event loop, for all callers together. */
const piecesPerTick = 2;

/** The contents of addresses whose path is a secret. */
export interface SecretSources {
  readonly calendarFeeds: CalendarFeedSource;
  readonly sharedWeeks: SharedWeekSource;
}

/** Creates the Express application: Slack, the API, paths without a token, and the dashboard below `/app`. */
export function createApp(
  context: ApiContext,
  createDashboard: (dispatch: Dispatch) => RequestHandler,
  runMcp: RunChannel,
  {calendarFeeds, sharedWeeks}: SecretSources,
): Express {
  const {
    routes,
    findKeys,
    readiness,
    version,
    publicUrl,
    corsOrigins,
    securityContact,
    metrics,
    operatorOnly,
    trustProxy,
    mountSlack,
  } = context;
  const app = express();
  app.disable('x-powered-by').disable('etag').set('query parser', false).set('case sensitive routing', true);
  app.set('trust proxy', trustProxy);
  const dispatch = createDispatch(context);
  const data = setHeaders(createDataHeaders(publicUrl));
  app.use('/slack', data, countAnswers('slack'));
  mountSlack?.(app);

  const cors = corsOrigins.length > 0 && !operatorOnly;
  if (cors) app.use(['/v1', mcpPath, '/openapi.json'], allowCorsOrigins(corsOrigins));
  for (const [template, group] of groupRoutesByPath(routes)) {
    const path = template.replaceAll(/\{(\w+)\}/g, ':$1');
    if (cors) app.options(path, allowCorsMethods(group.map(({method}) => method)));
    app.all(path, dispatch.path(group));
  }

  if (!operatorOnly) {
    if (cors) app.options(mcpPath, allowCorsMethods(['POST']));
    app.all(mcpPath, dispatch.channel('mcp', runMcp, createMcpChallenge(context)));
    app.use('/app', createDashboard(dispatch));
    addSecretPath(calendarPath, '.ics', createCalendarFeedHandler(context, calendarFeeds));
    addSecretPath(sharePath, '', createSharedWeekHandler(context, sharedWeeks));
  }

  const sendDocument = createDocumentSender(createPacer(piecesPerTick, setImmediate), context.pack);
  let document: Buffer | undefined;
  // The document is made at the first request: it takes over 100 ms, which would delay the start.
  const readDocument = (): Buffer =>
    (document ??= Buffer.from(JSON.stringify(createOpenApi(routes, {publicUrl, version}))));
  const health = createHealth(readiness);
  const open = express.Router({caseSensitive: true});
  const {dataPaths, pagePaths} = listPathsWithoutToken(context);
  open.all([...dataPaths, ...pagePaths], countAnswers('open'));
  open.all(dataPaths, data);
  if (!operatorOnly) open.all(pagePaths, createPageHeaders(publicUrl));
  if (cors) open.options(['/v1', '/openapi.json'], allowCorsMethods(['GET']));
  open.all([...dataPaths, ...pagePaths], (request, response, next) =>
    dispatch.readOnly(request as never, response, next),
  );
  open.get('/healthz', health.healthz);
  open.get('/readyz', health.readyz);
  if (!operatorOnly) addPublicPages();
  if (metrics !== undefined) open.get('/metrics', createMetricsHandler(metrics, context.countFailure));
  app.use(open);

  app.use((request: Request, response: Response) => dispatch.notFound(request as never, response));
  app.use((error: unknown, request: Request, response: Response, _next: NextFunction) =>
    dispatch.refuse(request as never, response, error),
  );
  return app;

  /** Adds addresses of one secret each. */
  function addSecretPath(path: string, ending: string, read: RequestHandler): void {
    app.use(path, (request, _, next) => {
      // The rest of the path may be a secret, which no answer repeats.
      request.originalUrl = path;
      next();
    });
    app.all(`${path}:pass${ending}`, (request, response, next) =>
      dispatch.readOnly(request as never, response, () => read(request, response, next)),
    );
  }

  function addPublicPages(): void {
    open.get('/', (request, response) => {
      const isBrowser = request.headers.accept?.includes('text/html') === true;
      response.vary('Accept').redirect(isBrowser && context.hasDashboard ? '/app' : '/docs');
    });
    open.get('/.well-known/jwks.json', createJwksHandler(findKeys));
    if (context.issuers.length > 0)
      open.get(mcpMetadataPath, (_, response) => void response.json(describeMcpResource(context)));
    open.get('/v1', presentApiIndex(routes, publicUrl));
    open.get('/openapi.json', (request, response) =>
      sendDocument(request, response.type('json'), readDocument()),
    );
    open.get('/problems', presentProblemIndex(publicUrl));
    open.get('/problems/:code', presentProblemPage(publicUrl));
    const llmsTxt = Buffer.from(createLlmsTxt(routes, publicUrl));
    open.get('/llms.txt', (request, response) => sendDocument(request, response.type('text/plain'), llmsTxt));
    open.use('/docs', createReferencePages(sendDocument));
    if (securityContact !== undefined) {
      open.get('/.well-known/security.txt', presentSecurityTxt(securityContact, publicUrl, context.now));
      open.get('/security', createSecurityPage(securityContact));
    }
  }

  /** Counts answers that are sent without `dispatch`. */
  function countAnswers(operation: string): RequestHandler {
    return (request, response, next) => {
      const begunAt = performance.now();
      response.once('finish', () =>
        context.meter.countRequest(
          operation,
          request.method,
          response.statusCode,
          performance.now() - begunAt,
        ),
      );
      next();
    };
  }
}

/** Lists every path that needs no API token: documents and pages. */
function listPathsWithoutToken({operatorOnly, metrics, securityContact, issuers}: ApiContext) {
  const shown = metrics === undefined ? [] : ['/metrics'];
  if (operatorOnly) return {dataPaths: [...operatorData, ...shown], pagePaths: []};
  const hasSecurityContact = securityContact !== undefined;
  return {
    dataPaths: [
      ...openData,
      ...(issuers.length > 0 ? [mcpMetadataPath] : []),
      ...(hasSecurityContact ? ['/.well-known/security.txt'] : []),
      ...shown,
    ],
    pagePaths: [...openPages, ...(hasSecurityContact ? ['/security'] : [])],
  };
}

function groupRoutesByPath(routes: readonly Route[]): Map<string, Route[]> {
  const groups = new Map<string, Route[]>();
  for (const route of routes) groups.set(route.path, [...(groups.get(route.path) ?? []), route]);
  return groups;
}

function setHeaders(lines: HeaderLines): RequestHandler {
  const headers = new Map(Object.entries(lines));
  return (_, response, next) => {
    response.setHeaders(headers);
    next();
  };
}
