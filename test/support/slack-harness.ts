import {createHmac, randomBytes, randomUUID} from 'node:crypto';
import {readFileSync} from 'node:fs';
import type {Server} from 'node:http';
import type {AddressInfo} from 'node:net';
import {createEmulator, type Emulator} from 'emulate';
import {request} from 'undici';
import {createSlackBot, type SlackBot} from '../../src/bot/slack/bot.js';
import type {Timeouts} from '../../src/bot/slack/core/timeouts.js';
import type {Waits} from '../../src/bot/showing/waits.js';
import {createSlackJobs, type SlackJobs} from '../../src/bot/slack/slack-jobs.js';
import type {SlackGateway} from '../../src/service/core/environment.js';
import {composeCore, type Core, createShutdownList} from '../../src/compose-core.js';
import {parseConfig} from '../../src/config/config.js';
import type {Call} from '../../src/domain/core/access.js';
import type {Log} from '../../src/domain/core/log.js';
import type {RateLimits} from '../../src/domain/core/quota.js';
import type {Standup} from '../../src/domain/standups/standup.js';
import {createTokenInstallation} from '../../src/service/slack/slack-installations.js';
import {operatorCall} from '../../src/service/workspaces/workspaces.js';
import {createSlackPosts, type SlackPosts} from '../../src/store/slack/slack-posts.js';
import {createSlackSignatureStore} from '../../src/store/slack/slack-signatures.js';
import type {TimeSource} from '../../src/store/core/time-source.js';
import {testRedisUrl} from './redis-server.js';
import {type FailureServer, startFailureServer} from './slack-failure-server.js';
import {findLimitViolations} from './slack-limits.js';
import type {Id, IdSuffix} from '../../src/domain/core/ids.js';
import type {Work} from '../../src/domain/core/work.js';
import {asId} from './ids.js';
import express from 'express';

export const signingSecret = 'a-signing-secret-of-the-tests';
export const botToken = 'xoxb-test-bot';
/** A second token of the bot, with the scopes that tests need to read a direct message. */
export const lookingToken = 'xoxb-test-looks';
export const adminToken = 'xoxp-test-admin';
/** Tokens of the emulated people who type in Slack, by their names there. */
export const personTokens = {admin: adminToken, ada: 'xoxp-test-ada', grace: 'xoxp-test-grace'} as const;
/** Id of the emulator's first channel. */
export const channel = 'C000000001';
export const otherChannel = 'C000000002';
export const admin = {id: 'U000000001', name: 'admin'};

export interface LogLine {
  readonly level: string;
  readonly fields: Record<string, unknown>;
  readonly message: string;
  readonly cause?: unknown;
}

export interface SlackMessage {
  readonly ts: string;
  readonly text: string;
  readonly blocks?: unknown;
  readonly metadata?: {readonly event_type: string; readonly event_payload: Record<string, unknown>};
}

export interface BotReply {
  readonly status: number;
  readonly text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read many shapes
  readonly body: any;
}

export interface SlackHarness {
  readonly core: Core;
  readonly workspace: Id<'workspace'>;
  readonly team: Id<'team'>;
  readonly slack: FailureServer;
  readonly posts: SlackPosts;
  readonly lines: LogLine[];
  /** Events and items that the bot has given up showing in Slack. */
  readonly unshown: readonly string[];
  readonly url: string;
  operator(): Call;
  /** Sends a signed request to `/slack/events`. */
  send(fields: Record<string, string>, options?: SendOptions): Promise<BotReply>;
  command(text: string, options?: CommandOptions): Promise<BotReply>;
  submit(
    view: Record<string, unknown>,
    options?: SendOptions & {user?: {id: string; name: string}},
  ): Promise<BotReply>;
  /**
   * Uses a button or menu as a person. `value`: value of a button; `more`: the rest of the payload (view,
   * message, state).
   */
  action(
    used: {action_id: string; value?: string; type?: string},
    more?: Record<string, unknown>,
    options?: SendOptions & {user?: {id: string; name: string}; channel?: string},
  ): Promise<BotReply>;
  /** Uses a global shortcut or, with a message, a message shortcut. */
  shortcut(
    callbackId: string,
    more?: Record<string, unknown>,
    options?: SendOptions & {user?: {id: string; name: string}},
  ): Promise<BotReply>;
  /** Sends an event of Slack's Events API, with a generated `event_id` unless `more` has one. */
  event(
    event: Record<string, unknown>,
    more?: Record<string, unknown>,
    options?: SendOptions,
  ): Promise<BotReply>;
  /** Creates a trigger for `views.open` that the emulated Slack knows. */
  trigger(): Promise<string>;
  /** Runs the jobs that read and post, until none of them is due at the current time. */
  work(options?: {channel?: string; waits?: Partial<Waits>}): Promise<void>;
  /** Reads a thread for replies, like its job. */
  readReplies(work: Extract<Work, {kind: 'read-replies'}>): Promise<{more: boolean}>;
  /** Looks at the statuses of the people that a run waits for, like its job. */
  lookAtStatuses(run: IdSuffix<'run'>): Promise<{more: boolean}>;
  /** Checks the Slack profile of every member, like the daily job. */
  lookAtPeople(): Promise<void>;
  /** Runs one job that posts to a channel for a single time slice. */
  postSlice(options?: {channel?: string; waits?: Partial<Waits>}): Promise<{more: boolean}>;
  read(options?: {waits?: Partial<Waits>}): Promise<{more: boolean}>;
  standups(): Promise<Standup[]>;
  events(): Promise<string[]>;
  /** Returns the root messages of a channel, oldest first; `replies` returns those of a thread. */
  parents(channel?: string): Promise<SlackMessage[]>;
  replies(parent: string, channel?: string): Promise<SlackMessage[]>;
  /** Calls the emulated Slack directly, with the token of another user. */
  api(method: string, body: Record<string, string>, token?: string): Promise<Record<string, unknown>>;
  close(): Promise<void>;
}

