// The Slack channel: Bolt's listeners, their presenters, and the jobs that show standups in channels. No
// other folder may use `@slack/*`. Nothing here decides: listeners translate, call one service function, and
// present.
import {deadlines} from '../../../domain/core/limits.js';
import {
  type AllMiddlewareArgs,
  type AnyMiddlewareArgs,
  ExpressReceiver,
  type ExpressReceiverOptions,
} from '@slack/bolt';
import {createCalendar} from '../../../domain/core/dates.js';
import type {Log} from '../../../domain/core/log.js';
import type {RateLimits} from '../../../domain/core/quota.js';
import type {OauthInstallations} from '../../../service/slack/oauth-installations.js';
import type {SlackInstallations} from '../../../service/slack/slack-installations.js';
import {answerUnhandledRequests} from './answer-the-rest.js';
import {clientOptions, createSlackClients, createSlackLogger} from './clients.js';
import {listenToAway} from '../away/listen.js';
import {listenToBlockers} from '../blockers/listen.js';
import {listenToCommands} from '../commands/listen.js';
import {listenToDeactivations} from '../gone/listen.js';
import {listenToForm} from '../form/listen.js';
import {createHomes} from '../home/homes.js';
import {listenToHistory} from '../history/listen.js';
import {listenToHome} from '../home/listen.js';
import {type InstallRouteParts, mountInstallRoutes} from '../installation/install-routes.js';
import {listenToInstallation} from '../installation/listen.js';
import type {BotDeps} from './deps.js';
import {findInstallation} from './origin.js';
import {createFollowProfile} from './follow-profile.js';
import {createReadProfile} from './read-profile.js';
import {listenToMentions} from '../mentions/listen.js';
import {listenToMissing} from '../missing/listen.js';
import {listenToOwnSettings} from '../own-settings/listen.js';
import {listenToPosting} from '../posting/listen.js';
import {listenToPrompts} from '../prompts/listen.js';
import {listenToShown} from '../shown/listen.js';
import {respondTo} from './responses.js';
import {type Timeouts, standardTimeouts} from './timeouts.js';
import {passRequest, signatureHash} from './request-guard.js';
import {createProfileChecks} from './looks.js';
import {createNewcomers} from './newcomers.js';
import {createFindSignedIn, type FindSignedIn} from './sign-in.js';
import {createSlackAdmins} from './slack-admins.js';
import {listenToSetup} from '../setup/listen.js';
import {listenToShortcuts} from '../shortcuts/listen.js';
import {createSocketReceiver} from '../socket/socket-receiver.js';
import {HoldingApp, refuseHeld} from '../typing/held-events.js';
import {listenToTyping} from '../typing/listen.js';
import type {Language} from '../../texts/translation.js';
import {createSlackIdentities, resolveWithin} from './slack-identities.js';
import {listenToWelcomes} from '../welcome/listen.js';

export interface SlackBotParts {
  /**
   * The service's own Express application; the bot must be mounted before any body parser, since Bolt reads
   * the raw body.
   */
  readonly app: NonNullable<ExpressReceiverOptions['app']>;
  readonly services: BotDeps['services'];
  readonly installations: SlackInstallations;
  /**
   * The OAuth configuration, with which any number of Slack workspaces install the bot; undefined for one
   * installed by its token.
   */
  readonly oauth?:
    | (Pick<InstallRouteParts, 'states' | 'countInstallRequest'> & {
        readonly installations: OauthInstallations;
        readonly config: Omit<InstallRouteParts['config'], 'apiUrl' | 'language'>;
      })
    | undefined;
  /**
   * With the secret, requests come to us signed; with the app-level token, over a connection that we open.
   */
  readonly config: {readonly apiUrl?: string | undefined} & (
    | {readonly signingSecret: string}
    | {readonly appToken: string}
  );
  /** The quota of each member, over Slack and all their tokens. */
  readonly rateLimits: RateLimits;
  /** True when admins and owners of the Slack workspace are admins here. Default: no. */
  readonly slackAdmins?: boolean | undefined;
  /** The language of people whose own is unknown, and of the pages in a browser. Default: English. */
  readonly language?: Language | undefined;
  readonly log: Log;
  /** Remembers signed requests, across processes. */
  readonly signatures: {
    remember: (hash: string, deadline: number) => Promise<boolean>;
    forget: (hash: string, deadline: number) => Promise<void>;
  };
  /** The pending work of setups in Slack. */
  readonly rests: BotDeps['rests'];
  readonly slackChannels: BotDeps['slackChannels'];
  /** Generates a short text that identifies a failure for a person and in the log. */
  readonly generateReference: () => string;
  /** Default: the standard timeouts. */
  readonly timeouts?: Timeouts;
  /** The store's clock (ms), which determines the day. */
  readonly now: () => number;
  /** Wall time (ms), compared with times from Slack's clock. */
  readonly slackNow: () => number;
}

export interface SlackBot {
  /** Whether Slack can reach us, as `/readyz` reports it. */
  state: () => string;
  readonly findSignedIn: FindSignedIn;
  /** Takes nothing more from a socket connection of ours; over HTTP the server does that. */
  drain: () => void;
  /** Waits, for a short time, for answers in progress. */
  close: () => Promise<void>;
}

const eventsPath = '/slack/events';
const bodyBytes = 512 * 1024;
const closeMs = 3_000;

