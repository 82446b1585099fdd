import {describe, expect, test} from '@jest/globals';
import {randomBytes, randomInt} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {languages} from '../src/domain/core/compiled/languages.js';
import {ConfigError, parseConfig} from '../src/config/config.js';
import {environment} from '../src/config/environment.js';
import {inFiles} from '../src/config/secret-files.js';
import type {Id} from '../src/domain/core/ids.js';
import {asId} from './support/ids.js';

const redis = {REDIS_URL: 'redis://localhost:6379'};
const random = randomBytes(24).toString('base64url');
const production = {
  ...redis,
  NODE_ENV: 'production',
  SECRET_KEY: 'a-secret-key-of-more-than-32-characters',
  PUBLIC_URL: 'https://standup.example.com',
};

function problemsOf(env: Record<string, string | undefined>): readonly string[] {
  try {
    parseConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

test.each([
  [{}, 'lines'],
  [{LOG_FORMAT: 'json'}, 'json'],
  [{...production}, 'json'],
])('the log format in a terminal with the settings %j is %s', (env, format) => {
  expect(parseConfig({...redis, ...env}, {terminal: true}).config.logFormat).toBe(format);
});

test('outside production only a Redis is required, and the service listens on loopback only', () => {
  const {config, secrets} = parseConfig(redis);
  expect(config).toEqual({
    production: false,
    local: false,
    dataDir: '.data',
    logLevel: 'info',
    logFormat: 'json',
    roles: {web: true, worker: true},
    http: {
      host: '127.0.0.1',
      port: 3000,
      publicUrl: 'http://localhost:3000',
      trustProxy: 0,
      corsOrigins: [],
    },
    redis: {tlsVerify: true, confirmReplicas: 0},
    rateLimits: {all: 600, writes: 120, authFailures: 30},
    trustedIssuers: [],
    signIn: ['mail', 'passkey', 'link', 'slack', 'provider'],
    retentionDays: 30,
    webhooks: {allowNetworks: ['127.0.0.0/8', '::1/128']},
  });
  expect(secrets).toEqual({redisUrl: redis.REDIS_URL, queueRedisUrl: redis.REDIS_URL, secretKey: undefined});
});

describe('regression: a misspelled safety setting is never ignored', () => {
  test.each(['prod', 'Production', 'staging', 'production '])('NODE_ENV=%j is refused', (value) => {
    const problem = 'NODE_ENV: must be one of production, development, test; leave it out for development.';
    expect(problemsOf({...redis, NODE_ENV: value})).toEqual([problem]);
  });

  test.each([
    ['WEBHOOK_ALLOW_NETWORK', 'WEBHOOK_ALLOW_NETWORKS'],
    ['WEBHOOKS_ALLOWED_NETWORKS', 'WEBHOOK_ALLOW_NETWORKS'],
    ['TRSUT_PROXY', 'TRUST_PROXY'],
    ['CORS_ORIGIN', 'CORS_ORIGINS'],
    ['METRIC_TOKEN', 'METRICS_TOKEN'],
    ['TRUSTED_ISSUER', 'TRUSTED_ISSUERS'],
    ['SLACK_SIGNIN_SECRET', 'SLACK_SIGNING_SECRET'],
    ['SLACK_ADMINS_ARE_ADMIN', 'SLACK_ADMINS_ARE_ADMINS'],
    ['trust_proxy', 'TRUST_PROXY'],
    ['SECRET_KEY_PREVIUOS', 'SECRET_KEY_PREVIOUS'],
    ['METRICS_TOKEN_FILES', 'METRICS_TOKEN_FILE'],
  ])('%s stops the start in production, and causes a warning elsewhere', (name, meant) => {
    const problems = [`${name}: is no setting. Did you mean ${meant}? Rename or remove it.`];
    expect(problemsOf({...production, [name]: 'x'})).toEqual(problems);
    expect(parseConfig({...redis, [name]: 'x'}).warnings).toEqual(problems);
  });

  test('a _FILE variable of a setting that cannot be in a file is reported', () => {
    expect(problemsOf({...production, TRUSTED_ISSUERS_FILE: '/run/issuers'})).toEqual([
      'TRUSTED_ISSUERS_FILE: TRUSTED_ISSUERS cannot stand in a file; set TRUSTED_ISSUERS itself.',
    ]);
  });

  test('variables of other programs do not stop the start, even if their names are similar to settings', () => {
    const others = {
      HOME: '/home/ada',
      HOSTNAME: 'web-1',
      POST: '1',
      ROLE: 'web',
      REDIS_HOST: 'redis',
      REDIS_PORT: 'tcp://10.0.0.1:6379',
      REDIS_URI: 'redis://elsewhere',
      REDIS_TLS_URL: 'rediss://elsewhere',
      XDG_DATA_DIRS: '/usr/share',
      NODE_OPTIONS: '',
      NODE_EXTRA_CA_CERTS: '/etc/ca.pem',
      SECRET_KEY_BASE: 'x',
      PUBLIC_KEY: 'x',
      SLACK_APP_ID: 'A1',
      OWNER_EMAIL: 'ada@example.com',
    };
    expect(parseConfig({...production, ...others}).warnings).toEqual([]);
  });
});

test('an empty variable counts as unset', () => {
  const empty = Object.fromEntries(Object.keys(environment.shape).map((name) => [name, '']));
  expect(parseConfig({...empty, ...redis})).toEqual(parseConfig(redis));
});

test('the default public address contains the port of PORT', () => {
  expect(parseConfig({...redis, PORT: '8080'}).config.http.publicUrl).toBe('http://localhost:8080');
});

test('the service in production listens on all interfaces and opens no private network to webhooks', () => {
  const {config, secrets} = parseConfig(production);
  expect(config.http).toMatchObject({host: '0.0.0.0', publicUrl: 'https://standup.example.com'});
  expect(config.webhooks.allowNetworks).toEqual([]);
  expect(secrets.secretKey).toBe(production.SECRET_KEY);
});

test('a missing Redis, key and address are all reported in production', () => {
  expect(problemsOf({NODE_ENV: 'production'}).map((problem) => problem.split(':')[0])).toEqual([
    'REDIS_URL',
    'SECRET_KEY',
    'PUBLIC_URL',
  ]);
});

test('a retention below 16 days is refused, since a delivery may be retried for 15 days', () => {
  expect(parseConfig({...redis, RETENTION_DAYS: '16'}).config.retentionDays).toBe(16);
  for (const days of ['15', '0', '-1', '16.5', '3651', 'ever']) {
    expect(problemsOf({...redis, RETENTION_DAYS: days})).toEqual([
      expect.stringMatching(/^RETENTION_DAYS: must be a whole number of days from 16 to 3650/),
    ]);
  }
});

test('regression: only production refuses a METRICS_TOKEN that can be guessed', () => {
  for (const length of [1, 31]) {
    const env = {METRICS_TOKEN: random.slice(0, length)};
    expect(problemsOf({...production, ...env})).toEqual([
      expect.stringMatching(/^METRICS_TOKEN: .*at least 32/),
    ]);
    expect(problemsOf({...redis, ...env})).toEqual([]);
  }
  const {secrets} = parseConfig({...production, METRICS_TOKEN: random});
  expect(secrets.metricsToken).toBe(random);
});

describe('regression: secrets that can be guessed are refused in production only', () => {
  const slack = {SLACK_BOT_TOKEN: 'xoxb-1', SLACK_SIGNING_SECRET: random};

  test.each([
    ['one letter', 'a'.repeat(32), /repeats itself/],
    ['a word', 'changeme'.repeat(4), /repeats itself/],
    ['a row of keys', '0123456789abcdef'.repeat(3), /repeats itself/],
    ['two halves that are the same', '0123456789abcdef'.repeat(2), /repeats itself/],
    ['two letters without an order', 'abbabaabbaababbabaababbaabbabaab', /repeats itself/],
  ])('refuses a secret that is %s', (_, value, reason) => {
    for (const name of ['SECRET_KEY', 'METRICS_TOKEN', 'SLACK_SIGNING_SECRET']) {
      const env = {...slack, [name]: value};
      expect(problemsOf({...production, ...env})).toEqual([expect.stringMatching(reason)]);
      expect(problemsOf({...redis, ...env})).toEqual([]);
    }
  });

  test('refuses a Slack signing secret that is too short to be real', () => {
    expect(problemsOf({...production, ...slack, SLACK_SIGNING_SECRET: 'x'})).toEqual([
      expect.stringMatching(/^SLACK_SIGNING_SECRET: must have at least 32/),
    ]);
  });

  test('accepts secrets made by common generators', () => {
    const made = Array.from({length: 200}, () => [
      randomBytes(16).toString('hex'),
      randomBytes(32).toString('base64'),
      Array.from({length: 32}, () => randomInt(10)).join(''),
    ]).flat();
    const refused = made.filter((value) => problemsOf({...production, SECRET_KEY: value}).length > 0);
    expect(refused).toEqual([]);
  });

  test('regression: accepts 32 random digits of which some are missing, as in one of 800 such secrets', () => {
    const value = '52016034416205331642501436120536';
    expect(problemsOf({...production, SECRET_KEY: value})).toEqual([]);
  });
});

describe('secrets can be read from files', () => {
  const files: Record<string, string> = {
    '/run/key': `${random}\n`,
    '/run/redis': 'redis://:p@localhost:6379\n',
  };
  const read = (env: Record<string, string | undefined>) =>
    parseConfig(env, {
      readFile(path) {
        const text = files[path];
        if (text === undefined) throw Object.assign(new Error('gone'), {code: 'ENOENT'});
        return text;
      },
    });

  test('each secret is read from the file that its setting with the suffix _FILE names', () => {
    const env = {...production, SECRET_KEY: undefined, SECRET_KEY_FILE: '/run/key'};
    const {secrets} = read({...env, REDIS_URL: undefined, REDIS_URL_FILE: '/run/redis'});
    expect(secrets).toMatchObject({secretKey: random, redisUrl: 'redis://:p@localhost:6379'});
    const named = readFileSync('.env.example', 'utf8');
    for (const name of inFiles) expect([name, named.includes(name)]).toEqual([name, true]);
  });

  test.each([
    [
      'that is not there',
      {METRICS_TOKEN_FILE: '/run/none'},
      'METRICS_TOKEN_FILE: /run/none cannot be read (ENOENT).',
    ],
    [
      'beside the setting itself',
      {SECRET_KEY_FILE: '/run/key'},
      'SECRET_KEY_FILE: is set, and SECRET_KEY too; remove one of them.',
    ],
  ])('a file %s is reported', (_, env, problem) => {
    expect(() => read({...production, ...env})).toThrow(problem);
  });
});

describe('regression: a service whose bot anyone may install has stricter settings', () => {
  const oauth = {SLACK_CLIENT_ID: '1.2', SLACK_CLIENT_SECRET: 'client', SLACK_SIGNING_SECRET: random};
  const named = {...production, ...oauth, SLACK_WORKSPACE: 'main'};

  test('requires SLACK_WORKSPACE_TEAM if SLACK_WORKSPACE names an existing workspace', () => {
    expect(problemsOf(named)).toEqual([expect.stringMatching(/^SLACK_WORKSPACE_TEAM: is missing/)]);
    const {config} = parseConfig({...named, SLACK_WORKSPACE_TEAM: 'T0123456'});
    expect(config.slack).toMatchObject({workspace: 'main', workspaceTeam: 'T0123456'});
    expect(problemsOf({...production, ...oauth, SLACK_WORKSPACE_TEAM: 'T0123456'})).toHaveLength(1);
    expect(problemsOf({...named, SLACK_WORKSPACE_TEAM: 'acme'})).toHaveLength(1);
  });

  test('opens private networks to webhooks only with WEBHOOK_NETWORKS_SHARED', () => {
    const env = {...production, WEBHOOK_ALLOW_NETWORKS: '10.0.0.0/8'};
    expect(problemsOf(env)).toEqual([]);
    expect(problemsOf({...env, ...oauth})).toEqual([expect.stringMatching(/^WEBHOOK_NETWORKS_SHARED: /)]);
    expect(problemsOf({...env, ...oauth, WEBHOOK_NETWORKS_SHARED: 'true'})).toEqual([]);
  });

  test('requires trusted issuers to name a workspace by its id, since anyone could take a slug', () => {
    const issuer = {
      issuer: 'https://id.example.com',
      audience: 'standup',
      jwks_url: 'https://id.example.com/jwks',
    };
    const by = (workspace: Id<'workspace'>) => ({
      TRUSTED_ISSUERS: JSON.stringify([{...issuer, workspaces: [workspace]}]),
    });
    expect(problemsOf({...production, ...by(asId('acme'))})).toEqual([]);
    expect(problemsOf({...production, ...oauth, ...by(asId('acme'))})).toEqual([
      expect.stringMatching(/^TRUSTED_ISSUERS: .*by its id/),
    ]);
    expect(problemsOf({...production, ...oauth, ...by(asId('ws_01jd0000007000000000000000'))})).toEqual([]);
  });
});

test("the public address on Heroku is the app's default domain name", () => {
  const env = {...production, PUBLIC_URL: '', HEROKU_APP_DEFAULT_DOMAIN_NAME: 'standup-1234.example.com'};
  expect(parseConfig(env).config.http.publicUrl).toBe('https://standup-1234.example.com');
});

test('if no Redis is set, the message names the command that starts one', () => {
  expect(problemsOf({})).toEqual([expect.stringContaining('npm start')]);
});

test('all problems of the settings are listed at once, one line each, and no value is shown', () => {
  const env = {
    PORT: 'value-1',
    REDIS_URL: 'value-2',
    SECRET_KEY: 'value-3',
    WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8,value-4',
    SLACK_SIGNING_SECRET: 'value-5',
    TRUSTED_ISSUERS: '["value-6"]',
    SLACK_WORKSPACE: 'value-7',
  };
  const problems = problemsOf(env);
  expect(problems.map((problem) => problem.split(':')[0]).sort()).toEqual([
    'PORT',
    'REDIS_URL',
    'SECRET_KEY',
    'SLACK_BOT_TOKEN',
    'SLACK_WORKSPACE',
    'TRUSTED_ISSUERS',
    'WEBHOOK_ALLOW_NETWORKS',
  ]);
  const {message} = new ConfigError(problems);
  expect(message.split('\n')).toHaveLength(problems.length + 1);
  expect(message).not.toContain('value-');
});

describe('an address of several Redis servers', () => {
  const queue = {QUEUE_REDIS_URL: 'redis://queue:6379'};

  test.each([
    'redis+cluster://:p%40ss@a:6379,[::1]:6380,c',
    'rediss+sentinel://user:pw@a:26379,b/mymaster',
    'redis+sentinel://a/my-master.1/2',
  ])('%s is accepted beside a queue of its own', (address) => {
    expect(parseConfig({...redis, ...queue, REDIS_URL: address}).secrets.redisUrl).toBe(address);
  });

  test.each([
    [{}, /^QUEUE_REDIS_URL: is needed beside redis\+cluster:\/\/; set it to one plain Redis of its own/],
    [{QUEUE_REDIS_URL: 'redis://b'}, /^QUEUE_REDIS_URL: names a server of REDIS_URL/],
    [{QUEUE_REDIS_URL: 'redis+cluster://q:1,r:1'}, /^QUEUE_REDIS_URL: must be one plain Redis/],
    [{...queue, REDIS_SENTINEL_PASSWORD: 'x'}, /^REDIS_SENTINEL_PASSWORD: works only with a REDIS_URL that/],
  ])('a cluster with %j is refused with one sentence', (env, sentence) => {
    const problems = problemsOf({REDIS_URL: 'redis+cluster://a:6379,b:6379', ...env});
    expect(problems).toEqual([expect.stringMatching(sentence)]);
  });
});

describe('the check of setting values', () => {
  test.each([
    ['PORT', '70000'],
    ['PORT', '-1'],
    ['PORT', '3000.5'],
    ['PUBLIC_URL', 'http://standup.example.com'],
    ['PUBLIC_URL', 'https://standup.example.com/path'],
    ['PUBLIC_URL', 'ftp://localhost'],
    ['REDIS_URL', 'http://localhost:6379'],
    ['REDIS_URL', 'redis://:pa@ss/word@localhost:6379'],
    ['REDIS_URL', 'redis://:1234#word@localhost:6379'],
    ['REDIS_URL', 'redis://:1234?word@localhost:6379'],
    ['REDIS_URL', 'redis://:100%@localhost:6379'],
    ['REDIS_URL', 'redis://localhost:6379/zero'],
    ['REDIS_URL', 'redis://'],
    ['REDIS_URL', 'redis://a:6379,b:6379'],
    ['REDIS_URL', 'redis+cluster://a:6379,b:port'],
    ['REDIS_URL', 'redis+cluster://a:6379,'],
    ['REDIS_URL', 'redis+cluster://a:6379/2'],
    ['REDIS_URL', 'redis+sentinel://a:26379'],
    ['REDIS_URL', 'redis+sentinel://a:26379/my master'],
    ['QUEUE_REDIS_URL', 'localhost:6379'],
    ['REDIS_TLS_VERIFY', 'no'],
    ['SECRET_KEY', 'x'.repeat(31)],
    ['SECRET_KEY_PREVIOUS', 'x'.repeat(31)],
    ['METRICS_TOKEN', 'a token of ${32} characters with spaces'],
    ['ROLES', 'web,cron'],
    ['ROLES', 'web,,worker'],
    ['LOG_LEVEL', 'loud'],
    ['LOG_FORMAT', 'xml'],
    ['TRUST_PROXY', 'true'],
    ['RATE_LIMIT', '10/s'],
    ['CORS_ORIGINS', '*'],
    ['CORS_ORIGINS', 'https://app.example.com/'],
    ['SECURITY_CONTACT', 'somebody'],
    ['TRUSTED_ISSUERS', '{}'],
    [
      'TRUSTED_ISSUERS',
      '[{"issuer":"https://id.example.com","audience":"a","jwks_url":"http://id.example.com","workspaces":["w"]}]',
    ],
    ['WEBHOOK_ALLOW_NETWORKS', '10.0.0.0'],
    ['WEBHOOK_ALLOW_NETWORKS', '10.0.0.0/40'],
    ['WEBHOOK_PROXY_URL', 'proxy:3128'],
    ['WEBHOOK_PROXY_URL', 'socks5://proxy:1080'],
    ['WEBHOOK_PROXY_URL', 'http://proxy:3128/path'],
    ['WEBHOOK_PROXY_URL', 'http://user:100%@proxy:3128'],
    ['SLACK_API_URL', 'slack'],
  ])('refuses %s=%s', (name, value) => {
    expect(problemsOf({...production, [name]: value})).toEqual([expect.stringMatching(`^${name}: `)]);
  });
});

test.each([
  'http://localhost:3000',
  'http://127.0.0.1:8080',
  'http://[::1]:3000',
  'https://standup.example.com',
])('%s is accepted as the public address', (url) => {
  expect(parseConfig({...production, PUBLIC_URL: url}).config.http.publicUrl).toBe(url);
});

test('the address of the webhook proxy is kept as a secret, and shown only without its password', () => {
  const env = {...production, WEBHOOK_PROXY_URL: 'http://egress:p%40ss@proxy.example.com:3128'};
  const {config, secrets} = parseConfig(env);
  expect(secrets.webhookProxyUrl).toBe('http://egress:p%40ss@proxy.example.com:3128/');
  expect(config.webhooks.proxy).toBe('http://proxy.example.com:3128');
  expect(JSON.stringify(config)).not.toContain('p%40ss');
});

describe('the check of the mail settings', () => {
  const from = {MAIL_FROM: 'Standup <standup@example.com>'};
  const read = (SMTP_URL: string, env: Record<string, string> = from) =>
    parseConfig({...production, ...env, SMTP_URL});

  test('decodes the log-in and keeps it as a secret', () => {
    const {config, secrets} = read('smtp://stand%40up:p%2Fss%20word@smtp.example.com');
    expect(config.mail).toEqual({
      host: 'smtp.example.com',
      port: 587,
      security: 'starttls',
      from: {name: 'Standup', address: 'standup@example.com'},
    });
    expect(secrets.smtpLogin).toEqual({user: 'stand@up', password: 'p/ss word'});
    expect(JSON.stringify(config)).not.toContain('ss word');
  });

  test.each([
    ['smtps://smtp.example.com', {port: 465, security: 'tls'}],
    ['smtps://smtp.example.com:2465/', {port: 2465, security: 'tls'}],
    ['smtp://münchen.example:25', {host: 'xn--mnchen-3ya.example', port: 25, security: 'starttls'}],
    ['smtp://10.0.0.5', {host: '10.0.0.5', security: 'starttls'}],
    ['smtp://10.0.0.5?tls=off', {security: 'off'}],
    ['smtp://[fd00::5]:25?tls=off', {host: 'fd00::5', security: 'off'}],
    ['smtp://mailpit:1025?tls=off', {host: 'mailpit', security: 'off'}],
    ['smtp://relay.corp.internal?tls=off', {security: 'off'}],
    ['smtp://localhost:25', {security: 'if_offered'}],
    ['smtp://127.0.0.1:25', {security: 'if_offered'}],
    ['smtp://localhost:25?tls=off', {security: 'off'}],
  ])('%s is accepted as the mail server', (url, mail) => {
    expect(read(url).config.mail).toMatchObject(mail);
  });

  test.each([
    'smtp.example.com:587',
    'http://smtp.example.com',
    'smtp://',
    'smtp:smtp.example.com',
    'smtp://user@smtp.example.com',
    'smtp://:value-1@smtp.example.com',
    'smtp://user:100%@smtp.example.com',
    'smtp://user:value-1%0d%0a@smtp.example.com',
    'smtp://user:value-1@smtp.example.com/path',
    'smtp://user:value-1@smtp.example.com#fragment',
    'smtp://smtp.example.com:0',
    'smtp://smtp.example.com?tls=off',
    'smtp://8.8.8.8?tls=off',
    'smtps://10.0.0.5?tls=off',
    'smtp://10.0.0.5?tls=on',
    'smtps://smtp.example.com?tls.rejectUnauthorized=false&debug=true&file=/etc/passwd',
  ])('%s is refused as the mail server, and no value is shown', (SMTP_URL) => {
    const problems = problemsOf({...production, ...from, SMTP_URL});
    expect(problems).toEqual([expect.stringMatching(/^SMTP_URL: must be an address like /)]);
    expect(problems.join()).not.toContain('value-1');
  });

  test.each([
    ['standup@example.com', {address: 'standup@example.com', name: undefined}],
    ['"Standup, daily" <standup@example.com>', {address: 'standup@example.com', name: 'Standup, daily'}],
    ['Équipe <standup@équipe.example>', {address: 'standup@xn--quipe-9ra.example', name: 'Équipe'}],
  ])('%s is accepted as the sender', (MAIL_FROM, sender) => {
    expect(read('smtps://smtp.example.com', {MAIL_FROM}).config.mail?.from).toEqual(sender);
  });

  test.each([
    'Standup',
    'a@example.com, b@example.com',
    'Standup <a@example.com> <b@example.com>',
    'Stand\nup <standup@example.com>',
    'ständ@example.com',
    `${'a'.repeat(81)} <standup@example.com>`,
  ])('%j is refused as the sender', (MAIL_FROM) => {
    expect(problemsOf({...production, SMTP_URL: 'smtps://smtp.example.com', MAIL_FROM})).toEqual([
      expect.stringMatching(/^MAIL_FROM: must be an address/),
    ]);
  });

  test.each([
    [
      {SMTP_URL: 'smtps://smtp.example.com'},
      'MAIL_FROM: is missing; SMTP_URL and MAIL_FROM belong together.',
    ],
    [from, 'SMTP_URL: is missing; SMTP_URL and MAIL_FROM belong together.'],
  ])('one mail setting without the other is refused', (env, problem) => {
    expect(problemsOf({...production, ...env})).toEqual([problem]);
  });

  test('the mail server is read from a file that SMTP_URL_FILE names', () => {
    const {secrets} = parseConfig(
      {...production, ...from, SMTP_URL_FILE: '/run/smtp'},
      {readFile: () => 'smtps://user:word@smtp.example.com\n'},
    );
    expect(secrets.smtpLogin).toEqual({user: 'user', password: 'word'});
  });
});

test('WEBHOOK_ALLOW_NETWORKS opens to webhooks exactly the networks that it lists', () => {
  const env = {...production, WEBHOOK_ALLOW_NETWORKS: '10.0.0.0/8, fd00::/8'};
  expect(parseConfig(env).config.webhooks.allowNetworks).toEqual(['10.0.0.0/8', 'fd00::/8']);
});

test('a process with the role worker has no web server', () => {
  expect(parseConfig({...redis, ROLES: 'worker'}).config.roles).toEqual({web: false, worker: true});
});

describe('the check of the Slack settings', () => {
  test('requires a bot token and the signing secret for one workspace', () => {
    const {config, secrets} = parseConfig({...redis, SLACK_BOT_TOKEN: 'xoxb-1', SLACK_SIGNING_SECRET: 'shh'});
    expect(config.slack).toEqual({mode: 'token', socket: false, admins: false, language: 'en'});
    const admins = {...redis, SLACK_BOT_TOKEN: 'xoxb-1', SLACK_SIGNING_SECRET: 'shh'};
    expect(parseConfig({...admins, SLACK_ADMINS_ARE_ADMINS: 'true'}).config.slack).toMatchObject({
      admins: true,
    });
    expect(problemsOf({...admins, SLACK_ADMINS_ARE_ADMINS: 'yes'})).toHaveLength(1);
    expect(secrets.slack).toEqual({botToken: 'xoxb-1', signingSecret: 'shh'});
  });

  test('accepts the languages with texts as that of channels, with English as default, and refuses others', () => {
    const slack = {...redis, SLACK_BOT_TOKEN: 'xoxb-1', SLACK_SIGNING_SECRET: 'shh'};
    expect(parseConfig({...slack, SLACK_LANGUAGE: 'de'}).config.slack?.language).toBe('de');
    expect(problemsOf({...slack, SLACK_LANGUAGE: 'xx'})).toEqual([
      `SLACK_LANGUAGE: must be one of ${languages.join(', ')}; leave it out for en.`,
    ]);
    // Linux desktops set LANGUAGE for their own programs, so the service must ignore it.
    expect(parseConfig({...slack, LANGUAGE: 'de_DE:de'}).config.slack?.language).toBe('en');
  });

  test('requires the client id and its secret for many workspaces', () => {
    const env = {
      ...redis,
      SLACK_CLIENT_ID: '1.2',
      SLACK_CLIENT_SECRET: 'client',
      SLACK_SIGNING_SECRET: 'shh',
    };
    const {config, secrets} = parseConfig(env);
    expect(config.slack).toEqual({
      mode: 'oauth',
      socket: false,
      admins: false,
      language: 'en',
      clientId: '1.2',
    });
    expect(secrets.slack).toEqual({signingSecret: 'shh', clientSecret: 'client'});
  });

  test('requires no signing secret in Socket Mode', () => {
    const {config} = parseConfig({...redis, SLACK_BOT_TOKEN: 'xoxb-1', SLACK_APP_TOKEN: 'xapp-1'});
    expect(config.slack?.socket).toBe(true);
  });

  test.each([
    [{SLACK_BOT_TOKEN: 'x'}, 'SLACK_SIGNING_SECRET'],
    [{SLACK_SIGNING_SECRET: 'x'}, 'SLACK_BOT_TOKEN'],
    [{SLACK_CLIENT_ID: 'x', SLACK_SIGNING_SECRET: 'x'}, 'SLACK_CLIENT_SECRET'],
    [{SLACK_CLIENT_SECRET: 'x', SLACK_SIGNING_SECRET: 'x'}, 'SLACK_CLIENT_ID'],
    [{SLACK_CLIENT_ID: 'x', SLACK_CLIENT_SECRET: 'x'}, 'SLACK_SIGNING_SECRET'],
    [{SLACK_APP_TOKEN: 'x'}, 'SLACK_APP_TOKEN'],
    [
      {SLACK_BOT_TOKEN: 'x', SLACK_SIGNING_SECRET: 'x', SLACK_CLIENT_ID: 'x', SLACK_CLIENT_SECRET: 'x'},
      'SLACK_BOT_TOKEN',
    ],
  ])('refuses settings of which a part is missing: %j', (env, name) => {
    expect(problemsOf({...redis, ...env})).toEqual([expect.stringMatching(`^${name}: `)]);
  });
});

describe('trusted issuers', () => {
  const one = {
    issuer: 'https://id.example.com',
    audience: 'standup',
    jwks_url: 'https://id.example.com/jwks',
    workspaces: ['acme'],
  };
  const given = (...issuers: object[]) => ({TRUSTED_ISSUERS: JSON.stringify(issuers)});

  test('are accepted in each valid form', () => {
    const rules = {...one, workspace_claim: 'ws', workspaces: ['acme', 'other'], service_accounts: {x: 'ci'}};
    expect(parseConfig({...production, ...given(rules)}).config.trustedIssuers).toEqual([
      {
        issuer: one.issuer,
        audience: 'standup',
        jwksUrl: one.jwks_url,
        workspaceClaim: 'ws',
        workspaces: ['acme', 'other'],
        serviceAccounts: new Map([['x', 'ci']]),
      },
    ]);
  });

  test.each([
    ['if one is listed twice', [one, one]],
    ['with several workspaces and no claim that chooses one', [{...one, workspaces: ['acme', 'other']}]],
    ['with no workspace', [{...one, workspaces: []}]],
    ['with no audience', [{...one, audience: ''}]],
    ['if their keys come over http from another host', [{...one, jwks_url: 'http://id.example.com/jwks'}]],
    ['if their keys come from a file', [{...one, jwks_url: 'file:///jwks'}]],
    ['with a service account without a name', [{...one, service_accounts: {x: ''}}]],
    ['with a rule that does not exist', [{...one, roles: {x: 'owner'}}]],
  ])('are refused %s', (_, issuers) => {
    expect(problemsOf({...redis, ...given(...issuers)})).toEqual([
      expect.stringMatching(/^TRUSTED_ISSUERS: must be a JSON array/),
    ]);
  });

  const signIn = {id: 'acme', name: ' Acme ', client_id: 'standup', client_secret: 'of the client'};

  test('may sign people in, with a client secret that is never shown', () => {
    const {config, secrets} = parseConfig({...production, ...given({...one, sign_in: signIn})});
    expect(config.trustedIssuers[0]?.signIn).toEqual({id: 'acme', name: 'Acme', clientId: 'standup'});
    expect(JSON.stringify(config)).not.toContain('of the client');
    expect([...(secrets.issuers ?? [])]).toEqual([[one.issuer, 'of the client']]);
    const {client_secret: _, ...open} = signIn;
    expect(parseConfig({...production, ...given({...one, sign_in: open})}).secrets.issuers).toBeUndefined();
  });

  test.each([
    ['without a name', {...signIn, name: ' '}, '[0].sign_in.name'],
    ['without a client', {...signIn, client_id: undefined}, '[0].sign_in.client_id'],
    ['with an id that is no part of an address', {...signIn, id: 'Acme/SSO'}, '[0].sign_in.id'],
    ['with an empty secret', {...signIn, client_secret: ''}, '[0].sign_in.client_secret'],
    ['with a rule that does not exist', {...signIn, domain: 'example.com'}, '[0].sign_in'],
  ])('are refused if they sign people in %s, with the path of the error', (_, used, location) => {
    expect(problemsOf({...redis, ...given({...one, sign_in: used})})).toEqual([
      expect.stringContaining(`(look at ${location})`),
    ]);
  });

  test('are refused if two that sign people in have the same id', () => {
    const by = (n: number, id: string) => ({
      ...one,
      issuer: `https://id${n}.example.com`,
      sign_in: {...signIn, id},
    });
    expect(problemsOf({...redis, ...given(by(1, 'one'), by(2, 'two'))})).toEqual([]);
    expect(problemsOf({...redis, ...given(by(1, 'one'), by(2, 'one'))})).toEqual([
      expect.stringMatching(/^TRUSTED_ISSUERS: two issuers have the same id/),
    ]);
    for (const id of ['slack', 'callback']) {
      expect(problemsOf({...redis, ...given(by(1, id))})).toEqual([
        expect.stringMatching(/^TRUSTED_ISSUERS: .*cannot be the id/),
      ]);
    }
  });

  test('may sign people in over http only on loopback outside production', () => {
    const at = (issuer: string) => given({...one, issuer, sign_in: signIn});
    expect(problemsOf({...redis, ...at('http://127.0.0.1:8080')})).toEqual([]);
    expect(problemsOf({...redis, ...at('http://id.example.com')})).toEqual([
      expect.stringContaining('(look at [0].issuer)'),
    ]);
    expect(problemsOf({...production, ...at('http://127.0.0.1:8080')})).toEqual([
      'TRUSTED_ISSUERS: in production each issuer with a sign_in must be https.',
    ]);
  });

  test('may serve their keys over http on loopback, but not in production', () => {
    const local = given({...one, jwks_url: 'http://127.0.0.1:8080/jwks'});
    expect(problemsOf({...redis, ...local})).toEqual([]);
    expect(problemsOf({...production, ...local})).toEqual([
      'TRUSTED_ISSUERS: in production each jwks_url must be https.',
    ]);
  });

  test('have an example in .env.example that is accepted', () => {
    const [example = ''] = /\[\{"issuer"[\s\S]*?\}\]/.exec(readFileSync('.env.example', 'utf8')) ?? [];
    expect(problemsOf({...production, TRUSTED_ISSUERS: example.replaceAll('\n#', '')})).toEqual([]);
    expect(example).toContain('service_accounts');
  });
});

describe('the files that list environment variables', () => {
  const known = Object.keys(environment.shape).sort();

  test('.env.example explains exactly the variables that exist', () => {
    const lines = readFileSync('.env.example', 'utf8').split('\n');
    const named = lines.flatMap((line) => /^([A-Z_]+)=/.exec(line)?.[1] ?? []);
    expect([...named].sort()).toEqual(known);
  });

  test('app.json contains no key twice', () => {
    const source = readFileSync('app.json', 'utf8');
    const written = [...source.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g)].filter(
      ([, colon]) => colon !== undefined,
    );
    let kept = 0;
    JSON.parse(source, (_, value: unknown) => {
      if (typeof value === 'object' && value !== null && !Array.isArray(value))
        kept += Object.keys(value).length;
      return value;
    });
    expect(written).toHaveLength(kept);
  });

  test('app.json sets only variables that exist, to values that are accepted', () => {
    const app = JSON.parse(readFileSync('app.json', 'utf8')) as {
      env: Record<string, {value?: string; generator?: string}>;
      formation: Record<string, unknown>;
      scripts: {postdeploy: string};
    };
    const {OWNER_EMAIL: owner, ...read} = app.env;
    expect(owner).toBeDefined();
    expect(app.scripts.postdeploy).toContain('--owner "$OWNER_EMAIL"');
    expect(known).toEqual(expect.arrayContaining(Object.keys(read)));
    const set = Object.entries(read).map(([name, {value, generator}]) => [
      name,
      generator === 'secret' ? randomBytes(32).toString('hex') : value,
    ]);
    const env = {...(Object.fromEntries(set) as Record<string, string | undefined>), ...redis};
    const heroku = {...env, HEROKU_APP_DEFAULT_DOMAIN_NAME: 'standup.example.com'};
    expect(problemsOf(heroku)).toEqual([]);
    const types = readFileSync('Procfile', 'utf8').trim().split('\n');
    expect(Object.keys(app.formation)).toEqual(types.map((line) => line.split(':')[0]));
  });
});

describe('SIGN_IN', () => {
  const acme = JSON.stringify([
    {
      issuer: 'https://id.example.com',
      audience: 'standup',
      jwks_url: 'https://id.example.com/jwks',
      workspaces: ['acme'],
      sign_in: {id: 'acme', name: 'Acme', client_id: 'standup'},
    },
  ]);

  test.each([
    ['mail', {}, 'mail needs SMTP_URL and MAIL_FROM'],
    ['passkey', {}, 'a passkey is added by people who have signed in in another way'],
    [
      'mail, slack',
      {},
      'mail needs SMTP_URL and MAIL_FROM; slack needs SLACK_CLIENT_ID and SLACK_CLIENT_SECRET',
    ],
    ['provider', {}, 'provider needs a sign_in in TRUSTED_ISSUERS'],
  ])('%s is refused where no one could sign in by it', (SIGN_IN, env, reason) => {
    expect(problemsOf({...production, ...env, SIGN_IN})).toEqual([
      `SIGN_IN: no one could sign in: ${reason}. Add a way that is set up, such as link.`,
    ]);
  });

  test.each([
    ['mail,link', {}, ['mail', 'link']],
    ['link, passkey', {}, ['passkey', 'link']],
    ['mail', {SMTP_URL: 'smtps://smtp.example.com', MAIL_FROM: 'a@example.com'}, ['mail']],
    ['provider', {TRUSTED_ISSUERS: acme}, ['provider']],
    ['', {}, ['mail', 'passkey', 'link', 'slack', 'provider']],
  ])('"%s" allows these ways to sign in', (SIGN_IN, env, ways) => {
    expect(parseConfig({...production, ...env, SIGN_IN}).config.signIn).toEqual(ways);
  });

  test('a word that is no way to sign in is refused, with the list of ways', () => {
    expect(problemsOf({...production, SIGN_IN: 'link,fax'})).toEqual([
      'SIGN_IN: must be some of mail,passkey,link,slack,provider; leave it out for all that are set up.',
    ]);
  });
});

describe('the settings of traces', () => {
  const collector = {...redis, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318/'};

  test('name the collector, the service, its facts and the share of traces', () => {
    const {config, secrets} = parseConfig({
      ...collector,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-api-key=a%20key,tenant=a=b',
      OTEL_SERVICE_NAME: 'standup',
      OTEL_RESOURCE_ATTRIBUTES: 'service.name=other, deployment.environment.name=staging',
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.25',
    });
    expect(config.traces).toEqual({
      endpoint: 'http://localhost:4318',
      resource: {'service.name': 'standup', 'deployment.environment.name': 'staging'},
      sampler: 'parentbased_traceidratio',
      ratio: 0.25,
    });
    expect(secrets.traceHeaders).toEqual({'x-api-key': 'a key', tenant: 'a=b'});
  });

  test('have the defaults of OpenTelemetry', () => {
    expect(parseConfig(collector).config.traces).toEqual({
      endpoint: 'http://localhost:4318',
      resource: {'service.name': 'team-standup-service'},
      sampler: 'parentbased_always_on',
      ratio: 1,
    });
    const OTEL_RESOURCE_ATTRIBUTES = 'service.name=named';
    expect(parseConfig({...collector, OTEL_RESOURCE_ATTRIBUTES}).config.traces?.resource).toEqual({
      'service.name': 'named',
    });
  });

  test.each([
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'localhost:4318'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://user:password@localhost:4318'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'https://collector.example.com/?key=secret'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'no value'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'key=%zz'],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
    ['OTEL_RESOURCE_ATTRIBUTES', 'staging'],
    ['OTEL_TRACES_SAMPLER', 'jaeger_remote'],
    ['OTEL_TRACES_SAMPLER_ARG', '2'],
    ['OTEL_TRACES_SAMPLER_ARG', '1%'],
  ])('refuse %s=%s in one sentence, which does not repeat it', (name, value) => {
    const [problem, ...others] = problemsOf({...collector, [name]: value});
    expect(problem).toMatch(new RegExp(`^${name}: must be `));
    expect(problem).not.toContain('password');
    expect(others).toEqual([]);
  });

  test.each([
    ['without a collector', {}],
    ['with an empty collector', {OTEL_EXPORTER_OTLP_ENDPOINT: ' '}],
    ['if OpenTelemetry is off', {OTEL_EXPORTER_OTLP_ENDPOINT: 'grpc', OTEL_SDK_DISABLED: 'TRUE'}],
  ])('are not judged %s, since platforms set them for every program', (_, env) => {
    const others = {OTEL_TRACES_SAMPLER: 'xray', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc'};
    const {config, secrets} = parseConfig({...redis, ...others, ...env});
    expect(config).not.toHaveProperty('traces');
    expect(secrets).not.toHaveProperty('traceHeaders');
  });

  test.each([
    'OTEL_TRACES_EXPORTER',
    'OTEL_METRICS_EXPORTER',
    'OTEL_EXPORTER_OTLP_TIMEOUT',
    'OTEL_LOG_LEVEL',
  ])('do not take the standard variable %s for a misspelt one', (name) => {
    expect(problemsOf({...production, ...collector, [name]: 'otlp'})).toEqual([]);
  });
});