export interface SendOptions {
  readonly timestamp?: number;
  readonly signature?: string;
  readonly contentType?: string;
  /** Number of times that Slack has already sent this request without success. */
  readonly retry?: number;
}

export interface CommandOptions extends SendOptions {
  readonly trigger?: string;
  readonly channel?: string;
  readonly user?: {id: string; name: string};
  readonly command?: string;
  /** Id of the Slack workspace in the request; default: the one of the bot's token. */
  readonly slackTeam?: string;
}

/** A gateway that knows nothing of the token. */
const silentGateway: Omit<SlackGateway, 'findChannelKind'> = {
  look: async () => undefined,
  check: async () => undefined,
  refusal: () => undefined,
  revoke: async () => undefined,
};

interface HarnessOptions {
  /** Answers who can read a channel; by default Slack is not asked. */
  readonly findChannelKind?: SlackGateway['findChannelKind'];
  /** Channel of the team `platform`; null for none. */
  readonly teamChannel?: string | null;
  readonly workspaces?: readonly string[];
  readonly signatures?: (
    own: ReturnType<typeof createSlackSignatureStore>,
  ) => ReturnType<typeof createSlackSignatureStore>;
  /** True when admins of the Slack workspace become admins here. */
  readonly slackAdmins?: boolean;
  /** The language of the installation; default: English. */
  readonly language?: 'en' | 'de';
  /** Scopes of the bot's token; default: those of the manifest. */
  readonly scopes?: readonly string[];
  /** Number of Slack users who have not used the app yet; default: 60. */
  readonly strangers?: number;
  /** Rate limits of the bot's calls; default: none. */
  readonly rateLimits?: RateLimits;
  /** Public address of the service; default: one on loopback. */
  readonly publicUrl?: string;
  /** Address of a database in the Redis of the test run; default: an unused one. */
  readonly redisUrl?: string;
  /** More settings, such as those of a store of several servers. */
  readonly env?: Readonly<Record<string, string>>;
  /** A source of time other than the machine: a test clock on that database. */
  readonly time?: TimeSource;
  /**
   * Address by which only the bot reaches Redis, such as that of a slow Redis. Jobs and the test's own reads
   * use the direct address.
   */
  readonly botRedisUrl?: string;
  /**
   * Timeouts of the bot. By default they are so long that the bot leaves nothing out even on a busy machine.
   * Tests of late answers use the service's own timeouts.
   */
  readonly timeouts?: Timeouts;
  /** Called at each named step of the store that only the bot uses; needs `botRedisUrl`. */
  readonly failpoint?: (name: string) => void;
  /** Lets a test slow down or replace functions of the services. */
  readonly services?: (services: Core['services']) => Core['services'];
}

const long = 10_000;
const patient: Timeouts = {
  call: long,
  request: 2 * long,
  answer: long,
  newcomer: long,
  storing: 0,
  view: long,
  home: long,
  team: long,
  names: {command: long, typed: long, shortcut: long},
  profile: long,
  language: 1_000,
  signature: long,
};

