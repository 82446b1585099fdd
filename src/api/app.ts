import express, {
  type Express,
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import {createPacer} from '../domain/core/pacer.js';
import {allowMethods, allowOrigins} from './http/cors.js';
import {createDispatch, type Dispatch, type DispatchParts} from './server/dispatch.js';
import {createDocs} from './openapi/docs.js';
import {createHealth, presentJwks, type Readiness} from './server/health.js';
import {createLlmsTxt} from './openapi/llms-txt.js';
import {createMetricsHandler, type MetricsSource} from './server/metrics-handler.js';
import {createOpenApi} from './openapi/openapi.js';
import {presentProblemIndex, presentProblemPage} from './openapi/problem-pages.js';
import type {Route} from './http/route.js';
import {dataHeaders, type HeaderLines, pageHeaders} from './http/security-headers.js';
import {createSendDocument} from './http/send-document.js';
import {createSecurityPage, presentSecurityTxt} from './openapi/security-txt.js';
import type {SigningKeys} from './access/signing-keys.js';

/** Paths that operators ask each process for, beside `/metrics`. */
const operatorData = ['/healthz', '/readyz'];
/** Paths that need no token. */
const openData = [...operatorData, '/.well-known/jwks.json', '/openapi.json', '/llms.txt'];
const openPages = ['/', '/problems', '/problems/:code', '/docs{/*asset}'];

/** Pieces of documents sent in each tick of the event loop. */
const piecesPerTick = 2;

export interface AppParts extends DispatchParts {
  readonly findKeys: SigningKeys['published'];
  readonly readiness: () => Promise<Readiness>;
  readonly version: string;
  /** Origins whose pages may call the API; none: CORS is closed. */
  readonly corsOrigins: readonly string[];
  /** The contact for reporting a vulnerability; undefined: there is no `/.well-known/security.txt`. */
  readonly securityContact: string | undefined;
  /** The source of `/metrics`; undefined: it does not exist. */
  readonly metrics: MetricsSource | undefined;
  /** Only health and metrics: the process serves no API. */
  readonly operatorOnly: boolean;
  /** How many proxies in front are trusted for the caller's address. */
  readonly trustProxy: number;
  /** Mounts the Slack entry point, which reads raw bodies and so comes first. */
  readonly mountSlack?: (app: Express) => void;
  /** True when the dashboard is built: `/` redirects browsers to it. */
  readonly hasDashboard: boolean;
  /** Answers everything at and below `/app`. */
  readonly createDashboard: (dispatch: Pick<Dispatch, 'refuseMethod'>) => RequestHandler;
}

/** The whole HTTP surface: Slack, the API, and the paths without a token. */
export function createApp(parts: AppParts): Express {
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
  } = parts;
  const app = express();
  app.disable('x-powered-by').disable('etag').set('query parser', false).set('case sensitive routing', true);
  app.set('trust proxy', trustProxy);
  const dispatch = createDispatch(parts);
  const data = setHeaders(dataHeaders(publicUrl));
  app.use('/slack', data, countAnswers('slack'));
  mountSlack?.(app);

  const cors = corsOrigins.length > 0 && !operatorOnly;
  if (cors) app.use(['/v1', '/openapi.json'], allowOrigins(corsOrigins));
  for (const [template, group] of groupRoutesByPath(routes)) {
    const path = template.replaceAll(/\{(\w+)\}/g, ':$1');
    if (cors) app.options(path, allowMethods(group.map(({method}) => method)));
    app.all(path, dispatch.path(group));
  }

  if (!operatorOnly) app.use('/app', parts.createDashboard(dispatch));

  const sendDocument = createSendDocument(createPacer(piecesPerTick, setImmediate), parts.pack);
  let document: Buffer | undefined;
  // Made at the first request: it takes more than 100 ms, and a start need not wait for that.
  const readDocument = (): Buffer =>
    (document ??= Buffer.from(JSON.stringify(createOpenApi(routes, {publicUrl, version}))));
  const health = createHealth(readiness);
  const open = express.Router({caseSensitive: true});
  const {dataPaths, pagePaths} = pathsWithoutToken(parts);
  open.all([...dataPaths, ...pagePaths], countAnswers('open'));
  open.all(dataPaths, data);
  if (!operatorOnly) open.all(pagePaths, pageHeaders(publicUrl));
  if (cors) open.options('/openapi.json', allowMethods(['GET']));
  open.all([...dataPaths, ...pagePaths], (request, response, next) =>
    dispatch.readOnly(request as never, response, next),
  );
  open.get('/healthz', health.healthz);
  open.get('/readyz', health.readyz);
  if (!operatorOnly) addPublicPages();
  if (metrics !== undefined) open.get('/metrics', createMetricsHandler(metrics, parts.countFailure));
  app.use(open);

  app.use((request: Request, response: Response) => dispatch.notFound(request as never, response));
  app.use((error: unknown, request: Request, response: Response, _next: NextFunction) =>
    dispatch.refuse(request as never, response, error),
  );
  return app;

  function addPublicPages(): void {
    open.get('/', (request, response) => {
      const isBrowser = request.headers.accept?.includes('text/html') === true;
      response.vary('Accept').redirect(isBrowser && parts.hasDashboard ? '/app' : '/docs');
    });
    open.get('/.well-known/jwks.json', presentJwks(findKeys));
    open.get('/openapi.json', (request, response) =>
      sendDocument(request, response.type('json'), readDocument()),
    );
    open.get('/problems', presentProblemIndex(publicUrl));
    open.get('/problems/:code', presentProblemPage(publicUrl));
    const llmsTxt = Buffer.from(createLlmsTxt(routes, publicUrl));
    open.get('/llms.txt', (request, response) => sendDocument(request, response.type('text/plain'), llmsTxt));
    open.use('/docs', createDocs(sendDocument));
    if (securityContact !== undefined) {
      open.get('/.well-known/security.txt', presentSecurityTxt({...parts, contact: securityContact}));
      open.get('/security', createSecurityPage(securityContact));
    }
  }

  /** Counts answers that do not come from `dispatch`. */
  function countAnswers(operation: string): RequestHandler {
    return (request, response, next) => {
      const begunAt = performance.now();
      response.once('finish', () =>
        parts.meter.countRequest(operation, request.method, response.statusCode, performance.now() - begunAt),
      );
      next();
    };
  }
}

/** Every path that needs no token of the API: paths of documents, and paths of pages. */
function pathsWithoutToken({operatorOnly, metrics, securityContact}: AppParts) {
  const shown = metrics === undefined ? [] : ['/metrics'];
  if (operatorOnly) return {dataPaths: [...operatorData, ...shown], pagePaths: []};
  const hasSecurityContact = securityContact !== undefined;
  return {
    dataPaths: [...openData, ...(hasSecurityContact ? ['/.well-known/security.txt'] : []), ...shown],
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
