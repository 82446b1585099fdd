import ipaddr from 'ipaddr.js';
import {z} from 'zod';
import {findProblems, shortestKey} from './config-checks.js';
import {type GivenIssuer, isLoopback, readIssuers, type TrustedIssuer} from './config-issuers.js';
import {readUrl} from './domain/core/urls.js';
import {readSecretFiles} from './secret-files.js';

/** Everything that the environment decides and that may be shown. */
export type Config = {
  production: boolean;
  /** `npm start` with its embedded Redis: the first start makes a workspace and a token. */
  local: boolean;
  dataDir: string;
  logLevel: LogLevel;
  roles: {web: boolean; worker: boolean};
  http: {
    host: string;
    port: number;
    /**
     * An origin without a slash at its end. With PORT=0 outside production it names port 0; ask the server.
     */
    publicUrl: string;
    /** How many proxies in front are believed about the caller's address. */
    trustProxy: number;
    corsOrigins: readonly string[];
    securityContact?: string;
  };
  redis: {tlsVerify: boolean};
  /** Per minute; 0 is off. */
  rateLimits: {all: number; writes: number; authFailures: number};
  trustedIssuers: readonly TrustedIssuer[];
  /** How long events, deliveries and attempts are kept. */
  retentionDays: number;
  webhooks: {
    /** CIDRs that webhooks may reach though they are not public. */
    allowNetworks: readonly string[];
    /** Origin of the proxy that all requests go through, without what it asks for. */
    proxy?: string;
  };
  slack?: {
    /** `token`: one Slack workspace, its token in the environment. `oauth`: as many as have installed it. */
    mode: 'token' | 'oauth';
    /** Socket Mode: Slack's requests come over a connection that we open. */
    socket: boolean;
    workspace?: string;
    /** With OAuth: Slack's id of the only Slack workspace that may have that one. */
    workspaceTeam?: string;
    /** The people who run the Slack workspace are admins of ours. */
    admins: boolean;
    clientId?: string;
    apiUrl?: string;
  };
};

/** What must never be shown or logged. */
export type Secrets = {
  redisUrl: string;
  queueRedisUrl: string;
  /** Undefined only outside production, where `local-data.ts` keeps one. */
  secretKey: string | undefined;
  secretKeyPrevious?: string;
  metricsToken?: string;
  /** It may hold a password. */
  webhookProxyUrl?: string;
  /** What proves the dashboard to a trusted issuer by which people sign in, by issuer. */
  issuers?: ReadonlyMap<string, string>;
  slack?: {botToken?: string; signingSecret?: string; appToken?: string; clientSecret?: string};
};

export type LogLevel = (typeof logLevels)[number];

/** Its message lists every problem, one line each, and shows no value. */
export class ConfigError extends Error {
  constructor(readonly problems: readonly string[]) {
    const title =
      problems.length === 1
        ? 'The configuration has a problem:'
        : `The configuration has ${problems.length} problems:`;
    super([title, ...problems.map((problem) => `  ${problem}`)].join('\n'));
    this.name = 'ConfigError';
  }
}

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
const roleNames = ['web', 'worker'] as const;

/** A value that `read` turns into what is used; what it cannot read gets `problem`, which says the fix. */
function readBy<T>(read: (text: string) => T | undefined, problem: string) {
  return z.string().transform((text, context): T => {
    const value = read(text);
    if (value !== undefined) return value;
    context.addIssue({code: 'custom', message: problem});
    return z.NEVER;
  });
}

function wholeNumber(max: number, fallback: number) {
  return readBy(
    (text) => (/^\d{1,9}$/.test(text) && Number(text) <= max ? Number(text) : undefined),
    `must be a whole number from 0 to ${max}; leave it out for ${fallback}`,
  ).default(fallback);
}

/** Never less: a delivery may be under way for 15 days, and is then to be seen for a while. */
const retention = readBy(
  (text) =>
    /^\d{2,4}$/.test(text) && Number(text) >= 16 && Number(text) <= 3_650 ? Number(text) : undefined,
  'must be a whole number of days from 16 to 3650 (a delivery may be under way for 15); leave it out for 30',
).default(30);

function oneOf<const T extends string>(values: readonly T[], fallback: T) {
  return readBy(
    (text) => values.find((value) => value === text),
    `must be one of ${values.join(', ')}; leave it out for ${fallback}`,
  )
    .optional()
    .transform((value): T => value ?? fallback);
}

function listOf(isGood: (item: string) => boolean, problem: string) {
  return readBy((text) => {
    const items = text.split(',').map((item) => item.trim());
    return items.every(isGood) ? items : undefined;
  }, problem);
}

function urlWith(protocols: readonly string[], problem: string) {
  return readBy((text) => (protocols.includes(readUrl(text)?.protocol ?? '') ? text : undefined), problem);
}