/** The committed Slack manifest. The emulated Slack refuses calls outside the manifest's scopes. */
export const manifest = JSON.parse(readFileSync('slack-manifest.json', 'utf8')) as {
  oauth_config: {redirect_urls: string[]; scopes: {bot: string[]; bot_optional: string[]; user: string[]}};
  features: {
    app_home: {home_tab_enabled: boolean};
    shortcuts: {callback_id: string; type: string; name: string; description: string}[];
    slash_commands: {command: string; should_escape: boolean; url?: string}[];
  };
  settings: {
    event_subscriptions: {request_url?: string; bot_events: string[]};
    interactivity: {is_enabled: boolean; request_url?: string; message_menu_options_url?: string};
  };
};

/**
 * Starts Bolt on Express, the services on a real Redis, and a third-party Slack emulator behind a failing
 * proxy.
 */
export async function startSlack(options: HarnessOptions = {}): Promise<SlackHarness> {
  const closings = createShutdownList();
  const lines: LogLine[] = [];
  const log = createRecordingLog(lines);
  const {findChannelKind} = options;
  const compose = (redisUrl: string, failpoint?: (name: string) => void) => {
    const {config, secrets} = parseConfig({
      REDIS_URL: redisUrl,
      SECRET_KEY: 'a secret key for tests, 32 characters or more',
      PUBLIC_URL: options.publicUrl,
      SLACK_BOT_TOKEN: botToken,
      SLACK_SIGNING_SECRET: signingSecret,
      ...options.env,
    });
    const whole = {...secrets, secretKey: secrets.secretKey ?? ''};
    return composeCore({
      config,
      secrets: whole,
      log,
      closings,
      wake: () => undefined,
      time: options.time,
      ...(failpoint && {failpoint}),
      ...(findChannelKind && {slackGateway: {...silentGateway, findChannelKind}}),
    });
  };
  const core = await compose(options.redisUrl ?? (await testRedisUrl()));
  const botCore =
    options.botRedisUrl === undefined ? core : await compose(options.botRedisUrl, options.failpoint);
  const emulator = await startEmulator(options);
  closings.defer(() => emulator.close());
  const slack = await startFailureServer(() => emulator.url);
  closings.defer(() => slack.close());

  const newDeadline = () => performance.now() + 5_000;
  const names = options.workspaces ?? ['acme'];
  const ids: Id<'workspace'>[] = [];
  for (const name of names)
    ids.push((await core.services.workspaces.createWorkspace(name, newDeadline())).id);
  const workspace = ids[0] ?? asId('');
  const operator = () => operatorCall(workspace, newDeadline());
  const teamChannel = options.teamChannel === undefined ? channel : options.teamChannel;
  let team = asId('');
  if (workspace !== '') {
    team =
      (
        await core.services.teams.createTeam(operator(), {
          slug: 'platform',
          name: 'Platform',
          slack_channel_id: teamChannel,
        })
      ).id ?? asId('');
  }

  // The bot has joined the channel, as after the setup.
  if (workspace !== '' && teamChannel !== null)
    await core.store.slackChannels.notePublic(workspace, teamChannel, newDeadline());

  const own = createSlackSignatureStore(botCore.store.connection);
  const app = express();
  const services = options.services?.(botCore.services) ?? botCore.services;
  const installations = createTokenInstallation({
    ...services,
    workspace: options.env?.['SLACK_WORKSPACE'],
    botToken,
  });
  const bot: SlackBot = createSlackBot({
    app,
    services,
    installations,
    config: {signingSecret, apiUrl: `${slack.url}/api/`},
    rateLimits: options.rateLimits ?? {all: 0, writes: 0},
    slackAdmins: options.slackAdmins,
    language: options.language,
    log,
    signatures: options.signatures?.(own) ?? own,
    rests: botCore.store.teamRests,
    slackChannels: botCore.store.slackChannels,
    generateReference: () => randomBytes(4).toString('hex'),
    timeouts: options.timeouts ?? patient,
    now: () => botCore.store.clock.now(),
    slackNow: Date.now,
  });
  closings.defer(() => bot.close());
  app.use(express.json());
  app.use((_, response) => void response.status(404).json({code: 'not_found'}));
  const server = await listen(app);
  closings.defer(() => closeServer(server));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const unshown: string[] = [];
  const posts = createSlackPosts(core.store.connection, {dayDelayMs: 50, countsDelayMs: 200});
  const createJobs = (waits: Partial<Waits>) =>
    createSlackJobs({
      ...core.store,
      installations,
      apiUrl: `${slack.url}/api/`,
      publicUrl: 'https://standup.example.com',
      posts,
      rests: core.store.teamRests,
      rateLimits: options.rateLimits ?? {all: 0, writes: 0},
      language: options.language,
      services: core.services,
      wake: () => undefined,
      jobCall: (id) => operatorCall(id, newDeadline()),
      holder: 'test',
      generateToken: randomUUID,
      now: () => core.store.clock.now(),
      slackNow: Date.now,
      meter: {countUnshown: (what) => void unshown.push(what)},
      log,
      waits: {spacingMs: 0, editSpacingMs: 0, ...waits},
      lookSpacingMs: 0,
    });
  const made = new Map<string, SlackJobs>();
  const jobs = (waits: Partial<Waits> = {}): SlackJobs => {
    const key = JSON.stringify(waits);
    const kept = made.get(key) ?? createJobs(waits);
    made.set(key, kept);
    return kept;
  };
  const {signal} = new AbortController();
  const slice = () => ({workspace, until: performance.now() + 10_000, signal});

  const harness: SlackHarness = {
    core,
    workspace,
    team,
    slack,
    posts,
    lines,
    unshown,
    url,
    operator,
    send: (fields, given) => sendSigned(url, fields, given),
    command: (text, given = {}) =>
      sendSigned(
        url,
        {
          command: given.command ?? '/standup',
          text,
          user_id: given.user?.id ?? admin.id,
          user_name: given.user?.name ?? admin.name,
          team_id: given.slackTeam ?? 'T000000001',
          channel_id: given.channel ?? channel,
          trigger_id: given.trigger ?? randomUUID(),
          response_url: `${slack.url}/respond/${given.user?.id ?? admin.id}`,
          api_app_id: 'A1',
        },
        given,
      ),
    submit: (view, given = {}) => {
      const payload = {
        type: 'view_submission',
        team: {id: 'T000000001', domain: 'acme'},
        user: given.user ?? admin,
        // Use a new trigger each time, as Slack does. With the same trigger, the service would take a second
        // submission of this view for a repeated request.
        trigger_id: randomUUID(),
        view,
      };
      return sendSigned(url, {payload: JSON.stringify(payload)}, given);
    },
    action: async (used, more = {}, given = {}) => {
      const payload = {
        type: 'block_actions',
        team: {id: 'T000000001', domain: 'acme'},
        user: {...(given.user ?? admin), username: given.user?.name ?? admin.name},
        api_app_id: 'A1',
        trigger_id: await harness.trigger(),
        channel: {id: given.channel ?? channel, name: 'general'},
        response_url: `${slack.url}/respond/${given.user?.id ?? admin.id}`,
        actions: [{type: 'button', block_id: 'b', action_ts: '1', ...used}],
        ...more,
      };
      return sendSigned(url, {payload: JSON.stringify(payload)}, given);
    },
    shortcut: async (callbackId, more = {}, given = {}) => {
      const payload = {
        type: 'message' in more ? 'message_action' : 'shortcut',
        callback_id: callbackId,
        team: {id: 'T000000001', domain: 'acme'},
        user: {...(given.user ?? admin), username: given.user?.name ?? admin.name},
        action_ts: '1',
        trigger_id: await harness.trigger(),
        ...('message' in more && {
          channel: {id: channel, name: 'general'},
          response_url: `${slack.url}/respond/${given.user?.id ?? admin.id}`,
          message_ts: '1',
        }),
        ...more,
      };
      return sendSigned(url, {payload: JSON.stringify(payload)}, given);
    },
    event: (event, more = {}, given = {}) => {
      const body = {
        type: 'event_callback',
        token: 'x',
        team_id: 'T000000001',
        api_app_id: 'A1',
        event_id: `Ev${randomBytes(5).toString('hex').toUpperCase()}`,
        event_time: Math.floor(Date.now() / 1_000),
        authorizations: [{enterprise_id: null, team_id: 'T000000001', user_id: 'UBOT', is_bot: true}],
        event,
        ...more,
      };
      return sendSigned(url, JSON.stringify(body), {contentType: 'application/json', ...given});
    },
    trigger: async () =>
      String((await harness.api('views.generateTriggerId', {user_id: admin.id}, botToken))['trigger_id']),
    readReplies: (work) => jobs().readReplies({...slice(), work}),
    lookAtStatuses: (run) => jobs().lookAtStatuses({...slice(), work: {kind: 'look-at-statuses', run}}),
    lookAtPeople: () => jobs().lookAtPeople(signal),
    read: ({waits} = {}) => jobs(waits).read({...slice(), work: {kind: 'read-slack'}}),
    postSlice: ({channel: to = channel, waits} = {}) =>
      jobs(waits).post({...slice(), work: {kind: 'post-slack', channel: to}}),
    async work(given = {}) {
      while ((await harness.read(given)).more);
      while ((await harness.postSlice(given)).more);
    },
    async standups() {
      const {rows} = await core.services.standups.listStandups(operator(), {limit: 100});
      return rows.map((row) => JSON.parse(row) as Standup);
    },
    async events() {
      const {rows} = await core.services.events.listEvents(operator(), {limit: 100});
      return rows.map((row) => (JSON.parse(row) as {type: string}).type);
    },
    async parents(of = channel) {
      const found = await harness.api('conversations.history', {channel: of, limit: '200'});
      return (found['messages'] as SlackMessage[]).toReversed();
    },
    async replies(parent, of = channel) {
      const found = await harness.api('conversations.replies', {channel: of, ts: parent});
      return (found['messages'] as SlackMessage[]).filter(({ts}) => ts !== parent);
    },
    api: async (method, body, token = adminToken) => {
      const reply = await request(`${emulator.url}/api/${method}`, {
        method: 'POST',
        headers: {authorization: `Bearer ${token}`, 'content-type': 'application/x-www-form-urlencoded'},
        body: new URLSearchParams(body).toString(),
      });
      return (await reply.body.json()) as Record<string, unknown>;
    },
    close: () => closings.run(),
  };
  return harness;
}

