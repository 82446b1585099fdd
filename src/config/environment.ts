import ipaddr from 'ipaddr.js';
import {z} from 'zod';
import {languages} from '../domain/core/compiled/languages.js';
import {readRedisAddress} from '../domain/core/redis-address.js';
import {samplerNames} from '../domain/core/tracer.js';
import {waysIn} from '../domain/tokens/sign-in.js';
import {shortestKey} from './checks.js';
import {type IssuerSettings, isLoopback, readIssuers} from './issuers.js';
import {readMailSender, readSmtpUrl} from './mail.js';
import {readCollectorUrl, readNamedValues} from './traces.js';

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
const logFormats = ['json', 'lines'] as const;
const roleNames = ['web', 'worker'] as const;

export type LogLevel = (typeof logLevels)[number];
export type LogFormat = (typeof logFormats)[number];

/** A setting whose text is converted by `read`. If the text is invalid, `problem` says how to fix it. */
function createConvertedSetting<T>(read: (text: string) => T | undefined, problem: string) {
  return z.string().transform((text, context): T => {
    const value = read(text);
    if (value !== undefined) return value;
    context.addIssue({code: 'custom', message: problem});
    return z.NEVER;
  });
}

function createWholeNumberSetting(max: number, fallback: number) {
  return createConvertedSetting(
    (text) => (/^\d{1,9}$/.test(text) && Number(text) <= max ? Number(text) : undefined),
    `must be a whole number from 0 to ${max}; leave it out for ${fallback}`,
  ).default(fallback);
}

/** In days, at least 16: a delivery may be retried for 15 days, and is shown for a while afterwards. */
const retention = createConvertedSetting(
  (text) =>
    /^\d{2,4}$/.test(text) && Number(text) >= 16 && Number(text) <= 3_650 ? Number(text) : undefined,
  'must be a whole number of days from 16 to 3650 (a delivery may be under way for 15); leave it out for 30',
).default(30);

function createChoiceSetting<const T extends string>(values: readonly T[], fallback: T) {
  return createConvertedSetting(
    (text) => values.find((value) => value === text),
    `must be ${values.length > 1 ? 'one of ' : ''}${values.join(', ')}; leave it out for ${fallback}`,
  )
    .optional()
    .transform((value): T => value ?? fallback);
}

function createListSetting(isGood: (item: string) => boolean, problem: string) {
  return createConvertedSetting((text) => {
    const items = text.split(',').map((item) => item.trim());
    return items.every(isGood) ? items : undefined;
  }, problem);
}

function createUrlSetting(protocols: readonly string[], problem: string) {
  return createConvertedSetting(
    (text) => (protocols.includes(URL.parse(text)?.protocol ?? '') ? text : undefined),
    problem,
  );
}

function createNamedValuesSetting(example: string) {
  return createConvertedSetting(
    readNamedValues,
    `must be names and values like ${example}, separated by commas, in which special characters are percent-encoded`,
  );
}

