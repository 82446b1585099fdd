import {createHash, createHmac, hash, randomBytes, randomUUID} from 'node:crypto';
import {setMaxListeners} from 'node:events';
import type {Server} from 'node:http';
import {takesCoding} from './api/http/accept.js';
import {createAcquaintances} from './api/access/acquaintances.js';
import {createApp} from './api/app.js';
import {createAuthenticate} from './api/access/authenticate.js';
import {readJson} from './api/http/body.js';
import {createCursors} from './api/http/cursor.js';
import {createExternalIssuers} from './api/access/external-issuers.js';
import {createFailureCount} from './api/access/failed-authentications.js';
import {createHttpServer, type HttpTimes} from './api/server/http-server.js';
import {createPlaces} from './api/http/places.js';
import {createPack} from './api/http/compress.js';
import {createLimiter} from './api/access/rate-limits.js';
import {chooseRequestId, createIdSource} from './api/http/request-id.js';
import type {Route} from './api/http/route.js';
import {createRoutes} from './api/routes.js';
import {dataHeaders} from './api/http/security-headers.js';
import type {createSlackBot, SlackBot} from './bot/bot.js';
import type {Waits} from './bot/posting/channel-work.js';
import {type Closings, type Core, composeCore} from './compose-core.js';
import type {Config, Secrets} from './config.js';
import {type BuiltApp, readBuiltApp} from './dashboard/built-app.js';
import {createDashboardDoor} from './dashboard/door.js';
import {createIdentityProvider} from './dashboard/identity-provider.js';
import {callbackPath} from './dashboard/sign-in.js';
import {signInByIssuer, signInWithSlack} from './dashboard/ways-in.js';
import {composeId} from './domain/core/ids.js';
import {deadlines, processBounds, type Retention} from './domain/core/limits.js';
import type {Log} from './domain/core/log.js';
import {noMeter} from './domain/core/meter.js';
import {installPath} from './domain/slack/slack-installation.js';
import {createPacer} from './domain/core/pacer.js';
import type {Work} from './domain/core/work.js';
import {readHostProcesses} from './jobs/host-process.js';
import {createAskWorkers} from './jobs/ask-workers.js';
import type {Jobs} from './jobs/jobs.js';
import {createSlackReader} from './jobs/slack-reader.js';
import type {Metrics} from './metrics/metrics.js';
import {createOauthInstallations, type OauthInstallations} from './service/slack/oauth-installations.js';
import type {SlackDoor} from './service/slack/slack-status.js';
import {createTokenInstallation, type SlackInstallations} from './service/slack/slack-installations.js';
import {operatorCall} from './service/workspaces/workspaces.js';
import type {Failpoint} from './store/failpoints.js';
import {createSlackStates} from './store/slack/slack-installation-records.js';
import {createSignInReturns} from './store/tokens/sign-in-returns.js';
import {createSlackSignatures} from './store/slack/slack-signatures.js';
import {createRedisClient} from './store/core/connection.js';
import type {TimeSource} from './store/core/time-source.js';
import type {Resolve} from './webhook/resolver.js';
import {createSigner} from './webhook/signature.js';

export interface Running {
  readonly core: Core;
  /** The address that was bound; undefined in a process that only works and shows no metrics. */
  readonly address: {readonly port: number} | undefined;
  readonly hasDashboard: boolean;
  /** Answers `/readyz` with 503 from now on, and takes no new connections. */
  drain(): Promise<void>;
}

type ChangeRoutes = (routes: readonly Route[]) => readonly Route[];

