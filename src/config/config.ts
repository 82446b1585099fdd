import type {Language} from '../domain/core/compiled/languages.js';
import {findSettingProblems} from './checks.js';
import {readIssuers, type ConfiguredIssuer} from './issuers.js';
import {findMisspeltSettings} from './misspelt.js';
import type {SamplerName} from '../domain/core/tracer.js';
import {type WayIn, waysIn} from '../domain/tokens/sign-in.js';
import type {MailSender, SmtpLogin, SmtpServer} from './mail.js';
import {readSecretFiles} from './secret-files.js';
import {type Environment, environment, type LogFormat, type LogLevel} from './environment.js';

/** All settings from the environment that are not secret. */
export type Config = {
  production: boolean;
  /**
   * True for `npm start` with its embedded Redis, and for the demonstration. Without a mail server, mails are
   * kept there.
   */
  local: boolean;
  dataDir: string;
  logLevel: LogLevel;
  logFormat: LogFormat;
  roles: {web: boolean; worker: boolean};
  http: {
    host: string;
    port: number;
    /** The service's origin, without a slash at its end. With PORT=0, only the server knows the real port. */
    publicUrl: string;
    /** The number of proxies in front of the service that are trusted to report the client's address. */
    trustProxy: number;
    corsOrigins: readonly string[];
    securityContact?: string;
  };
  /** `confirmReplicas`: the number of replicas that must confirm a change before it is answered. */
  redis: {tlsVerify: boolean; confirmReplicas: number};
  /** Requests per minute; 0 for no limit. */
  rateLimits: {all: number; writes: number; authFailures: number};
  trustedIssuers: readonly ConfiguredIssuer[];
  /** The ways to sign in that are allowed, whether they are set up or not. */
  signIn: readonly WayIn[];
  /** The number of days for which events, deliveries and attempts are kept. */
  retentionDays: number;
  /** The number of bytes that each workspace may use in the store; 0 for no limit. */
  workspaceBytes: number | undefined;
  webhooks: {
    /** Private networks (CIDR) that webhooks may reach. */
    allowNetworks: readonly string[];
    /** The origin of the proxy for all webhook requests, without its credentials. */
    proxy?: string;
  };
  /** The mail server, and the sender of all mails. Undefined: no mail is sent. */
  mail?: SmtpServer & {from: MailSender};
  /** The collector of traces. Undefined: no traces are made. */
  traces?: {
    /** The address, to which `/v1/traces` is added. */
    endpoint: string;
    /** Facts about this process that each trace has, such as `service.name`. */
    resource: Readonly<Record<string, string>>;
    sampler: SamplerName;
    /** The share of traces that a sampler by ratio records, from 0 to 1. */
    ratio: number;
  };
  slack?: {
    /** `token`: one Slack workspace, its token in the environment. `oauth`: all that install the bot. */
    mode: 'token' | 'oauth';
    /** True for Socket Mode, in which the service opens the connection for Slack's requests. */
    socket: boolean;
    workspace?: string;
    /** The id of the only Slack workspace that may use `workspace`; set only with OAuth. */
    workspaceTeam?: string;
    /** True if admins of the Slack workspace are admins of the standup workspace too. */
    admins: boolean;
    /** The language of messages in channels, and of messages to people whose language is unknown. */
    language: Language;
    clientId?: string;
    apiUrl?: string;
  };
};

/** Settings that must never be shown or logged. */
export type Secrets = {
  /** The store: one server, a cluster, or Sentinels (domain/core/redis-address.ts). */
  redisUrl: string;
  /** The password of the Sentinels, if they have one. */
  redisSentinelPassword?: string;
  /** The Redis of the queue, always one server. */
  queueRedisUrl: string;
  /** Encrypts secrets. Undefined only outside production, where `local-data.ts` stores a key in a file. */
  secretKey: string | undefined;
  secretKeyPrevious?: string;
  metricsToken?: string;
  /** The URL of the webhook proxy, which may contain a password. */
  webhookProxyUrl?: string;
  smtpLogin?: SmtpLogin;
  /** The headers of each request to the collector of traces, which are often credentials. */
  traceHeaders?: Readonly<Record<string, string>>;
  /** The client secrets for trusted issuers with sign-in, by issuer. */
  issuers?: ReadonlyMap<string, string>;
  slack?: {botToken?: string; signingSecret?: string; appToken?: string; clientSecret?: string};
};

/** The error for invalid settings. Its message lists every problem on its own line, and shows no value. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    const title =
      problems.length === 1
        ? 'The configuration has a problem:'
        : `The configuration has ${problems.length} problems:`;
    super([title, ...problems.map((problem) => `  ${problem}`)].join('\n'));
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/**
 * Parses the environment. An empty variable counts as missing. Throws a ConfigError that lists every problem.
 * `warnings`: variables that look like misspelt settings, which are errors only in production. `local`: true
 * for `npm start` with its embedded Redis. `terminal`: true if a person reads the output. `readFile`: returns
 * the content of the file that a `NAME_FILE` names.
 */