/** An address of Redis, which stays a text: the store reads it again. */
const redisUrl = z.string().superRefine((text, context) => {
  const read = readRedisAddress(text);
  if ('problem' in read) context.addIssue({code: 'custom', message: read.problem});
});
const secretKey = createConvertedSetting(
  (text) => (text.length >= shortestKey ? text : undefined),
  `must have at least ${shortestKey} characters; make one with: openssl rand -base64 32`,
);
const token = createConvertedSetting(
  (text) => (/^\S+$/.test(text) ? text : undefined),
  'must not contain spaces; copy it again from its source',
);
/** All environment variables of the service. `.env.example` explains each of them, which a test checks. */
export const environment = z.object({
  NODE_ENV: createChoiceSetting(['production', 'development', 'test'], 'development'),
  HOST: token.optional(),
  PORT: createWholeNumberSetting(65_535, 3_000),
  PUBLIC_URL: createConvertedSetting(
    readPublicUrl,
    'must be an origin like https://standup.example.com (http only on loopback)',
  ).optional(),
  HEROKU_APP_DEFAULT_DOMAIN_NAME: createConvertedSetting(
    (name) => readPublicUrl(`https://${name}`),
    'must be a host name; it is set by the platform',
  ).optional(),
  DATA_DIR: z.string().default('.data'),
  REDIS_URL: redisUrl.optional(),
  REDIS_SENTINEL_PASSWORD: token.optional(),
  REDIS_CONFIRM_REPLICAS: createWholeNumberSetting(5, 0),
  QUEUE_REDIS_URL: redisUrl.optional(),
  REDIS_TLS_VERIFY: createChoiceSetting(['true', 'false'], 'true'),
  REDIS_SERVER_BIN: z.string().optional(),
  SECRET_KEY: secretKey.optional(),
  SECRET_KEY_PREVIOUS: secretKey.optional(),
  ROLES: createListSetting(
    (item) => roleNames.some((name) => name === item),
    'must be web, worker, or web,worker; leave it out for both',
  ).default([...roleNames]),
  SIGN_IN: createListSetting(
    (item) => waysIn.some((way) => way === item),
    `must be some of ${waysIn.join(',')}; leave it out for all that are set up`,
  ).default([...waysIn]),
  LOG_LEVEL: createChoiceSetting(logLevels, 'info'),
  LOG_FORMAT: createConvertedSetting(
    (text) => logFormats.find((format) => format === text),
    'must be json or lines; leave it out for lines in a terminal, json elsewhere',
  ).optional(),
  TRUST_PROXY: createWholeNumberSetting(10, 0),
  RATE_LIMIT: createWholeNumberSetting(1_000_000, 600),
  RATE_LIMIT_WRITES: createWholeNumberSetting(1_000_000, 120),
  RATE_LIMIT_AUTH_FAILURES: createWholeNumberSetting(1_000_000, 30),
  RETENTION_DAYS: retention,
  WORKSPACE_BYTES: createConvertedSetting(
    (text) => (/^\d{1,15}$/.test(text) ? Number(text) : undefined),
    'must be a whole number of bytes, such as 2147483648, or 0 for no limit',
  ).optional(),
  CORS_ORIGINS: createListSetting(
    isOrigin,
    'must be origins like https://app.example.com, separated by commas',
  ).default([]),
  METRICS_TOKEN: token.optional(),
  SECURITY_CONTACT: createConvertedSetting(
    (text) => (/^(mailto:\S+@\S+|https:\/\/\S+)$/.test(text) ? text : undefined),
    'must be mailto:NAME@HOST or an https:// address',
  ).optional(),
  TRUSTED_ISSUERS: z
    .string()
    .transform((text, context): readonly IssuerSettings[] => {
      const read = readIssuers(text);
      if ('problem' in read) context.addIssue({code: 'custom', message: read.problem});
      return 'problem' in read ? z.NEVER : read.issuers;
    })
    .default([]),
  WEBHOOK_ALLOW_NETWORKS: createListSetting(
    isNetworkRange,
    'must be networks like 10.0.0.0/8 or fd00::/8, separated by commas',
  ).optional(),
  WEBHOOK_NETWORKS_SHARED: createChoiceSetting(['true', 'false'], 'false'),
  WEBHOOK_PROXY_URL: createConvertedSetting(
    readProxyUrl,
    'must be an address like http://HOST:3128 or https://USER:PASSWORD@HOST (special characters percent-encoded), without a path',
  ).optional(),
  SMTP_URL: createConvertedSetting(
    readSmtpUrl,
    'must be an address like smtp://USER:PASSWORD@HOST:587 or smtps://HOST:465 (special characters percent-encoded), without a path; ?tls=off only for a host on this machine or in a private network',
  ).optional(),
  MAIL_FROM: createConvertedSetting(
    readMailSender,
    'must be an address, alone or with a name, like Standup <standup@example.com>',
  ).optional(),
  SLACK_BOT_TOKEN: token.optional(),
  SLACK_SIGNING_SECRET: token.optional(),
  SLACK_APP_TOKEN: token.optional(),
  SLACK_CLIENT_ID: token.optional(),
  SLACK_CLIENT_SECRET: token.optional(),
  SLACK_WORKSPACE: token.optional(),
  SLACK_WORKSPACE_TEAM: createConvertedSetting(
    (text) => (/^[TE][A-Z0-9]{2,20}$/.test(text) ? text : undefined),
    "must be Slack's id of a workspace (T…) or an organisation (E…)",
  ).optional(),
  SLACK_ADMINS_ARE_ADMINS: createChoiceSetting(['true', 'false'], 'false'),
  SLACK_LANGUAGE: createChoiceSetting(languages, 'en'),
  OTEL_SDK_DISABLED: z.string().optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: createConvertedSetting(
    readCollectorUrl,
    'must be an http:// or https:// address without user, query or fragment, like http://localhost:4318; put a secret for the collector into OTEL_EXPORTER_OTLP_HEADERS',
  ).optional(),
  OTEL_EXPORTER_OTLP_PROTOCOL: createChoiceSetting(['http/json'], 'http/json'),
  OTEL_EXPORTER_OTLP_HEADERS: createNamedValuesSetting('x-api-key=SECRET').optional(),
  OTEL_SERVICE_NAME: z.string().optional(),
  OTEL_RESOURCE_ATTRIBUTES: createNamedValuesSetting('deployment.environment.name=staging').optional(),
  OTEL_TRACES_SAMPLER: createChoiceSetting(samplerNames, 'parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: createConvertedSetting(
    (text) => (/^(?:0(?:\.\d+)?|0?\.\d+|1(?:\.0+)?)$/.test(text) ? Number(text) : undefined),
    'must be the share of traces to record, from 0 to 1, like 0.01; leave it out for 1',
  ).default(1),
  SLACK_API_URL: createUrlSetting(['http:', 'https:'], 'must be an http:// or https:// address').optional(),
});

export type Environment = z.infer<typeof environment>;

function readPublicUrl(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || url.href !== `${url.origin}/`) return undefined;
  if (url.protocol === 'https:') return url.origin;
  return url.protocol === 'http:' && isLoopback(url.hostname) ? url.origin : undefined;
}

function readProxyUrl(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return undefined;
  const isBare = url.pathname === '/' && url.search === '' && url.hash === '';
  return isBare && isDecodableUri(url.username) && isDecodableUri(url.password) ? url.href : undefined;
}

function isDecodableUri(text: string): boolean {
  try {
    return decodeURIComponent(text).length >= 0;
  } catch {
    return false;
  }
}

function isOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.parse(text)?.origin === text;
}

function isNetworkRange(text: string): boolean {
  return ipaddr.isValidCIDR(text);
}