/** The whole service in one process: API, bot and jobs, as far as `ROLES` says. */
export async function composeService(options: {
  readonly config: Config;
  readonly secrets: Secrets & {readonly secretKey: string};
  readonly log: Log;
  readonly closings: Closings;
  readonly version: string;
  /** Only tests arm these: named steps at which the process may be stopped. */
  readonly failpoint?: Failpoint;
  /** Only tests answer for the DNS, to webhooks. */
  readonly resolve?: Resolve;
  /** Only tests change the table: an operation that is deprecated, or fails. */
  readonly changeRoutes?: ChangeRoutes;
  /** Only tests have another time than that of the machine and of the store's server. */
  readonly time?: TimeSource;
  /** Times of streams in ms; only tests cannot wait for the usual. */
  readonly streaming?: {readonly pulse?: number; readonly drain?: number};
  /** Called when it serves, before the jobs begin: whoever stops it may have to do so before all runs. */
  readonly onOpen?: (running: Running) => void;
  /** The dashboard as Vite has built it. */
  readonly webFolder: URL;
  /** Only tests cannot wait as long for a request as a server does. */
  readonly httpTimes?: HttpTimes;
  /** Only tests cannot wait as long as Slack's jobs do. */
  readonly slackWaits?: Partial<Waits>;
  /**
   * How long things are kept (s), and how often what is older is cleared away (ms); only tests cannot wait
   * for days.
   */
  readonly retention?: Partial<Retention>;
  readonly upkeepMs?: number;
  /** How often the pump looks for due work (ms); only tests play weeks in minutes. */
  readonly pumpMs?: number;
}): Promise<Running> {
  const {config, secrets, log, closings, version, failpoint = () => undefined} = options;
  const wallClock = options.time?.now ?? Date.now;
  let wake = (_workspace: string, _work: Work): void => undefined;
  const slackDoor: {made?: SlackDoor | undefined} = {};
  const core = await composeCore({
    ...options,
    wake: (workspace, work) => wake(workspace, work),
    slackDoor: {
      look: async (...asked) => slackDoor.made?.look(...asked),
      revoke: async (botToken) => slackDoor.made?.revoke(botToken),
    },
    pulse: options.streaming?.pulse,
  });
  const {store, services} = core;

  const slack = slackSettings(config, secrets);
  const oauth =
    slack?.client &&
    createOauthInstallations({
      ...store,
      slackConnections: services.slackConnections,
      monotonic: () => performance.now(),
      installUrl: `${config.http.publicUrl}${installPath}`,
    });
  void oauth?.warm();
  const installations =
    slack && (oauth ?? createTokenInstallation({...slack, workspaces: services.workspaces}));
  const bot = slack && (await loadBot());
  slackDoor.made = installations && bot?.createSlackDoor({installations, apiUrl: slack?.apiUrl, log});
  const metrics = await loadMetrics(options, core);
  const meter = metrics?.meter ?? noMeter;
  const slackJobs =
    installations &&
    bot?.createSlackJobs({
      ...store,
      installations,
      park: oauth ? store.slackInstallations.park : store.slackInstallations.postpone,
      apiUrl: slack?.apiUrl,
      publicUrl: config.http.publicUrl,
      posts: store.slackPosts,
      rests: store.teamRests,
      rateLimits: config.rateLimits,
      slackAdmins: config.slack?.admins,
      services,
      wake: (workspace, work) => wake(workspace, work),
      jobCall: (workspace) => ({
        ...operatorCall(workspace, performance.now() + deadlines.job),
        door: 'system',
      }),
      drawToken: randomUUID,
      now: () => store.clock.now(),
      // Compared with what Slack's clock says, whatever a test has ours say.
      slackNow: Date.now,
      meter,
      log,
      ...(options.slackWaits && {waits: options.slackWaits}),
    });
  const joinSlack =
    installations &&
    createSlackReader({...store, listWorkspaces: (deadline) => installations.listWorkspaces(deadline)});
  // Whatever the roles of this process: it takes posts as soon as it is ready, and a worker may come much later.
  await joinSlack?.(performance.now() + deadlines.job);
  const createQueueClient = () =>
    createRedisClient({
      url: secrets.queueRedisUrl,
      tlsVerify: config.redis.tlsVerify,
      onError: (error) => log.debug({reason: error.message}, 'the queue is away'),
      forQueue: true,
    });

  async function startWorking(): Promise<Jobs> {
    const [{createSender}, {startJobs}] = await loadJobs();
    const userAgent = `team-standup-service/${version}`;
    const sender = createSender({
      policy: core.addressPolicy,
      userAgent,
      wallClock,
      ...(secrets.webhookProxyUrl !== undefined && {proxyUrl: secrets.webhookProxyUrl}),
      ...(options.resolve && {resolve: options.resolve}),
    });
    const started = await startJobs({
      store,
      services,
      queueClient: createQueueClient(),
      send: sender.send,
      userAgent,
      sign: createSigner(),
      sha256: (text) => hash('sha256', text, 'buffer'),
      holder: randomBytes(8).toString('hex'),
      host: readHostProcesses(),
      choresEveryMs: options.upkeepMs,
      pumpEveryMs: options.pumpMs,
      wallClock,
      random: Math.random,
      failpoint,
      meter,
      pace: createPacer(begunPerTurn.attempts, setImmediate),
      log,
      ...(slackJobs && joinSlack && {slack: {...slackJobs, join: joinSlack}}),
    });
    const close = async (): Promise<void> => {
      try {
        await started.close();
      } finally {
        await sender.close();
      }
    };
    return {...started, close};
  }

  const working: {jobs?: Jobs} = {};
  const asking = createAskWorkers({createClient: createQueueClient, slack: slackJobs !== undefined, log});
  closings.defer(() => asking.close());
  wake = (workspace, work) => {
    if (work.kind === 'fan-out') store.eventTail.wake(workspace);
    // Where this process is about to work, its pump is about to look.
    if (!config.roles.worker) asking.wake(workspace, work);
    else working.jobs?.wake(workspace, work);
    failpoint('after-wake');
  };

  const running = await open();
  options.onOpen?.(running);
  if (!config.roles.worker) return running;
  const starting = startWorking();
  closings.defer(async () => (await starting.catch(() => undefined))?.close());
  working.jobs = await starting;
  return running;

  /** Listens, where there is something to serve. */
  async function open(): Promise<Running> {
    const webApp = readBuiltApp(options.webFolder);
    const idle = {core, address: undefined, hasDashboard: false, drain: async () => undefined};
    if (!config.roles.web && metrics === undefined) return idle;
    const draining = new AbortController();
    setMaxListeners(0, draining.signal);
    const server = createWeb({
      ...options,
      wallClock,
      webApp,
      core,
      metrics,
      pressing: () => working.jobs?.pressing() ?? 0,
      draining: draining.signal,
      slack: slack && installations && {...slack, installations, oauth},
      createBot: config.roles.web ? bot?.createSlackBot : undefined,
    });
    const port = await listen(server, config.http).catch((error: Error) => {
      if (config.roles.web) throw error;
      log.warn({port: config.http.port, reason: error.message}, 'the metrics of this process are not served');
      return undefined;
    });
    if (port === undefined) return idle;
    const drain = (): Promise<void> => {
      draining.abort();
      return closeServer(server);
    };
    closings.defer(drain);
    return {core, address: {port}, hasDashboard: webApp !== undefined, drain};
  }
}

