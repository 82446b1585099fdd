// The Slack channel: Bolt's listeners, presenters, and the jobs that show standups in channels. Only this
// folder may use `@slack/*`. It contains no business logic: a listener translates, calls one service
// function, and presents the result.
import {
  type AllMiddlewareArgs,
  type AnyMiddlewareArgs,
  ExpressReceiver,
  type ExpressReceiverOptions,
  type App,
  type RespondArguments,
} from '@slack/bolt';
import {createCalendar} from '../../domain/core/dates.js';
import type {RateLimits} from '../../domain/core/quota.js';
import type {SlackInstallations} from '../../service/slack/slack-installations.js';
import {createClientOptions, createSlackClients, createSlackLogger} from './core/clients.js';
import {listenToAway} from './away/away.js';
import {listenToBlockers} from './blockers/standup-blockers.js';
import {listenToCommands} from './commands/listen.js';
import {listenToDeactivations} from './gone/listen.js';
import {listenToForm} from './form/listen.js';
import {createHomes} from './home/homes.js';
import {listenToHistory} from './history/history.js';
import {listenToHome} from './home/listen.js';
import {mountInstallRoutes, type OauthSetup} from './installation/install-routes.js';
import {listenToInstallation} from './installation/listen.js';
import type {SlackContext} from './core/context.js';
import {findInstallation} from './core/origin.js';
import {createMemberProfileUpdater, createProfileReader, createProfileChecks} from './core/follow-profile.js';
import {listenToMentions} from './mentions/listen.js';
import {listenToMissing} from './missing/show-missing.js';
import {listenToReports} from './report/pass-on-report.js';
import {listenToOwnSettings} from './own-settings/own-settings.js';
import {listenToPosting} from './posting/notice-messages.js';
import {listenToPrompts} from './prompts/prompt-message.js';
import {listenToShown} from './shown/standup-menu.js';
import {postResponse} from './core/responses.js';
import {type Timeouts, standardTimeouts} from './core/timeouts.js';
import {prepareRequestForBolt, hashSignature} from './core/request-guard.js';
import {createNewcomers, createSlackAdmins} from './core/newcomers.js';
import {createSignedInMemberFinder, type FindSignedIn} from './core/sign-in.js';
import {listenToReplies} from './replies/listen.js';
import {listenToSetup} from './setup/open-forms.js';
import {listenToShortcuts} from './shortcuts/shortcuts.js';
import {createSocketReceiver} from './socket/socket-receiver.js';
import {HoldingApp, isMessage, refuseHeld} from './core/held-events.js';
import {listenToTyping} from './typing/listen.js';
import type {Language} from '../texts/translation.js';
import {createSlackIdentities} from './core/slack-identities.js';
import {resolveWithin} from './core/resolve-within.js';
import {listenToLeaving} from './welcome/welcome.js';
import {actions, fieldValue, shortcuts, teamFields, views} from './blocks/names.js';

export interface SlackBotParts
  extends Pick<
    SlackContext,
    'services' | 'rests' | 'slackChannels' | 'log' | 'generateReference' | 'now' | 'slackNow'
  > {
  /** The service's own Express application. Mount the bot before any body parser: Bolt reads the raw body. */
  readonly app: NonNullable<ExpressReceiverOptions['app']>;
  readonly installations: SlackInstallations;
  /** Undefined: the bot serves one workspace, by a token. */
  readonly oauth?: OauthSetup | undefined;
  /** A signing secret: Slack sends signed requests. An app-level token: we open a connection to Slack. */
  readonly config: {readonly apiUrl?: string | undefined} & (
    | {readonly signingSecret: string}
    | {readonly appToken: string}
  );
  /** The quota of each member, shared by Slack and all their tokens. */
  readonly rateLimits: RateLimits;
  /** True if admins and owners of the Slack workspace are admins of the service. Default: false. */
  readonly slackAdmins?: boolean | undefined;
  /** The language of people whose language is unknown, and of pages in a browser. Default: English. */
  readonly language?: Language | undefined;
  /** Remembers signed requests for all processes, so that a repeated request has no effect. */
  readonly signatures: {
    remember: (hash: string, deadline: number) => Promise<boolean>;
    forget: (hash: string, deadline: number) => Promise<void>;
  };
  readonly timeouts?: Timeouts;
}

export interface SlackBot {
  state: () => string;
  readonly findSignedIn: FindSignedIn;
  /** Stops reading from our socket connection to Slack. Over HTTP the server itself stops taking requests. */
  drain: () => void;
  /** Stops the bot: waits a short time for the answers that are in progress. */
  close: () => Promise<void>;
}

const eventsPath = '/slack/events';
const bodyBytes = 512 * 1024;
const closeMs = 3_000;

