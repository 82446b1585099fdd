import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, it} from '@jest/globals';
import {readFileSync} from 'node:fs';
import {en} from '../../src/bot/texts/compiled/en.js';
import {operatorCall} from '../../src/service/workspaces/workspaces.js';
import {findFreePort} from '../support/free-port.js';
import {type Json, sendRequest, startService, type TestService} from '../support/service.js';
import {client, type SignInSlack, startSignInSlack} from '../support/sign-in-slack.js';
import {signingSecret} from '../support/slack-harness.js';
import {createTraveller, type Traveller} from './traveller.js';
import type {Id} from '../../src/domain/core/ids.js';

let slack: SignInSlack;
let service: TestService;
let url: string;
/** Ids of the service's workspaces for T0ONE, T0TWO and the organisation E0ORG. */
let one: Id<'workspace'>;
let two: Id<'workspace'>;
let organisation: string;
const lines: object[] = [];
const note = (fields: object, message: string) => void lines.push({...fields, message});
const log = {debug: () => undefined, info: note, warn: note, error: note};

const newDeadline = () => performance.now() + 5_000;

async function connect(slackId: string): Promise<Id<'workspace'>> {
  const installer = {slackUser: `U0${slackId.slice(2)}BOSS`, name: 'Boss', timezone: null};
  const grant = {slackId, name: slackId, botToken: `xoxb-${slackId}`, installer};
  return (await service.core.services.slackConnections.connect(grant, newDeadline())).id;
}

beforeAll(async () => {
  slack = await startSignInSlack();
  const port = String(await findFreePort());
  url = `http://127.0.0.1:${port}`;
  service = await startService({
    log,
    env: {
      PORT: port,
      // A worker would greet the installers, and so cache their installations.
      ROLES: 'web',
      PUBLIC_URL: url,
      SLACK_CLIENT_ID: client.id,
      SLACK_CLIENT_SECRET: client.secret,
      SLACK_SIGNING_SECRET: signingSecret,
      SLACK_API_URL: `${slack.url}/api/`,
      TRUST_PROXY: '1',
    },
  });
  one = await connect('T0ONE');
  two = await connect('T0TWO');
  organisation = await connect('E0ORG');
});

afterAll(async () => {
  await service.close();
  await slack.close();
});

let networks = 0;
let network: string;
beforeEach(() => {
  network = `10.1.0.${++networks}`;
});
afterEach(() => {
  slack.claim({});
  slack.answer('users.info');
  slack.answer('openid.connect.token');
});

async function travel(traveller: Traveller = createTraveller(), query = '') {
  const from = {'x-forwarded-for': network};
  const out = await traveller.go(`${url}/app/sign-in/slack${query}`, from);
  const back = await traveller.follow(out.location);
  const home = await traveller.go(back, {...from, 'sec-fetch-site': 'cross-site'});
  expect(home.status).toBe(303);
  const problem = new URL(home.location, url).searchParams.get('problem') ?? undefined;
  expect(traveller.cookie(url, 'standup') === undefined).toBe(problem !== undefined);
  return {traveller, out, back, home, problem};
}

async function findSignedIn(traveller: Traveller): Promise<Json> {
  const {body} = await traveller.ask(url, '/app/session/token');
  return (await sendRequest(url, 'GET', '/v1/me', {token: body.token})).body;
}

const memberOf = (workspace: Id<'workspace'>, user: string) =>
  service.core.services.people.findSlackMember({workspace, deadline: newDeadline()}, user);

describe('Sign in with Slack', () => {
  it('asks Slack who the person is, and for nothing else', async () => {
    slack.become({team: 'T0ONE', user: 'U0ADA'});
    const {out} = await travel();
    const {origin, pathname, searchParams} = new URL(out.location);
    expect(origin + pathname).toBe(`${slack.url}/openid/connect/authorize`);
    expect(Object.fromEntries(searchParams)).toEqual({
      response_type: 'code',
      client_id: client.id,
      scope: 'openid profile email',
      redirect_uri: `${url}/app/sign-in/callback`,
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    });
  });

  it('signs an existing member in, in the workspace that their Slack belongs to', async () => {
    const call = operatorCall(two, newDeadline());
    const {id} = await service.core.services.people.ensureSlackMember(call, 'U0GRACE', {
      name: 'Grace',
      timezone: null,
    });
    slack.become({team: 'T0TWO', user: 'U0GRACE'});
    const {traveller, home} = await travel(createTraveller(), '?to=/app/history');
    expect(home.location).toBe('/app/history');
    expect(await findSignedIn(traveller)).toMatchObject({principal: {id}, workspace: {id: two}});
    // Profiles of known people are read too: a person who has become a guest is refused.
    expect(slack.asked.some(({path, body}) => path === '/api/users.info' && body['user'] === 'U0GRACE')).toBe(
      true,
    );
  });

  it('makes a member of a new person, like the first use of the bot', async () => {
    slack.become({team: 'T0ONE', user: 'U0NEW', email: 'new@example.com', profile: {tz: 'Europe/Berlin'}});
    const {traveller} = await travel();
    const member = await memberOf(one, 'U0NEW');
    expect(member).toMatchObject({name: 'Real U0NEW', email: 'new@example.com', timezone: 'Europe/Berlin'});
    expect(await findSignedIn(traveller)).toMatchObject({principal: {id: member?.id}, role: 'member'});
    expect(await memberOf(two, 'U0NEW')).toBeUndefined();
  });

  it('treats the same user id in another Slack workspace as another person', async () => {
    slack.become({team: 'T0ONE', user: 'U0SAME'});
    await travel();
    slack.become({team: 'T0TWO', user: 'U0SAME'});
    const {traveller} = await travel();
    const [here, there] = [await memberOf(one, 'U0SAME'), await memberOf(two, 'U0SAME')];
    expect((await findSignedIn(traveller)).principal.id).toBe(there?.id);
    expect(here?.id).not.toBe(there?.id);
  });

  it.each([true, false])(
    'signs in at the workspace of an organisation that has the bot (named in the ID token: %s)',
    async (enterpriseInToken) => {
      const user = enterpriseInToken ? 'U0GRIDA' : 'U0GRIDB';
      slack.become({team: 'T0GRID', user, enterprise: 'E0ORG', enterpriseInToken});
      const {traveller} = await travel();
      expect((await findSignedIn(traveller)).workspace.id).toBe(organisation);
    },
  );

  it('gives no permission for sensitive actions, since Slack does not say when the person last authenticated', async () => {
    slack.become({team: 'T0ONE', user: 'U0ONEBOSS'});
    const {traveller} = await travel();
    const {body} = await traveller.ask(url, '/app/session/token');
    expect(body.scopes).toContain('webhooks:manage');
    expect(body.scopes).not.toContain('tokens:manage');
    expect(body.scopes).not.toContain('workspace:manage');
    const asked = slack.asked.length;
    const confirm = await traveller.go(`${url}/app/sign-in/slack?confirm=1`);
    expect(new URL(confirm.location, url).searchParams.get('problem')).toBe('not_confirmed');
    expect(slack.asked).toHaveLength(asked);
  });
});