function createWeb(options: {
  readonly config: Config;
  readonly secrets: Secrets;
  readonly log: Log;
  readonly version: string;
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
  readonly metrics: Metrics | undefined;
  readonly createBot: typeof createSlackBot | undefined;
  readonly closings: Closings;
  readonly changeRoutes?: ChangeRoutes;
  readonly streaming?: {readonly drain?: number};
  readonly webApp: BuiltApp | undefined;
  readonly httpTimes?: HttpTimes;
  readonly wallClock: () => number;
}): Server {
  const {config, log, version, core, draining, slack, createBot, closings} = options;
  const {changeRoutes = (routes) => routes, metrics, wallClock, webApp} = options;
  const {metricsToken} = options.secrets;
  const meter = metrics?.meter ?? noMeter;
  const {store, services, accessTokens, signingKeys} = core;
  const {publicUrl} = config.http;
  const now = () => store.clock.now();
  const addressKey = store.sealer.derive('client-address');
  const hashOf = (network: string) => createHmac('sha256', addressKey).update(network).digest('base64url');
  const failures = {count: store.admissions.countFailure, now};
  // Like failures in that nobody has to authenticate, so the same count serves them, under names of their own.
  const countVisit = createFailureCount({
    ...failures,
    limit: installVisits,
    hash: (network) => hashOf(`slack-install ${network}`),
  });
  const countReturn = createFailureCount({
    ...failures,
    limit: signInReturns,
    hash: (network) => hashOf(`sign-in ${network}`),
  });
  const drawId = createIdSource();
  let slackBot: SlackBot | undefined;
  const {requireAdmission, requireLiveToken, people} = services;
  const perTurn = config.roles.worker ? begunPerTurn.requests : begunPerTurn.requestsAlone;
  const pace = createPacer(perTurn, setImmediate, processBounds.waitingRequests);
  const acquaintances = createAcquaintances();
  const enter = createPlaces(() => placesBeside(options.pressing()));
  const countFailure = createFailureCount({
    ...failures,
    limit: config.rateLimits.authFailures,
    hash: hashOf,
  });
  /** Stands for a session among those who are known; its secret stays in no memory. */
  const markOf = (pass: string) => createHash('sha256').update(pass).digest('base64url');
  const app = createApp({
    routes: config.roles.web ? changeRoutes(createRoutes(services)) : [],
    operatorOnly: !config.roles.web,
    authenticate: createAuthenticate({
      tokens: accessTokens,
      externals: createExternalIssuers(config.trustedIssuers, () => store.clock.now()),
      findExternalCaller: services.externalCallers.findCaller,
      findPrincipal: (workspace, id, deadline) => people.findPrincipal(workspace, id, deadline),
      requireLiveToken,
      noteUse: store.tokenUse.note,
    }),
    requireAdmission,
    pace,
    acquaintances,
    enter,
    pack: createPack(),
    limiter: createLimiter(config.rateLimits, now),
    countFailure,
    trustProxy: config.http.trustProxy,
    cursors: createCursors(store.sealer.derive('cursor')),
    publicUrl,
    log,
    drawId,
    now: wallClock,
    stopping: draining,
    findKeys: signingKeys.published,
    drainMs: options.streaming?.drain ?? deadlines.drain,
    version,
    corsOrigins: config.http.corsOrigins,
    securityContact: config.http.securityContact,
    meter,
    metrics:
      metricsToken === undefined || metrics === undefined ? undefined : {...metrics, token: metricsToken},
    readiness: async () => {
      const deadline = performance.now() + deadlines.request;
      const {state, hasWorkspace} = await store.probe(deadline);
      return {
        // Reading, deleting and deliveries go on, for which the process needs its traffic.
        ready: (state === 'ok' || state === 'full') && !draining.aborted,
        store: state,
        durability: store.facts.durability,
        ...(!hasWorkspace && {workspaces: 'none: run `standup workspace create NAME`'}),
        slack: slackBot?.state() ?? (slack === undefined ? 'not configured' : 'configured'),
      };
    },
    hasDashboard: webApp !== undefined,
    createDashboard: ({refuseMethod}) =>
      createDashboardDoor({
        sessions: services.sessions,
        publicUrl,
        pace: (cookie) => pace(cookie && acquaintances.recognise(markOf(cookie))),
        remember: (cookie) => acquaintances.remember(markOf(cookie)),
        enter,
        countFailure,
        rateLimits: config.rateLimits,
        readJson: (request) => readJson(request, ['application/json']),
        refuseMethod,
        chooseRequestId: ({headers}) => chooseRequestId(headers['x-request-id'], drawId, wallClock()),
        app: webApp,
        drawNonce: () => randomBytes(16).toString('base64'),
        takesCoding,
        signIn: {
          providers: listProviders(),
          trips: {
            seal: (text) => store.sealer.seal('sign-in', 'trip', text),
            open: (sealed) => store.sealer.open('sign-in', 'trip', sealed),
          },
          takeReturn: createSignInReturns(store.connection).take,
          countReturn,
          now,
          drawSecret: () => randomBytes(32).toString('base64url'),
        },
        dataHeaders: dataHeaders(publicUrl),
        meter,
        log,
      }),
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
              countVisit: async (address, deadline) =>
                (await countVisit(address, deadline))?.context.retryAfter,
              config: {...slack.client, publicUrl},
            },
          }),
        config: slack,
        rateLimits: config.rateLimits,
        slackAdmins: config.slack?.admins,
        log,
        signatures: createSlackSignatures(store.connection),
        rests: store.teamRests,
        slackChannels: store.slackChannels,
        drawReference: () => randomBytes(4).toString('hex'),
        now,
        slackNow: Date.now,
      });
      slackBot = bot;
      draining.addEventListener('abort', () => bot.drain(), {once: true});
      closings.defer(() => bot.close());
    },
  });
  /** By which people sign in to the dashboard. */
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
      ...(own === undefined ? [] : [signInWithSlack(own)]),
      ...config.trustedIssuers.flatMap(({signIn, ...rules}) => {
        const clientSecret = options.secrets.issuers?.get(rules.issuer);
        return signIn === undefined ? [] : [signInByIssuer({rules, signIn, clientSecret, findVouched})];
      }),
    ];
    const parts = {redirectUri: `${publicUrl}${callbackPath}`, now, wallNow: Date.now};
    return settings.map((one) => createIdentityProvider(one, parts));
  }

  return createHttpServer(app, {
    publicUrl,
    requestId: () => composeId('request', wallClock(), drawId()),
    onRefused: (status) => meter.countRefusal(status),
    ...(options.httpTimes && {times: options.httpTimes}),
  });
}