const redisUrl = urlWith(
  ['redis:', 'rediss:'],
  'must be an address like redis://:PASSWORD@HOST:6379 (rediss:// for TLS)',
);
const secretKey = readBy(
  (text) => (text.length >= shortestKey ? text : undefined),
  `must have at least ${shortestKey} characters; make one with: openssl rand -base64 32`,
);
const token = readBy(
  (text) => (/^\S+$/.test(text) ? text : undefined),
  'must not contain spaces; copy it again from its source',
);
/** Every variable there is. `.env.example` explains each one, and a test compares the two. */
export const environment = z.object({
  NODE_ENV: z.string().optional(),
  HOST: token.optional(),
  PORT: wholeNumber(65_535, 3_000),
  PUBLIC_URL: readBy(
    readPublicUrl,
    'must be an origin like https://standup.example.com (http only on loopback)',
  ).optional(),
  HEROKU_APP_DEFAULT_DOMAIN_NAME: readBy(
    (name) => readPublicUrl(`https://${name}`),
    'must be a host name; it is set by the platform',
  ).optional(),
  DATA_DIR: z.string().default('.data'),
  REDIS_URL: redisUrl.optional(),
  QUEUE_REDIS_URL: redisUrl.optional(),
  REDIS_TLS_VERIFY: oneOf(['true', 'false'], 'true'),
  REDIS_SERVER_BIN: z.string().optional(),
  SECRET_KEY: secretKey.optional(),
  SECRET_KEY_PREVIOUS: secretKey.optional(),
  ROLES: listOf(
    (item) => roleNames.some((name) => name === item),
    'must be web, worker, or web,worker; leave it out for both',
  ).default([...roleNames]),
  LOG_LEVEL: oneOf(logLevels, 'info'),
  TRUST_PROXY: wholeNumber(10, 0),
  RATE_LIMIT: wholeNumber(1_000_000, 600),
  RATE_LIMIT_WRITES: wholeNumber(1_000_000, 120),
  RATE_LIMIT_AUTH_FAILURES: wholeNumber(1_000_000, 30),
  RETENTION_DAYS: retention,
  CORS_ORIGINS: listOf(isOrigin, 'must be origins like https://app.example.com, separated by commas').default(
    [],
  ),
  METRICS_TOKEN: token.optional(),
  SECURITY_CONTACT: readBy(
    (text) => (/^(mailto:\S+@\S+|https:\/\/\S+)$/.test(text) ? text : undefined),
    'must be mailto:NAME@HOST or an https:// address',
  ).optional(),
  TRUSTED_ISSUERS: z
    .string()
    .transform((text, context): readonly GivenIssuer[] => {
      const read = readIssuers(text);
      if ('problem' in read) context.addIssue({code: 'custom', message: read.problem});
      return 'problem' in read ? z.NEVER : read.issuers;
    })
    .default([]),
  WEBHOOK_ALLOW_NETWORKS: listOf(
    isNetwork,
    'must be networks like 10.0.0.0/8 or fd00::/8, separated by commas',
  ).optional(),
  WEBHOOK_NETWORKS_SHARED: oneOf(['true', 'false'], 'false'),
  WEBHOOK_PROXY_URL: readBy(
    readProxyUrl,
    'must be an address like http://HOST:3128 or https://USER:PASSWORD@HOST (special characters percent-encoded), without a path',
  ).optional(),
  SLACK_BOT_TOKEN: token.optional(),
  SLACK_SIGNING_SECRET: token.optional(),
  SLACK_APP_TOKEN: token.optional(),
  SLACK_CLIENT_ID: token.optional(),
  SLACK_CLIENT_SECRET: token.optional(),
  SLACK_WORKSPACE: token.optional(),
  SLACK_WORKSPACE_TEAM: readBy(
    (text) => (/^[TE][A-Z0-9]{2,20}$/.test(text) ? text : undefined),
    "must be Slack's id of a workspace (T…) or an organisation (E…)",
  ).optional(),
  SLACK_ADMINS_ARE_ADMINS: oneOf(['true', 'false'], 'false'),
  SLACK_API_URL: urlWith(['http:', 'https:'], 'must be an http:// or https:// address').optional(),
});

type Environment = z.infer<typeof environment>;

/**
 * Reads the environment once. An empty variable counts as unset. Throws a ConfigError that lists every
 * problem. `local` says that this is `npm start` with its embedded Redis; `readFile` gives the text of a
 * file, for `NAME_FILE`.
 */
