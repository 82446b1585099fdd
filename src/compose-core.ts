import {createHash, randomBytes} from 'node:crypto';
import {pino} from 'pino';
import {type AccessTokens, createAccessTokens} from './api/access/access-token.js';
import {createIdSource} from './api/http/request-id.js';
import {openSigningKeys, type SigningKeys} from './api/access/signing-keys.js';
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
import type {Work} from './domain/core/work.js';
import {createCalendarReader} from './calendar/calendar-reader.js';
import {createPublicHolidays} from './calendar/holidays.js';
import {createZones} from './calendar/zones.js';
import {createServices, type Services} from './service/services.js';
import type {SlackGateway} from './service/slack/slack-status.js';
import {type Failpoint, withFailpoints} from './store/failpoints.js';
import {openStore, type Store} from './store/store.js';
import type {TimeSource} from './store/core/time-source.js';
import {type AddressPolicy, createAddressPolicy} from './webhook/address.js';
import {listOwnAddresses} from './webhook/own-addresses.js';
import {findOwnServiceError} from './webhook/own-service.js';
import {createSigningPair, joinSecrets} from './webhook/signature.js';
import {checkTarget} from './webhook/target.js';
import {checkTls} from './webhook/tls.js';
import type {Id} from './domain/core/ids.js';

/** The close functions of everything opened, run last-in-first-out; also when a start fails half-way. */
export interface Closings {
  defer: (close: () => Promise<unknown> | unknown) => void;
  run: () => Promise<void>;
}

export function createShutdownList(): Closings {
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

/**
 * The log behind every `Log`: one line each, as JSON for programs or short for a terminal, buffered, so that
 * a line costs a request next to nothing. `giveUp` is called at the end if stdout is not read: a thread hangs
 * in writing, and `process.exit` waits for it.
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
    periodicFlush: 250,
    // Where stdout is not read any more, lines are lost rather than kept for ever.
    maxLength: processBounds.logBytes,
  });
  const options = {level, base: null, serializers: {err: describeError}, hooks: {streamWrite: maskSecrets}};
  const logger = pino(options, destination);
  const informs = logger.isLevelEnabled('info');
  let held = '';

  function flushLogBuffer(): void {
    if (held !== '') destination.write(held);
    held = '';
  }

  // Pino calls these at each interval, and at the end of the process.
  const {flush, flushSync} = destination;
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
    // Lines of requests cost a sixth of the logger's. They hold only our ids and names, so nothing is masked.
    info: (fields, message) => {
      if (!informs) return;
      const members = JSON.stringify(fields).slice(1, -1);
      const said = members === '' ? '' : `,${members}`;
      held += `{"level":30,"time":${Date.now()}${said},"msg":${JSON.stringify(message)}}\n`;
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
 * Characters held before a write: pino's destination measures all that it holds at each call, and each write
 * wakes another thread.
 */
const writtenAtOnce = 16_000;

/** At the end of the process, when all else is closed. */
const flushWithinMs = 1_000;

export interface Core {
  readonly store: Store;
  readonly services: Services;
  readonly accessTokens: AccessTokens;
  readonly signingKeys: SigningKeys;
  /** Where webhooks may lead: asked when one is made, and again at every connection. */
  readonly addressPolicy: AddressPolicy;
  /** An origin: where links lead. */
  readonly publicUrl: string;
}

/**
 * Store and services: what the server and the command have in common, apart from the server so that the
 * command starts quickly.
 */
export async function composeCore(options: {
  readonly config: Config;
  readonly secrets: Secrets & {readonly secretKey: string};
  readonly log: Log;
  readonly closings: Closings;
  /** Set later by the worker; until then wake-ups do nothing and the scheduler finds the work. */
  readonly wake: (workspace: Id<'workspace'>, work: Work) => void;
  /** For tests: named steps at which the process may be stopped. */
  readonly failpoint?: Failpoint;
  /** For tests: another time than that of the store's server. */
  readonly time?: TimeSource | undefined;
  /** How often an open stream sends a heartbeat (ms); only tests cannot wait for the default. */
  readonly pulse?: number | undefined;
  /** True for a command that knows no address: its links lead to the process that started last on this store. */
  readonly leadsToLastStart?: boolean;
  /** Slack itself, in a process that has the bot. */
  readonly slackGateway?: SlackGateway | undefined;
  /** In seconds; only tests cannot wait for days. */
  readonly retention?: Partial<Retention> | undefined;
}): Promise<Core> {
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
    secretKey: secrets.secretKey,
    secretKeyPrevious: secrets.secretKeyPrevious,
    servesSlack: servesSlack(secrets),
    onError: (error) => log.warn({reason: error.message}, 'the store is unavailable'),
    time: options.time,
    workspaceBytes: config.workspaceBytes,
  });
  closings.defer(() => opened.close());
  const store = withFailpoints(opened, options.failpoint);
  const now = (): number => store.clock.now();
  const signingKeys = await openSigningKeys(store.signingKeys, now, performance.now() + deadlines.job);
  const accessTokens = createAccessTokens({keys: signingKeys, installation: store.installation.id, now});
  const lastStart = options.leadsToLastStart ? store.installation.publicUrl : undefined;
  const publicUrl = lastStart ?? config.http.publicUrl;
  const addresses = listOwnAddresses();
  const addressPolicy = createAddressPolicy({
    allowNetworks: config.webhooks.allowNetworks,
    denyNetworks: addresses,
  });
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
    createSecret: () => {
      const pair = createSigningPair(randomBytes);
      return {secret: pair.secret, kept: joinSecrets(pair), publicKey: pair.publicKey};
    },
    ...(config.slack && servesSlack(secrets) && {slack: slackSettingsForService(config.slack, publicUrl)}),
    ...(options.slackGateway && {slackGateway: options.slackGateway}),
    trustedIssuers: config.trustedIssuers,
    checkTarget: (url) => checkTarget(url, addressPolicy) ?? findOwnServiceError(url, own),
    checkTls: (tls) => checkTls(tls, addressPolicy),
  });
  return {store, services, accessTokens, signingKeys, addressPolicy, publicUrl};
}

function slackSettingsForService(
  {mode, workspace, workspaceTeam: slackId, socket}: NonNullable<Config['slack']>,
  publicUrl: string,
) {
  const reserved = workspace !== undefined && slackId !== undefined ? {workspace, slackId} : undefined;
  const installUrl = mode === 'oauth' ? `${publicUrl}${installPath}` : undefined;
  return {mode, workspace, reserved, installUrl, transport: socket ? 'socket' : 'http'} as const;
}

/**
 * Whether the environment has what the Slack entry point needs: the token of one Slack workspace or an OAuth
 * client, and a signing secret or, for one workspace, the token for Socket Mode.
 */
export function servesSlack({slack}: Secrets): boolean {
  const requests = slack?.botToken === undefined ? undefined : slack.appToken;
  return (
    (slack?.botToken ?? slack?.clientSecret) !== undefined && (requests ?? slack?.signingSecret) !== undefined
  );
}
