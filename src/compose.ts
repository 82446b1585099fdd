import {createHash, randomBytes, randomUUID} from 'node:crypto';
import type {Server} from 'node:http';
import {pino} from 'pino';
import {createAccessTokens, createSigningKey} from './api/access-token.js';
import {createApp} from './api/app.js';
import {createAuthenticate} from './api/authenticate.js';
import {createCursors} from './api/cursor.js';
import {createHttpServer} from './api/http-server.js';
import {createIdSource} from './api/request-id.js';
import {createRoutes} from './api/routes.js';
import {createSlackBot} from './bot/bot.js';
import {createSlackJobs} from './bot/slack-jobs.js';
import type {Config, Secrets} from './config.js';
import {AppError} from './domain/errors.js';
import {composeId} from './domain/ids.js';
import {deadlines} from './domain/limits.js';
import type {Log} from './domain/log.js';
import type {Work} from './domain/work.js';
import {startJobs} from './jobs/jobs.js';
import {createServices, type Services} from './service/services.js';
import {operatorCall} from './service/workspaces.js';
import {type Failpoint, withFailpoints} from './store/failpoints.js';
import {createSlackPosts, createSlackSignatures} from './store/slack-posts.js';
import {createRedisClient} from './store/connection.js';
import {openStore, type Store} from './store/store.js';
import {createAddressPolicy} from './webhook/address.js';
import {createSender} from './webhook/sender.js';
import {createSecret, createSigner} from './webhook/signature.js';
import {checkTarget} from './webhook/target.js';

/** Closings of what was opened, run last-in-first-out; also when a start fails half-way. */
export interface Closings {
  defer(close: () => Promise<unknown> | unknown): void;
  run(): Promise<void>;
}

export function createClosings(): Closings {
  const stack: (() => Promise<unknown> | unknown)[] = [];
  return {
    defer: (close) => void stack.push(close),
    async run() {
      const failures: unknown[] = [];
      for (let close = stack.pop(); close !== undefined; close = stack.pop()) {
        // One that fails must not keep the others open.
        await Promise.resolve()
          .then(close)
          .catch((error: unknown) => failures.push(error));
      }
      if (failures.length > 0) throw new AggregateError(failures, 'not everything could be closed');
    },
  };
}

/** The log behind every `Log`: one JSON line each, buffered, so that a line costs a request next to nothing. */
export function createLog(level: string, closings: Closings): Log {
  const destination = pino.destination({dest: 1, sync: false, minLength: 16_000, periodicFlush: 250});
  const logger = pino({level, base: null}, destination);
  const informs = logger.isLevelEnabled('info');
  closings.defer(() => new Promise<void>((resolve) => destination.flush(() => resolve())));
  return {
    debug: (fields, message) => logger.debug(fields, message),
    // The line of every request: a third of what the logger's own serialising costs.
    info: (fields, message) => {
      if (informs)
        destination.write(`${JSON.stringify({level: 30, time: Date.now(), ...fields, msg: message})}\n`);
    },
    warn: (fields, message) => logger.warn(fields, message),
    error: (fields, message, cause) => logger.error({...fields, err: cause}, message),
  };
}

export interface Core {
  readonly store: Store;
  readonly services: Services;
  readonly accessTokens: Awaited<ReturnType<typeof createAccessTokens>>;
}

/** Store and services: what the server and the command have in common. */
export async function composeCore(options: {
  readonly config: Config;
  readonly secrets: Secrets & {readonly secretKey: string};
  readonly log: Log;
  readonly closings: Closings;
  /** Set later by whoever works; until then wake-ups go nowhere and the pump finds the work. */
  readonly wake: (workspace: string, work: Work) => void;
  /** Only tests arm these: named steps at which the process may be stopped. */
  readonly failpoint?: Failpoint;
}): Promise<Core> {
  const {config, secrets, log, closings, wake} = options;
  const opened = await openStore({
    url: secrets.redisUrl,
    tlsVerify: config.redis.tlsVerify,
    secretKey: secrets.secretKey,
    secretKeyPrevious: secrets.secretKeyPrevious,
    onError: (error) => log.warn({reason: error.message}, 'the store is away'),
  });
  closings.defer(() => opened.close());
  const store = withFailpoints(opened, options.failpoint);
  const accessTokens = await createAccessTokens({
    privateKey: await store.findSigningKey(createSigningKey),
    installation: store.installation.id,
    now: () => store.clock.now(),
  });
  const policy = createAddressPolicy({allowNetworks: config.webhooks.allowNetworks});
  const services = createServices({
    ...store,
    drawId: createIdSource(),
    wake,
    sign: accessTokens.sign,
    createSecret: () => createSecret(randomBytes),
    checkTarget: (url) => checkTarget(url, policy),
  });
  return {store, services, accessTokens};
}

export interface Running {
  readonly core: Core;
  /** The address that was bound; undefined in a process that only works. */
  readonly address: {readonly port: number} | undefined;
  /** Answers `/readyz` with 503 from now on, and takes no new connections. */
  drain(): Promise<void>;
}

