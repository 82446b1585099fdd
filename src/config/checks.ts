import {readRedisAddress, showHost} from '../domain/core/redis-address.js';

/** The environment variables that are not empty. */
type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

/** The minimum length of a secret, so that it cannot be guessed. */
export const shortestKey = 32;

/** Finds missing, contradictory or unsafe settings: a sentence each with the fix and no value. */
export function findSettingProblems(given: EnvironmentVariables, issuers: readonly Issuer[]): string[] {
  return [
    ...findMissingSettings(given),
    ...findRedisProblems(given),
    ...findIncompleteMailSettings(given),
    ...findIncompleteSlackSettings(given),
    ...findUnsafeIssuers(given, issuers),
    ...findAmbiguousSignIns(given, issuers),
    ...findMissingWayIn(given, issuers),
    ...findExposedNetworks(given),
    ...findWeakSecrets(given),
  ];
}

interface Issuer {
  readonly issuer: string;
  readonly jwksUrl: string;
  readonly workspaces: readonly string[];
  readonly signIn?: {readonly id: string};
}

/** Finds missing settings. It checks the unparsed values, so that all problems are reported together. */
function findMissingSettings(given: EnvironmentVariables): string[] {
  const problems: string[] = [];
  const production = given['NODE_ENV'] === 'production';
  if (!given['REDIS_URL']) {
    problems.push(
      production
        ? 'REDIS_URL: is needed in production; set it to the address of a Redis 7.0 or newer.'
        : 'REDIS_URL: is not set; set it, or use `npm start`, which brings a Redis of its own.',
    );
  }
  if (!production) return problems;
  if (!given['SECRET_KEY']) {
    problems.push('SECRET_KEY: is needed in production; make one with: openssl rand -base64 32.');
  }
  if (!given['PUBLIC_URL'] && !given['HEROKU_APP_DEFAULT_DOMAIN_NAME']) {
    problems.push(
      'PUBLIC_URL: is needed in production; set it to the address people use, like https://standup.example.com.',
    );
  }
  return problems;
}

/**
 * Finds a queue that cannot work. BullMQ needs one plain server, whatever keeps the data. Its loss costs a
 * second, so that one needs neither replicas nor a disk.
 */
function findRedisProblems(given: EnvironmentVariables): string[] {
  const [store, queue] = [given['REDIS_URL'], given['QUEUE_REDIS_URL']].map((text) => {
    const read = readRedisAddress(text ?? '');
    return 'problem' in read ? undefined : read;
  });
  const problems: string[] = [];
  if (given['REDIS_SENTINEL_PASSWORD'] && store?.kind !== 'sentinel') {
    problems.push('REDIS_SENTINEL_PASSWORD: works only with a REDIS_URL that begins with redis+sentinel://.');
  }
  if (queue !== undefined && queue.kind !== 'single') {
    problems.push(
      'QUEUE_REDIS_URL: must be one plain Redis (redis://HOST:6379 or rediss://), without replicas or a disk.',
    );
  } else if (store !== undefined && store.kind !== 'single') {
    const servers = new Set(store.hosts.map(showHost));
    if (!given['QUEUE_REDIS_URL']) {
      problems.push(
        `QUEUE_REDIS_URL: is needed beside redis+${store.kind}://; set it to one plain Redis of its own, which needs no replicas and no disk.`,
      );
    } else if (queue?.hosts.some((host) => servers.has(showHost(host)))) {
      problems.push('QUEUE_REDIS_URL: names a server of REDIS_URL; set it to a plain Redis of its own.');
    }
  }
  return problems;
}

function findIncompleteMailSettings(given: EnvironmentVariables): string[] {
  if (Boolean(given['SMTP_URL']) === Boolean(given['MAIL_FROM'])) return [];
  const missing = given['SMTP_URL'] ? 'MAIL_FROM' : 'SMTP_URL';
  return [`${missing}: is missing; SMTP_URL and MAIL_FROM belong together.`];
}

