import {hash, randomBytes, randomUUID} from 'node:crypto';
import {setMaxListeners} from 'node:events';
import type {Waits} from './bot/showing/waits.js';
import {type Core, composeCore} from './compose-core.js';
import type {Config, Secrets} from './config/config.js';
import {readBuiltApp} from './dashboard/built-app.js';
import {deadlines} from './domain/core/limits.js';
import type {Log} from './domain/core/log.js';
import {noMeter} from './domain/core/meter.js';
import type {MailTransport} from './domain/mail/mail-transport.js';
import {installPath} from './domain/slack/slack-installation.js';
import {noTracer} from './domain/core/tracer.js';
import {begunPerTick, createPacer} from './domain/core/pacer.js';
import {countWorkers, type Work} from './domain/core/work.js';
import {readHostProcesses} from './jobs/host-process.js';
import {createWorkRequester} from './jobs/ask-workers.js';
import type {JobContext} from './jobs/context.js';
import type {Jobs} from './jobs/jobs.js';
import {startPresence} from './jobs/presence.js';
import {createSlackConsumer} from './jobs/slack-consumer.js';
import {watchWorkers} from './jobs/worker-watch.js';
import type {Metrics} from './metrics/metrics.js';
import {createOauthInstallations} from './service/slack/oauth-installations.js';
import type {SlackGateway} from './service/core/environment.js';
import {createTokenInstallation} from './service/slack/slack-installations.js';
import {operatorCall} from './service/workspaces/workspaces.js';
import {checkQueue} from './store/core/queue-check.js';
import {createRedisClient} from './store/core/redis-client.js';
import type {Tracing} from './tracing/tracing.js';
import type {Resolve} from './webhook/resolver.js';
import {createSigner} from './webhook/signature.js';
import {closeServer, listen} from './api/server/serving.js';
import {createWeb, type ServerOptions} from './compose-web.js';
import {loadBot, buildSlackSettings} from './compose-slack.js';
import type {Id} from './domain/core/ids.js';

export interface RunningService {
  readonly core: Core;
  /** The address on which the process listens; undefined if it serves neither requests nor metrics. */
  readonly address: {readonly port: number} | undefined;
  readonly hasDashboard: boolean;
  /** Makes `/readyz` answer 503, and stops accepting connections. */
  drain: () => Promise<void>;
}

