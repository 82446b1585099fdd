import {createHash, randomBytes} from 'node:crypto';
import {pino} from 'pino';
import {createAccessTokens} from './api/access/access-token.js';
import {createIdSource} from './api/http/request-id.js';
import {loadSigningKeys} from './api/access/signing-keys.js';
import type {Config, Secrets} from './config/config.js';
import {
  deadlines,
  processBounds,
  type Retention,
  standardRetention,
  streaming,
} from './domain/core/limits.js';
import {describeError, type Log, type LogFields, maskSecrets} from './domain/core/log.js';
import {type LogLevelName, formatLogLine} from './domain/core/log-line.js';
import {installPath} from './domain/slack/slack-installation.js';
import {createPacer} from './domain/core/pacer.js';
import type {Tracer} from './domain/core/tracer.js';
import type {Work} from './domain/core/work.js';
import {createCalendarReader} from './calendar/calendar-reader.js';
import {createPublicHolidays} from './calendar/holidays.js';
import {createZones} from './calendar/zones.js';
import {createPasskeyVerifier} from './passkeys/passkeys.js';
import {createServices} from './service/services.js';
import type {SlackGateway} from './service/core/environment.js';
import {type Failpoint, addFailpoints} from './store/failpoints.js';
import {openStore} from './store/store.js';
import type {DataFormats} from './store/core/installation.js';
import {traceCommits} from './store/trace-commits.js';
import type {TimeSource} from './store/core/time-source.js';
import {createAddressPolicy} from './webhook/address.js';
import {listOwnAddresses} from './webhook/own-addresses.js';
import {findOwnServiceError} from './webhook/own-service.js';
import {createSigningPair, joinSecrets} from './webhook/signature.js';
import {checkTarget} from './webhook/target.js';
import {checkTls} from './webhook/tls.js';
import type {Id} from './domain/core/ids.js';
import {listWaysIn} from './config/ways-in.js';
import {renderMail} from './mail/render.js';

/**
 * A list of functions that close what has been opened. They run in reverse order, also after a failed start.
 */
export type Closings = ReturnType<typeof createShutdownList>;

export function createShutdownList() {
  const stack: (() => Promise<unknown> | unknown)[] = [];
  return {
    defer: (close: () => Promise<unknown> | unknown): void => void stack.push(close),
    async run(): Promise<void> {
      const failures: unknown[] = [];
      for (let close = stack.pop(); close !== undefined; close = stack.pop()) {
        // A close function that fails must not prevent the others.
        await Promise.resolve()
          .then(close)
          .catch((error: unknown) => failures.push(error));
      }
      if (failures.length > 0) throw new AggregateError(failures, 'not everything could be closed');
    },
  };
}

/**
 * Creates the log, with one line for each entry, as JSON or in a short form for terminals. Lines are
 * buffered, so that they cost a request very little. `giveUp` is called at the end if nothing reads stdout,
 * because `process.exit` would wait for the blocked thread.
 */
