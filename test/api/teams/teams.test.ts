import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import {lists} from '../../../src/domain/core/lists.js';
import {teamDefaults} from '../../../src/domain/teams/team.js';
import {type Json, startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {until} from '../../support/until.js';
import {expectProblem} from '../http/expect-problem.js';
import {addPerson} from '../people.js';
import {eventsOf, make, randomName} from '../samples.js';

let service: TestService;
let workspace: TestWorkspace;

beforeAll(async () => {
  service = await startService();
  workspace = await service.addWorkspace();
});

afterAll(() => service.close());

const create = (body: Json) => workspace.request('POST', '/v1/teams', {body});

describe('POST /v1/teams', () => {
  it('creates a team, with all fields and an event, from a slug alone', async () => {
    const slug = randomName();
    const {status, body} = await create({slug});
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^team_[0-7][0-9a-hjkmnp-tv-z]{25}$/),
      object: 'team',
      slug,
      name: slug,
      timezone: 'UTC',
      slack_channel_id: null,
      ...teamDefaults,
      revision: 1,
      created_at: expect.any(String),
      updated_at: body.created_at,
    });
    expect((await eventsOf(workspace)).at(-1)).toMatchObject({type: 'team.created', data: body});
  });

  it('creates a team that is prompted at the opening and 30 minutes before closing by default', async () => {
    const schedule = {frequency: 'weekly', days: ['mon'], opens: '09:00', closes: '11:00'};
    const {body} = await create({slug: randomName(), schedule});
    expect(body).toMatchObject({prompt_at: 'both', slack_weekly_summary: true, schedule: {reminders: [30]}});
  });

  it('stores all given fields', async () => {
    const given = {slug: 'data-2', name: 'Daten 🛢', timezone: 'Europe/Berlin', slack_channel_id: 'C024BE91L'};
    expect((await create(given)).body).toMatchObject(given);
  });

  it.each(['', 'Platform', '-a', 'a-', 'a b', 'a_b', 'é', 'x'.repeat(41), 7, null])(
    'refuses the slug %j',
    async (slug) => {
      expectProblem(await create({slug}), 'validation_failed', {pointer: '#/slug'});
    },
  );

  it.each(['Mars/Olympus', '+02:00', '', 'utc+1'])('refuses the time zone %j', async (timezone) => {
    const answer = await create({slug: randomName(), timezone});
    expectProblem(answer, 'validation_failed', {pointer: '#/timezone'});
  });

  it.each(['', ' ', 'x'.repeat(81), 'a\u0000'])('refuses the name %j', async (name) => {
    expectProblem(await create({slug: randomName(), name}), 'validation_failed', {pointer: '#/name'});
  });

  it('lets a Slack channel belong to one team only', async () => {
    await create({slug: randomName(), slack_channel_id: 'C0000000A'});
    const second = await create({slug: randomName(), slack_channel_id: 'C0000000A'});
    expectProblem(second, 'validation_failed', {pointer: '#/slack_channel_id'});
    expectProblem(await create({slug: randomName(), slack_channel_id: '#general'}), 'validation_failed');
  });

  it('creates one team from 10 concurrent requests with the same slug', async () => {
    const slug = randomName();
    const answers = await Promise.all(Array.from({length: 10}, () => create({slug})));
    expect(answers.map(({status}) => status).toSorted()).toEqual([
      201,
      ...Array.from({length: 9}, () => 409),
    ]);
  });

  it('accepts the same slug in another workspace', async () => {
    const other = await service.addWorkspace();
    const slug = randomName();
    await create({slug});
    expect((await other.request('POST', '/v1/teams', {body: {slug}})).status).toBe(201);
  });
});