export function parseConfig(
  env: Readonly<Record<string, string | undefined>>,
  options: {local?: boolean; readFile?: (path: string) => string} = {},
): {config: Config; secrets: Secrets} {
  const files = readSecretFiles(env, options.readFile ?? readNothing);
  const given: Readonly<Record<string, string | undefined>> = Object.fromEntries(
    Object.entries(files.settings).filter(([, value]) => value?.trim()),
  );
  const parsed = environment.safeParse(given);
  const unreadable = parsed.error?.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}.`) ?? [];
  const read = readIssuers(given['TRUSTED_ISSUERS'] ?? '[]');
  const issuers = 'problem' in read ? [] : read.issuers;
  const problems = [...files.problems, ...unreadable, ...findProblems(given, issuers)];
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems);
  return {config: shapeConfig(parsed.data, options.local ?? false), secrets: shapeSecrets(parsed.data)};
}

function readNothing(): never {
  throw new Error('no files are read here');
}

function shapeConfig(env: Environment, local: boolean): Config {
  const production = env.NODE_ENV === 'production';
  return {
    production,
    local,
    dataDir: env.DATA_DIR,
    logLevel: env.LOG_LEVEL,
    roles: {web: env.ROLES.includes('web'), worker: env.ROLES.includes('worker')},
    http: {
      host: env.HOST ?? (production ? '0.0.0.0' : '127.0.0.1'),
      port: env.PORT,
      publicUrl: env.PUBLIC_URL ?? defaultPublicUrl(env, production),
      trustProxy: env.TRUST_PROXY,
      corsOrigins: env.CORS_ORIGINS,
      ...(env.SECURITY_CONTACT && {securityContact: env.SECURITY_CONTACT}),
    },
    redis: {tlsVerify: env.REDIS_TLS_VERIFY === 'true'},
    rateLimits: {
      all: env.RATE_LIMIT,
      writes: env.RATE_LIMIT_WRITES,
      authFailures: env.RATE_LIMIT_AUTH_FAILURES,
    },
    trustedIssuers: env.TRUSTED_ISSUERS.map((given) => {
      const {clientSecret: _, ...shown} = given;
      return shown;
    }),
    retentionDays: env.RETENTION_DAYS,
    webhooks: {
      allowNetworks: env.WEBHOOK_ALLOW_NETWORKS ?? (production ? [] : ['127.0.0.0/8', '::1/128']),
      ...(env.WEBHOOK_PROXY_URL && {proxy: new URL(env.WEBHOOK_PROXY_URL).origin}),
    },
    ...(hasSlack(env) && {
      slack: {
        mode: env.SLACK_BOT_TOKEN ? 'token' : 'oauth',
        socket: env.SLACK_APP_TOKEN !== undefined,
        admins: env.SLACK_ADMINS_ARE_ADMINS === 'true',
        ...(env.SLACK_WORKSPACE && {workspace: env.SLACK_WORKSPACE}),
        ...(env.SLACK_WORKSPACE_TEAM && {workspaceTeam: env.SLACK_WORKSPACE_TEAM}),
        ...(env.SLACK_CLIENT_ID && {clientId: env.SLACK_CLIENT_ID}),
        ...(env.SLACK_API_URL && {apiUrl: env.SLACK_API_URL}),
      },
    }),
  };
}

function defaultPublicUrl(env: Environment, production: boolean): string {
  const fromPlatform = production ? env.HEROKU_APP_DEFAULT_DOMAIN_NAME : undefined;
  return fromPlatform ?? `http://localhost:${env.PORT}`;
}

function shapeSecrets(env: Environment): Secrets {
  const redis = env.REDIS_URL ?? '';
  const issuers = env.TRUSTED_ISSUERS.flatMap(({issuer, clientSecret}): [string, string][] =>
    clientSecret === undefined ? [] : [[issuer, clientSecret]],
  );
  return {
    redisUrl: redis,
    queueRedisUrl: env.QUEUE_REDIS_URL ?? redis,
    secretKey: env.SECRET_KEY,
    ...(env.SECRET_KEY_PREVIOUS && {secretKeyPrevious: env.SECRET_KEY_PREVIOUS}),
    ...(env.METRICS_TOKEN && {metricsToken: env.METRICS_TOKEN}),
    ...(env.WEBHOOK_PROXY_URL && {webhookProxyUrl: env.WEBHOOK_PROXY_URL}),
    ...(issuers.length > 0 && {issuers: new Map(issuers)}),
    ...(hasSlack(env) && {
      slack: {
        ...(env.SLACK_BOT_TOKEN && {botToken: env.SLACK_BOT_TOKEN}),
        ...(env.SLACK_SIGNING_SECRET && {signingSecret: env.SLACK_SIGNING_SECRET}),
        ...(env.SLACK_APP_TOKEN && {appToken: env.SLACK_APP_TOKEN}),
        ...(env.SLACK_CLIENT_SECRET && {clientSecret: env.SLACK_CLIENT_SECRET}),
      },
    }),
  };
}

function hasSlack(env: Environment): boolean {
  return Boolean(env.SLACK_BOT_TOKEN ?? env.SLACK_CLIENT_ID);
}

function readPublicUrl(text: string): string | undefined {
  const url = readUrl(text);
  if (url === undefined || url.href !== `${url.origin}/`) return undefined;
  if (url.protocol === 'https:') return url.origin;
  return url.protocol === 'http:' && isLoopback(url.hostname) ? url.origin : undefined;
}

function readProxyUrl(text: string): string | undefined {
  const url = readUrl(text);
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) return undefined;
  const isBare = url.pathname === '/' && url.search === '' && url.hash === '';
  return isBare && isDecodable(url.username) && isDecodable(url.password) ? url.href : undefined;
}

function isDecodable(text: string): boolean {
  try {
    return decodeURIComponent(text).length >= 0;
  } catch {
    return false;
  }
}

function isOrigin(text: string): boolean {
  return /^https?:/.test(text) && readUrl(text)?.origin === text;
}

function isNetwork(text: string): boolean {
  return ipaddr.isValidCIDR(text);
}
