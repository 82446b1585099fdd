import {createHash, createHmac, randomBytes} from 'node:crypto';
import type {Server} from 'node:http';
import {acceptsCompression} from './api/http/accept.js';
import {createKnownTokens} from './api/access/known-tokens.js';
import {createApp} from './api/app.js';
import type {ApiContext} from './api/server/context.js';
import {type AuthenticateParts, createAuthenticator} from './api/access/authenticate.js';
import {readJson} from './api/http/body.js';
import {findSiteOfAddress} from './api/http/client-address.js';
import {createCursors} from './api/http/cursor.js';
import {createExternalIssuers} from './api/access/external-issuers.js';
import {type CountFailure, createFailureCounter} from './api/access/failed-authentications.js';
import {createHttpServer, type HttpTimes} from './api/server/http-server.js';
import {createFairSemaphore} from './api/http/fair-semaphore.js';
import {createCompressor} from './api/http/compress.js';
import {createLimiter} from './api/access/rate-limits.js';
import {chooseRequestId, createIdSource} from './api/http/request-id.js';
import type {Route} from './api/http/route.js';
import {createRoutes} from './api/routes.js';
import {mcpPath} from './api/http/mcp-resource.js';
import {createDataHeaders} from './api/http/security-headers.js';
import {createMcp, type McpContext} from './mcp/mcp.js';
import {createAttendance} from './bot/slack/replies/attendance.js';
import type {createSlackBot, SlackBot} from './bot/slack/bot.js';
import {writeCalendarFile} from './calendar/write-calendar-file.js';
import {sharedPagePolicy, writeSharedPage} from './pages/shared-page.js';
import type {Core, CoreOptions} from './compose-core.js';
import type {SlackSettings} from './compose-slack.js';
import type {BuiltApp} from './dashboard/built-app.js';
import {createDashboardHandler} from './dashboard/handler.js';
import {createIdentityProvider} from './dashboard/identity-provider.js';
import {callbackPath} from './dashboard/sign-in.js';
import {createIssuerProviderSettings, createSlackProviderSettings} from './dashboard/ways-in.js';
import {composeId} from './domain/core/ids.js';
import {workerAdvice} from './domain/core/work.js';
import {deadlines, lifetimes, processBounds} from './domain/core/limits.js';
import {firstWorkspaceCommand} from './domain/workspaces/workspace.js';
import {hour} from './domain/core/quota.js';
import {noMeter} from './domain/core/meter.js';
import {noTracer} from './domain/core/tracer.js';
import {begunPerTick, createPacer} from './domain/core/pacer.js';
import type {Metrics} from './metrics/metrics.js';
import type {OauthInstallations} from './service/slack/oauth-installations.js';
import type {SlackInstallations} from './service/slack/slack-installations.js';
import {createRefusedTokenMessage} from './domain/slack/slack-installation.js';
import type {SlackGateway} from './service/core/environment.js';
import {createSlackStates} from './store/slack/slack-installation-records.js';
import {createSignInReturns} from './store/tokens/sign-in-returns.js';
import {createSlackSignatureStore} from './store/slack/slack-signatures.js';

export type ChangeRoutes = (routes: readonly Route[]) => readonly Route[];

/**
 * The number of Slack installations that one network may start per minute. Each is remembered for up to 10
 * minutes.
 */
const installRequests = 30;

/**
 * The number of redirects back from an identity provider, and of sign-ins by passkey, per minute and network.
 * Each of them is remembered for 10 minutes, and a redirect needs a request to the provider.
 */
const signInReturns = 60;

/** The number of codes to sign in that one network may ask for in an hour. */
const askedCodes = 20;

/** The number of programs whose sign-in one network may start in the time for which each may wait. */
const deviceLogins = 30;
/** The same for the /48 of an IPv6 address, in which one customer may have 65,536 networks. */
const deviceLoginsPerSite = 60;

/** The number of questions for a token per minute, network and process: those of all sign-ins that it may start. */
const devicePolls = (deviceLogins * 60) / lifetimes.deviceLoginPause;

/**
 * Limits the requests that use the store at the same time in a process that also delivers webhooks.
 * Otherwise, busy clients would leave almost nothing for deliveries.
 */