/** Users of the emulated Slack who have done nothing yet. */
const createStrangers = (count: number) => Array.from({length: count}, (_, i) => ({name: `person${i + 1}`}));

/** Starts the third-party emulator of Slack, with a bot token that has the manifest's scopes. */
export async function startEmulator({
  scopes = manifest.oauth_config.scopes.bot,
  strangers = 60,
}: Pick<HarnessOptions, 'scopes' | 'strangers'> = {}): Promise<Emulator> {
  const every = ['channels:history', 'groups:history', 'chat:write', 'users:read', 'channels:manage'];
  return createEmulator({
    service: 'slack',
    port: 0,
    hostname: '127.0.0.1',
    seed: {
      slack: {
        strict_scopes: true,
        users: [{name: 'ada'}, {name: 'grace'}, ...createStrangers(strangers)],
        oauth_apps: [
          {
            app_id: 'A1',
            client_id: 'c1',
            client_secret: 's1',
            name: 'Standup',
            redirect_uris: [],
            bot_id: 'B1',
            bot_user_id: 'UBOT',
            bot_name: 'standup',
          },
        ],
        tokens: [
          {
            token: botToken,
            type: 'bot',
            user_id: 'UBOT',
            bot_id: 'B1',
            app_id: 'A1',
            scopes: [...scopes],
          },
          {
            token: lookingToken,
            type: 'bot',
            user_id: 'UBOT',
            bot_id: 'B1',
            app_id: 'A1',
            scopes: [...manifest.oauth_config.scopes.bot, 'im:write'],
          },
          ...Object.entries(personTokens).map(
            ([user, token]) => ({token, type: 'user', user, scopes: every}) as const,
          ),
        ],
      },
    },
  });
}