export function createLog(
  {logLevel: level, logFormat: format}: Pick<Config, 'logLevel' | 'logFormat'>,
  closings: Closings,
  giveUp: () => void = () => undefined,
): Log {
  const destination = pino.destination({
    dest: 1,
    sync: false,
    minLength: writtenAtOnce,
    // If nothing reads stdout, lines are dropped instead of filling the memory.
    maxLength: processBounds.logBytes,
  });
  const options = {level, base: null, serializers: {err: describeError}, hooks: {streamWrite: maskSecrets}};
  const logger = pino(options, destination);
  const informs = logger.isLevelEnabled('info');
  let held = '';
  let flushing: NodeJS.Timeout | undefined;
  let quietTicks = 0;

  function flushLogBuffer(): void {
    if (held !== '') destination.write(held);
    held = '';
  }

  /** Flushes what was logged a little later, and then until nothing more comes, so that an idle process sleeps. */
  function flushLater(): void {
    quietTicks = 0;
    flushing ??= setInterval(() => {
      destination.flush();
      quietTicks += 1;
      if (quietTicks < quietTicksOfFlush) return;
      clearInterval(flushing);
      flushing = undefined;
    }, flushEveryMs).unref();
  }

  // Pino calls `flushSync` at the end of the process.
  const {flush, flushSync, write: writeText} = destination;
  destination.write = (text) => {
    flushLater();
    return writeText.call(destination, text);
  };
  destination.flush = (done) => {
    flushLogBuffer();
    flush.call(destination, done);
  };
  destination.flushSync = () => {
    flushLogBuffer();
    flushSync.call(destination);
  };
  closings.defer(
    () =>
      new Promise<void>((resolve) => {
        const late = setTimeout(() => {
          giveUp();
          resolve();
        }, flushWithinMs);
        destination.flush(() => {
          clearTimeout(late);
          resolve();
        });
      }),
  );
  if (format === 'lines') {
    const write = (name: LogLevelName, fields: LogFields, said: {message: string; cause?: unknown}): void => {
      if (logger.isLevelEnabled(name))
        destination.write(`${maskSecrets(formatLogLine(name, new Date(), fields, said))}\n`);
    };
    return {
      debug: (fields, message) => write('debug', fields, {message}),
      info: (fields, message) => write('info', fields, {message}),
      warn: (fields, message) => write('warn', fields, {message}),
      error: (fields, message, cause) => write('error', fields, {message, cause}),
    };
  }
  return {
    debug: (fields, message) => {
      flushLogBuffer();
      logger.debug(fields, message);
    },
    // Info lines are written without Pino, at a sixth of the cost. They only contain our own ids and names,
    // so nothing must be masked.
    info: (fields, message) => {
      if (!informs) return;
      const members = JSON.stringify(fields).slice(1, -1);
      const said = members === '' ? '' : `,${members}`;
      held += `{"level":30,"time":${Date.now()}${said},"msg":${JSON.stringify(message)}}\n`;
      flushLater();
      if (held.length >= writtenAtOnce) flushLogBuffer();
    },
    warn: (fields, message) => {
      flushLogBuffer();
      logger.warn(fields, message);
    },
    error: (fields, message, cause) => {
      flushLogBuffer();
      logger.error({...fields, err: cause}, message);
    },
  };
}

/**
 * The number of characters to collect before a write. Each write wakes another thread, and Pino measures all
 * pending text at each call.
 */
const writtenAtOnce = 16_000;

/** The interval (ms) at which buffered lines are written. It ends after this number of intervals without a line. */
const flushEveryMs = 250;
const quietTicksOfFlush = 8;

/** The time limit (ms) for writing the log at the end of the process. */
const flushWithinMs = 1_000;

/** The options of every process. */
export interface CoreOptions {
  readonly config: Config;
  readonly secrets: Secrets & {readonly secretKey: string};
  readonly log: Log;
  readonly closings: Closings;
  /** Named steps at which tests stop the process. */
  readonly failpoint?: Failpoint;
  /** A clock for tests, instead of that of the Redis server. */
  readonly time?: TimeSource | undefined;
  /** The data formats of this program; only tests set them. */
  readonly formats?: DataFormats | undefined;
  /** The lifetimes of data in seconds; only tests set them. */
  readonly retention?: Partial<Retention> | undefined;
  /** Mail in tests; see `ServiceEnvironment`. */
  readonly mail?: 'sent' | 'kept' | undefined;
  /** Makes traces; absent if no collector is set, and for commands. */
  readonly tracer?: Tracer | undefined;
  /** True for a command, which ends if Redis still loads its file. A service waits, and says so in its log. */
  readonly isCommand?: boolean;
}

export type Core = Awaited<ReturnType<typeof composeCore>>;

/**
 * Creates the store and the services, which the server and the `standup-admin` command both need. It is separate
 * from the server, so that the command starts quickly.
 */