function computeRequestLimit(deliveries: number): number {
  return deliveries === 0 ? Number.POSITIVE_INFINITY : Math.max(2, deliveries / 3);
}

/** The options of a process with an HTTP server. */
export interface ServerOptions extends CoreOptions {
  readonly version: string;
  /** Changes the route table in tests, for example to deprecate an operation. */
  readonly changeRoutes?: ChangeRoutes;
  /** Changes the server of assistants in tests, which add the tools of a test suite. */
  readonly changeMcpServer?: McpContext['changeServer'];
  /** Time limits of streams in ms; only tests set them. */
  readonly streaming?: {readonly pulse?: number; readonly drain?: number};
  /** The built dashboard, already read, for tests that start many services in one process. */
  readonly webApp?: BuiltApp | undefined;
  /** Shorter time limits of the HTTP server, for tests. */
  readonly httpTimes?: HttpTimes;
  /** The time limit (ms) for all store accesses of one request; only tests set it. */
  readonly requestMs?: number;
}

/** Creates the HTTP server of a process, for the API, the dashboard and Slack's requests, or for metrics. */
export function createWeb(
  options: ServerOptions & {
    readonly core: Core;
    readonly pressing: () => number;
    /** Aborted when the server is to stop. */
    readonly draining: AbortSignal;
    readonly slack:
      | (SlackSettings & {
          readonly installations: SlackInstallations;
          readonly oauth: OauthInstallations | undefined;
        })
      | undefined;
    readonly slackGateway: SlackGateway | undefined;
    readonly metrics: Metrics | undefined;
    readonly createBot: typeof createSlackBot | undefined;
    readonly wallClock: () => number;
    /** A clock that decides whether Slack's signature on a request is too old. */
    readonly slackNow: () => number;
  },
): Server {
  const {config, log, version, core, draining, slack, slackGateway, createBot, closings} = options;
  const {changeRoutes = (routes) => routes, metrics, wallClock, slackNow, webApp} = options;
  const {metricsToken} = options.secrets;
  const meter = metrics?.meter ?? noMeter;
  const {store, services, accessTokens, signingKeys} = core;
  const {publicUrl} = config.http;
  const now = () => store.clock.now();
  const addressKey = store.cipher.derive('client-address');
  const hashOf = (network: string) => createHmac('sha256', addressKey).update(network).digest('base64url');
  const failures = {count: store.admissions.countFailure, now};
  // Installations of the bot and redirects back from an identity provider need no authentication. So they are
  // limited in the same way as failed authentications, each with its own count.
  const countInstallRequest = createFailureCounter({
    ...failures,
    limit: installRequests,
    hash: (network) => hashOf(`slack-install ${network}`),
  });
  const countReturn = createFailureCounter({
    ...failures,
    limit: signInReturns,
    hash: (network) => hashOf(`sign-in ${network}`),
  });
  const countAskedCode = createFailureCounter({
    ...failures,
    limit: askedCodes,
    period: hour,
    hash: (network) => hashOf(`sign-in-code ${network}`),
  });
  const ofDeviceLogins = {
    ...failures,
    period: lifetimes.deviceLogin * 1_000_000,
    hash: (network: string) => hashOf(`device-login ${network}`),
  };
  const countByNetwork = createFailureCounter({...ofDeviceLogins, limit: deviceLogins});
  const countBySite = createFailureCounter({
    ...ofDeviceLogins,
    limit: deviceLoginsPerSite,
    networkOf: findSiteOfAddress,
    hash: (site) => hashOf(`device-login site ${site}`),
  });
  const countDeviceLogin: CountFailure = async (address, deadline) =>
    (await countByNetwork(address, deadline)) ?? countBySite(address, deadline);
  // Programs ask every three seconds. Those that ask more often are counted here alone, without the store.
  const countDevicePoll = createFailureCounter({
    limit: devicePolls,
    hash: (network) => network,
    count: () => Promise.resolve(undefined),
    now,
  });
  const generateSuffix = createIdSource();
  let slackBot: SlackBot | undefined;
  const {requireAdmission, requireLiveToken, people} = services;
  const perTick = config.roles.worker ? begunPerTick.requests : begunPerTick.requestsAlone;
  const pace = createPacer(perTick, setImmediate, processBounds.waitingRequests);
  const knownTokens = createKnownTokens();
  const enter = createFairSemaphore(() => computeRequestLimit(options.pressing()));
  const countFailure = createFailureCounter({
    ...failures,
    limit: config.rateLimits.authFailures,
    hash: hashOf,
  });
  /** Returns a hash that identifies a session, so that the session's secret is not kept in memory. */
  const markOf = (pass: string) => createHash('sha256').update(pass).digest('base64url');
  const externals = createExternalIssuers(config.trustedIssuers, () => store.clock.now());
  const authentication: Omit<AuthenticateParts, 'externals'> = {
    tokens: accessTokens,
    findExternalCaller: services.externalCallers.findCaller,
    findPrincipal: (workspace, id, deadline) => people.findPrincipal(workspace, id, deadline),
    requireLiveToken,
    noteUse: store.tokenUse.note,
  };
  const context: ApiContext = {
    routes: config.roles.web ? changeRoutes(createRoutes(services)) : [],
    operatorOnly: !config.roles.web,
    authenticate: createAuthenticator({...authentication, externals}),
    issuers: config.trustedIssuers.map(({issuer}) => issuer),
    requireAdmission,
    requestMs: options.requestMs ?? deadlines.request,
    pace,
    knownTokens,
    enter,
    pack: createCompressor(),
    limiter: createLimiter(config.rateLimits, now),
    countFailure,
    trustProxy: config.http.trustProxy,
    cursors: createCursors(store.cipher.derive('cursor')),
    publicUrl,
    log,
    generateSuffix,
    now: wallClock,
    stopping: draining,
    findKeys: signingKeys.published,
    drainMs: options.streaming?.drain ?? deadlines.drain,
    version,
    corsOrigins: config.http.corsOrigins,
    securityContact: config.http.securityContact,
    meter,
    tracer: options.tracer ?? noTracer,
    metrics:
      metricsToken === undefined || metrics === undefined ? undefined : {...metrics, token: metricsToken},
    readiness: async () => {
      const deadline = performance.now() + deadlines.request;
      // A health check does not wait for the check of Slack. The next health check shows its result.
      void slackGateway?.check();
      const refusal = slackGateway?.refusal();
      const {state, detail, hasWorkspace, hasWorker} = await store.probe(deadline);
      return {
        // A full store still allows reads, deletions and deliveries, and a degraded one serves the workspaces
        // of its other masters, so the process stays ready.
        ready: ['ok', 'degraded', 'full'].includes(state) && !draining.aborted,
        store: state,
        ...(detail !== undefined && {store_detail: detail}),
        durability: store.facts.durability,
        ...(!hasWorkspace && {workspaces: `none: run \`${firstWorkspaceCommand}\``}),
        worker: hasWorker ? 'working' : `none: ${workerAdvice}`,
        ...(refusal !== undefined && {slack_detail: createRefusedTokenMessage(refusal)}),
        slack:
          refusal !== undefined
            ? 'refused'
            : (slackBot?.state() ?? (slack === undefined ? 'not configured' : 'configured')),
      };
    },
    hasDashboard: webApp !== undefined,
    mountSlack: (express) => {
      if (slack === undefined || createBot === undefined) return;
      const bot = createBot({
        app: express,
        services,
        installations: slack.installations,
        ...(slack.oauth &&
          slack.client && {
            oauth: {
              installations: slack.oauth,
              states: createSlackStates(store.connection),
              countInstallRequest: async (address, deadline) =>
                (await countInstallRequest(address, deadline))?.context.retryAfter,
              config: {...slack.client, publicUrl},
            },
          }),
        config: slack,
        rateLimits: config.rateLimits,
        slackAdmins: config.slack?.admins,
        language: config.slack?.language,
        log,
        signatures: createSlackSignatureStore(store.connection),
        rests: store.teamRests,
        slackChannels: store.slackChannels,
        generateReference: () => randomBytes(4).toString('hex'),
        now,
        slackNow,
      });
      slackBot = bot;
      const attendance = createAttendance({
        ...store,
        installations: slack.installations,
        isConnected: () => !('appToken' in slack) || bot.state() === 'connected',
        now,
        log,
      });
      closings.defer(async () => attendance.close());
      draining.addEventListener('abort', () => bot.drain(), {once: true});
      closings.defer(() => bot.close());
    },
  };
  const app = createApp(
    context,
    ({refuseMethod}) =>
      createDashboardHandler({
        sessions: services.sessions,
        invites: services.invites,
        codes: services.codes,
        countAskedCode,
        deviceLogins: services.deviceLogins,
        countDeviceLogin,
        countDevicePoll,
        verifyToken: accessTokens.verify,
        passkeys: services.passkeys,
        mailLinks: services.mailLinks,
        publicUrl,
        pace: (cookie) => pace(cookie && knownTokens.recognise(markOf(cookie))),
        remember: (cookie) => knownTokens.remember(markOf(cookie)),
        enter,
        countFailure,
        rateLimits: config.rateLimits,
        readJson: (request) => readJson(request, ['application/json']),
        refuseMethod,
        chooseRequestId: ({headers}) => chooseRequestId(headers['x-request-id'], generateSuffix, wallClock()),
        app: webApp,
        hasSlack: slack !== undefined,
        waysIn: core.waysIn,
        features: [
          ...(services.passkeys.isOn ? (['passkeys'] as const) : []),
          ...(core.mail === undefined ? [] : (['mail'] as const)),
          ...(core.mail === 'kept' ? (['mail-kept'] as const) : []),
          ...(core.waysIn.has('mail') ? (['codes'] as const) : []),
          ...(core.waysIn.has('link') ? (['links'] as const) : []),
        ],
        generateNonce: () => randomBytes(16).toString('base64'),
        takesCoding: acceptsCompression,
        signIn: {
          providers: listProviders(),
          trips: {
            encrypt: (text) => store.cipher.encrypt('sign-in', 'trip', text),
            decrypt: (encrypted) => store.cipher.decrypt('sign-in', 'trip', encrypted),
          },
          challenges: {
            encrypt: (text) => store.cipher.encrypt('passkey', 'sign-in', text),
            decrypt: (encrypted) => store.cipher.decrypt('passkey', 'sign-in', encrypted),
          },
          takeReturn: createSignInReturns(store.connection).take,
          countReturn,
          now,
          generateSecret: () => randomBytes(32).toString('base64url'),
        },
        dataHeaders: createDataHeaders(publicUrl),
        meter,
        log,
      }),
    createMcp({
      api: {
        ...context,
        authenticate: createAuthenticator({
          ...authentication,
          externals: {
            verify: (token, deadline) => externals.verify(token, deadline, `${publicUrl}${mcpPath}`),
          },
        }),
      },
      findTeamDates: services.standups.findNextDates,
      findOwnDate: services.absences.findToday,
      changeServer: options.changeMcpServer,
    }),
    {
      calendarFeeds: {feeds: services.calendarFeeds, write: writeCalendarFile, rateLimits: config.rateLimits},
      sharedWeeks: {
        weeks: services.sharedWeeks,
        write: writeSharedPage,
        policy: sharedPagePolicy,
        rateLimits: config.rateLimits,
      },
    },
  );
  /** Lists the identity providers by which people sign in to the dashboard. */
  function listProviders() {
    const own = slack?.client && {
      ...slack.client,
      apiUrl: slack.apiUrl,
      findSignedIn: async (...asked: Parameters<SlackBot['findSignedIn']>) => {
        if (slackBot === undefined) throw new Error('the bot is not there');
        return slackBot.findSignedIn(...asked);
      },
    };
    const {findVouched} = services.externalCallers;
    const settings = [
      ...(own === undefined || !core.waysIn.has('slack') ? [] : [createSlackProviderSettings(own)]),
      ...config.trustedIssuers.flatMap(({signIn, ...rules}) => {
        const clientSecret = options.secrets.issuers?.get(rules.issuer);
        return signIn === undefined || !core.waysIn.has('provider')
          ? []
          : [createIssuerProviderSettings({rules, signIn, clientSecret, findVouched})];
      }),
    ];
    const parts = {redirectUri: `${publicUrl}${callbackPath}`, now, wallNow: Date.now};
    return settings.map((one) => createIdentityProvider(one, parts));
  }

  return createHttpServer(app, {
    publicUrl,
    requestId: () => composeId('request', wallClock(), generateSuffix()),
    onRefused: (status) => meter.countRefusal(status),
    ...(options.httpTimes && {times: options.httpTimes}),
  });
}