/** Finds a choice of ways to sign in that lets no one in. */
function findMissingWayIn(given: EnvironmentVariables, issuers: readonly Issuer[]): string[] {
  const hasProvider = issuers.some(({signIn}) => signIn !== undefined);
  const lacks: Readonly<Record<string, string | undefined>> = {
    mail: given['SMTP_URL'] ? undefined : 'mail needs SMTP_URL and MAIL_FROM',
    passkey: 'a passkey is added by people who have signed in in another way',
    slack: given['SLACK_CLIENT_ID'] ? undefined : 'slack needs SLACK_CLIENT_ID and SLACK_CLIENT_SECRET',
    provider: hasProvider ? undefined : 'provider needs a sign_in in TRUSTED_ISSUERS',
  };
  const reasons = given['SIGN_IN']?.split(',').map((way) => lacks[way.trim()]) ?? [undefined];
  if (reasons.includes(undefined)) return [];
  return [`SIGN_IN: no one could sign in: ${reasons.join('; ')}. Add a way that is set up, such as link.`];
}

function findIncompleteSlackSettings(given: EnvironmentVariables): string[] {
  const has = (name: string) => Boolean(given[name]);
  const problems: string[] = [];
  const byToken = has('SLACK_BOT_TOKEN');
  const byOauth = has('SLACK_CLIENT_ID') || has('SLACK_CLIENT_SECRET');
  if (byToken && byOauth) {
    problems.push(
      'SLACK_BOT_TOKEN: is for one Slack workspace and SLACK_CLIENT_ID for many; remove one of them.',
    );
  }
  if ((byToken || byOauth) && !has('SLACK_SIGNING_SECRET') && !(byToken && has('SLACK_APP_TOKEN'))) {
    const otherwise = byToken
      ? ', or set SLACK_APP_TOKEN for Socket Mode, which needs no address that Slack reaches'
      : '';
    problems.push(
      `SLACK_SIGNING_SECRET: is missing; copy it from the app's Basic Information page${otherwise}.`,
    );
  }
  if (has('SLACK_CLIENT_ID') !== has('SLACK_CLIENT_SECRET')) {
    const missing = has('SLACK_CLIENT_ID') ? 'SLACK_CLIENT_SECRET' : 'SLACK_CLIENT_ID';
    problems.push(`${missing}: is missing; SLACK_CLIENT_ID and SLACK_CLIENT_SECRET belong together.`);
  }
  if (has('SLACK_SIGNING_SECRET') && !byToken && !byOauth) {
    problems.push(
      'SLACK_BOT_TOKEN: is missing; set it (or SLACK_CLIENT_ID and SLACK_CLIENT_SECRET) beside SLACK_SIGNING_SECRET.',
    );
  }
  if (has('SLACK_APP_TOKEN') && !byToken) {
    problems.push('SLACK_APP_TOKEN: works only with SLACK_BOT_TOKEN; set that or remove SLACK_APP_TOKEN.');
  }
  if (has('SLACK_WORKSPACE') && byOauth && !has('SLACK_WORKSPACE_TEAM')) {
    problems.push(
      "SLACK_WORKSPACE_TEAM: is missing; with SLACK_CLIENT_ID it says by Slack's id (T… or E…) which Slack workspace gets SLACK_WORKSPACE, or the first stranger who installs the bot would own it.",
    );
  }
  if (has('SLACK_WORKSPACE_TEAM') && !(byOauth && has('SLACK_WORKSPACE'))) {
    problems.push(
      'SLACK_WORKSPACE_TEAM: works only with SLACK_CLIENT_ID and SLACK_WORKSPACE; set both or remove SLACK_WORKSPACE_TEAM.',
    );
  }
  if (has('SLACK_WORKSPACE') && !byToken && !byOauth) {
    problems.push(
      'SLACK_WORKSPACE: works only with SLACK_BOT_TOKEN or SLACK_CLIENT_ID; set one of them or remove SLACK_WORKSPACE.',
    );
  }
  return problems;
}

/**
 * Finds trusted issuers that are unsafe. Without https, others could replace an issuer's keys and create
 * tokens. If Slack workspaces can join by themselves, one of them could take a workspace name that an issuer
 * uses.
 */
