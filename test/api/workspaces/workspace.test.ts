import {afterAll, beforeAll, beforeEach, describe, expect, it} from '@jest/globals';
import {startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {expectProblem} from '../http/expect-problem.js';
import {eventsOf} from '../samples.js';

let service: TestService;
let workspace: TestWorkspace;

beforeAll(async () => {
  service = await startService();
});

beforeEach(async () => {
  workspace = await service.addWorkspace();
});

afterAll(() => service.close());

const path = '/v1/workspace';
const get = (headers: Record<string, string> = {}) => workspace.request('GET', path, {headers});
const patch = (body: object, headers: Record<string, string> = {}) =>
  workspace.request('PATCH', path, {body, headers});

it("the workspace shown is the caller's own", async () => {
  const {status, body, headers} = await get();
  expect(status).toBe(200);
  expect(body).toEqual({
    id: workspace.id,
    object: 'workspace',
    slug: expect.stringMatching(/^w/),
    name: expect.stringMatching(/^w/),
    retention_days: null,
    leads_invite: true,
    away_emoji: [':palm_tree:', ':face_with_thermometer:', ':no_entry:'],
    revision: 1,
    created_at: expect.stringMatching(/Z$/),
    updated_at: body.created_at,
    slack: {connected: false},
    storage: {used_bytes: 65_536, limit_bytes: 1_073_741_824},
  });
  const tag = headers.get('etag') ?? '';
  expect(tag).toMatch(/^"1\.[0-9a-f]{12}"$/);
  expect((await get({'if-none-match': tag})).status).toBe(304);
});

describe('PATCH /v1/workspace', () => {
  it('changes the name, leaves the slug, and sends one event', async () => {
    const before = (await get()).body;
    const events = (await eventsOf(workspace)).length;
    const answer = await patch({name: 'Größe & Co.'});
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      ...before,
      name: 'Größe & Co.',
      revision: 2,
      updated_at: answer.body.updated_at,
    });
    expect(answer.headers.get('etag')).toMatch(/^"2\./);
    expect((await get()).text).toBe(answer.text);
    const newEvents = (await eventsOf(workspace)).slice(events);
    const {slack: _, storage: _used, ...data} = answer.body;
    expect(newEvents).toEqual([
      expect.objectContaining({
        type: 'workspace.updated',
        data,
        previous_attributes: {name: before.name},
      }),
    ]);
    const me = await workspace.request('GET', '/v1/me');
    expect(me.body.workspace).toEqual({
      id: workspace.id,
      slug: before.slug,
      name: 'Größe & Co.',
      leads_invite: true,
    });
    const {workspaces} = service.core.services;
    expect(await workspaces.chooseWorkspace(before.slug, performance.now() + 5_000)).toMatchObject(data);
  });

  it.each([[{}], ['the same name']])('changes nothing and sends no event for %j', async (change) => {
    const before = await get();
    const events = await eventsOf(workspace);
    const answer = await patch(typeof change === 'string' ? {name: before.body.name} : change);
    expect({status: answer.status, text: answer.text}).toEqual({status: 200, text: before.text});
    expect(await eventsOf(workspace)).toEqual(events);
  });

  it.each<[object, string]>([
    [{name: ''}, '#/name'],
    [{name: null}, '#/name'],
    [{name: 'x'.repeat(81)}, '#/name'],
    [{slug: 'another'}, '#/slug'],
    [{retention_days: 29}, '#/retention_days'],
    [{retention_days: 3_651}, '#/retention_days'],
    [{retention_days: 40.5}, '#/retention_days'],
    [{away_emoji: ['palm_tree']}, '#/away_emoji/0'],
    [{away_emoji: [':palm tree:']}, '#/away_emoji/0'],
    [{away_emoji: [`:${'x'.repeat(65)}:`]}, '#/away_emoji/0'],
    [{away_emoji: [':car:', ':car:']}, '#/away_emoji'],
    [{away_emoji: Array.from({length: 21}, (_, i) => `:e${i}:`)}, '#/away_emoji'],
    [{slack: {connected: true}}, '#/slack'],
  ])('refuses %j at %s', async (body, pointer) => {
    expectProblem(await patch(body), 'validation_failed', {pointer});
  });

  it('respects If-Match', async () => {
    expectProblem(await patch({name: 'Two'}, {'if-match': '"2"'}), 'precondition_failed');
    expect((await patch({name: 'Two'}, {'if-match': '"1"'})).status).toBe(200);
    expectProblem(await patch({name: 'Three'}, {'if-match': '"1"'}), 'precondition_failed');
  });

  it('is allowed to managers of the workspace only', async () => {
    const {people, tokens} = service.core.services;
    const operator = workspace.operator();
    const member = await people.ensureSlackMember(operator, 'U0PLAIN', {name: 'Plain'});
    const owner = await people.ensureOwner(operator, 'Owner');
    const tokenOf = async (holder: typeof owner) =>
      (await tokens.issueToken(operator, {name: 't', holder, scopes: ['workspace:manage']})).value;
    const change = async (token: string) =>
      workspace.request('PATCH', path, {token, body: {name: 'Theirs now'}});
    const plain = await tokenOf(member);
    expectProblem(await change(plain), 'forbidden');
    expect((await workspace.request('GET', path, {token: plain})).status).toBe(200);
    expect((await change(await tokenOf(owner))).status).toBe(200);
  });
});

describe('the Slack connection of a workspace', () => {
  const env = {
    SLACK_BOT_TOKEN: 'xoxb-a-token',
    SLACK_SIGNING_SECRET: 'a-signing-secret',
    SLACK_API_URL: 'http://127.0.0.1:1/',
  };

  it('is shown for the only workspace, and for none of several if the configuration names none', async () => {
    const slack = await startService({env});
    try {
      const first = await slack.addWorkspace();
      const shown = await first.request('GET', path);
      expect(shown.body.slack).toEqual({connected: true});
      const tag = shown.headers.get('etag') ?? '';
      expect(tag).toMatch(/^"1\.[0-9a-f]{12}"$/);
      expect((await first.request('GET', path, {headers: {'if-none-match': tag}})).status).toBe(304);

      const body = {name: 'With Slack'};
      const headers = {'if-match': tag, 'idempotency-key': 'slack'};
      const changed = await first.request('PATCH', path, {body, headers});
      expect(changed.body.slack).toEqual({connected: true});
      const changedTag = tag.replace('"1', '"2');
      expect(changed.headers.get('etag')).toBe(changedTag);

      await slack.addWorkspace();
      const without = await first.request('GET', path, {headers: {'if-none-match': changedTag}});
      expect({status: without.status, slack: without.body.slack}).toEqual({
        status: 200,
        slack: {connected: false},
      });
      // A repeat still gets the first answer.
      const again = await first.request('PATCH', path, {body, headers});
      expect(again.text).toBe(changed.text);
      expect(again.headers.get('etag')).toBe(changedTag);
    } finally {
      await slack.close();
    }
  });

  it('is shown for the workspace that SLACK_WORKSPACE names', async () => {
    const slack = await startService({env: {...env, SLACK_WORKSPACE: 'Named'}});
    try {
      const [named, other] = [await slack.addWorkspace('named'), await slack.addWorkspace('other')];
      expect((await named.request('GET', path)).body.slack).toEqual({connected: true});
      expect((await other.request('GET', path)).body.slack).toEqual({connected: false});
    } finally {
      await slack.close();
    }
  });
});