export async function composeCore(
  options: CoreOptions & {
    /**
     * Reports new work to the scheduler. Until the worker sets this function it does nothing, and the
     * scheduler finds the work later.
     */
    readonly wake: (workspace: Id<'workspace'>, work: Work) => void;
    /** The interval (ms) between heartbeats of an open stream; only tests set it. */
    readonly pulse?: number | undefined;
    /** True for a command without a configured address: its links have that of the process started last. */
    readonly leadsToLastStart?: boolean;
    /** Access to Slack's Web API, in a process with the bot. */
    readonly slackGateway?: SlackGateway | undefined;
  },
) {
  const {config, secrets, log, closings, wake} = options;
  const retention = {
    ...standardRetention,
    events: config.retentionDays * 24 * 3_600,
    ...options.retention,
  };
  const opened = await openStore({
    retention,
    url: secrets.redisUrl,
    tlsVerify: config.redis.tlsVerify,
    sentinelPassword: secrets.redisSentinelPassword,
    confirmReplicas: config.redis.confirmReplicas,
    secretKey: secrets.secretKey,
    secretKeyPrevious: secrets.secretKeyPrevious,
    servesSlack: hasSlackSettings(secrets),
    onError: (error) => log.warn({reason: error.message}, 'the store is unavailable'),
    onBrokenScript: ({key, sha}) =>
      log.error({key, script: sha}, 'a script stopped half-way, because its keys moved to another node'),
    time: options.time,
    formats: options.formats,
    workspaceBytes: config.workspaceBytes,
    onLoading: options.isCommand ? undefined : (sentence) => log.warn({}, sentence),
  });
  closings.defer(() => opened.close());
  const store = traceCommits(addFailpoints(opened, options.failpoint), options.tracer);
  const now = (): number => store.clock.now();
  const signingKeys = await loadSigningKeys(store.signingKeys, now, performance.now() + deadlines.job);
  const accessTokens = createAccessTokens({keys: signingKeys, installation: store.installation.id, now});
  const lastStart = options.leadsToLastStart ? store.installation.publicUrl : undefined;
  const publicUrl = lastStart ?? config.http.publicUrl;
  const addresses = listOwnAddresses();
  // Decides which addresses webhooks may use, when a webhook is created and at each connection.
  const addressPolicy = createAddressPolicy({
    allowNetworks: config.webhooks.allowNetworks,
    denyNetworks: addresses,
  });
  const mail = options.mail ?? (config.mail ? 'sent' : config.local ? 'kept' : undefined);
  const passkeys = createPasskeyVerifier(publicUrl);
  const waysIn = new Set(
    listWaysIn(config, {hasMail: mail !== undefined, hasPasskeys: passkeys !== undefined}),
  );
  const own = {publicUrl, listening: config.http, addresses};
  const publicHolidays = createPublicHolidays();
  closings.defer(() => publicHolidays.close());
  const calendarReader = createCalendarReader();
  closings.defer(() => calendarReader.close());
  const services = createServices({
    ...store,
    zones: createZones(),
    nextSlice: createPacer(1, setImmediate),
    publicHolidays,
    readCalendarFile: calendarReader.readCalendarFile,
    generateSuffix: createIdSource(),
    sha256: (text) => createHash('sha256').update(text).digest(),
    wake,
    log,
    signer: accessTokens,
    monotonic: () => performance.now(),
    pulse: options.pulse ?? streaming.pulse,
    generateSecret: () => randomBytes(32).toString('base64url'),
    publicUrl,
    mail,
    waysIn,
    renderMail,
    passkeys,
    createSecret: () => {
      const pair = createSigningPair(randomBytes);
      return {secret: pair.secret, kept: joinSecrets(pair), publicKey: pair.publicKey};
    },
    ...(config.slack &&
      hasSlackSettings(secrets) && {slack: createServiceSlackSettings(config.slack, publicUrl)}),
    ...(options.slackGateway && {slackGateway: options.slackGateway}),
    trustedIssuers: config.trustedIssuers,
    checkTarget: (url) => checkTarget(url, addressPolicy) ?? findOwnServiceError(url, own),
    checkTls: (tls) => checkTls(tls, addressPolicy),
  });
  return {store, services, accessTokens, signingKeys, addressPolicy, publicUrl, mail, waysIn};
}

function createServiceSlackSettings(
  {mode, workspace, workspaceTeam: slackId, socket}: NonNullable<Config['slack']>,
  publicUrl: string,
) {
  const reserved = workspace !== undefined && slackId !== undefined ? {workspace, slackId} : undefined;
  const installUrl = mode === 'oauth' ? `${publicUrl}${installPath}` : undefined;
  return {mode, workspace, reserved, installUrl, transport: socket ? 'socket' : 'http'} as const;
}

/**
 * True if the environment has all settings that Slack needs: a bot token or an OAuth client, and a signing
 * secret or (for one workspace) a Socket Mode token.
 */
function hasSlackSettings({slack}: Secrets): boolean {
  const requests = slack?.botToken === undefined ? undefined : slack.appToken;
  return (
    (slack?.botToken ?? slack?.clientSecret) !== undefined && (requests ?? slack?.signingSecret) !== undefined
  );
}
