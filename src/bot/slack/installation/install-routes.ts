// Installation of the bot in a Slack workspace by OAuth. The service layer decides what to store.
import {createHash, randomBytes} from 'node:crypto';
import type {IncomingMessage, ServerResponse} from 'node:http';
import type {ExpressReceiverOptions} from '@slack/bolt';
import {InstallProvider, InvalidStateError} from '@slack/oauth';
import {WebAPIPlatformError} from '@slack/web-api';
import {AppError} from '../../../domain/core/errors.js';
import {deadlines} from '../../../domain/core/limits.js';
import {installPath} from '../../../domain/slack/slack-installation.js';
import type {OauthInstallations} from '../../../service/slack/oauth-installations.js';
import {createClientOptions, createSlackLogger, type SlackClients} from '../core/clients.js';
import {botScopes} from '../blocks/names.js';
import {findProfile, readProfile, SlackAway} from '../core/profiles.js';
import {resolveWithin} from '../core/resolve-within.js';
import type {Texts, Language} from '../../texts/translation.js';
import {translationFor} from '../blocks/slack-translation.js';
import {type PageText, presentPage} from './install-page.js';
import type {SlackContext} from '../core/context.js';

/** The OAuth configuration, with which any number of Slack workspaces can install the bot. */
export interface OauthSetup {
  readonly installations: OauthInstallations;
  /** The OAuth states of installations that people have started. Each state is accepted only once. */
  readonly states: {
    keep: (hash: string, deadline: number) => Promise<void>;
    take: (hash: string, deadline: number) => Promise<boolean>;
  };
  /** Counts a request to start an installation. Returns the seconds to wait after too many. */
  readonly countInstallRequest: (
    address: string | undefined,
    deadline: number,
  ) => Promise<number | undefined>;
  /** `publicUrl`: the public address of the service. */
  readonly config: {readonly clientId: string; readonly clientSecret: string; readonly publicUrl: string};
}

const redirectPath = '/slack/oauth_redirect';
/** The time limit for Slack's answer, for which a browser waits. No trigger expires, so it is longer. */
const oauthMs = 5_000;
const profileMs = 2_000;