describe('a sign-in with Slack', () => {
  it.each<[string, string, object]>([
    ['a guest', 'slack_guest', {is_restricted: true}],
    ['a guest of one channel', 'slack_guest', {is_ultra_restricted: true, is_restricted: true}],
    ['an app', 'slack_bot', {is_bot: true}],
    ['deactivated', 'slack_deactivated', {deleted: true}],
    ['a person of another workspace', 'slack_stranger', {team_id: 'T0TWO'}],
  ])('is refused to a person who is %s in Slack', async (_, expected, profile) => {
    const user = `U0OUT${networks}`;
    slack.become({team: 'T0ONE', user, profile: {...profile}});
    expect((await travel()).problem).toBe(expected);
    expect(await memberOf(one, user)).toBeUndefined();
  });

  it('is refused for a Slack workspace that does not have the bot, or no longer has it', async () => {
    slack.become({team: 'T0STRANGE', user: 'U0EVE'});
    expect((await travel()).problem).toBe('slack_not_connected');
    slack.become({team: 'T0STRANGE', user: 'U0EVE', enterprise: 'E0OTHER', enterpriseInToken: true});
    expect((await travel()).problem).toBe('slack_not_connected');
    await connect('T0GONE');
    const happenedAt = Math.floor(Date.now() / 1_000) + 60;
    const event = {happenedAt, idempotency: {hash: 'x'.repeat(43), fingerprint: 'y'.repeat(43)}};
    await service.core.services.slackConnections.disconnect({slackId: 'T0GONE', ...event}, newDeadline());
    slack.become({team: 'T0GONE', user: 'U0GONE'});
    expect((await travel()).problem).toBe('slack_not_connected');
  });

  it('is refused to an owner or admin of the service who is identified only by an e-mail address', async () => {
    await service.core.services.members.createMember(operatorCall(one, newDeadline()), {
      name: 'Root',
      role: 'admin',
      email: 'root@example.com',
    });
    slack.become({team: 'T0ONE', user: 'U0ROOT', email: 'root@example.com'});
    expect((await travel()).problem).toBe('slack_known_address');
  });

  it('is refused while Slack returns no profile of a new person', async () => {
    slack.become({team: 'T0ONE', user: 'U0LATE'});
    slack.answer('users.info', {ok: false, error: 'internal_error'});
    expect((await travel()).problem).toBe('provider_unavailable');
  });

  it.each([
    ['invalid_code', 'provider_refused'],
    ['bad_client_secret', 'provider_refused'],
  ])('is refused when Slack answers %s with a 200', async (error, expected) => {
    slack.become({team: 'T0ONE', user: 'U0ADA'});
    slack.answer('openid.connect.token', {ok: false, error});
    const {problem, home} = await travel();
    expect(problem).toBe(expected);
    const request = home.headers.get('x-request-id');
    expect(lines).toContainEqual(expect.objectContaining({request_id: request, reason: error}));
  });

  it.each<[string, Record<string, unknown>]>([
    ['no workspace', {'https://slack.com/team_id': undefined}],
    ['a workspace that is none', {'https://slack.com/team_id': 'T0ONE/../T0TWO'}],
    ['no person', {'https://slack.com/user_id': undefined}],
    ['another app', {aud: '999.999'}],
    ['another issuer', {iss: 'https://slack.example.com'}],
    ['another attempt', {nonce: 'another'}],
    ['no attempt', {nonce: ''}],
  ])('is refused when its ID token names %s', async (_, changes) => {
    slack.become({team: 'T0ONE', user: 'U0ADA'});
    slack.claim(changes);
    expect((await travel()).problem).toBe('wrong_answer');
  });
});

it('guests and apps are refused in the same words as by the bot', () => {
  const documents = readFileSync('docs/dashboard.md', 'utf8');
  for (const kind of ['guest', 'bot'] as const) {
    expect(documents).toContain(`| \`slack_${kind}\` | ${en.outsider[kind]} |`);
  }
});

it('no token, code or secret of Slack is in the log', () => {
  const written = JSON.stringify(lines);
  expect(written).toContain('returnFromProvider');
  for (const secret of [client.secret, 'xoxp-', 'xoxb-', 'eyJ']) expect(written).not.toContain(secret);
});
