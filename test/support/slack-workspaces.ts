import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import {createEmulator, type Emulator} from 'emulate';

/** Id of the only workspace of an emulated Slack. */
const emulatedTeam = 'T000000001';

export interface SlackWorkspaces {
  readonly url: string;
  /**
   * Lets a person allow the app in a workspace. `authorize`: the address to which the service has redirected
   * the person. Returns the address to which Slack redirects back.
   */
  allow(team: string, authorize: string, options?: {user?: string; organisation?: string}): Promise<string>;
  /** Returns the bot's latest token in a workspace. */
  tokenOf(team: string): string;
  /** From now on refuses every call with the bot's tokens in a workspace. */
  revoke(team: string): void;
  /** Sets Slack's data of a person in a workspace, who may be unknown to the emulator. */
  describe(team: string, user: string, more: Record<string, unknown>): void;
  /** Returns the messages of a channel, newest first. */
  messages(team: string, channel: string): Promise<{ts: string; text: string}[]>;
  replies(team: string, channel: string, ts: string): Promise<string[]>;
  trigger(team: string, user: string): Promise<string>;
  close(): Promise<void>;
}

/**
 * Starts several Slack workspaces under one address, like Slack's own Web API: one emulated Slack per
 * workspace. The token or code of a call tells for which workspace the call is.
 */
export async function startSlackWorkspaces(teams: readonly string[], app: object): Promise<SlackWorkspaces> {
  const emulators = new Map<string, Emulator>();
  const workspaceOfCode = new Map<string, {team: string; organisation: string | undefined}>();
  const teamOfToken = new Map<string, string>();
  const organisationOfToken = new Map<string, string>();
  const revoked = new Set<string>();
  const people = new Map<string, Record<string, unknown>>();
  const adminOf = (team: string) => `xoxp-admin-of-${team}`;
  for (const team of teams) {
    const scopes = ['channels:history', 'groups:history', 'chat:write', 'users:read', 'channels:manage'];
    const tokens = [{token: adminOf(team), type: 'user' as const, user_id: 'U000000001', scopes}];
    const slack = {
      strict_scopes: true,
      team: {name: `Team ${team}`, domain: team.toLowerCase()},
      users: [],
      oauth_apps: [app],
      tokens,
    };
    emulators.set(
      team,
      await createEmulator({service: 'slack', port: 0, hostname: '127.0.0.1', seed: {slack}}),
    );
  }

  function urlOf(team: string): string {
    const emulator = emulators.get(team);
    if (emulator === undefined) throw new Error(`there is no Slack workspace ${team}`);
    return emulator.url;
  }

  async function forward(team: string, request: IncomingMessage, body: string) {
    const reply = await fetch(`${urlOf(team)}${request.url}`, {
      method: 'POST',
      headers: {
        authorization: request.headers.authorization ?? '',
        'content-type': request.headers['content-type'] ?? 'application/x-www-form-urlencoded',
      },
      body,
    });
    return JSON.parse((await reply.text()).replaceAll(emulatedTeam, team)) as Record<string, unknown>;
  }

  async function answer(request: IncomingMessage, body: string): Promise<Record<string, unknown>> {
    if (request.url === '/api/oauth.v2.access') {
      const workspace = workspaceOfCode.get(new URLSearchParams(body).get('code') ?? '');
      if (workspace === undefined) return {ok: false, error: 'invalid_code'};
      const reply = await forward(workspace.team, request, body);
      if (typeof reply['access_token'] === 'string') teamOfToken.set(reply['access_token'], workspace.team);
      const {organisation} = workspace;
      if (organisation !== undefined) organisationOfToken.set(String(reply['access_token']), organisation);
      return organisation === undefined
        ? reply
        : {
            ...reply,
            team: null,
            enterprise: {id: organisation, name: 'Big Org'},
            is_enterprise_install: true,
          };
    }
    const token = request.headers.authorization?.replace(/^Bearer /, '') ?? '';
    const team = teamOfToken.get(token);
    if (team === undefined) return {ok: false, error: 'invalid_auth'};
    if (revoked.has(token)) return {ok: false, error: 'token_revoked'};
    const reply = await forward(team, request, body);
    const user = new URLSearchParams(body).get('user') ?? '';
    const more = people.get(`${team}/${user}`);
    if (request.url !== '/api/users.info') return reply;
    const organisation = organisationOfToken.get(token);
    const profile = {team_id: team, ...(organisation && {enterprise_user: {enterprise_id: organisation}})};
    return {ok: true, user: {id: user, ...profile, ...(reply['user'] as object | undefined), ...more}};
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const reply = await answer(request, Buffer.concat(chunks).toString('utf8'));
    response.writeHead(200, {'content-type': 'application/json'}).end(JSON.stringify(reply));
  }

  async function api(team: string, token: string, method: string, fields: Record<string, string>) {
    const headers = {authorization: `Bearer ${token}`};
    const body = new URLSearchParams(fields);
    const reply = await fetch(`${urlOf(team)}/api/${method}`, {method: 'POST', headers, body});
    return (await reply.json()) as {messages: {ts: string; text: string}[]; trigger_id: string};
  }

  const server = createServer((request, response) => {
    handle(request, response).catch(() => request.socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  const workspaces: SlackWorkspaces = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async allow(team, authorize, {user = 'U000000001', organisation} = {}) {
      const {pathname, search, searchParams} = new URL(authorize);
      const page = await fetch(`${urlOf(team)}${pathname}${search}`);
      if (page.status !== 200) throw new Error(`Slack shows ${page.status}: ${await page.text()}`);
      const body = new URLSearchParams({...Object.fromEntries(searchParams), user_id: user});
      const reply = await fetch(`${urlOf(team)}/oauth/v2/authorize/callback`, {
        method: 'POST',
        body,
        redirect: 'manual',
      });
      const back = reply.headers.get('location') ?? '';
      workspaceOfCode.set(new URL(back).searchParams.get('code') ?? '', {team, organisation});
      return back;
    },
    tokenOf: (team) => [...teamOfToken].findLast(([, of]) => of === team)?.[0] ?? '',
    revoke(team) {
      for (const [token, of] of teamOfToken) if (of === team) revoked.add(token);
    },
    describe: (team, user, more) => void people.set(`${team}/${user}`, more),
    messages: async (team, channel) =>
      (await api(team, adminOf(team), 'conversations.history', {channel})).messages,
    async replies(team, channel, ts) {
      const {messages} = await api(team, adminOf(team), 'conversations.replies', {channel, ts});
      return messages.filter((message) => message.ts !== ts).map(({text}) => text);
    },
    trigger: async (team, user) =>
      (await api(team, workspaces.tokenOf(team), 'views.generateTriggerId', {user_id: user})).trigger_id,
    async close() {
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
      for (const emulator of emulators.values()) await emulator.close();
    },
  };
  return workspaces;
}