/** Serves the installation: https://docs.slack.dev/authentication/installing-with-oauth */
export function mountInstallRoutes(
  app: NonNullable<ExpressReceiverOptions['app']>,
  {installations, states, countInstallRequest, config}: OauthSetup,
  {
    clients,
    language,
    apiUrl,
    log,
    generateReference,
  }: Pick<SlackContext, 'log' | 'generateReference'> & {
    readonly clients: SlackClients;
    readonly language: Language;
    readonly apiUrl: string | undefined;
  },
): void {
  const {texts} = translationFor(language);
  const options = {scopes: [...botScopes], redirectUri: `${config.publicUrl}${redirectPath}`};
  const authorizationUrl = new URL('/oauth/v2/authorize', apiUrl ?? 'https://slack.com').href;
  const provider = new InstallProvider({
    clientId: config.clientId,
    clientSecret: config.clientSecret,
    directInstall: true,
    installUrlOptions: options,
    stateCookieName: '__Host-standup-oauth-state',
    // Our own state store: a state of the library's store would be accepted again for 10 minutes.
    stateStore: {
      async generateStateParam() {
        const state = randomBytes(24).toString('base64url');
        await states.keep(hashState(state), performance.now() + deadlines.request);
        return state;
      },
      async verifyStateParam(_, state) {
        if (!(await states.take(hashState(state), performance.now() + deadlines.request)))
          throw new InvalidStateError('this state is not known, or has been used');
        return options;
      },
    },
    installationStore: {
      storeInstallation: async ({team, enterprise, bot, user, isEnterpriseInstall}) => {
        const home = isEnterpriseInstall ? enterprise : team;
        if (home === undefined || bot === undefined) throw new Error('Slack has given no bot token');
        const client = clients.interactive({botToken: bot.token});
        const asked = findProfile(client, user.id);
        const person = await resolveWithin(asked, profileMs);
        // The installer becomes the permanent owner, so their name and e-mail address must be known.
        if (person === undefined) throw new SlackAway();
        const installer = {slackUser: user.id, ...readProfile(person, {id: user.id, name: ''})};
        await installations.install(
          {slackId: home.id, name: home.name ?? home.id, botToken: bot.token, installer},
          performance.now() + deadlines.job,
        );
        log.info({slack: home.id}, 'the bot was installed in Slack');
      },
      fetchInstallation: async () => {
        throw new Error('installations are looked up by the service');
      },
    },
    authorizationUrl,
    logger: createSlackLogger(log),
    clientOptions: createClientOptions({apiUrl, log}, oauthMs),
  });

  // Without this route, Express would answer HEAD with the handler of GET, which counts an installation.
  app.head(installPath, (_, response) => {
    response.redirect(authorizationUrl);
  });
  app.get(installPath, (request, response) => {
    redirectToSlack(request, response).catch((error: unknown) =>
      sendPage(response, explainFailure(error, 'service_unavailable')),
    );
  });
  app.get(redirectPath, (request, response) => {
    restrictCookies(response);
    void provider.handleCallback(request, response, {
      success: ({team, enterprise, isEnterpriseInstall, appId}, _options, _request, answer) => {
        const home = isEnterpriseInstall ? enterprise : team;
        const {doneTitle, done} = texts.install;
        const text = {title: doneTitle, text: done({workspace: home?.name ?? home?.id ?? 'Slack'})};
        const dashboard = {href: `${config.publicUrl}/app`, label: texts.web.open};
        const links = [...buildSlackAppLinks(texts, appId, team?.id), dashboard];
        sendPage(answer, {status: 200, text, links});
      },
      failure: (error, _options, _request, answer) => sendPage(answer, explainFailure(error)),
    });
  });

  async function redirectToSlack(
    request: IncomingMessage & {readonly ip?: string | undefined},
    response: ServerResponse,
  ): Promise<void> {
    const seconds = await countInstallRequest(request.ip, performance.now() + deadlines.request);
    restrictCookies(response);
    if (seconds === undefined) return provider.handleInstallPath(request, response);
    const {install} = texts;
    response.setHeader('Retry-After', seconds);
    sendPage(response, {
      status: 429,
      text: {title: install.notDone, text: install.tooMany({seconds: `${seconds}`})},
      links: [{href: installPath, label: install.again}],
    });
  }

  interface InstallPage {
    readonly status: number;
    readonly text: PageText;
    readonly links: Parameters<typeof presentPage>[1];
  }

  /** Explains a failure without any text of the error: a reference leads to the error in the log. */
  function explainFailure(error: unknown, assumed?: 'service_unavailable'): InstallPage {
    const {install} = texts;
    const links = [{href: installPath, label: install.again}];
    const page = (status: number, text: string): InstallPage => ({
      status,
      text: {title: install.notDone, text},
      links,
    });
    const code = assumed ?? (error as {code?: unknown} | undefined)?.code;
    if (code === 'slack_oauth_installer_authorization_error') return page(403, install.cancelled);
    if (typeof code === 'string' && beginsAgain.has(code)) return page(400, install.stale);
    const reference = generateReference();
    if (error instanceof WebAPIPlatformError) {
      log.warn({reference, code: error.data.error}, 'Slack refused an installation');
      return page(502, install.refused({reference}));
    }
    if (error instanceof SlackAway) {
      log.warn({reference}, 'could not create an installation: Slack does not say who it is by');
      return page(503, install.slackAway({reference}));
    }
    if (code === 'service_unavailable' || (error instanceof AppError && error.code === 'store_lost')) {
      log.warn({reference, reason: readErrorMessage(error)}, 'could not create an installation');
      return page(503, install.unavailable({reference}));
    }
    log.error({reference}, 'an installation failed', error);
    return page(500, install.failed({reference}));
  }

  function sendPage(response: ServerResponse, {status, text, links}: InstallPage): void {
    if (response.headersSent) return void response.end();
    response
      .writeHead(status, {'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store'})
      .end(presentPage(text, links, language));
  }
}

/** The library's error codes for a redirect from Slack that belongs to no installation started here. */
const beginsAgain: ReadonlySet<string> = new Set([
  'slack_oauth_invalid_state',
  'slack_oauth_missing_state',
  'slack_oauth_missing_code',
]);

/** Sets `SameSite=Lax` on the library's cookies: only the redirect from Slack brings them. */
function restrictCookies(response: ServerResponse): void {
  const setHeader = response.setHeader.bind(response);
  response.setHeader = (name, value) => {
    const isCookie = name.toLowerCase() === 'set-cookie';
    return setHeader(name, isCookie ? [value].flat().map((cookie) => `${cookie}; SameSite=Lax`) : value);
  };
}

/** Returns the hash of an OAuth state. Who reads the store cannot use the hash. */
function hashState(state: string): string {
  return createHash('sha256').update(state).digest('base64url');
}

/** Returns links to the bot's messages. Slack: https://docs.slack.dev/interactivity/deep-linking */
function buildSlackAppLinks(
  {install}: Texts,
  app: string | undefined,
  team: string | undefined,
): {href: string; label: string}[] {
  if (app === undefined) return [{href: 'https://slack.com', label: install.open}];
  const web = `https://slack.com/app_redirect?${new URLSearchParams({app, ...(team !== undefined && {team})})}`;
  // The installation of an organisation names no workspace to open.
  if (team === undefined) return [{href: web, label: install.open}];
  const messages = `slack://app?${new URLSearchParams({team, id: app, tab: 'messages'})}`;
  return [
    {href: messages, label: install.open},
    {href: web, label: install.openInBrowser},
  ];
}

function readErrorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
