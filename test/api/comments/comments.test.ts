import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import {suffixOf} from '../../../src/domain/core/ids.js';
import {limits} from '../../../src/domain/core/limits.js';
import {lists} from '../../../src/domain/core/lists.js';
import {workspaceKeys} from '../../../src/store/core/keys.js';
import {type Json, startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {until} from '../../support/until.js';
import {expectProblem} from '../http/expect-problem.js';
import {addPerson, type Person} from '../people.js';
import {eventsOf, make} from '../samples.js';

let service: TestService;
let workspace: TestWorkspace;
let ada: Person;
let grace: Person;
let lead: Person;
let outsider: Person;
let observer: Person;
let admin: Person;

beforeAll(async () => {
  service = await startService();
  workspace = await service.addWorkspace();
  ada = await addPerson(service, workspace, {name: 'Ada', email: 'ada@example.com', team: 'platform'});
  grace = await addPerson(service, workspace, {name: 'Grace', team: 'platform'});
  lead = await addPerson(service, workspace, {name: 'Lea', team: 'platform', as: 'lead'});
  outsider = await addPerson(service, workspace, {name: 'Oda'});
  observer = await addPerson(service, workspace, {name: 'Obi'});
  const body = {role: 'observer'};
  await workspace.request('PUT', `/v1/teams/platform/members/${observer.id}`, {body});
  admin = await addPerson(service, workspace, {name: 'Alan', role: 'admin'});
});

afterAll(() => service.close());

type Asker = {readonly token?: string};

const ask = (method: string, path: string, {token}: Asker = {}, body?: Json, more: Json = {}) =>
  workspace.request(method, path, {...(token && {token}), ...(body && {body}), ...more});
const post = async (author: Asker = ada, more: Json = {}): Promise<Json> =>
  (await ask('POST', '/v1/standups', author, {team: 'platform', update: 'Shipped it.', ...more})).body;
const say = async (author: Asker, {id}: Json, text: string, more: Json = {}): Promise<Json> => {
  const answer = await ask('POST', '/v1/comments', author, {standup: id, text, ...more});
  expect(answer.status).toBe(201);
  return answer.body;
};
const edit = (author: Asker, {id}: Json, body: Json, more?: Json) =>
  ask('PATCH', `/v1/comments/${id}`, author, body, more);
const remove = (author: Asker, {id}: Json, more?: Json) =>
  ask('DELETE', `/v1/comments/${id}`, author, undefined, more);
const rowsOf = async (query: string): Promise<Json[]> =>
  (await ask('GET', `/v1/comments?${query}`)).body.data;
const textsOf = async (query: string) => (await rowsOf(query)).map(({text}) => text);
const eventsAbout = async ({id}: Json) => (await eventsOf(workspace)).filter(({data}) => data?.id === id);

describe('a comment', () => {
  it('a comment is written, edited and deleted, each with its event', async () => {
    const standup = await post();
    const made = await say(grace, standup, ' On it ');
    expect(made).toEqual({
      id: expect.stringMatching(/^cmt_/),
      object: 'comment',
      standup: standup.id,
      team: 'platform',
      team_id: workspace.team,
      author: {type: 'member', id: grace.id, name: 'Grace'},
      text: ' On it ',
      source: 'api',
      edited: false,
      revision: 1,
      created_at: expect.any(String),
      updated_at: made.created_at,
    });
    const edited = await edit(grace, made, {text: '*Done*', format: 'markdown'});
    expect(edited.body).toMatchObject({text: '*Done*', format: 'markdown', edited: true, revision: 2});
    expect((await ask('GET', `/v1/comments/${made.id}`)).body).toEqual(edited.body);
    expect((await edit(grace, made, {text: '*Done*'})).body).toEqual(edited.body);
    const plain = await edit(grace, made, {format: 'plain'});
    expect(plain.body).not.toHaveProperty('format');
    expect((await remove(grace, made)).status).toBe(204);
    expectProblem(await ask('GET', `/v1/comments/${made.id}`), 'not_found');
    expectProblem(await edit(grace, made, {text: 'Late'}), 'not_found');
    expectProblem(await remove(grace, made), 'not_found');
    const events = await eventsAbout(made);
    expect(events.map(({type}) => type)).toEqual([
      'comment.created',
      'comment.updated',
      'comment.updated',
      'comment.deleted',
    ]);
    expect(events[1].previous_attributes).toEqual({text: ' On it ', edited: false, format: null});
    expect(events[3].data).toEqual(plain.body);
  });

  it('a comment changes neither the revision nor the events of its standup', async () => {
    const standup = await post();
    await say(grace, standup, 'Seen');
    expect((await ask('GET', `/v1/standups/${standup.id}`)).body.revision).toBe(1);
    expect((await eventsAbout(standup)).map(({type}) => type)).toEqual(['standup.created']);
  });

  it('a comment respects If-Match, and a GET with its ETag returns 304', async () => {
    const made = await say(grace, await post(), 'First');
    const stale = {headers: {'if-match': '"7"'}};
    expectProblem(await edit(grace, made, {text: 'Second'}, stale), 'precondition_failed');
    expectProblem(await remove(grace, made, stale), 'precondition_failed');
    const fresh = {headers: {'if-match': '"1"'}};
    expect((await edit(grace, made, {text: 'Second'}, fresh)).headers.get('etag')).toBe('"2"');
    const known = {headers: {'if-none-match': '"2"'}};
    expect((await ask('GET', `/v1/comments/${made.id}`, {}, undefined, known)).status).toBe(304);
  });

  it('a comment is written once by requests with the same idempotency key', async () => {
    const standup = await post();
    const key = {headers: {'idempotency-key': 'said-once'}};
    const body = {standup: standup.id, text: 'Once'};
    const [first, second] = [
      await ask('POST', '/v1/comments', grace, body, key),
      await ask('POST', '/v1/comments', grace, body, key),
    ];
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(await textsOf(`standup=${standup.id}`)).toEqual(['Once']);
  });

  it('a comment on an unknown standup is refused at the field that names it', async () => {
    const unknown = await ask('POST', '/v1/comments', ada, {
      standup: 'std_01h455vb4pex5vsknk084sn02q',
      text: 'To no one',
    });
    const {errors} = expectProblem(unknown, 'validation_failed');
    expect(errors).toMatchObject([{pointer: '#/standup'}]);
    const deleted = await post();
    await ask('DELETE', `/v1/standups/${deleted.id}`, ada);
    const late = await ask('POST', '/v1/comments', ada, {standup: deleted.id, text: 'Too late'});
    expectProblem(late, 'validation_failed');
  });

  it('a comment has 1 to 4,000 characters, and is stored as typed', async () => {
    const standup = await post();
    for (const text of ['', ' \n ', 'x'.repeat(limits.comment + 1), 'a\u0000b'])
      expectProblem(await ask('POST', '/v1/comments', ada, {standup: standup.id, text}), 'validation_failed');
    const texts = [
      '😀'.repeat(limits.comment),
      '<img src=x onerror=alert(1)>',
      '\u202Eevil\u202C {{7*7}} ${7*7} %00 \\',
      `"},"author":{"id":"mem_0"},"team_id":"team_0`,
      '>'.repeat(limits.comment),
    ];
    for (const text of texts) {
      const made = await say(ada, standup, text, {format: 'markdown'});
      expect(made).toMatchObject({text, team_id: workspace.team, author: {id: ada.id}});
      expect((await edit(ada, made, {text: `${text.slice(0, 3_990)}!`})).status).toBe(200);
    }
    expect(await rowsOf(`standup=${standup.id}`)).toHaveLength(texts.length);
  });

  it('a comment is one too many after 500 on its standup, until another is deleted', async () => {
    const standup = await post();
    const made: Json[] = [];
    for (let i = 0; i < limits.commentsPerStandup; i += 20) {
      const some = Array.from({length: 20}, () =>
        service.core.services.comments.createComment(workspace.operator(), {
          standup: standup.id,
          text: 'Again',
        }),
      );
      made.push(...(await Promise.all(some)));
    }
    const body = {standup: standup.id, text: 'Too many'};
    expectProblem(await ask('POST', '/v1/comments', ada, body), 'limit_reached');
    await remove(admin, made[0]);
    expect((await ask('POST', '/v1/comments', ada, body)).status).toBe(201);
  });
});

describe('the mentions in a comment', () => {
  const mention = (label: string, id: string) => `[@${label}](mention:${id})`;

  it('a mention in a comment gets the present name, so no label says Ada and leads to Grace', async () => {
    const standup = await post();
    const format = {format: 'markdown'};
    const made = await say(grace, standup, `Ask ${mention('Ada', lead.id)}`, format);
    expect(made['text']).toBe(`Ask ${mention('Lea', lead.id)}`);
    const changed = await edit(grace, made, {text: `Ask ${mention('Lea', ada.id)}`});
    expect(changed.body.text).toBe(`Ask ${mention('Ada', ada.id)}`);
    const plain = await say(grace, standup, mention('Ada', lead.id));
    expect(plain['text']).toBe(mention('Ada', lead.id));
    const formatted = await edit(grace, plain, format);
    expect(formatted.body.text).toBe(mention('Lea', lead.id));
  });

  it('a comment that mentions an unknown member is refused at its text', async () => {
    const {id} = await post();
    const text = mention('x', 'mem_01h455vb4pex5vsknk084sn02q');
    const refused = await ask('POST', '/v1/comments', grace, {standup: id, text, format: 'markdown'});
    expect([refused.status, refused.body.errors[0].pointer]).toEqual([422, '#/text']);
  });
});

describe('the list of comments', () => {
  it('the list of a standup has the oldest comment first, and pages by cursor without gaps', async () => {
    const standup = await post();
    const texts = Array.from({length: 7}, (_, i) => `No. ${i}`);
    for (const text of texts) await say(grace, standup, text);
    const found: string[] = [];
    for (let cursor = ''; ; ) {
      const path = `/v1/comments?standup=${standup.id}&limit=3${cursor}`;
      const {body} = await ask('GET', path);
      found.push(...body.data.map(({text}: Json) => text));
      if (!body.has_more) break;
      cursor = `&cursor=${body.next_cursor}`;
    }
    expect(found).toEqual(texts);
  });

  it('the list of a team or of an author has the newest comment first, and filters combine', async () => {
    await make(workspace, '/v1/teams', {slug: 'mobile'});
    const [here, there] = [
      await post(),
      await make(workspace, '/v1/standups', {team: 'mobile', update: 'Hi'}),
    ];
    await say(outsider, here, 'One');
    await say(outsider, there, 'Two');
    await say(observer, there, 'Three');
    expect(await textsOf('team=mobile')).toEqual(['Three', 'Two']);
    expect(await textsOf(`author=${outsider.id}`)).toEqual(['Two', 'One']);
    expect(await textsOf(`author=${outsider.id}&team=platform`)).toEqual(['One']);
    expect(await textsOf(`author=${outsider.id}&standup=${there.id}`)).toEqual(['Two']);
    expect(await textsOf(`standup=${there.id}&team=platform`)).toEqual([]);
    expect((await textsOf('team=platform,mobile')).slice(0, 3)).toEqual(['Three', 'Two', 'One']);
    expect(await textsOf('')).toContain('Three');
    expectProblem(await ask('GET', '/v1/comments?team=nowhere'), 'team_not_found');
    expectProblem(await ask('GET', '/v1/comments?standup=std_1'), 'invalid_parameter');
  });
});

describe('the thread that a standup shows', () => {
  const shown = async ({id}: Json): Promise<Json> => (await ask('GET', `/v1/standups/${id}`)).body.thread;
  const none = {comments: 0, last_comment_at: null, reactions: []};

  it('the thread has the number of comments and the time of the last one, in each answer with the standup', async () => {
    await make(workspace, '/v1/teams', {slug: 'shown'});
    await workspace.request('PUT', `/v1/teams/shown/members/${ada.id}`);
    const standup = await post(ada, {team: 'shown'});
    expect(standup.thread).toEqual(none);
    const quiet = await post(ada, {team: 'shown', update: 'No one answers.'});
    const first = await say(grace, standup, 'One');
    const last = await say(ada, standup, 'Two');
    const thread = {comments: 2, last_comment_at: last.created_at, reactions: []};
    const threadsOf = (rows: Json[]) => Object.fromEntries(rows.map((row) => [row.id, row.thread]));
    const expected = {[standup.id]: thread, [quiet.id]: none};
    const read = async (path: string) => (await ask('GET', path)).body;
    expect(await shown(standup)).toEqual(thread);
    expect(threadsOf((await read('/v1/standups?team=shown')).data)).toEqual(expected);
    // A filter for which each row is checked.
    expect(threadsOf((await read(`/v1/standups?team=shown&author=${ada.id}`)).data)).toEqual(expected);
    const day = await read(`/v1/teams/shown/days/${standup.date}`);
    expect(threadsOf(day.people.flatMap(({standups}: Json) => standups))).toEqual(expected);
    const exported = (await ask('GET', '/v1/export?format=ndjson&team=shown')).text.trim().split('\n');
    expect(threadsOf(exported.map((line): Json => JSON.parse(line)))).toEqual(expected);
    const edited = await ask('PATCH', `/v1/standups/${standup.id}`, ada, {update: 'Shipped it all.'});
    expect(edited.body.thread).toEqual(thread);
    await remove(ada, last);
    expect(await shown(standup)).toEqual({comments: 1, last_comment_at: first.created_at, reactions: []});
    await remove(grace, first);
    expect(await shown(standup)).toEqual(none);
  });

  it('a comment changes the ETag of its standup, of lists and of the day, and an edit of it changes none', async () => {
    const standup = await post();
    const paths = [
      `/v1/standups/${standup.id}`,
      '/v1/standups?team=platform&limit=5',
      `/v1/teams/platform/days/${standup.date}`,
    ];
    const tags = async () => {
      const answers = await Promise.all(paths.map((path) => ask('GET', path)));
      return answers.map(({headers}) => headers.get('etag'));
    };
    const before = await tags();
    expect(await tags()).toEqual(before);
    const said = await say(grace, standup, 'New');
    const after = await tags();
    expect(after.filter((tag) => before.includes(tag))).toEqual([]);
    await edit(grace, said, {text: 'Newer'});
    expect(await tags()).toEqual(after);
    // The entity tag still names the revision, which a comment does not change.
    const changed = {headers: {'if-match': before[0]}};
    const answer = await ask('PATCH', paths[0] ?? '', ada, {update: 'Again.'}, changed);
    expect(answer.status).toBe(200);
  });
});

describe('rights on comments', () => {
  const callers: readonly (readonly [who: string, caller: () => Asker, mayDelete: boolean])[] = [
    ['a member of the team', () => ada, false],
    ['a lead of the team', () => lead, true],
    ['an observer of the team', () => observer, false],
    ['a member of no team', () => outsider, false],
    ['an admin', () => admin, true],
    ['a service account', () => ({}), true],
  ];

  it.each(callers)('%s comments, and edits only their own comment', async (_, caller, mayDelete) => {
    const standup = await post();
    const own = await say(caller(), standup, 'Own');
    const other = await say(grace, standup, 'Of Grace');
    expect((await edit(caller(), own, {text: 'Own, edited'})).status).toBe(200);
    const {detail} = expectProblem(await edit(caller(), other, {text: 'Not mine'}), 'forbidden');
    expect(detail).toContain('Grace');
    const removed = await remove(caller(), other);
    if (mayDelete) expect(removed.status).toBe(204);
    else expectProblem(removed, 'forbidden');
    expect((await remove(caller(), own)).status).toBe(204);
  });

  it('a token without the scope comments:write reads comments and writes none', async () => {
    const standup = await post();
    const made = await say(grace, standup, 'Theirs');
    const narrow = await workspace.addToken({scopes: ['standups:read', 'standups:write']});
    const token = {token: narrow.value};
    expect((await ask('GET', `/v1/comments?standup=${standup.id}`, token)).body.data).toEqual([made]);
    const body = {standup: standup.id, text: 'No'};
    expectProblem(await ask('POST', '/v1/comments', token, body), 'insufficient_scope');
    expectProblem(await remove(token, made), 'insufficient_scope');
    const writer = await workspace.addToken({scopes: ['comments:write']});
    const writing = {token: writer.value};
    expect((await ask('POST', '/v1/comments', writing, body)).status).toBe(201);
    expectProblem(await ask('GET', '/v1/comments', writing), 'insufficient_scope');
    expectProblem(await remove(writing, made), 'forbidden');
  });
});

describe('a thread', () => {
  it('a thread is gone with its standup, and is removed without events of its own', async () => {
    const standup = await post();
    const said = await say(grace, standup, 'Goes too');
    for (let i = 0; i < 30; i++) await say(ada, standup, `No. ${i}`);
    expect((await ask('DELETE', `/v1/standups/${standup.id}`, ada)).status).toBe(204);
    expectProblem(await ask('GET', `/v1/comments/${said.id}`), 'not_found');
    expect(await textsOf(`standup=${standup.id}`)).toEqual([]);
    expect(await textsOf('team=platform&limit=100')).not.toContain('Goes too');
    await until(async () => (await countListed(standup, said)) === 0, {what: 'the thread was removed'});
    const types = (await eventsAbout(said)).map(({type}) => type);
    expect(types).toEqual(['comment.created']);
  });

  it('a thread moves with its standup to another day, and stays in its order', async () => {
    const standup = await post();
    const texts = ['One', 'Two', 'Three'];
    for (const text of texts) await say(grace, standup, text);
    const date = new Date(Date.parse(standup.date) - 3 * 86_400_000).toISOString().slice(0, 10);
    const moved = await ask('PATCH', `/v1/standups/${standup.id}`, ada, {date});
    expect(moved.body).toMatchObject({date, thread: {comments: 3}});
    expect(await textsOf(`standup=${standup.id}`)).toEqual(texts);
  });

  it('a thread is gone with its team', async () => {
    await make(workspace, '/v1/teams', {slug: 'short'});
    const standup = await make(workspace, '/v1/standups', {team: 'short', update: 'Hi'});
    const said = await say(grace, standup, 'In a team that goes');
    await ask('POST', '/v1/reactions', ada, {subject: standup.id, add: ['👍']});
    const reacted = lists.reactionsOfTeam(standup.team_id);
    const {records} = service.core.store;
    expect(await records.count(workspace.id, reacted, performance.now() + 1_000)).toBe(1);
    await ask('DELETE', '/v1/teams/short?force=true');
    expectProblem(await ask('GET', `/v1/comments/${said.id}`), 'not_found');
    expect(await textsOf(`author=${grace.id}&limit=100`)).not.toContain('In a team that goes');
    await until(async () => (await countListed(standup, said)) === 0, {what: 'the thread was removed'});
    await until(async () => (await records.count(workspace.id, reacted, performance.now() + 1_000)) === 0, {
      what: 'the reactions were removed',
    });
  });

  it('a thread goes with its erased author’s standup, while comments of the erased are deleted with events', async () => {
    const [gone, reader] = [
      await addPerson(service, workspace, {name: 'Gone', team: 'platform'}),
      await addPerson(service, workspace, {name: 'Rita', team: 'platform'}),
    ];
    const [own, other] = [await post(gone), await post(reader)];
    const said = await say(reader, own, 'On a standup that goes');
    const stays = await say(reader, other, 'Stays');
    await say(gone, other, 'Goes');
    expect((await ask('DELETE', `/v1/members/${gone.id}?erase=true`)).status).toBe(204);
    await until(async () => (await countListed(own, said)) === 0, {what: 'the thread was removed'});
    await until(async () => (await rowsOf(`standup=${other.id}`)).length === 1, {what: 'the comment went'});
    expect(await rowsOf(`standup=${other.id}`)).toEqual([stays]);
    const deleted = (await eventsOf(workspace)).filter(({type}) => type === 'comment.deleted');
    expect(deleted.at(-1)?.data).toBeNull();
  });
});

/** Counts the entries about a comment that lists still have, and its record. */
async function countListed(standup: Json, {id, author, team_id: team}: Json): Promise<number> {
  const {call} = service.core.store.connection;
  const keys = workspaceKeys(workspace.id);
  const suffix = suffixOf<'comment'>(id);
  const names = [
    lists.commentsOf(standup.id),
    lists.commentsOfTeam(team),
    lists.commentsBy(author.id),
    lists.comments(),
  ];
  const scores = await Promise.all(
    names.map((list) => call<string | null>(performance.now() + 1_000, ['ZSCORE', keys.list(list), suffix])),
  );
  const record = await call<number>(performance.now() + 1_000, ['EXISTS', keys.record(suffix)]);
  return scores.filter((score) => score !== null).length + record;
}
