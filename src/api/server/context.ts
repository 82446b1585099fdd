import type {Express} from 'express';
import type {GenerateSuffix} from '../../domain/core/ids.js';
import type {Log} from '../../domain/core/log.js';
import type {Tracer} from '../../domain/core/tracer.js';
import type {Meter} from '../../domain/core/meter.js';
import type {Pacer} from '../../domain/core/pacer.js';
import type {Services} from '../../service/services.js';
import type {Authenticate} from '../access/authenticate.js';
import type {CountFailure} from '../access/failed-authentications.js';
import type {KnownTokens} from '../access/known-tokens.js';
import type {Limiter} from '../access/rate-limits.js';
import type {SigningKeys} from '../access/signing-keys.js';
import type {Pack} from '../http/compress.js';
import type {Cursors} from '../http/cursor.js';
import type {Enter} from '../http/fair-semaphore.js';
import type {Route} from '../http/route.js';
import type {Readiness} from './health.js';
import type {MetricsSource} from './metrics-handler.js';

/** Everything that the HTTP side of the API needs from its process. */
export interface ApiContext {
  /** All operations of the API. For an unknown address, a similar one of theirs is suggested. */
  readonly routes: readonly Route[];
  readonly publicUrl: string;
  /** The addresses of the trusted issuers of access tokens. */
  readonly issuers: readonly string[];
  readonly log: Log;
  readonly meter: Meter;
  readonly tracer: Tracer;
  readonly generateSuffix: GenerateSuffix;
  /** The current time for request ids, in ms since the epoch. */
  readonly now: () => number;
  readonly pack: Pack;
  /** Aborted when the service stops, so that streams end. */
  readonly stopping: AbortSignal;
  /** The time (ms) after which a client that reads nothing of a stream is disconnected. */
  readonly drainMs: number;
  /** The time limit (ms) for all store accesses of one request. */
  readonly requestMs: number;
  /** Waits until this request may use the processor, in turn with other work of the process. */
  readonly pace: Pacer;
  readonly knownTokens: KnownTokens;
  /** Waits for a slot before the store is used. A body that arrives slowly occupies none. */
  readonly enter: Enter;
  readonly authenticate: Authenticate;
  readonly requireAdmission: Services['requireAdmission'];
  readonly limiter: Limiter;
  readonly countFailure: CountFailure;
  readonly cursors: Cursors;
  readonly findKeys: SigningKeys['published'];
  readonly readiness: () => Promise<Readiness>;
  readonly version: string;
  /** The origins whose web pages may call the API (CORS). An empty list allows no other origin. */
  readonly corsOrigins: readonly string[];
  /** The contact for vulnerability reports. Without one, there is no `/.well-known/security.txt`. */
  readonly securityContact: string | undefined;
  /** The source of `/metrics`. Without one, that path does not exist. */
  readonly metrics: MetricsSource | undefined;
  /** True for a process without the API: it answers only health checks and metrics. */
  readonly operatorOnly: boolean;
  /** The number of proxies in front of the service that are trusted to report the client's address. */
  readonly trustProxy: number;
  /** Adds the routes for Slack's requests. They come first, because they need the raw bodies. */
  readonly mountSlack?: (app: Express) => void;
  /** True when the dashboard is built. Browsers are then redirected from `/` to it. */
  readonly hasDashboard: boolean;
}