/** Creates the bot: serves `POST /slack/events`, or opens a connection to Slack. */
export function createSlackBot(parts: SlackBotParts): SlackBot {
  const {app, services, installations, config, log, signatures, generateReference, now, slackNow} = parts;
  const {apiUrl} = config;
  const {oauth, timeouts = standardTimeouts, language = 'en'} = parts;
  const onRefused = (botToken: string) => installations.noteRefused(botToken);
  const clients = createSlackClients({apiUrl, log, onRefused}, timeouts.call);
  const slackAdmins = createSlackAdmins(parts.slackAdmins ?? false);
  const newcomers = createNewcomers({slackAdmins});
  const followProfile = createMemberProfileUpdater({services, newcomers, log});
  const readProfile = createProfileReader({installations, clients, followProfile});
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

  if (oauth !== undefined)
    mountInstallRoutes(app, oauth, {clients, language, apiUrl, log, generateReference});
  const {receiver, socket} =
    'appToken' in config ? receiveBySocket(config.appToken) : receiveByHttp(config.signingSecret);
  const bolt = new HoldingApp({
    receiver,
    // We pass no `token`: Bolt would call auth.test at once and keep trying. `authorize` must not throw, or
    // Bolt would answer with an empty 200 or 401. Listeners look up the token themselves and handle its
    // absence.
    authorize: findInstallation,
    convoStore: false,
    logger: createSlackLogger(log),
    clientOptions: createClientOptions({apiUrl, log}),
  });

  bolt.error(async (error) => {
    log.error({reference: generateReference()}, 'a Slack listener failed', error);
  });
  bolt.use((args) => dropRepeatedRequest(args));

  const base = {
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
    respondTo: (url: string, message: RespondArguments) => postResponse({log, apiUrl}, url, message),
    forget: forgetSignature,
  };
  const homes = createHomes(base, slackAdmins);
  const context: SlackContext = {...base, refreshHome: homes.refresh};
  listenToCommands(context);
  listenToAway(context);
  listenToBlockers(context);
  listenToForm(context);
  listenToSetup(context);
  listenToOwnSettings(context);
  listenToHistory(context);
  listenToHome(context, homes);
  listenToMissing(context);
  listenToReports(context);
  listenToLeaving(context);
  listenToDeactivations(context, followProfile);
  listenToShortcuts(context);
  if (oauth !== undefined) listenToInstallation(context, oauth.installations);

  listenToPosting(context);
  listenToPrompts(context);
  listenToShown(context);
  listenToTyping(context);
  listenToReplies(context);
  listenToMentions(context);
  answerUnhandledRequests(bolt);

  void socket?.start();
  return {
    state: () => socket?.state() ?? 'configured',
    findSignedIn: createSignedInMemberFinder(identities),
    drain: () => void socket?.stop(),
    async close() {
      looks.close();
      await Promise.all([resolveWithin(Promise.allSettled(running), closeMs), socket?.stop()]);
    },
  };

  function receiveBySocket(appToken: string) {
    const socket = createSocketReceiver({
      appToken,
      apiUrl,
      log,
      onUnanswered: forgetSignature,
    });
    return {receiver: socket, socket};
  }

  function receiveByHttp(signingSecret: string) {
    app.post(eventsPath, (request, response, next) => {
      // Bolt stops reading a body that is too large. The rest must be read, or it blocks the next request.
      response.once('finish', () => request.resume());
      if (prepareRequestForBolt(request, slackNow())) return next();
      response.status(401).end();
    });
    const receiver = new ExpressReceiver({
      app,
      signingSecret,
      endpoints: eventsPath,
      bodyLimit: bodyBytes,
      unhandledRequestTimeoutMillis: timeouts.request,
      logger: createSlackLogger(log),
      customPropertiesExtractor: (request) => ({signature: hashSignature(request)}),
      processEventErrorHandler: refuseHeld,
    });
    return {receiver, socket: undefined};
  }

  function track(work: Promise<void>): void {
    running.add(work);
    const done = () => running.delete(work);
    work.then(done, done);
  }

  /** Drops a repeated request. While the store is unavailable, idempotency keys prevent a second effect. */
  async function dropRepeatedRequest(args: AllMiddlewareArgs & AnyMiddlewareArgs): Promise<void> {
    // A search changes nothing and must be fast, so the store is not asked whether the request is repeated.
    if (args.body.type === 'block_suggestion') return args.next();
    // A message is stored once by its own time. If a process dies with one, Slack may send it again within the
    // same second, and so with the same signature.
    if (isMessage(args.body)) return args.next();
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

/** Answers all requests that nothing else handles. Slack shows an error after 3 s without an answer. */
function answerUnhandledRequests(bolt: App): void {
  const unknownActions = new RegExp(`^(?!(?:${Object.values(actions).join('|')})(?::|$))`);
  bolt.action(unknownActions, async ({ack}) => ack());
  const unknownViews = new RegExp(`^(?!(?:${Object.values(views).join('|')})$)`);
  bolt.view({callback_id: unknownViews, type: 'view_submission'}, async ({ack}) => ack());
  bolt.view({callback_id: /^/, type: 'view_closed'}, async ({ack}) => ack());
  bolt.options<'block_suggestion'>({action_id: /^/}, async ({options, ack}) => {
    const isZone = options.block_id === teamFields.zone && options.action_id === fieldValue;
    if (!isZone) await ack({options: []});
  });
  const unknownShortcuts = new RegExp(`^(?!(?:${Object.values(shortcuts).join('|')})$)`);
  bolt.shortcut(unknownShortcuts, async ({ack}) => ack());
}
