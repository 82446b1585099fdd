import {afterAll, beforeAll, beforeEach, describe, expect, it} from '@jest/globals';
import {createCallByService} from '../../../src/domain/core/access.js';
import {limits} from '../../../src/domain/core/limits.js';
import {workspaceKeys} from '../../../src/store/core/keys.js';
import {asId} from '../../support/ids.js';
import {type Json, startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {until} from '../../support/until.js';
import {expectProblem} from '../http/expect-problem.js';
import {addPerson, type Person} from '../people.js';
import {eventsOf} from '../samples.js';

let service: TestService;
let workspace: TestWorkspace;
let ada: Person;
let grace: Person;
let alan: Person;
let observer: Person;

beforeAll(async () => {
  service = await startService();
});

beforeEach(async () => {
  workspace = await service.addWorkspace();
  ada = await addPerson(service, workspace, {name: 'Ada', team: 'platform'});
  grace = await addPerson(service, workspace, {name: 'Grace', team: 'platform'});
  alan = await addPerson(service, workspace, {name: 'Alan', team: 'platform'});
  observer = await addPerson(service, workspace, {name: 'Obi'});
  await workspace.request('PUT', `/v1/teams/platform/members/${observer.id}`, {body: {role: 'observer'}});
});

afterAll(() => service.close());

const ask = (method: string, path: string, {token}: Person, body?: Json, more: Json = {}) =>
  workspace.request(method, path, {token, ...(body && {body}), ...more});
const post = async (author: Person, more: Json = {}): Promise<Json> => {
  const answer = await ask('POST', '/v1/standups', author, {team: 'platform', update: 'Shipped.', ...more});
  expect(answer.status).toBe(201);
  return answer.body;
};
const say = async (author: Person, {id: standup}: Json, text: string, more: Json = {}): Promise<Json> => {
  const answer = await ask('POST', '/v1/comments', author, {standup, text, ...more});
  expect(answer.status).toBe(201);
  return answer.body;
};
const react = (author: Person, {id: subject}: Json, change: Json) =>
  ask('POST', '/v1/reactions', author, {subject, ...change});
const inboxOf = async (person: Person, query = ''): Promise<Json[]> =>
  (await ask('GET', `/v1/inbox${query}`, person)).body.data;
const unreadOf = async (person: Person): Promise<number> =>
  (await ask('GET', '/v1/me', person)).body.inbox.unread;
const read = (person: Person, body: Json) => ask('POST', '/v1/inbox/read', person, body);
const mention = ({id, name}: Json): string => `[@${name}](mention:${id})`;
const markdown = {format: 'markdown'};

describe('an inbox', () => {
  it('a comment notifies the author of the standup, and then everyone who wrote before', async () => {
    const standup = await post(ada);
    const first = await say(grace, standup, 'On it');
    expect(await inboxOf(ada)).toEqual([
      {
        object: 'inbox_item',
        standup: standup.id,
        team: 'platform',
        team_id: workspace.team,
        date: standup.date,
        author: standup.author,
        unread: 1,
        reasons: ['reply'],
        muted: false,
        latest: {
          reason: 'reply',
          by: {type: 'member', id: grace.id, name: 'Grace'},
          comment: first.id,
          blocker: null,
          excerpt: 'On it',
          sequence: expect.any(Number),
          at: first.created_at,
        },
      },
    ]);
    await say(alan, standup, 'Thanks');
    expect(await inboxOf(ada)).toMatchObject([{unread: 2, latest: {by: {name: 'Alan'}}}]);
    expect(await inboxOf(grace)).toMatchObject([{unread: 1, reasons: ['thread']}]);
    expect(await inboxOf(alan)).toEqual([]);
    const events = await eventsOf(workspace);
    const {sequence} = events.findLast(({type}) => type === 'comment.created') ?? {};
    expect((await inboxOf(ada))[0]?.latest.sequence).toBe(sequence);
  });

  it('a mention notifies in a standup, in an answer to it and in an edit, each person once', async () => {
    const update = `Asked ${mention({id: grace.id, name: 'Grace'})} and ${mention({id: grace.id, name: 'Grace'})}`;
    const standup = await post(ada, {update, ...markdown});
    expect(await inboxOf(grace)).toMatchObject([
      {reasons: ['mention'], unread: 1, latest: {comment: null, excerpt: 'Asked @Grace and @Grace'}},
    ]);
    const more = {update: `${update}, now ${mention({id: alan.id, name: 'Alan'})}`};
    await ask('PATCH', `/v1/standups/${standup.id}`, ada, more);
    expect(await inboxOf(grace)).toMatchObject([{unread: 1}]);
    expect(await inboxOf(alan)).toMatchObject([{unread: 1, reasons: ['mention']}]);
    const comment = await say(ada, standup, 'Nobody yet', markdown);
    expect(await unreadOf(grace)).toBe(1);
    await ask('PATCH', `/v1/comments/${comment.id}`, ada, {text: mention({id: grace.id, name: 'Grace'})});
    expect(await inboxOf(grace)).toMatchObject([{unread: 2, reasons: ['mention']}]);
  });

  it('a mention of a team notifies its members, without its observers and the author', async () => {
    const update = `Ready: ${mention({id: workspace.team, name: 'Platform'})}`;
    await post(ada, {update, ...markdown});
    expect([await unreadOf(grace), await unreadOf(alan)]).toEqual([1, 1]);
    expect([await unreadOf(ada), await unreadOf(observer)]).toEqual([0, 0]);
  });

  it('a mention in a plain text notifies no one', async () => {
    await post(ada, {update: mention({id: grace.id, name: 'Grace'})});
    expect(await inboxOf(grace)).toEqual([]);
  });

  it('the first reaction of a person notifies the author, and taking it back changes nothing', async () => {
    const standup = await post(ada);
    await react(grace, standup, {add: ['👍']});
    await react(grace, standup, {add: ['🎉']});
    await react(ada, standup, {add: ['👍']});
    expect(await inboxOf(ada)).toMatchObject([
      {unread: 1, reasons: ['reaction'], latest: {by: {name: 'Grace'}, comment: null, excerpt: null}},
    ]);
    await react(grace, standup, {remove: ['👍', '🎉']});
    expect(await inboxOf(ada)).toMatchObject([{unread: 1}]);
  });

  it('a person is not notified of their own changes, nor of a standup that a program posts for them', async () => {
    const standup = await post(ada, {update: mention({id: ada.id, name: 'Ada'}), ...markdown});
    await say(ada, standup, `Me: ${mention({id: ada.id, name: 'Ada'})}`, markdown);
    const body = {team: 'platform', update: mention({id: ada.id, name: 'Ada'}), author: ada.id, ...markdown};
    expect((await workspace.request('POST', '/v1/standups', {body})).status).toBe(201);
    expect(await inboxOf(ada)).toEqual([]);
  });

  it('an item is read up to what was shown, and what comes later stays unread', async () => {
    const [one, other] = [await post(ada), await post(ada)];
    await say(grace, one, 'First');
    const [shown] = await inboxOf(ada);
    await say(grace, one, 'Second');
    await say(grace, other, 'Third');
    const seen = shown?.latest.sequence;
    expect((await read(ada, {standups: [one.id], until: seen})).status).toBe(204);
    expect(await inboxOf(ada)).toMatchObject([{standup: other.id}, {standup: one.id, unread: 2}]);
    await read(ada, {standups: [one.id]});
    expect(await inboxOf(ada)).toMatchObject([{unread: 1}, {unread: 0, reasons: ['reply']}]);
    expect(await inboxOf(ada, '?unread=true')).toMatchObject([{standup: other.id}]);
    expect(await unreadOf(ada)).toBe(1);
    await read(ada, {until: Number.MAX_SAFE_INTEGER});
    expect(await unreadOf(ada)).toBe(0);
  });

  it('an item that was read begins again with the next reason', async () => {
    const standup = await post(ada);
    await say(grace, standup, 'First');
    await read(ada, {standups: [standup.id]});
    await react(alan, standup, {add: ['👍']});
    expect(await inboxOf(ada)).toMatchObject([{unread: 1, reasons: ['reaction']}]);
  });

  it('a request with a used idempotency key notifies no one again', async () => {
    const standup = await post(ada);
    const key = {headers: {'idempotency-key': 'answered-once'}};
    const body = {standup: standup.id, text: 'Once'};
    await ask('POST', '/v1/comments', grace, body, key);
    await ask('POST', '/v1/comments', grace, body, key);
    expect(await inboxOf(ada)).toMatchObject([{unread: 1}]);
  });

  it('an item of a deleted standup is gone, and is not counted', async () => {
    const standup = await post(ada);
    await say(grace, standup, 'Seen');
    await ask('DELETE', `/v1/standups/${standup.id}`, ada);
    expect(await inboxOf(ada)).toEqual([]);
    expect(await unreadOf(ada)).toBe(0);
  });

  it('a deleted comment is no longer quoted', async () => {
    const standup = await post(ada);
    const {id} = await say(grace, standup, 'Secret by mistake');
    await ask('DELETE', `/v1/comments/${id}`, grace);
    const answer = await ask('GET', '/v1/inbox', ada);
    expect(answer.text).not.toContain('Secret');
    expect(answer.body.data).toMatchObject([{latest: {comment: null, excerpt: null, by: {name: 'Grace'}}}]);
  });

  it('the name of a removed member is no longer in an inbox, and their own inbox is deleted', async () => {
    const standup = await post(ada);
    await say(grace, standup, 'Seen');
    await say(ada, standup, 'Thanks');
    const keys = workspaceKeys(workspace.id);
    const member = asId<'member'>(grace.id);
    const [first, ...others] = [
      keys.inbox(member),
      keys.unread(member),
      keys.inboxItems(member),
      keys.muted(member),
    ] as const;
    await ask('POST', '/v1/inbox/read', grace, {standups: [(await post(ada)).id], muted: true});
    const countKeys = () =>
      service.core.store.connection.call<number>(performance.now() + 5_000, ['EXISTS', first, ...others]);
    expect(await countKeys()).toBe(4);
    await workspace.request('DELETE', `/v1/members/${grace.id}?erase=true`);
    await until(async () => (await inboxOf(ada))[0]?.latest.comment === null);
    expect((await ask('GET', '/v1/inbox', ada)).text).not.toContain('Grace');
    expect(await inboxOf(ada)).toMatchObject([{latest: {by: null, excerpt: null}}]);
    expect(await countKeys()).toBe(0);
  });

  it('an inbox is listed in pages, the latest first, without an item twice', async () => {
    const standups = [];
    for (let n = 0; n < 5; n++) standups.push(await post(ada));
    for (const standup of standups) await say(grace, standup, 'Seen');
    const seen: string[] = [];
    for (let query = '?limit=2'; query !== ''; ) {
      const {data, next_cursor: next} = (await ask('GET', `/v1/inbox${query}`, ada)).body;
      seen.push(...data.map(({standup}: Json) => standup));
      query = next === null ? '' : `?limit=2&cursor=${next}`;
    }
    expect(seen).toEqual(standups.map(({id}) => id).toReversed());
  });

  it('an inbox keeps its newest items, and counts no older ones', async () => {
    const standup = await post(ada);
    const member = asId<'member'>(ada.id);
    const keys = workspaceKeys(workspace.id);
    const older = Array.from({length: limits.inboxItems}, (_, i) => `older${i}`);
    const {call} = service.core.store.connection;
    const soon = () => performance.now() + 5_000;
    for (const key of [keys.inbox(member), keys.unread(member)])
      await call(soon(), ['ZADD', key, ...older.flatMap((name, i) => [String(-i - 1), name])]);
    const fields = older.flatMap((name) => [name, '1 reply reply x y 1']);
    await call(soon(), ['HSET', keys.inboxItems(member), ...fields]);
    await say(grace, standup, 'Newest');
    expect(await call(soon(), ['ZCARD', keys.inbox(member)])).toBe(limits.inboxItems);
    expect(await call(soon(), ['ZCARD', keys.unread(member)])).toBe(limits.inboxItems);
    expect(await call(soon(), ['HLEN', keys.inboxItems(member)])).toBe(limits.inboxItems);
    expect(await inboxOf(ada)).toMatchObject([{standup: standup.id}]);
  });

  it('an inbox shows only what its member may read, and nothing of another member', async () => {
    const standup = await post(ada);
    await say(grace, standup, 'Seen');
    expect(await inboxOf(grace)).toEqual([]);
    await read(grace, {standups: [standup.id]});
    expect(await unreadOf(ada)).toBe(1);
  });

  it('a service account has an empty inbox, and none in its own data', async () => {
    const answer = await workspace.request('GET', '/v1/inbox');
    expect(answer.body.data).toEqual([]);
    expect((await workspace.request('POST', '/v1/inbox/read', {body: {until: 5}})).status).toBe(204);
    expect((await workspace.request('GET', '/v1/me')).body.inbox).toBeNull();
  });

  it('a request that marks nothing is refused with the fields that it may have', async () => {
    const answer = await read(ada, {});
    expectProblem(answer, 'validation_failed');
    expect(answer.text).toContain('or `until`');
    expectProblem(await read(ada, {standups: ['std_1']}), 'validation_failed');
  });

  it('an excerpt is cut to 200 whole characters', async () => {
    const standup = await post(ada);
    await say(grace, standup, '🙂'.repeat(limits.inboxExcerpt + 1));
    expect((await inboxOf(ada))[0]?.latest.excerpt).toBe('🙂'.repeat(limits.inboxExcerpt));
  });
});

const mute = async (person: Person, {id}: Json, muted: boolean): Promise<void> => {
  const {status} = await read(person, {standups: [id], muted});
  expect(status).toBe(204);
};
const listDue = () =>
  service.core.store.connection.call<string[]>(performance.now() + 5_000, [
    'ZRANGE',
    workspaceKeys(workspace.id).noticesDue(),
    '0',
    '-1',
  ]);
const formatted = (text: string) => ({text, ...markdown});

it('a muted conversation is read, and adds nothing to the inbox, the badge or what is sent', async () => {
  const standup = await post(ada);
  await say(grace, standup, 'First');
  expect(await inboxOf(ada)).toMatchObject([{muted: false, unread: 1}]);
  await mute(ada, standup, true);
  await service.core.store.connection.call(performance.now() + 5_000, [
    'DEL',
    workspaceKeys(workspace.id).noticesDue(),
  ]);
  await say(grace, standup, 'Second');
  await ask('POST', '/v1/reactions', grace, {subject: standup['id'], add: ['👍']});
  expect(await inboxOf(ada)).toMatchObject([{muted: true, unread: 0, latest: {excerpt: 'First'}}]);
  expect(await unreadOf(ada)).toBe(0);
  expect(await listDue()).toEqual([]);
  await mute(ada, standup, false);
  await say(grace, standup, 'Third');
  expect(await inboxOf(ada)).toMatchObject([{muted: false, unread: 1, latest: {excerpt: 'Third'}}]);
});

it('a mention by name ends a muting, and one of a team does not', async () => {
  const standup = await post(ada);
  await mute(ada, standup, true);
  const {team_id: team} = standup;
  await say(grace, standup, '', formatted(`[@Platform](mention:${team})`));
  expect(await unreadOf(ada)).toBe(0);
  await say(grace, standup, '', formatted(`[@Ada](mention:${ada.id})`));
  expect(await inboxOf(ada)).toMatchObject([{muted: false, unread: 1, reasons: ['mention']}]);
});

it('a comment of their own ends the muting of a member, and not that of others', async () => {
  const standup = await post(ada);
  await say(grace, standup, 'First');
  await mute(ada, standup, true);
  await mute(grace, standup, true);
  await say(ada, standup, 'Back again');
  await say(grace, standup, 'Welcome');
  expect(await unreadOf(ada)).toBe(1);
  const [ofAda] = await inboxOf(ada);
  expect(ofAda?.muted).toBe(false);
});

it('a muting needs the standups that it is about', async () => {
  const body = {until: 5, muted: true};
  const answer = await workspace.request('POST', '/v1/inbox/read', {token: ada.token, body});
  expectProblem(answer, 'validation_failed');
  expect(answer.body['errors']).toMatchObject([{pointer: '#/standups'}]);
});

it('a standup that does not exist, or that a member may not see, is not muted', async () => {
  const {id: hidden} = await post(grace);
  const keys = workspaceKeys(workspace.id).muted(asId(ada.id));
  await mute(ada, {id: 'std_01h455vb4pex5vsknk084sn02q'}, true);
  const owner = await addPerson(service, workspace, {name: 'Olga', role: 'owner'});
  await ask('DELETE', `/v1/teams/platform/members/${ada.id}`, owner);
  await ask('PATCH', '/v1/teams/platform', owner, {visibility: 'private'});
  await mute(ada, {id: hidden}, true);
  const found = await service.core.store.connection.call(performance.now() + 5_000, ['EXISTS', keys]);
  expect(found).toBe(0);
});

it('regression: a conversation stays muted as long as something happens in it or in the inbox', async () => {
  const [muted, other] = [await post(ada), await post(ada)];
  const key = workspaceKeys(workspace.id).muted(asId(ada.id));
  const {call} = service.core.store.connection;
  const within = () => performance.now() + 5_000;
  await mute(ada, muted, true);
  const find = () => call<string>(within(), ['ZSCORE', key, muted.id.slice(-16)]);
  const before = Number(await find());
  for (const standup of [muted, other]) {
    await call(within(), ['EXPIRE', key, '100']);
    await say(grace, standup, 'Seen');
    expect(await call(within(), ['TTL', key])).toBeGreaterThan(80 * 24 * 3_600);
  }
  expect(Number(await find())).toBeGreaterThan(before);
  expect(await inboxOf(ada)).toMatchObject([{standup: other.id, muted: false, unread: 1}]);
});

it('the oldest muted conversations beyond the limit are forgotten', async () => {
  const standup = await post(ada);
  const keys = workspaceKeys(workspace.id).muted(asId(ada.id));
  const many = Array.from({length: limits.inboxMuted}, (_, i) => [String(i + 1), `old${i}`]).flat();
  const {call} = service.core.store.connection;
  await call(performance.now() + 5_000, ['ZADD', keys, ...many]);
  await mute(ada, standup, true);
  expect(await call(performance.now() + 5_000, ['ZCARD', keys])).toBe(limits.inboxMuted);
  expect(await call(performance.now() + 5_000, ['ZSCORE', keys, 'old0'])).toBeNull();
});

it('a mention of a team of 300 is in the inbox of each, once, and is sent to a bounded number', async () => {
  const {members, teamMembers} = service.core.services;
  const keys = workspaceKeys(workspace.id);
  const unread: Parameters<typeof keys.unread>[0][] = [];
  for (let i = 0; i < 300; i++) {
    const call = createCallByService({workspace: workspace.id, deadline: performance.now() + 10_000});
    const {body} = await members.createMember(call, {name: `Person ${i}`});
    const {id} = JSON.parse(body ?? '');
    await teamMembers.setTeamMember(call, 'platform', id, 'member');
    unread.push(id);
  }
  await post(ada, {
    update: `[@Platform](mention:${workspace.team}) and [@Platform](mention:${workspace.team})`,
    ...markdown,
  });
  const counts = await Promise.all(
    unread.map((id) =>
      service.core.store.connection.call(performance.now() + 5_000, ['ZCARD', keys.unread(id)]),
    ),
  );
  expect(counts).toEqual(unread.map(() => 1));
  expect(await listDue()).toHaveLength(limits.inboxMessages);
}, 120_000);
