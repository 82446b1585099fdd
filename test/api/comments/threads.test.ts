import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import {createChance} from '../../support/seeded-random.js';
import {type Json, startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {addPerson, type Person} from '../people.js';
import {eventsOf, make} from '../samples.js';

let service: TestService;
let workspace: TestWorkspace;
let people: readonly Person[];

beforeAll(async () => {
  service = await startService();
  workspace = await service.addWorkspace();
  people = await Promise.all(
    ['Ada', 'Grace', 'Joan', 'Lea'].map((name) => addPerson(service, workspace, {name, team: 'platform'})),
  );
});

afterAll(() => service.close());

const read = async (path: string, who?: Person): Promise<Json> =>
  (await workspace.request('GET', path, who && {token: who.token})).body;

describe('threads that many people change at once', () => {
  const chance = createChance(29);
  const emoji = ['👍', '🎉', '👀', ':party:'];
  const standups: string[] = [];
  const answers: Json[] = [];

  beforeAll(async () => {
    for (let i = 0; i < 3; i++) {
      standups.push((await make(workspace, '/v1/standups', {team: 'platform', update: `No. ${i}`})).id);
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
        const answer = await workspace.request(method, path, {
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

  it('threads count what their lists have, and show each reader their own reactions', async () => {
    for (const standup of standups) {
      const {data} = await read(`/v1/comments?standup=${standup}&limit=100`);
      const reactions: Json[] = (await read(`/v1/reactions?subject=${standup}&limit=100`)).data;
      for (const who of people) {
        const {thread} = await read(`/v1/standups/${standup}`, who);
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
    const events = (await eventsOf(workspace)).filter(({type}) => /^(?:comment|reaction)\./.test(type));
    const byId = new Map<string, Json[]>();
    for (const event of events) {
      const id = event.data.id;
      byId.set(id, [...(byId.get(id) ?? []), event]);
    }
    const listed = await Promise.all(
      standups.flatMap((standup) => [
        read(`/v1/comments?standup=${standup}&limit=100`),
        read(`/v1/reactions?subject=${standup}&limit=100`),
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
    const sequences = (await eventsOf(workspace)).map(({sequence}) => sequence);
    expect(sequences).toEqual(sequences.map((_, i) => sequences[0] + i));
  });
});

it('a standup takes the first reactions of sixty people at the same time', async () => {
  const {id: subject} = await make(workspace, '/v1/standups', {team: 'platform', update: 'All hands'});
  const crowd = await Promise.all(
    Array.from({length: 60}, (_, i) => addPerson(service, workspace, {name: `P${i}`, team: 'platform'})),
  );
  const all = await Promise.all(
    crowd.map(({token}) => workspace.request('POST', '/v1/reactions', {token, body: {subject, add: ['👍']}})),
  );
  expect(all.map(({status}) => status)).toEqual(crowd.map(() => 200));
  expect((await read(`/v1/standups/${subject}`)).thread.reactions).toMatchObject([{count: 60}]);
});