describe('a team', () => {
  it('is found by id and by slug in any case', async () => {
    const team = await make(workspace, '/v1/teams', {slug: 'finder'});
    for (const reference of [team.id, 'finder', 'FINDER']) {
      expect((await workspace.request('GET', `/v1/teams/${reference}`)).body).toEqual(team);
    }
    expectProblem(await workspace.request('GET', '/v1/teams/fin'), 'not_found');
  });

  it('cannot change its slug', async () => {
    const answer = await workspace.request('PATCH', '/v1/teams/platform', {body: {slug: 'other'}});
    expectProblem(answer, 'validation_failed', {pointer: '#/slug'});
  });

  it('can set and release its Slack channel', async () => {
    const [a, b] = [randomName(), randomName()];
    const link = (slug: string, slack_channel_id: string | null) =>
      workspace.request('PATCH', `/v1/teams/${slug}`, {body: {slack_channel_id}});
    await make(workspace, '/v1/teams', {slug: a, slack_channel_id: 'C0000000B'});
    await make(workspace, '/v1/teams', {slug: b});
    expectProblem(await link(b, 'C0000000B'), 'validation_failed', {pointer: '#/slack_channel_id'});
    expect((await link(a, null)).status).toBe(200);
    expect((await link(b, 'C0000000B')).status).toBe(200);
    await workspace.request('DELETE', `/v1/teams/${b}`);
    expect((await link(a, 'C0000000B')).status).toBe(200);
  });

  it('regression: gets no channel by id from a member, since the bot may see channels that are closed to the member', async () => {
    const slug = randomName();
    const [lead, admin] = await Promise.all([
      addPerson(service, workspace),
      addPerson(service, workspace, {role: 'admin'}),
    ]);
    const body = {slug, slack_channel_id: 'C0EXECPRIV'};
    expectProblem(await workspace.request('POST', '/v1/teams', {body, token: lead.token}), 'forbidden');
    const made = await workspace.request('POST', '/v1/teams', {body: {slug}, token: lead.token});
    expect(made.status).toBe(201);
    const link = (slack_channel_id: string | null, token: string) =>
      workspace.request('PATCH', `/v1/teams/${slug}`, {body: {slack_channel_id}, token});
    const refused = expectProblem(await link('C0EXECPRIV', lead.token), 'forbidden');
    expect(refused.detail).toContain('/standup in the channel');
    expect((await link('C0EXECPRIV', admin.token)).status).toBe(200);
    // A lead may keep the team's present channel, and remove it.
    const renamed = {name: 'Renamed', slack_channel_id: 'C0EXECPRIV'};
    const kept = await workspace.request('PATCH', `/v1/teams/${slug}`, {body: renamed, token: lead.token});
    expect(kept.body).toMatchObject(renamed);
    expect((await link(null, lead.token)).status).toBe(200);
    expectProblem(await link('C0EXECPRIV', lead.token), 'forbidden');
  });

  it('can set one of three ways to show standups in Slack', async () => {
    const path = `/v1/teams/${(await make(workspace, '/v1/teams', {slug: randomName(), slack_post_mode: 'digest'})).slug}`;
    expect((await workspace.request('GET', path)).body.slack_post_mode).toBe('digest');
    const changed = await workspace.request('PATCH', path, {body: {slack_post_mode: 'channel'}});
    expect(changed.body).toMatchObject({slack_post_mode: 'channel', revision: 2});
    for (const slack_post_mode of ['', 'Thread', null]) {
      const refused = await workspace.request('PATCH', path, {body: {slack_post_mode}});
      expectProblem(refused, 'validation_failed', {pointer: '#/slack_post_mode'});
    }
  });

  it('joins comments and threads in Slack by default, and can keep them apart or only post comments', async () => {
    const {slug, slack_replies: first} = await make(workspace, '/v1/teams', {slug: randomName()});
    expect(first).toBe('both');
    const path = `/v1/teams/${slug}`;
    for (const slack_replies of ['out', 'off', 'both'])
      expect((await workspace.request('PATCH', path, {body: {slack_replies}})).body).toMatchObject({
        slack_replies,
      });
    for (const slack_replies of ['', 'Both', 'in', null]) {
      const refused = await workspace.request('PATCH', path, {body: {slack_replies}});
      expectProblem(refused, 'validation_failed', {pointer: '#/slack_replies'});
    }
  });

  it('keeps the dates of its old standups when its zone changes', async () => {
    const slug = randomName();
    await make(workspace, '/v1/teams', {slug, timezone: 'Pacific/Kiritimati'});
    const before = await make(workspace, '/v1/standups', {team: slug, update: 'Early.'});
    await workspace.request('PATCH', `/v1/teams/${slug}`, {body: {timezone: 'Pacific/Pago_Pago'}});
    const after = await make(workspace, '/v1/standups', {team: slug, update: 'Late.'});
    expect(after.date < before.date).toBe(true);
    expect((await workspace.request('GET', `/v1/standups/${before.id}`)).body.date).toBe(before.date);
  });
});

