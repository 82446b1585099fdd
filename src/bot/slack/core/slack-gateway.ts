import type {WebClient} from '@slack/web-api';
import {createCache} from '../../../domain/core/cache.js';
import type {Log} from '../../../domain/core/log.js';
import type {SlackInstallations} from '../../../service/slack/slack-installations.js';
import type {SlackGateway, SlackLook} from '../../../service/core/environment.js';
import {createSlackClients, errorCodeOf} from './clients.js';
import {botScopes, optionalScopes} from '../blocks/names.js';
import {createRefusedTokenMessage} from '../../../domain/slack/slack-installation.js';
import {isTokenRefused} from './slack-errors.js';

/** The maximum number of workspaces with a cached answer of Slack, and the time (ms) of the cache. */
const maxLooks = 500;
const lookMs = 30_000;
/** The time (ms) for which the token in the environment is assumed valid after a check. */
const checkMs = 10 * 60_000;

/** The gateway by which services learn about Slack: https://docs.slack.dev/reference/methods/auth.test */
export function createSlackGateway({
  installations,
  botToken: own,
  apiUrl,
  log,
}: {
  readonly installations: SlackInstallations;
  /** The token in the environment, for a single Slack workspace; undefined if many install the bot. */
  readonly botToken?: string | undefined;
  readonly apiUrl?: string | undefined;
  readonly log: Log;
}): SlackGateway {
  const onRefused = (botToken: string) => installations.noteRefused(botToken);
  // The token in the environment is checked here: a report of its refusal would only cause another check.
  const clients = createSlackClients({apiUrl, log, ...(own === undefined && {onRefused})});
  const looks = createCache<Promise<SlackLook>>(maxLooks, lookMs);
  const kinds = createCache<Promise<'public' | 'private' | 'unknown'>>(maxLooks, lookMs);

  let refused: string | undefined;
  let askAt = 0;
  let checking: Promise<void> | undefined;

  /** Records whether Slack accepts the token in the environment. No answer changes nothing. */
  function noteTokenProblem(botToken: string, problem: string | null): void {
    if (botToken !== own || problem === 'no_answer') return;
    const now = problem !== null && isTokenRefused(problem) ? problem : undefined;
    if (now !== undefined && now !== refused) log.warn({code: now}, createRefusedTokenMessage(now));
    refused = now;
  }

  async function checkToken(botToken: string): Promise<void> {
    noteTokenProblem(botToken, (await askSlackAboutToken(botToken)).problem);
    askAt = performance.now() + (refused === undefined ? checkMs : lookMs);
  }

  function askSlackAboutToken(botToken: string): Promise<SlackLook> {
    return testToken(clients.interactive({botToken}));
  }

  return {
    async look(workspace, deadline) {
      const botToken = (await installations.findOf(workspace, deadline))?.botToken;
      if (botToken === undefined) return undefined;
      const asked = looks.get(botToken) ?? askSlackAboutToken(botToken);
      looks.set(botToken, asked, {noUpdateTTL: true});
      const look = await asked;
      noteTokenProblem(botToken, look.problem);
      // A problem is not cached: it may be over by the next call.
      if (look.problem !== null) looks.delete(botToken);
      return look;
    },
    async check() {
      if (own === undefined || (performance.now() < askAt && checking === undefined)) return;
      checking ??= checkToken(own).finally(() => (checking = undefined));
      await checking;
    },
    refusal: () => refused,
    async findChannelKind(workspace, channel, deadline) {
      const botToken = (await installations.findOf(workspace, deadline))?.botToken;
      if (botToken === undefined) return undefined;
      const key = `${botToken} ${channel}`;
      const asked = kinds.get(key) ?? askForChannelKind(clients.interactive({botToken}), channel);
      kinds.set(key, asked, {noUpdateTTL: true});
      const kind = await asked;
      if (kind === 'unknown') kinds.delete(key);
      return kind;
    },
    async revoke(botToken) {
      looks.delete(botToken);
      await clients
        .interactive({botToken})
        .auth.revoke()
        .catch((error: unknown) =>
          log.warn({code: errorCodeOf(error)}, 'could not revoke a Slack token that was deleted here'),
        );
      await installations.noteRefused(botToken);
    },
  };
}

/**
 * Finds out whether a channel is public: only such a channel can be joined without an invitation. The bot has no
 * permission to ask for it: https://docs.slack.dev/reference/methods/conversations.join. Never throws.
 */
async function askForChannelKind(
  client: WebClient,
  channel: string,
): Promise<'public' | 'private' | 'unknown'> {
  try {
    await client.conversations.join({channel});
    return 'public';
  } catch (error) {
    return notJoinable.has(errorCodeOf(error)) ? 'private' : 'unknown';
  }
}

/** Slack's errors for a channel that is not public, or that the bot does not even see. */
const notJoinable: ReadonlySet<string> = new Set([
  'channel_not_found',
  'method_not_supported_for_channel_type',
]);

/** Returns Slack's answer about the token of a client. Never throws. */
export async function testToken(client: WebClient): Promise<SlackLook> {
  const nothing = {workspace: null, bot: null, missing: [], missingOptional: []};
  try {
    const said = await client.auth.test();
    const granted = said.response_metadata?.scopes;
    const lacking = granted === undefined ? [] : botScopes.filter((scope) => !granted.includes(scope));
    const isOptional = (scope: string) => (optionalScopes as readonly string[]).includes(scope);
    const {team_id: team, enterprise_id: enterprise, is_enterprise_install: isWhole, url = null} = said;
    const id = (isWhole === true ? enterprise : team) ?? team;
    return {
      workspace: id === undefined ? null : {id, name: said.team ?? id, url},
      bot: said.user ?? null,
      missing: lacking.filter((scope) => !isOptional(scope)),
      missingOptional: lacking.filter(isOptional),
      problem: null,
    };
  } catch (error) {
    return {...nothing, problem: errorCodeOf(error)};
  }
}