/** Only a process that may be asked for its metrics counts anything. */
async function loadMetrics(
  {secrets, version}: {secrets: Secrets; version: string},
  {store}: Core,
): Promise<Metrics | undefined> {
  if (secrets.metricsToken === undefined) return undefined;
  const {createMetrics} = await import('./metrics/metrics.js');
  return createMetrics({
    version,
    readBacklog: () => store.backlogs.read(performance.now() + deadlines.job),
  });
}

type SlackSettings = {
  /** Of one Slack workspace; empty with a `client`, by which many install the bot. */
  readonly botToken: string;
  readonly client?: {readonly clientId: string; readonly clientSecret: string};
  readonly apiUrl?: string | undefined;
  readonly workspace: string | undefined;
} & ({readonly signingSecret: string} | {readonly appToken: string});

/** One Slack workspace by its token, or many by OAuth; undefined when Slack is not set up. */
function slackSettings({slack: config}: Config, {slack: secrets}: Secrets): SlackSettings | undefined {
  if (config === undefined) return undefined;
  const {botToken = '', signingSecret, appToken, clientSecret} = secrets ?? {};
  const {clientId} = config;
  const common = {workspace: config.workspace, apiUrl: config.apiUrl, botToken};
  if (botToken !== '' && appToken !== undefined) return {...common, appToken};
  if (signingSecret === undefined) return undefined;
  if (botToken !== '') return {...common, signingSecret};
  if (clientId === undefined || clientSecret === undefined) return undefined;
  return {...common, signingSecret, client: {clientId, clientSecret}};
}