/** The whole service in one process: API, bot and jobs, as far as `ROLES` says. */
export async function composeService(options: {
  readonly config: Config;
  readonly secrets: Secrets & {readonly secretKey: string};
  readonly log: Log;
  readonly closings: Closings;
  readonly version: string;
  /** Only tests arm these: named steps at which the process may be stopped. */
  readonly failpoint?: Failpoint;
}): Promise<Running> {
  const {config, secrets, log, closings, version, failpoint = () => undefined} = options;
  let wake = (_workspace: string, _work: Work): void => undefined;
  const core = await composeCore({...options, wake: (workspace, work) => wake(workspace, work)});
  const {store, services} = core;

  const queueClient = createRedisClient({
    url: secrets.queueRedisUrl,
    tlsVerify: config.redis.tlsVerify,
    onError: (error) => log.debug({reason: error.message}, 'the queue is away'),
    forQueue: true,
  });
  const sender = createSender({
    policy: createAddressPolicy({allowNetworks: config.webhooks.allowNetworks}),
    userAgent: `team-standup-service/${version}`,
  });
  closings.defer(() => sender.close());
  const slack = slackSettings(config, secrets, log);
  const slackJobs =
    slack &&
    createSlackJobs({
      ...store,
      api: slack,
      posts: createSlackPosts(store.connection),
      services,
      wake: (workspace, work) => wake(workspace, work),
      jobCall: (workspace) => operatorCall(workspace, performance.now() + deadlines.job),
      drawToken: randomUUID,
      now: Date.now,
      log,
    });
  const jobs = await startJobs({
    store,
    services,
    queueClient,
    send: sender.send,
    sign: createSigner(),
    works: config.roles.worker,
    sha256: (text) => createHash('sha256').update(text).digest(),
    holder: randomBytes(8).toString('hex'),
    wallClock: Date.now,
    random: Math.random,
    failpoint,
    log,
    ...(slackJobs && {slack: {...slackJobs, findWorkspace: findSlackWorkspace(services, slack)}}),
  });
  closings.defer(() => jobs.close());
  wake = (workspace, work) => {
    jobs.wake(workspace, work);
    failpoint('after-wake');
  };

  if (!config.roles.web) return {core, address: undefined, drain: async () => undefined};
  const draining = {now: false};
  const server = createWeb({...options, core, draining, slack});
  const port = await listen(server, config.http);
  closings.defer(() => closeServer(server));
  return {
    core,
    address: {port},
    async drain() {
      draining.now = true;
      await closeServer(server);
    },
  };
}

function createWeb(options: {
  readonly config: Config;
  readonly secrets: Secrets;
  readonly log: Log;
  readonly version: string;
  readonly core: Core;
  readonly draining: {readonly now: boolean};
  readonly slack: SlackSettings | undefined;
  readonly closings: Closings;
}): Server {
  const {config, log, version, core, draining, slack, closings} = options;
  const {store, services, accessTokens} = core;
  const {publicUrl} = config.http;
  const drawId = createIdSource();
  const {requireLiveToken, people} = services;
  const app = createApp({
    routes: createRoutes(services),
    authenticate: createAuthenticate({
      tokens: accessTokens,
      findPrincipal: (workspace, id, deadline) => people.findPrincipal(workspace, id, deadline),
      requireLiveToken,
    }),
    requireLiveToken,
    cursors: createCursors(store.sealer.derive('cursor')),
    publicUrl,
    log,
    drawId,
    now: Date.now,
    jwks: accessTokens.jwks,
    version,
    readiness: async () => {
      const deadline = performance.now() + deadlines.request;
      const state = await store.probe(deadline);
      const workspaces = state === 'ok' ? await store.workspaces.list(deadline).catch(() => []) : [];
      return {
        ready: state === 'ok' && !draining.now,
        store: state,
        durability: store.facts.durability,
        workspaces:
          workspaces.length > 0 ? String(workspaces.length) : 'none: run `standup workspace create NAME`',
        slack: slack === undefined ? 'not configured' : 'configured',
      };
    },
    mountSlack: (express) => {
      if (slack === undefined) return;
      const bot = createSlackBot({
        app: express,
        services,
        config: slack,
        log,
        signatures: createSlackSignatures(store.connection),
        drawReference: () => randomBytes(4).toString('hex'),
        now: Date.now,
      });
      closings.defer(() => bot.close());
    },
  });
  return createHttpServer(app, {publicUrl, requestId: () => composeId('request', Date.now(), drawId())});
}

interface SlackSettings {
  readonly botToken: string;
  readonly signingSecret: string;
  readonly apiUrl?: string | undefined;
  readonly workspace?: string | undefined;
}

/** One Slack workspace by token over HTTP; undefined when Slack is not set up, or set up in a way that is still to come. */
function slackSettings(
  {slack: config}: Config,
  {slack: secrets}: Secrets,
  log: Log,
): SlackSettings | undefined {
  if (config === undefined) return undefined;
  const {botToken, signingSecret} = secrets ?? {};
  if (botToken !== undefined && signingSecret !== undefined) return {...config, botToken, signingSecret};
  log.warn({}, 'Slack works with SLACK_BOT_TOKEN and SLACK_SIGNING_SECRET so far; the bot is off');
  return undefined;
}

/** The service workspace that the Slack workspace speaks for; undefined while there is none. Looked up when used. */
function findSlackWorkspace({workspaces}: Services, {workspace}: SlackSettings) {
  return async (deadline: number): Promise<string | undefined> => {
    const found = await workspaces.chooseWorkspace(workspace, deadline).catch((error: unknown) => {
      if (error instanceof AppError && (error.code === 'not_found' || error.code === 'validation_failed'))
        return undefined;
      throw error;
    });
    return found?.id;
  };
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

/** Stops accepting, lets what was accepted finish, and closes idle connections. */
function closeServer(server: Server): Promise<void> {
  if (!server.listening) return Promise.resolve();
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
}