/**
 * Signs and sends a form, or an unchanged body, as Slack does:
 * https://docs.slack.dev/authentication/verifying-requests-from-slack
 */
export async function sendSigned(
  url: string,
  fields: Record<string, string> | string,
  options: SendOptions = {},
): Promise<BotReply> {
  const body = typeof fields === 'string' ? fields : new URLSearchParams(fields).toString();
  const timestamp = String(options.timestamp ?? Math.floor(Date.now() / 1_000));
  const signature = options.signature ?? signRequest(timestamp, body);
  const answered = await request(`${url}/slack/events`, {
    method: 'POST',
    headers: {
      'content-type': options.contentType ?? 'application/x-www-form-urlencoded',
      'x-slack-request-timestamp': timestamp,
      'x-slack-signature': signature,
      ...(options.retry !== undefined && {'x-slack-retry-num': String(options.retry)}),
    },
    body,
  });
  const text = await answered.body.text();
  const parsed: unknown = text.startsWith('{') ? JSON.parse(text) : undefined;
  const violations = findLimitViolations(parsed);
  if (violations.length > 0) throw new Error(`the answer breaks limits of Slack: ${violations.join(', ')}`);
  return {status: answered.statusCode, text, body: parsed};
}

export function signRequest(timestamp: string, body: string): string {
  return `v0=${createHmac('sha256', signingSecret).update(`v0:${timestamp}:${body}`).digest('hex')}`;
}

export function createRecordingLog(lines: LogLine[]): Log {
  const at = (level: string) => (fields: object, message: string, cause?: unknown) =>
    void lines.push({level, fields: {...fields}, message, cause});
  return {debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error')};
}

function listen(app: express.Express): Promise<Server> {
  return new Promise((resolve) => {
    const server = app.listen(0, '127.0.0.1', () => resolve(server));
  });
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