/** Mounts the Slack channel at `POST /slack/events`, or begins to connect to Slack. */
export function createSlackBot(parts: SlackBotParts): SlackBot {
  const {app, services, installations, config, log, signatures, generateReference, now, slackNow} = parts;
  const {oauth, timeouts = standardTimeouts, language = 'en'} = parts;
  const onRefused = (botToken: string) => installations.noteRefused(botToken);
  const clients = createSlackClients({apiUrl: config.apiUrl, log, onRefused}, timeouts.call);
  const slackAdmins = createSlackAdmins(parts.slackAdmins ?? false);
  const newcomers = createNewcomers({slackAdmins});
  const followProfile = createFollowProfile({services, newcomers, log});
  const readProfile = createReadProfile({installations, clients, followProfile});
  const looks = createProfileChecks(readProfile);
  const limits = parts.rateLimits;
  const identities = createSlackIdentities({
    services,
    installations,
    clients,
    looks,
    newcomers,
    limits,
    timeouts,
    language,
  });
  const running = new Set<Promise<unknown>>();

  if (oauth !== undefined) {
    const {states, countInstallRequest} = oauth;
    mountInstallRoutes({
      app,
      states,
      countInstallRequest,
      installations: oauth.installations,
      config: {...oauth.config, language, apiUrl: config.apiUrl},
      clientOf: clients.interactive,
      isOwnerOf: async ({id}, slackUser) => {
        const call = {workspace: id, deadline: performance.now() + deadlines.request};
        return (await services.people.findSlackMember(call, slackUser))?.role === 'owner';
      },
      log,
      generateReference,
    });
  }
  const {receiver, socket} =
    'appToken' in config ? receiveBySocket(config.appToken) : receiveByHttp(config.signingSecret);
  const bolt = new HoldingApp({
    receiver,
    // `token` would call auth.test at once and keep trying. This must not throw: Bolt would then answer an
    // empty 200 or 401. Listeners look up the token, and have an answer for when there is none.
    authorize: findInstallation,
    convoStore: false,
    logger: createSlackLogger(log),
    clientOptions: clientOptions({apiUrl: config.apiUrl, log}),
  });

  bolt.error(async (error) => {
    log.error({reference: generateReference()}, 'a Slack listener failed', error);
  });
  bolt.use((args) => dropReplay(args));

  const homes = createHomes({identities, slackAdmins, services, timeouts, log, generateReference, track});
  const deps: BotDeps = {
    bolt,
    identities,
    services,
    rests: parts.rests,
    slackChannels: parts.slackChannels,
    calendar: createCalendar(),
    now,
    slackNow,
    timeouts,
    log,
    generateReference,
    track,
    respondTo: (url, message) => respondTo({log, apiUrl: config.apiUrl}, url, message),
    refreshHome: homes.refresh,
    forget: forgetSignature,
  };
  listenToCommands(deps);
  listenToAway(deps);
  listenToBlockers(deps);
  listenToForm(deps);
  listenToSetup(deps);
  listenToOwnSettings(deps);
  listenToHistory(deps);
  listenToHome(deps, homes);
  listenToMissing(deps);
  listenToWelcomes(deps);
  listenToDeactivations(deps, followProfile);
  listenToShortcuts(deps);
  if (oauth !== undefined) listenToInstallation(deps, oauth.installations);

  listenToPosting(deps);
  listenToPrompts(deps);
  listenToShown(deps);
  listenToTyping(deps);
  listenToMentions(deps);
  answerUnhandledRequests(bolt);

  void socket?.start();
  return {
    state: () => socket?.state() ?? 'configured',
    findSignedIn: createFindSignedIn(identities),
    drain: () => void socket?.stop(),
    async close() {
      looks.close();
      await Promise.all([resolveWithin(Promise.allSettled(running), closeMs), socket?.stop()]);
    },
  };

  function receiveBySocket(appToken: string) {
    const socket = createSocketReceiver({
      appToken,
      apiUrl: config.apiUrl,
      log,
      onUnanswered: forgetSignature,
    });
    return {receiver: socket, socket};
  }

  function receiveByHttp(signingSecret: string) {
    app.post(eventsPath, (request, response, next) => {
      // Bolt stops in the middle of a body that is too large, and the rest of it would hold up the next
      // request.
      response.once('finish', () => request.resume());
      if (passRequest(request, slackNow())) return next();
      response.status(401).end();
    });
    const receiver = new ExpressReceiver({
      app,
      signingSecret,
      endpoints: eventsPath,
      bodyLimit: bodyBytes,
      unhandledRequestTimeoutMillis: timeouts.request,
      logger: createSlackLogger(log),
      customPropertiesExtractor: (request) => ({signature: signatureHash(request)}),
      processEventErrorHandler: refuseHeld,
    });
    return {receiver, socket: undefined};
  }

  function track(work: Promise<void>): void {
    running.add(work);
    const done = () => running.delete(work);
    work.then(done, done);
  }

  /**
   * A repeated request gets its 200 and has no effect. It passes while the store is unavailable: idempotency
   * keys then prevent a second effect.
   */
  async function dropReplay(args: AllMiddlewareArgs & AnyMiddlewareArgs): Promise<void> {
    // A search changes nothing, and must be answered as the person types: the store is not asked.
    if (args.body.type === 'block_suggestion') return args.next();
    const fresh = await signatures
      .remember(String(args.context['signature']), performance.now() + timeouts.signature)
      .catch(() => true);
    if (fresh) return args.next();
    log.info({}, 'ignored a repeated Slack request');
    if ('ack' in args && typeof args.ack === 'function') await args.ack();
  }

  function forgetSignature(context: Readonly<Record<string, unknown>>): void {
    signatures.forget(String(context['signature']), performance.now() + timeouts.signature).catch(() => {});
  }
}
