import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import {limits} from '../../../src/domain/core/limits.js';
import {createChance} from '../../support/seeded-random.js';
import {type Json, startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {until} from '../../support/until.js';
import {expectProblem} from '../http/expect-problem.js';
import {addPerson, type Person} from '../people.js';
import {eventsOf, make, randomName} from '../samples.js';

let service: TestService;
let workspace: TestWorkspace;
let ada: Person;
let grace: Person;

beforeAll(async () => {
  service = await startService();
  workspace = await service.addWorkspace();
  ada = await addPerson(service, workspace, {name: 'Ada', team: 'platform'});
  grace = await addPerson(service, workspace, {name: 'Grace', team: 'platform'});
});

afterAll(() => service.close());

const post = async (): Promise<string> => {
  const {slug} = await make(workspace, '/v1/teams', {slug: randomName()});
  return (await make(workspace, '/v1/standups', {team: slug, update: 'Shipped it.'})).id;
};
const react = (subject: string, change: Json, who?: {token: string}) =>
  workspace.request('POST', '/v1/reactions', {body: {subject, ...change}, ...(who && {token: who.token})});
const listOn = async (subject: string): Promise<Json[]> =>
  (await workspace.request('GET', `/v1/reactions?subject=${subject}&limit=100`)).body.data;
const typesOn = async (subject: string) =>
  (await eventsOf(workspace)).flatMap(({type, data}) =>
    type.startsWith('reaction.') && data?.subject === subject ? [type] : [],
  );

describe('a reaction', () => {
  it('a reaction is one record for each person, grows, shrinks, and goes with its last emoji, each with its event', async () => {
    const subject = await post();
    const first = await react(subject, {add: ['👍']}, ada);
    expect(first.status).toBe(200);
    expect(first.body).toEqual({
      object: 'reaction_summary',
      subject,
      reactions: [{emoji: '👍', count: 1, mine: true, by: ['Ada']}],
    });
    await react(subject, {add: ['👍']}, grace);
    const {body} = await react(subject, {add: ['🎉'], remove: ['👍']}, ada);
    expect(body.reactions).toEqual([
      {emoji: '🎉', count: 1, mine: true, by: ['Ada']},
      {emoji: '👍', count: 1, mine: false, by: ['Grace']},
    ]);
    const [newest, oldest] = await listOn(subject);
    expect(newest).toMatchObject({author: {name: 'Grace'}, emoji: ['👍']});
    expect(oldest).toMatchObject({
      object: 'reaction',
      subject,
      author: {type: 'member', id: ada.id, name: 'Ada'},
      emoji: ['🎉'],
      revision: 2,
    });
    await react(subject, {remove: ['🎉']}, ada);
    expect(await listOn(subject)).toHaveLength(1);
    expect(await typesOn(subject)).toEqual([
      'reaction.created',
      'reaction.created',
      'reaction.updated',
      'reaction.deleted',
    ]);
  });

  it('a reaction does not change, and makes no event, by a repeated request', async () => {
    const subject = await post();
    for (let i = 0; i < 3; i++) await react(subject, {add: ['👍', '👍'], remove: ['👀']}, ada);
    await react(subject, {remove: ['👀']}, grace);
    expect(await listOn(subject)).toMatchObject([{emoji: ['👍'], revision: 1}]);
    expect(await typesOn(subject)).toEqual(['reaction.created']);
  });

  it('a reaction keeps what two tabs add at the same time', async () => {
    const subject = await post();
    const some = ['👍', '🎉', '❤️', '👀', '🙏', '😄'];
    const answers = await Promise.all(some.map((emoji) => react(subject, {add: [emoji]}, ada)));
    expect(answers.map(({status}) => status)).toEqual(some.map(() => 200));
    const [own, ...more] = await listOn(subject);
    expect(more).toEqual([]);
    expect(new Set(own?.['emoji'])).toEqual(new Set(some));
  });

  it('a reaction is there for each of many people who react at the same time', async () => {
    const subject = await post();
    const people = await Promise.all(
      Array.from({length: 12}, (_, i) => addPerson(service, workspace, {name: `P${i}`, team: 'platform'})),
    );
    const answers = await Promise.all(people.map((one) => react(subject, {add: ['👍']}, one)));
    expect(new Set(answers.map(({status}) => status))).toEqual(new Set([200]));
    expect((await react(subject, {add: ['👍']}, ada)).body.reactions).toMatchObject([
      {emoji: '👍', count: 13, mine: true},
    ]);
  });

  it('a reaction is possible for an observer, and for a program in its own name', async () => {
    const subject = await post();
    const eve = await addPerson(service, workspace, {name: 'Eve', team: 'platform', as: 'observer'});
    expect((await react(subject, {add: ['👀']}, eve)).status).toBe(200);
    expect((await react(subject, {add: ['👀']})).status).toBe(200);
    expect((await listOn(subject)).map(({author}) => author.type)).toEqual(['service_account', 'member']);
  });

  it('a reaction needs the scope `comments:write`', async () => {
    const subject = await post();
    const scopes = ['standups:read', 'standups:write'] as const;
    const reader = await addPerson(service, workspace, {name: 'Rea', team: 'platform', scopes});
    expectProblem(await react(subject, {add: ['👍']}, reader), 'insufficient_scope');
    expect(await listOn(subject)).toEqual([]);
  });

  it('regression: a reaction to a standup that is not there is refused at its field of the body, and the list of its reactions is not found', async () => {
    const subject = await post();
    await workspace.request('DELETE', `/v1/standups/${subject}`);
    const refused = await react(subject, {add: ['👍']}, ada);
    expectProblem(refused, 'validation_failed');
    expect(refused.body.errors).toEqual([
      {
        code: 'validation_failed',
        pointer: '#/subject',
        detail: `There is no standup "${subject}" in this workspace.`,
      },
    ]);
    expectProblem(await workspace.request('GET', `/v1/reactions?subject=${subject}`), 'not_found');
  });

  it('a reaction is neither read nor made in another workspace', async () => {
    const subject = await post();
    await react(subject, {add: ['👍']}, ada);
    const other = await service.addWorkspace();
    expectProblem(
      await other.request('POST', '/v1/reactions', {body: {subject, add: ['👍']}}),
      'validation_failed',
    );
    expect((await other.request('GET', '/v1/reactions')).body.data).toEqual([]);
  });
});

describe('a standup', () => {
  it('a standup has at most twelve different emoji, also when people add them at the same time', async () => {
    const subject = await post();
    const names = Array.from({length: limits.emojiPerSubject + 3}, (_, i) => `:e${i}:`);
    await react(subject, {add: names.slice(0, 10)}, ada);
    const answers = await Promise.all(
      names.slice(10).map((emoji, i) => react(subject, {add: [emoji]}, i % 2 === 0 ? ada : grace)),
    );
    expect(answers.map(({status}) => status).toSorted()).toEqual([200, 200, 409, 409, 409]);
    const found = new Set((await listOn(subject)).flatMap(({emoji}) => emoji));
    expect(found.size).toBe(limits.emojiPerSubject);
    expect((await react(subject, {add: [':e0:']}, grace)).status).toBe(200);
    expectProblem(await react(subject, {add: [':one_more:']}, grace), 'limit_reached');
  });

  it('a standup takes its reactions along when it is deleted, without events about them', async () => {
    const subject = await post();
    await react(subject, {add: ['👍']}, ada);
    await react(subject, {add: ['👍']}, grace);
    await workspace.request('DELETE', `/v1/standups/${subject}`);
    await until(
      async () => {
        const {body} = await workspace.request('GET', '/v1/reactions?limit=100');
        return body.data.every((one: Json) => one['subject'] !== subject);
      },
      {what: 'the reactions to be gone'},
    );
    expect(await typesOn(subject)).toEqual(['reaction.created', 'reaction.created']);
  });
});

describe('the reactions that a standup shows', () => {
  const read = async (path: string, who: Person, known?: string) =>
    workspace.request('GET', path, {token: who.token, headers: known ? {'if-none-match': known} : {}});
  const findReactions = (body: Json, id: string): Json => {
    const rows = body['people']?.flatMap(({standups}: Json) => standups) ?? body['data'] ?? [body];
    return rows.find((row: Json) => row['id'] === id)?.thread.reactions;
  };

  it('a reaction is marked as own for its author alone, although two people read the same list and day', async () => {
    const {slug} = await make(workspace, '/v1/teams', {slug: randomName()});
    for (const one of [ada, grace]) await workspace.request('PUT', `/v1/teams/${slug}/members/${one.id}`);
    const body = {team: slug, update: 'Shipped it.'};
    const {id, date, thread} = (await workspace.request('POST', '/v1/standups', {token: ada.token, body}))
      .body;
    expect(thread.reactions).toEqual([]);
    await react(id, {add: ['👍', '🎉']}, grace);
    await react(id, {add: ['👍']}, ada);
    const of = (isAda: boolean) => [
      {emoji: '👍', count: 2, mine: true, by: ['Grace', 'Ada']},
      {emoji: '🎉', count: 1, mine: !isAda, by: ['Grace']},
    ];
    const paths = [
      `/v1/standups/${id}`,
      `/v1/standups?team=${slug}`,
      `/v1/standups?team=${slug}&author=${ada.id}`,
      `/v1/teams/${slug}/days/${date}`,
    ];
    for (const path of paths) {
      // Several times, as pages and days are kept and shared.
      const readers = [ada, grace, ada, grace, grace, ada];
      const answers = await Promise.all(readers.map((reader) => read(path, reader)));
      for (const [i, answer] of answers.entries())
        expect(findReactions(answer.body, id)).toEqual(of(readers[i] === ada));
      const [tagOfAda, tagOfGrace] = answers.map(({headers}) => headers.get('etag') ?? '');
      expect((await read(path, ada, tagOfAda)).status).toBe(304);
      expect((await read(path, ada, tagOfGrace)).status).toBe(200);
    }
    const exported = await workspace.request('GET', `/v1/export?format=ndjson&team=${slug}`, {
      token: ada.token,
    });
    expect(findReactions(JSON.parse(exported.text), id)).toEqual(of(true));
    const change = {token: ada.token, body: {update: 'Shipped it all.'}};
    const edited = await workspace.request('PATCH', `/v1/standups/${id}`, change);
    expect(findReactions(edited.body, id)).toEqual(of(true));
  });

  it('the reactions change the ETag of their standup, of its list and of its day', async () => {
    const {slug: team} = await make(workspace, '/v1/teams', {slug: randomName()});
    await workspace.request('PUT', `/v1/teams/${team}/members/${ada.id}`);
    const body = {team, author: ada.id, update: 'Shipped it.'};
    const {id: subject, date} = await make(workspace, '/v1/standups', body);
    const paths = [`/v1/standups/${subject}`, `/v1/standups?team=${team}`, `/v1/teams/${team}/days/${date}`];
    const tags = () =>
      Promise.all(paths.map(async (path) => (await read(path, ada)).headers.get('etag') ?? ''));
    const seen = [await tags()];
    for (const change of [{add: ['👍']}, {add: ['🎉']}, {remove: ['👍']}]) {
      await react(subject, change, grace);
      seen.push(await tags());
    }
    expect(new Set(seen.flat()).size).toBe(12);
    await react(subject, {remove: ['🎉']}, grace);
    expect((await tags()).slice(1)).toEqual(seen[0]?.slice(1));
    expect(await tags()).toEqual(seen[0]);
  });

  it('the reactions have the names of the first ten people, and the number of all', async () => {
    const subject = await post();
    const people = Array.from({length: limits.namesPerEmoji + 2}, (_, i) => `R${i}`);
    for (const name of people) {
      const one = await addPerson(service, workspace, {name, team: 'platform'});
      await react(subject, {add: ['👍']}, one);
    }
    const {body} = await read(`/v1/standups/${subject}`, ada);
    expect(body.thread.reactions).toEqual([
      {emoji: '👍', count: people.length, mine: false, by: people.slice(0, limits.namesPerEmoji)},
    ]);
  });
});

it('a list of all reactions has each once by pages, newest first', async () => {
  const own = await service.addWorkspace();
  const subjects: string[] = [];
  for (let i = 0; i < 5; i++) {
    const {id} = await make(own, '/v1/standups', {team: 'platform', date: `2026-11-0${i + 1}`, update: 'U'});
    subjects.unshift(id);
    await own.request('POST', '/v1/reactions', {body: {subject: id, add: ['👍']}});
  }
  const seen: string[] = [];
  for (let cursor = ''; ; ) {
    const {body} = await own.request('GET', `/v1/reactions?limit=2${cursor}`);
    seen.push(...body.data.map((one: Json) => one['subject']));
    if (!body.has_more) break;
    cursor = `&cursor=${body.next_cursor}`;
  }
  expect(seen).toEqual(subjects);
});

it('random changes by several people end as a model of them does', async () => {
  const chance = createChance(12);
  const {pick} = chance;
  const people = [ada, grace];
  const subjects = [await post(), await post()];
  const emoji = Array.from({length: limits.emojiPerSubject + 2}, (_, i) => `:r${i}:`);
  const model = new Map<string, string[]>();
  const some = () => Array.from({length: chance.between(0, 3)}, () => pick(emoji));
  for (let step = 0; step < 120; step++) {
    const [who, subject] = [pick(people), pick(subjects)];
    const key = (one: Person) => `${subject} ${one.id}`;
    const change = {add: some(), remove: some()};
    const {status, body} = await react(subject, change, who);
    const before = model.get(key(who)) ?? [];
    const after = [...new Set([...before.filter((one) => !change.remove.includes(one)), ...change.add])];
    const others = people.filter((one) => one !== who).flatMap((one) => model.get(key(one)) ?? []);
    const grows = after.some((one) => !before.includes(one));
    const tooMany = grows && new Set([...others, ...after]).size > limits.emojiPerSubject;
    const isEmpty = change.add.length + change.remove.length === 0;
    if (isEmpty || tooMany) {
      expect(status).toBe(isEmpty ? 422 : 409);
      continue;
    }
    expect(status).toBe(200);
    model.set(key(who), after);
    const total = new Set([...others, ...after]);
    expect(new Set(body.reactions.map((one: Json) => one['emoji']))).toEqual(total);
    for (const one of body.reactions)
      expect(one).toMatchObject({
        mine: after.includes(one.emoji),
        count: Number(after.includes(one.emoji)) + others.filter((other) => other === one.emoji).length,
      });
  }
  for (const subject of subjects) {
    const found = (await listOn(subject)).map(({author, emoji: all}) => [author.id, all]);
    const known = people.flatMap((one) => {
      const all = model.get(`${subject} ${one.id}`) ?? [];
      return all.length === 0 ? [] : [[one.id, all]];
    });
    expect(new Map(found as [string, string[]][])).toEqual(new Map(known as [string, string[]][]));
  }
});

/** A workspace of its own, since all its events are counted. */
let home: TestWorkspace;

const readThread = async (path: string, who?: Person): Promise<Json> =>
  (await home.request('GET', path, who && {token: who.token})).body;

describe('threads that many people change at once', () => {
  let people: readonly Person[];
  const chance = createChance(29);
  const emoji = ['👍', '🎉', '👀', ':party:'];
  const standups: string[] = [];
  const answers: Json[] = [];

  beforeAll(async () => {
    home = await service.addWorkspace();
    people = await Promise.all(
      ['Ada', 'Grace', 'Joan', 'Lea'].map((name) => addPerson(service, home, {name, team: 'platform'})),
    );
    for (let i = 0; i < 3; i++) {
      standups.push((await make(home, '/v1/standups', {team: 'platform', update: `No. ${i}`})).id);
    }
    const comments: {id: string; author: Person}[] = [];
    const keys: string[] = [];
    const act = async (n: number): Promise<void> => {
      const who = chance.pick(people);
      const standup = chance.pick(standups);
      const known = comments.length > 0 ? chance.pick(comments) : undefined;
      const key = keys.length > 0 && chance.between(0, 9) === 0 ? chance.pick(keys) : `key-${n}`;
      keys.push(key);
      const send = async (method: string, path: string, body?: Json, from = who) => {
        const headers = {'idempotency-key': key};
        const answer = await home.request(method, path, {
          token: from.token,
          headers,
          ...(body && {body}),
        });
        answers.push({...answer, who: from.id});
        return answer;
      };
      const kind = chance.between(0, 9);
      if (kind < 3 || known === undefined) {
        const {status, body} = await send('POST', '/v1/comments', {standup, text: `No. ${n}`});
        if (status === 201) comments.push({id: body.id, author: who});
      } else if (kind < 5)
        await send('PATCH', `/v1/comments/${known.id}`, {text: `Edit ${n % 7}`}, known.author);
      else if (kind < 6) await send('DELETE', `/v1/comments/${known.id}`, undefined, known.author);
      else {
        const some = () => emoji.filter(() => chance.between(0, 2) === 0);
        await send('POST', '/v1/reactions', {subject: standup, add: some(), remove: some()});
      }
    };
    for (let n = 0; n < 400; n += 8) await Promise.all(Array.from({length: 8}, (_, i) => act(n + i)));
  });

  it('threads refuse nothing but what is gone, and keys of other requests', () => {
    const statuses = new Set(answers.map(({status}) => status));
    expect([...statuses].filter((status) => ![200, 201, 204, 404, 409, 422].includes(status))).toEqual([]);
    const refused = answers.filter(({status}) => status === 409 || status === 422);
    expect(new Set(refused.map(({body}) => body.code))).toEqual(
      new Set(['idempotency_key_reused', 'validation_failed']),
    );
  });

  it('threads count the comments and reactions in their lists, and show each person their own', async () => {
    for (const standup of standups) {
      const {data} = await readThread(`/v1/comments?standup=${standup}&limit=100`);
      const reactions: Json[] = (await readThread(`/v1/reactions?subject=${standup}&limit=100`)).data;
      for (const who of people) {
        const {thread} = await readThread(`/v1/standups/${standup}`, who);
        expect(thread).toMatchObject({
          comments: data.length,
          last_comment_at: data.at(-1)?.created_at ?? null,
        });
        const expected = Object.fromEntries(
          emoji.flatMap((one) => {
            const by = reactions.filter((reaction) => reaction['emoji'].includes(one));
            const mine = by.some(({author}) => author.id === who.id);
            return by.length === 0 ? [] : [[one, {count: by.length, mine}]];
          }),
        );
        const found = thread.reactions.map(({emoji: one, count, mine}: Json) => [one, {count, mine}]);
        expect(Object.fromEntries(found)).toEqual(expected);
      }
      const byAuthor = reactions.map(({author}) => author.id);
      expect(new Set(byAuthor).size).toBe(byAuthor.length);
      expect(data.map(({created_at: at}: Json) => at)).toEqual(
        data.map(({created_at: at}: Json) => at).toSorted(),
      );
    }
  });

  it('threads have one event for each change, in the order of the changes', async () => {
    const events = (await eventsOf(home)).filter(({type}) => /^(?:comment|reaction)\./.test(type));
    const byId = new Map<string, Json[]>();
    for (const event of events) {
      const id = event.data.id;
      byId.set(id, [...(byId.get(id) ?? []), event]);
    }
    const listed = await Promise.all(
      standups.flatMap((standup) => [
        readThread(`/v1/comments?standup=${standup}&limit=100`),
        readThread(`/v1/reactions?subject=${standup}&limit=100`),
      ]),
    );
    const now = new Map<string, Json>(
      listed.flatMap(({data}) => data.map((one: Json) => [one.id, one] as const)),
    );
    for (const [id, own] of byId) {
      const kinds = own.map(({type}) => type.split('.')[1]);
      const deleted = kinds.at(-1) === 'deleted';
      const updates = kinds.slice(1, deleted ? -1 : undefined);
      expect([id, kinds[0], ...updates]).toEqual([id, 'created', ...updates.map(() => 'updated')]);
      const shown = deleted ? own.slice(0, -1) : own;
      expect(shown.map(({data}) => data.revision)).toEqual(shown.map((_, i) => i + 1));
      for (const [i, {previous_attributes: before, data}] of own.entries()) {
        const last = own[i - 1]?.['data'] ?? {};
        if (kinds[i] !== 'updated') continue;
        expect(Object.keys(before).length).toBeGreaterThan(0);
        for (const [name, value] of Object.entries(before)) {
          expect(value).toEqual(last[name] ?? null);
          expect(value).not.toEqual(data[name] ?? null);
        }
      }
      if (deleted) expect(now.has(id)).toBe(false);
      else expect(now.get(id)).toEqual(own.at(-1)?.['data']);
    }
    expect([...now.keys()].filter((id) => !byId.has(id))).toEqual([]);
    const sequences = (await eventsOf(home)).map(({sequence}) => sequence);
    expect(sequences).toEqual(sequences.map((_, i) => sequences[0] + i));
  });
});

it('a standup takes the first reactions of sixty people at the same time', async () => {
  const {id: subject} = await make(home, '/v1/standups', {team: 'platform', update: 'All hands'});
  const crowd = await Promise.all(
    Array.from({length: 60}, (_, i) => addPerson(service, home, {name: `P${i}`, team: 'platform'})),
  );
  const all = await Promise.all(
    crowd.map(({token}) => home.request('POST', '/v1/reactions', {token, body: {subject, add: ['👍']}})),
  );
  expect(all.map(({status}) => status)).toEqual(crowd.map(() => 200));
  expect((await readThread(`/v1/standups/${subject}`)).thread.reactions).toMatchObject([{count: 60}]);
});