describe('DELETE /v1/teams/{team}', () => {
  it('removes an empty team and frees its slug', async () => {
    const slug = randomName();
    const team = await make(workspace, '/v1/teams', {slug});
    expect((await workspace.request('DELETE', `/v1/teams/${slug}`)).status).toBe(204);
    expect((await eventsOf(workspace)).at(-1)).toMatchObject({type: 'team.deleted', data: {id: team.id}});
    const again = await make(workspace, '/v1/teams', {slug});
    expect(again.id).not.toBe(team.id);
  });

  it('refuses to remove a team with standups, and says how many there are, unless forced', async () => {
    const slug = randomName();
    await make(workspace, '/v1/teams', {slug});
    await make(workspace, '/v1/standups', {team: slug, update: 'A'});
    const refused = await workspace.request('DELETE', `/v1/teams/${slug}?force=false`);
    expect(expectProblem(refused, 'team_not_empty').detail).toContain('has 1 standup.');
    expectProblem(await workspace.request('DELETE', `/v1/teams/${slug}?force=yes`), 'invalid_parameter', {
      parameter: 'force',
    });
    expect((await workspace.request('DELETE', `/v1/teams/${slug}?force=true`)).status).toBe(204);
  });

  it('hides the standups of the team at once when forced, and removes them later without an event for each', async () => {
    const crowded = await service.addWorkspace();
    const team = await make(crowded, '/v1/teams', {slug: 'doomed'});
    const kept = await make(crowded, '/v1/standups', {team: 'platform', update: 'Stays.'});
    const posts = Array.from({length: 80}, (_, i) =>
      make(crowded, '/v1/standups', {team: 'doomed', update: `Goes ${i}`}),
    );
    const gone = await Promise.all(posts);
    const webhooks = await crowded.request('DELETE', '/v1/teams/doomed?force=true');
    expect(webhooks.status).toBe(204);

    const path = `/v1/standups/${gone[0].id}`;
    expectProblem(await crowded.request('GET', path), 'not_found');
    expectProblem(await crowded.request('PATCH', path, {body: {update: 'X'}}), 'not_found');
    expectProblem(await crowded.request('DELETE', path), 'not_found');
    expectProblem(await crowded.request('GET', '/v1/standups?team=doomed'), 'team_not_found');
    const list = await crowded.request('GET', '/v1/standups?limit=100');
    expect(list.body.data.map(({id}: Json) => id)).toEqual([kept.id]);
    const body = {team: 'doomed', update: 'Too late.'};
    expectProblem(await crowded.request('POST', '/v1/standups', {body}), 'team_not_found');

    const {records} = service.core.store;
    const count = (list: ReturnType<typeof lists.standups>) =>
      records.count(crowded.id, list, performance.now() + 1_000);
    await until(async () => (await count(lists.standupsOfTeam(team.id))) === 0, {
      what: 'the team was purged',
    });
    expect(await count(lists.standups())).toBe(1);
    expect(await count(lists.standupsOfAuthor(kept.author.id))).toBe(1);
    const types = (await eventsOf(crowded)).map(({type}) => type);
    expect(types.filter((type) => type === 'standup.deleted')).toHaveLength(0);
    expect(types.at(-1)).toBe('team.deleted');
  });
});

it('the list of teams is newest first and comes in pages', async () => {
  const listed = await service.addWorkspace();
  for (const slug of ['one', 'two', 'three']) await make(listed, '/v1/teams', {slug});
  const first = await listed.request('GET', '/v1/teams?limit=3');
  expect(first.body.data.map(({slug}: Json) => slug)).toEqual(['three', 'two', 'one']);
  const second = await listed.request('GET', `/v1/teams?limit=3&cursor=${first.body.next_cursor}`);
  expect(second.body).toMatchObject({data: [{slug: 'platform'}], has_more: false, next_cursor: null});
});
