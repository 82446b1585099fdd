import express, {type Express, type NextFunction, type Request, type Response} from 'express';
import helmet from 'helmet';
import type {AccessTokens} from './access-token.js';
import {createDispatch, type DispatchParts} from './dispatch.js';
import {createDocs} from './docs.js';
import {createHealth, presentJwks, problemPage, type Readiness} from './health.js';
import {createOpenApi} from './openapi.js';
import type {Route} from './route.js';

/** What is read without a token. */
const openPaths = [
  '/',
  '/healthz',
  '/readyz',
  '/.well-known/jwks.json',
  '/openapi.json',
  '/problems/:code',
  '/docs{/*asset}',
];

export interface AppParts extends DispatchParts {
  readonly routes: readonly Route[];
  readonly jwks: AccessTokens['jwks'];
  readonly readiness: () => Promise<Readiness>;
  readonly version: string;
  /** Puts the Slack door on the application; it reads raw bodies, so it comes first. */
  readonly mountSlack?: (app: Express) => void;
}

/** The whole HTTP surface: Slack, the API, and what needs no token. */
export function createApp(parts: AppParts): Express {
  const {routes, jwks, readiness, version, publicUrl, mountSlack} = parts;
  const app = express();
  app.disable('x-powered-by').disable('etag').set('query parser', false).set('case sensitive routing', true);
  const dispatch = createDispatch(parts);
  mountSlack?.(app);

  for (const [path, group] of byPath(routes)) {
    app.all(path.replaceAll(/\{(\w+)\}/g, ':$1'), dispatch.path(group));
  }

  const document = JSON.stringify(createOpenApi(routes, {publicUrl, version}));
  const health = createHealth(readiness);
  const open = express.Router();
  open.use(securityHeaders(publicUrl));
  open.all(openPaths, (request, response, next) => dispatch.readOnly(request as never, response, next));
  open.get('/', (_, response) => response.redirect('/docs'));
  open.get('/healthz', health.healthz);
  open.get('/readyz', health.readyz);
  open.get('/.well-known/jwks.json', presentJwks(jwks));
  open.get('/openapi.json', (_, response) => void response.type('json').send(document));
  open.get('/problems/:code', problemPage);
  open.use('/docs', createDocs());
  app.use(open);

  app.use((request: Request, response: Response) => dispatch.notFound(request as never, response));
  app.use((error: unknown, request: Request, response: Response, _next: NextFunction) =>
    dispatch.refuse(request as never, response, error),
  );
  return app;
}

function byPath(routes: readonly Route[]): Map<string, Route[]> {
  const groups = new Map<string, Route[]>();
  for (const route of routes) groups.set(route.path, [...(groups.get(route.path) ?? []), route]);
  return groups;
}

/** Nothing from elsewhere, nothing inline but the styles that Swagger UI sets. */
function securityHeaders(publicUrl: string) {
  const secure = publicUrl.startsWith('https:');
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:'],
        connectSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    strictTransportSecurity: secure,
  });
}