/** A minute and network: each is remembered until they come back, 10 minutes at most. */
const installVisits = 30;

/** A minute and network: each is remembered for 10 minutes, and asks an identity provider. */
const signInReturns = 60;

/**
 * Requests, and attempts of deliveries, begun at each turn of the event loop: a burst of either leaves the
 * other its share. A process without a worker has nobody to share with, and each turn has its own cost: one
 * write to Redis, and one script for those who ask the same.
 */
const begunPerTurn = {requests: 2, requestsAlone: 32, attempts: 8};

/**
 * Requests that may use the store at a time while so many deliveries press. A delivery asks the store once
 * where a request asks several times, and a webhook has 16 of them under way: beside dozens of clients that
 * ask without pause it would get next to nothing.
 */
function placesBeside(deliveries: number): number {
  return deliveries === 0 ? Number.POSITIVE_INFINITY : Math.max(2, deliveries / 3);
}

/** Slack's libraries are a third of the time to start, and most installations start without Slack first. */
async function loadBot() {
  const [{createSlackBot}, {createSlackDoor}, {createSlackJobs}] = await Promise.all([
    import('./bot/bot.js'),
    import('./bot/slack-door.js'),
    import('./bot/posting/slack-jobs.js'),
  ]);
  return {createSlackBot, createSlackDoor, createSlackJobs};
}

/** Modules that only a process with background work needs; loaded after the port is open. */
function loadJobs() {
  return Promise.all([import('./webhook/sender.js'), import('./jobs/jobs.js')]);
}

function listen(server: Server, {host, port}: {host: string; port: number}): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

/**
 * How long a connection may take to finish its request once the server is closing: far more than a
 * request's own deadline.
 */
const finishWithinMs = 5_000;

/**
 * Stops accepting, lets what was accepted finish, and closes idle connections. Node leaves a kept-alive
 * connection open and would go on serving the requests that it brings, so every answer from now on ends its
 * connection.
 */
function closeServer(server: Server): Promise<void> {
  if (!server.listening) return Promise.resolve();
  server.prependListener('request', (_, response) => response.setHeader('Connection', 'close'));
  return new Promise((resolve) => {
    const idle = setInterval(() => server.closeIdleConnections(), 50);
    const late = setTimeout(() => server.closeAllConnections(), finishWithinMs);
    server.close(() => {
      clearInterval(idle);
      clearTimeout(late);
      resolve();
    });
    server.closeIdleConnections();
  });
}