export function parseConfig(
  env: Readonly<Record<string, string | undefined>>,
  options: {local?: boolean; terminal?: boolean; readFile?: (path: string) => string} = {},
): {config: Config; secrets: Secrets; warnings: readonly string[]} {
  const files = readSecretFiles(env, options.readFile ?? refuseToReadFile);
  // Platforms set the others of these variables for every program, so they are not judged without a collector.
  const hasCollector =
    Boolean(env['OTEL_EXPORTER_OTLP_ENDPOINT']?.trim()) &&
    env['OTEL_SDK_DISABLED']?.trim().toLowerCase() !== 'true';
  const given: Readonly<Record<string, string | undefined>> = Object.fromEntries(
    Object.entries(files.settings).filter(
      ([name, value]) => value?.trim() && (hasCollector || !name.startsWith('OTEL_')),
    ),
  );
  const parsed = environment.safeParse(given);
  const unreadable = parsed.error?.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}.`) ?? [];
  const read = readIssuers(given['TRUSTED_ISSUERS'] ?? '[]');
  const issuers = 'problem' in read ? [] : read.issuers;
  const misspelt = findMisspeltSettings(env);
  const problems = [...files.problems, ...unreadable, ...findSettingProblems(given, issuers)];
  if (given['NODE_ENV'] === 'production') problems.push(...misspelt);
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems);
  const config = buildConfig(parsed.data, options);
  return {config, secrets: buildSecrets(parsed.data), warnings: misspelt};
}

function refuseToReadFile(): never {
  throw new Error('no files are read here');
}

function buildConfig(
  env: Environment,
  {local = false, terminal = false}: {local?: boolean; terminal?: boolean},
): Config {
  const production = env.NODE_ENV === 'production';
  return {
    production,
    local,
    dataDir: env.DATA_DIR,
    logLevel: env.LOG_LEVEL,
    logFormat: env.LOG_FORMAT ?? (terminal && !production ? 'lines' : 'json'),
    roles: {web: env.ROLES.includes('web'), worker: env.ROLES.includes('worker')},
    http: {
      host: env.HOST ?? (production ? '0.0.0.0' : '127.0.0.1'),
      port: env.PORT,
      publicUrl: env.PUBLIC_URL ?? createDefaultPublicUrl(env, production),
      trustProxy: env.TRUST_PROXY,
      corsOrigins: env.CORS_ORIGINS,
      ...(env.SECURITY_CONTACT && {securityContact: env.SECURITY_CONTACT}),
    },
    redis: {tlsVerify: env.REDIS_TLS_VERIFY === 'true', confirmReplicas: env.REDIS_CONFIRM_REPLICAS},
    rateLimits: {
      all: env.RATE_LIMIT,
      writes: env.RATE_LIMIT_WRITES,
      authFailures: env.RATE_LIMIT_AUTH_FAILURES,
    },
    trustedIssuers: env.TRUSTED_ISSUERS.map((given) => {
      const {clientSecret: _, ...shown} = given;
      return shown;
    }),
    signIn: waysIn.filter((way) => env.SIGN_IN.includes(way)),
    retentionDays: env.RETENTION_DAYS,
    workspaceBytes: env.WORKSPACE_BYTES,
    webhooks: {
      allowNetworks: env.WEBHOOK_ALLOW_NETWORKS ?? (production ? [] : ['127.0.0.0/8', '::1/128']),
      ...(env.WEBHOOK_PROXY_URL && {proxy: new URL(env.WEBHOOK_PROXY_URL).origin}),
    },
    ...(env.SMTP_URL && env.MAIL_FROM && {mail: {...env.SMTP_URL.server, from: env.MAIL_FROM}}),
    ...(env.OTEL_EXPORTER_OTLP_ENDPOINT && {
      traces: {
        endpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT,
        resource: {
          'service.name': 'team-standup-service',
          ...env.OTEL_RESOURCE_ATTRIBUTES,
          ...(env.OTEL_SERVICE_NAME && {'service.name': env.OTEL_SERVICE_NAME}),
        },
        sampler: env.OTEL_TRACES_SAMPLER,
        ratio: env.OTEL_TRACES_SAMPLER_ARG,
      },
    }),
    ...(hasSlack(env) && {
      slack: {
        mode: env.SLACK_BOT_TOKEN ? 'token' : 'oauth',
        socket: env.SLACK_APP_TOKEN !== undefined,
        admins: env.SLACK_ADMINS_ARE_ADMINS === 'true',
        language: env.SLACK_LANGUAGE,
        ...(env.SLACK_WORKSPACE && {workspace: env.SLACK_WORKSPACE}),
        ...(env.SLACK_WORKSPACE_TEAM && {workspaceTeam: env.SLACK_WORKSPACE_TEAM}),
        ...(env.SLACK_CLIENT_ID && {clientId: env.SLACK_CLIENT_ID}),
        ...(env.SLACK_API_URL && {apiUrl: env.SLACK_API_URL}),
      },
    }),
  };
}

function createDefaultPublicUrl(env: Environment, production: boolean): string {
  const fromPlatform = production ? env.HEROKU_APP_DEFAULT_DOMAIN_NAME : undefined;
  return fromPlatform ?? `http://localhost:${env.PORT}`;
}

function buildSecrets(env: Environment): Secrets {
  const redis = env.REDIS_URL ?? '';
  const issuers = env.TRUSTED_ISSUERS.flatMap(({issuer, clientSecret}): [string, string][] =>
    clientSecret === undefined ? [] : [[issuer, clientSecret]],
  );
  return {
    redisUrl: redis,
    ...(env.REDIS_SENTINEL_PASSWORD && {redisSentinelPassword: env.REDIS_SENTINEL_PASSWORD}),
    queueRedisUrl: env.QUEUE_REDIS_URL ?? redis,
    secretKey: env.SECRET_KEY,
    ...(env.SECRET_KEY_PREVIOUS && {secretKeyPrevious: env.SECRET_KEY_PREVIOUS}),
    ...(env.METRICS_TOKEN && {metricsToken: env.METRICS_TOKEN}),
    ...(env.WEBHOOK_PROXY_URL && {webhookProxyUrl: env.WEBHOOK_PROXY_URL}),
    ...(env.SMTP_URL?.login && {smtpLogin: env.SMTP_URL.login}),
    ...(env.OTEL_EXPORTER_OTLP_HEADERS && {traceHeaders: env.OTEL_EXPORTER_OTLP_HEADERS}),
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
