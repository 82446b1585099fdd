import {createHmac, randomUUID} from 'node:crypto';
import {update} from '../posts.js';
import type {Client} from './client.js';
import {type MinuteTeam, openMinutes, slackChannel, type Tenant} from './tenants.js';

export const signingSecret = 'a-signing-secret-for-the-benchmark-alone';

/** Does one of the acts, chosen at random. `due` is the time at which its first request is due. */
export type Act = (due?: number) => Promise<unknown>;

interface Post {
  readonly tenant: Tenant;
  readonly id: string;
}

/** The number of posts that edits, reads and deletions choose from. */
const recentCount = 500;

/** Creates the mixed load: who does what, and how often. Each weight counts out of some hundred acts. */
export function createActs(
  {send}: Client,
  {
    tenants,
    minuteTeams,
    firstMinute,
    publicUrl,
    responseUrl,
  }: {
    readonly tenants: readonly Tenant[];
    readonly minuteTeams: readonly MinuteTeam[];
    readonly firstMinute: number;
    readonly publicUrl: string;
    /** The address at which the bot answers commands late. */
    readonly responseUrl: string;
  },
): Act {
  const recent: Post[] = [];
  let posts = 0;

  async function post(tenant: Tenant, token: string, team: string, due?: number): Promise<void> {
    posts += 1;
    const {status, body} = await send({
      method: 'POST',
      path: '/v1/standups',
      token,
      body: {team, update: `${posts % 10} ${update}`},
      headers: {'Idempotency-Key': randomUUID()},
      due,
    });
    if (status !== 201) return;
    recent.push({tenant, id: readId(body)});
    if (recent.length > recentCount) recent.shift();
  }

  const read = (path: string) => (tenant: Tenant, due?: number) =>
    send({method: 'GET', path, token: tenant.token, due});

  const onPost = (method: string, one: Post | undefined, due?: number, body?: object) =>
    one && send({method, path: `/v1/standups/${one.id}`, token: one.tenant.token, due, ...(body && {body})});

  /** Reads a newer post, or changes it, if there is one already. The older ones may be deleted meanwhile. */
  const onNewer = (method: string, body?: object) => (_: Tenant, due?: number) =>
    onPost(method, choose(recent.slice(recentCount / 2)), due, body);

  /** Creates something, and changes or removes it. */
  async function createAndEnd(
    {token}: Tenant,
    path: string,
    body: object,
    end: {readonly method: string; readonly body?: object},
    due?: number,
  ): Promise<void> {
    const made = await send({method: 'POST', path, token, body, due});
    if (made.status === 201) await send({...end, path: `${path}/${readId(made.body)}`, token});
  }

  /** Signs a person in by a link, reads who it is, and signs out. */
  async function signIn(tenant: Tenant, due?: number): Promise<void> {
    const member = choose(tenant.people)?.id;
    const own = {Origin: publicUrl, 'X-Standup-Dashboard': '1'};
    const link = await send({
      method: 'POST',
      path: '/v1/sign-in-links',
      token: tenant.owner,
      body: {member},
      due,
    });
    if (link.status !== 201) return;
    const {url} = JSON.parse(link.body) as {url: string};
    const session = {link: url.slice(url.indexOf('#') + 1)};
    const {status, cookie = ''} = await send({
      method: 'POST',
      path: '/app/session',
      body: session,
      headers: own,
    });
    if (status >= 300) return;
    const headers = {...own, Cookie: cookie};
    const granted = await send({method: 'POST', path: '/app/session/token', headers});
    if (granted.status === 200) {
      const {token} = JSON.parse(granted.body) as {token: string};
      await send({method: 'GET', path: '/v1/me', token});
    }
    await send({method: 'DELETE', path: '/app/session', headers});
  }

  /** Posts by a slash command. Slack allows a channel about one message a second, so this is rare. */
  async function postInSlack(_: Tenant, due?: number): Promise<void> {
    const body = new URLSearchParams({
      command: '/standup',
      text: 'post: Measured the bot.',
      user_id: 'U000000001',
      user_name: 'admin',
      team_id: 'T000000001',
      channel_id: slackChannel,
      trigger_id: randomUUID(),
      response_url: responseUrl,
    }).toString();
    const timestamp = String(Math.floor(Date.now() / 1_000));
    const signature = createHmac('sha256', signingSecret).update(`v0:${timestamp}:${body}`).digest('hex');
    await send({
      method: 'POST',
      path: '/slack/events',
      body,
      headers: {
        'Content-Type': 'application/x-www-form-urlencoded',
        'X-Slack-Request-Timestamp': timestamp,
        'X-Slack-Signature': `v0=${signature}`,
      },
      due,
    });
  }

  /** Posts to a team whose run is open now, as one of its members. */
  async function postInRun(_: Tenant, due?: number): Promise<void> {
    const minute = Math.floor(Date.now() / 60_000) - firstMinute;
    const open = minuteTeams.slice(Math.max(0, minute - openMinutes + 1), Math.max(0, minute + 1));
    const team = choose(open);
    if (team === undefined) return;
    await post(team.tenant, choose(team.tenant.people)?.token ?? '', team.slug, due);
  }

  const acts: readonly [weight: number, act: (tenant: Tenant, due?: number) => unknown][] = [
    [15, (tenant, due) => post(tenant, tenant.token, 'platform', due)],
    [5, postInRun],
    [6, onNewer('PATCH', {update: 'Edited: the text is another one.'})],
    [0.5, (_, due) => onPost('DELETE', recent.shift(), due)],
    [10, onNewer('GET')],
    [12, read('/v1/standups?limit=20')],
    [4, read('/v1/standups?team=platform&order=asc&limit=20')],
    [4, read('/v1/standups?q=storage&limit=20')],
    [8, read('/v1/events?limit=50')],
    [5, read('/v1/members?limit=20')],
    [4, read('/v1/teams?limit=20')],
    [3, read('/v1/participation?limit=10')],
    [3, read('/v1/days-off')],
    [3, read('/v1/blockers?state=open')],
    [5, read('/v1/workspace')],
    [3, read('/v1/me')],
    [2, read('/v1/webhooks')],
    [2, (tenant, due) => read(`/v1/webhooks/${tenant.webhooks[0]}/deliveries?limit=20`)(tenant, due)],
    [2, (_, due) => send({method: 'GET', path: '/app', due})],
    [
      1,
      (tenant, due) =>
        createAndEnd(
          tenant,
          '/v1/blockers',
          {team: 'platform', text: 'CI is red.'},
          {method: 'PATCH', body: {state: 'resolved'}},
          due,
        ),
    ],
    [
      0.5,
      (tenant, due) =>
        createAndEnd(
          tenant,
          '/v1/absences',
          {member: choose(tenant.people)?.id, reason: 'Vacation'},
          {method: 'DELETE'},
          due,
        ),
    ],
    [0.5, signIn],
    [0.2, postInSlack],
  ];
  const total = acts.reduce((sum, [weight]) => sum + weight, 0);

  return async (due) => {
    let left = Math.random() * total;
    const tenant = choose(tenants);
    for (const [weight, act] of acts) {
      left -= weight;
      if (left < 0 && tenant !== undefined) return act(tenant, due);
    }
    return undefined;
  };
}

function choose<T>(from: readonly T[]): T | undefined {
  return from[Math.floor(Math.random() * from.length)];
}

function readId(json: string): string {
  return (JSON.parse(json) as {id: string}).id;
}