/** Starts the service in one process: the API, the bot and background jobs, as `ROLES` says. */
export async function composeService(
  options: ServerOptions & {
    /** Resolves the host names of webhooks in tests. */
    readonly resolve?: Resolve;
    /** Called when the service listens, before the jobs begin. From then on the caller can stop the service. */
    readonly onOpen?: (running: RunningService) => void;
    /**
     * Called when the data was raised to a format that this program does not read. The caller must stop the
     * service.
     */
    readonly onOutdated?: (running: RunningService) => void;
    /** The host and the number of this process, for the operator. */
    readonly location?: string;
    /** The folder of the built dashboard. */
    readonly webFolder: URL;
    /** Shorter waiting times of Slack's jobs, for tests. */
    readonly slackWaits?: Partial<Waits>;
    /** The interval at which old data is deleted (ms); only tests set it. */
    readonly upkeepMs?: number;
    /** The interval (ms) at which the scheduler looks for due work; only tests set it. */
    readonly schedulerIntervalMs?: number;
    /** The time (ms) after which another process may take over a delivery; only tests set it. */
    readonly leaseMs?: number;
    /** The time (ms) after which another process may take over a mail; only tests set it. */
    readonly mailLeaseMs?: number;
  },
): Promise<RunningService> {
  const {config, secrets, log, closings, version, failpoint = () => undefined} = options;
  const wallClock = options.time?.now ?? Date.now;
  let wake = (_workspace: Id<'workspace'>, _work: Work): void => undefined;
  const slackGateway: {made?: SlackGateway | undefined} = {};
  const tracing = await loadTracing(options);
  const tracer = tracing?.tracer;
  closings.defer(() => tracing?.close());
  const core = await composeCore({
    ...options,
    tracer,
    wake: (workspace, work) => wake(workspace, work),
    slackGateway: {
      look: async (...asked) => slackGateway.made?.look(...asked),
      check: async () => slackGateway.made?.check(),
      refusal: () => slackGateway.made?.refusal(),
      findChannelKind: async (...asked) => slackGateway.made?.findChannelKind(...asked),
      revoke: async (botToken) => slackGateway.made?.revoke(botToken),
    },
    pulse: options.streaming?.pulse,
  });
  const {store, services} = core;
  const holder = randomBytes(8).toString('hex');
  // Slack's requests are compared with the real time, even when a test sets another clock.
  const slackNow = options.time === undefined ? () => store.clock.now() : Date.now;

  const slack = buildSlackSettings(config, secrets);
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
    slack &&
    (oauth ??
      createTokenInstallation({
        ...slack,
        workspaces: services.workspaces,
        onRefused: async () => slackGateway.made?.check(),
      }));
  const bot = slack && (await loadBot());
  slackGateway.made =
    installations &&
    bot?.createSlackGateway({
      installations,
      botToken: oauth === undefined ? slack?.botToken : undefined,
      apiUrl: slack?.apiUrl,
      log,
    });
  const metrics = await loadMetrics(options, core, tracing);
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
      language: config.slack?.language,
      services,
      wake: (workspace, work) => wake(workspace, work),
      jobCall: (workspace) => ({
        ...operatorCall(workspace, performance.now() + deadlines.job),
        entryPoint: 'system',
      }),
      holder,
      generateToken: randomUUID,
      now: () => store.clock.now(),
      slackNow,
      meter,
      tracer,
      log,
      ...(options.slackWaits && {waits: options.slackWaits}),
    });
  const joinSlack = installations && createSlackConsumer(store, installations);
  // Slack is registered as a reader of the event log, whatever the roles of this process. Otherwise, posts
  // that this process accepts before a worker starts would never reach Slack.
  await joinSlack?.(performance.now() + deadlines.job);
  const queueAddress = {url: secrets.queueRedisUrl, tlsVerify: config.redis.tlsVerify};
  const setting = secrets.queueRedisUrl === secrets.redisUrl ? 'REDIS_URL' : 'QUEUE_REDIS_URL';
  const queueProblem = await checkQueue({...queueAddress, setting});
  if (queueProblem !== undefined) log.warn({}, queueProblem);
  const createQueueClient = () =>
    createRedisClient({
      ...queueAddress,
      onError: (error) => log.debug({reason: error.message}, 'the queue is unavailable'),
      forQueue: true,
    });

  async function startBackgroundJobs(): Promise<Jobs> {
    const [{createSender}, {startJobs}] = await loadJobs();
    const mail = await loadMailTransport(config, secrets);
    const userAgent = `team-standup-service/${version}`;
    const sender = createSender({
      policy: core.addressPolicy,
      userAgent,
      wallClock: () => store.clock.now(),
      ...(secrets.webhookProxyUrl !== undefined && {proxyUrl: secrets.webhookProxyUrl}),
      ...(options.resolve && {resolve: options.resolve}),
    });
    const context: JobContext = {
      store,
      services,
      send: sender.send,
      mail,
      mailLeaseMs: options.mailLeaseMs,
      userAgent,
      sign: createSigner(),
      sha256: (text) => hash('sha256', text, 'buffer'),
      holder,
      host: readHostProcesses(),
      choresEveryMs: options.upkeepMs,
      schedulerIntervalMs: options.schedulerIntervalMs,
      leaseMs: options.leaseMs,
      random: Math.random,
      failpoint,
      checkSlack: async () => slackGateway.made?.check(),
      meter,
      tracer: tracer ?? noTracer,
      pace: createPacer(begunPerTick.attempts, setImmediate),
      log,
    };
    const slackWork = slackJobs && joinSlack && {...slackJobs, join: joinSlack};
    const started = await startJobs(context, createQueueClient(), slackWork);
    const stopping = new AbortController();
    if (mail?.mode === 'sent' && config.mail) void reportMailServer(mail, config.mail, stopping.signal, log);
    const close = async (): Promise<void> => {
      stopping.abort();
      try {
        await started.close();
      } finally {
        await sender.close();
      }
    };
    return {...started, close};
  }

  const working: {jobs?: Jobs} = {};
  const asking = createWorkRequester({createClient: createQueueClient, slack: slackJobs !== undefined, log});
  closings.defer(() => asking.close());
  wake = (workspace, work) => {
    if (work.kind === 'fan-out') store.eventTail.wake(workspace);
    // A process without a worker wakes the worker of another process. A process with a worker wakes its own
    // scheduler.
    if (!config.roles.worker) asking.wake(workspace, work);
    else working.jobs?.wake(workspace, work);
    failpoint('after-wake');
  };

  const running = await openService();
  options.onOpen?.(running);
  const presence = startPresence({store, log}, {holder, version, location: options.location ?? holder}, () =>
    options.onOutdated?.(running),
  );
  closings.defer(() => presence.close());
  if (!config.roles.worker) {
    const watch = watchWorkers(store, log);
    closings.defer(() => watch.close());
    return running;
  }
  const starting = startBackgroundJobs();
  closings.defer(async () => (await starting.catch(() => undefined))?.close());
  working.jobs = await starting;
  return running;

  /** Opens the HTTP server, if this process serves requests or metrics. */
  async function openService(): Promise<RunningService> {
    const webApp = options.webApp ?? readBuiltApp(options.webFolder);
    const idle = {core, address: undefined, hasDashboard: false, drain: async () => undefined};
    if (!config.roles.web && metrics === undefined) return idle;
    const draining = new AbortController();
    setMaxListeners(0, draining.signal);
    const server = createWeb({
      ...options,
      tracer,
      wallClock,
      slackNow,
      webApp,
      core,
      metrics,
      pressing: () => working.jobs?.pressing() ?? 0,
      slackGateway: slackGateway.made,
      draining: draining.signal,
      slack: slack && installations && {...slack, installations, oauth},
      createBot: config.roles.web ? bot?.createSlackBot : undefined,
    });
    const port = await listen(server, config.http).catch((error: Error) => {
      if (config.roles.web) throw error;
      log.warn(
        {port: config.http.port, reason: error.message},
        'could not serve the metrics of this process',
      );
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

/** Loads the metrics, which are only counted in a process that shows them. */
async function loadMetrics(
  {secrets, version}: {secrets: Secrets; version: string},
  {store}: Core,
  tracing: Tracing | undefined,
): Promise<Metrics | undefined> {
  if (secrets.metricsToken === undefined) return undefined;
  const {createMetrics} = await import('./metrics/metrics.js');
  const newDeadline = () => performance.now() + deadlines.job;
  return createMetrics(version, {
    readBacklog: () => store.backlogs.read(newDeadline()),
    readStoreState: async () => (await store.probe(newDeadline())).state,
    readServers: () => store.readServers(newDeadline()),
    readLostSpans: tracing?.readLostSpans,
    readWorkers: async () => countWorkers(await store.waitingWork.listWorkers(newDeadline())),
  });
}

/** Loads OpenTelemetry, in a process that has a collector for its traces. */
async function loadTracing({
  config: {traces},
  secrets: {traceHeaders: headers = {}},
  version,
  log,
}: ServerOptions): Promise<Tracing | undefined> {
  if (traces === undefined) return undefined;
  const {createTracing} = await import('./tracing/tracing.js');
  const own = {'service.version': version, 'service.instance.id': randomUUID()};
  return createTracing({...traces, headers, resource: {...own, ...traces.resource}}, log);
}

/** Loads the modules that send mails, in a process whose mails go anywhere. */
async function loadMailTransport(
  {mail, local}: Config,
  {smtpLogin: login}: Secrets,
): Promise<MailTransport | undefined> {
  if (mail === undefined && !local) return undefined;
  const {createMailSending, keptMails} = await import('./mail/transport.js');
  return mail === undefined ? keptMails : createMailSending({...mail, login}, mail.from);
}

/** Logs whether the mail server takes mails. If it does not, they wait. */
async function reportMailServer(
  {check}: Extract<MailTransport, {mode: 'sent'}>,
  {host, port}: NonNullable<Config['mail']>,
  signal: AbortSignal,
  log: Log,
): Promise<void> {
  const failed = await check(signal);
  if (signal.aborted) return;
  if (failed === undefined) return log.info({}, 'the mail server takes mails');
  const {step, code, detail: reason} = failed;
  log.warn(
    {server: `${host}:${port}`, step, code, reason},
    'the mail server takes no mails: run `standup-admin doctor`',
  );
}

/** Loads the modules for background work, after the port is open. */
function loadJobs() {
  return Promise.all([import('./webhook/sender.js'), import('./jobs/jobs.js')]);
}