function findUnsafeIssuers(given: EnvironmentVariables, issuers: readonly Issuer[]): string[] {
  const problems: string[] = [];
  if (given['NODE_ENV'] === 'production' && !issuers.every(({jwksUrl}) => jwksUrl.startsWith('https:'))) {
    problems.push('TRUSTED_ISSUERS: in production each jwks_url must be https.');
  }
  const named = issuers.flatMap(({workspaces}) => workspaces);
  if (given['SLACK_CLIENT_ID'] && !named.every((workspace) => /^ws_[0-9a-z]{26}$/.test(workspace))) {
    problems.push(
      'TRUSTED_ISSUERS: with SLACK_CLIENT_ID each of the workspaces must be named by its id (ws_…); a Slack workspace that installs the bot could take a slug.',
    );
  }
  return problems;
}

/** Ids that no issuer may use for sign-in, since these paths below `/app/sign-in/` have another meaning. */
const takenIds: ReadonlySet<string> = new Set(['slack', 'callback']);

function findAmbiguousSignIns(given: EnvironmentVariables, issuers: readonly Issuer[]): string[] {
  const problems: string[] = [];
  const used = issuers.filter(({signIn}) => signIn !== undefined);
  const ids = used.flatMap(({signIn}) => signIn?.id ?? []);
  if (given['NODE_ENV'] === 'production' && !used.every(({issuer}) => issuer.startsWith('https:'))) {
    problems.push('TRUSTED_ISSUERS: in production each issuer with a sign_in must be https.');
  }
  if (new Set(ids).size < ids.length) {
    problems.push('TRUSTED_ISSUERS: two issuers have the same id in sign_in; give each one of its own.');
  }
  const taken = ids.find((id) => takenIds.has(id));
  if (taken !== undefined) {
    problems.push(`TRUSTED_ISSUERS: "${taken}" cannot be the id of a sign_in; choose another one.`);
  }
  return problems;
}

/** Finds private networks in which anybody who installs the bot can create webhooks and read answers. */
function findExposedNetworks(given: EnvironmentVariables): string[] {
  const isShared = given['WEBHOOK_NETWORKS_SHARED'] === 'true';
  if (!given['SLACK_CLIENT_ID'] || !given['WEBHOOK_ALLOW_NETWORKS'] || isShared) return [];
  return [
    'WEBHOOK_NETWORKS_SHARED: with SLACK_CLIENT_ID anybody who installs the bot may send to WEBHOOK_ALLOW_NETWORKS and read the answers; set it to true if that is meant, or remove WEBHOOK_ALLOW_NETWORKS.',
  ];
}

const howToMake = 'make one with: openssl rand -base64 32';

/**
 * Finds secrets that can be guessed. With one, anybody could create tokens, read metrics or send requests as
 * Slack. Outside production, only the person on the machine can connect.
 */
function findWeakSecrets(given: EnvironmentVariables): string[] {
  if (given['NODE_ENV'] !== 'production') return [];
  const secrets = [
    ['SECRET_KEY', howToMake],
    ['METRICS_TOKEN', howToMake],
    ['SLACK_SIGNING_SECRET', "copy it from the app's Basic Information page"],
  ] as const;
  return secrets.flatMap(([name, fix]) => {
    const value = given[name];
    if (!value) return [];
    // The length of SECRET_KEY is checked in every environment.
    if (value.length < shortestKey) {
      return name === 'SECRET_KEY'
        ? []
        : [`${name}: must have at least ${shortestKey} characters in production; ${fix}.`];
    }
    return isGuessableSecret(value) ? [`${name}: repeats itself, so that it can be guessed; ${fix}.`] : [];
  });
}

/**
 * True for a text of few different characters, or of one repeated part. Of 17 million secrets of 32 random
 * digits, one has fewer than six different ones.
 */
function isGuessableSecret(text: string): boolean {
  return new Set(text).size < 6 || isRepeatedText(text);
}

/** True for a text that repeats a part of at most half its length. */
function isRepeatedText(text: string): boolean {
  for (let length = 1; length <= text.length / 2; length++) {
    if (
      text ===
      text
        .slice(0, length)
        .repeat(Math.ceil(text.length / length))
        .slice(0, text.length)
    )
      return true;
  }
  return false;
}
