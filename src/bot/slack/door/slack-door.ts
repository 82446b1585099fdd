import {LRUCache} from 'lru-cache';
import type {Log} from '../../../domain/core/log.js';
import type {SlackInstallations} from '../../../service/slack/slack-installations.js';
import type {SlackDoor, SlackLook} from '../../../service/slack/slack-status.js';
import {createSlackClients, errorCodeOf} from './clients.js';
import {botScopes, optionalScopes} from '../blocks/names.js';

/** Slack's answers are kept for so many workspaces, and so long (ms). */
const maxLooks = 500;
const lookMs = 30_000;

/** Slack as services ask it. Slack: https://docs.slack.dev/reference/methods/auth.test */
export function createSlackDoor({
  installations,
  apiUrl,
  log,
}: {
  readonly installations: SlackInstallations;
  readonly apiUrl?: string | undefined;
  readonly log: Log;
}): SlackDoor {
  const onRefused = (botToken: string) => installations.noteRefused(botToken);
  const clients = createSlackClients({apiUrl, log, onRefused});
  /** By token. */
  const looks = new LRUCache<string, Promise<SlackLook>>({max: maxLooks, ttl: lookMs});

  async function ask(botToken: string): Promise<SlackLook> {
    const nothing = {workspace: null, bot: null, missing: [], missingOptional: []};
    try {
      const said = await clients.interactive({botToken}).auth.test();
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

  return {
    async look(workspace, deadline) {
      const botToken = (await installations.findOf(workspace, deadline))?.botToken;
      if (botToken === undefined) return undefined;
      const asked = looks.get(botToken) ?? ask(botToken);
      looks.set(botToken, asked, {noUpdateTTL: true});
      const look = await asked;
      // It may be over when somebody looks again.
      if (look.problem !== null) looks.delete(botToken);
      return look;
    },
    async revoke(botToken) {
      looks.delete(botToken);
      await clients
        .interactive({botToken})
        .auth.revoke()
        .catch((error: unknown) =>
          log.warn({code: errorCodeOf(error)}, 'Slack did not take back a token that is forgotten here'),
        );
      await installations.noteRefused(botToken);
    },
  };
}
