import {afterAll, beforeAll, beforeEach, describe, expect, it} from '@jest/globals';
import {limits} from '../../../src/domain/core/limits.js';
import {lists} from '../../../src/domain/core/lists.js';
import {createStandupBlockers} from '../../../src/service/standups/standup-blockers.js';
import {createTestContext} from '../../support/service-context.js';
import {startService, type Json, type TestService, type TestWorkspace} from '../../support/service.js';
import {addPerson, type Person} from '../people.js';
import {eventsOf, make, randomName} from '../samples.js';
import {asId} from '../../support/ids.js';

let service: TestService;
let workspace: TestWorkspace;
let team: string;
let ada: Person;

beforeAll(async () => {
  service = await startService();
  workspace = await service.addWorkspace();
});

afterAll(() => service.close());

beforeEach(async () => {
  team = randomName();
  const questions = [
    {key: 'today', label: 'Today?', type: 'text'},
    {key: 'stuck', label: 'What is in your way?', type: 'text', raises_blocker: true},
  ];
  await make(workspace, '/v1/teams', {slug: team, questions});
  ada = await addPerson(service, workspace, {name: 'Ada', team});
});

const ask = (method: string, path: string, body?: Json) =>
  workspace.request(method, path, {token: ada.token, ...(body && {body})});
const answering = (stuck?: string) => [
  {question: 'today', value: 'Work'},
  ...(stuck === undefined ? [] : [{question: 'stuck', value: stuck}]),
];
const post = async (stuck?: string) => {
  const {status, body} = await ask('POST', '/v1/standups', {team, answers: answering(stuck)});
  expect(status).toBe(201);
  return body;
};
const edit = async ({id}: Json, stuck?: string) => {
  const {status} = await ask('PATCH', `/v1/standups/${id}`, {answers: answering(stuck)});
  expect(status).toBe(200);
};
const change = async ({id}: Json, body: Json) =>
  expect((await ask('PATCH', `/v1/blockers/${id}`, body)).status).toBe(200);
const blockers = async (): Promise<Json[]> => (await ask('GET', `/v1/blockers?team=${team}`)).body.data;
const brief = async () => (await blockers()).map(({text, state}) => `${state}: ${text}`);
const listEventTypes = async () =>
  (await eventsOf(workspace)).filter(({data}) => data?.team === team).map(({type}) => type);

describe('an answer to a question that raises blockers', () => {
  it('raises a blocker that names its standup and question, and whose event follows the event of the standup', async () => {
    const standup = await post(' CI is red. ');
    expect(await blockers()).toMatchObject([
      {text: 'CI is red.', state: 'raised', standup: standup.id, question: 'stuck', author: {id: ada.id}},
    ]);
    expect((await listEventTypes()).slice(-2)).toEqual(['standup.created', 'blocker.raised']);
  });

  it.each(['None', 'no.', '-', '👍', 'N/A', 'No blockers!', 'Nothing 🎉'])(
    'raises no blocker if it is %j',
    async (text) => {
      await post(text);
      expect(await blockers()).toEqual([]);
    },
  );

  it('continues an open blocker with the same text, and raises a new blocker after the first is resolved', async () => {
    await post('CI is red');
    await post('ci  is RED');
    const [first] = await blockers();
    expect(await brief()).toEqual(['raised: CI is red']);
    await change(first ?? {}, {state: 'acknowledged'});
    await post('CI is red');
    expect(await brief()).toEqual(['acknowledged: CI is red']);
    await change(first ?? {}, {state: 'resolved'});
    await post('CI is red');
    expect(await brief()).toEqual(['raised: CI is red', 'resolved: CI is red']);
  });

  it('removes its blocker when the answer is edited or deleted, unless the blocker is acknowledged', async () => {
    const standup = await post('CI is red');
    await edit(standup, 'CI is red on main');
    expect(await brief()).toEqual(['raised: CI is red on main']);
    await edit(standup, 'none');
    expect(await brief()).toEqual([]);
    await edit(standup, 'Back again');
    expect(await brief()).toEqual(['raised: Back again']);
    expect((await listEventTypes()).filter((type) => type.startsWith('blocker.'))).toEqual([
      'blocker.raised',
      'blocker.updated',
      'blocker.deleted',
      'blocker.raised',
    ]);
    const [raised] = await blockers();
    await change(raised ?? {}, {state: 'acknowledged'});
    await edit(standup, 'Not so');
    await edit(standup);
    expect(await brief()).toEqual(['acknowledged: Back again']);
  });

  it('regression: a blocker remains as long as one standup contains it, whichever is edited or deleted', async () => {
    const [first, second, third] = [
      await post('CI is red'),
      await post('ci is red'),
      await post('CI is red'),
    ];
    await ask('DELETE', `/v1/standups/${first.id}`);
    expect(await blockers()).toMatchObject([{text: 'CI is red', state: 'raised', standup: second.id}]);
    await edit(second, 'Out of coffee');
    expect(await blockers()).toMatchObject([
      {text: 'Out of coffee', standup: second.id},
      {text: 'CI is red', standup: third.id},
    ]);
    const moved = (await eventsOf(workspace)).filter(({data}) => data?.team === team).at(-2);
    expect(moved).toMatchObject({type: 'blocker.updated', previous_attributes: {standup: second.id}});
    await ask('DELETE', `/v1/standups/${third.id}`);
    expect(await brief()).toEqual(['raised: Out of coffee']);
  });

  it('regression: a blocker remains when its text moves to another question of the same standup', async () => {
    const questions = ['stuck', 'need'].map((key) => ({key, label: key, type: 'text', raises_blocker: true}));
    await workspace.request('PATCH', `/v1/teams/${team}`, {body: {questions}});
    const answers = (key: string) => ({answers: [{question: key, value: 'CI is red'}]});
    const {body} = await ask('POST', '/v1/standups', {team, ...answers('stuck')});
    await ask('PATCH', `/v1/standups/${body.id}`, answers('need'));
    expect(await blockers()).toMatchObject([{text: 'CI is red', question: 'need', standup: body.id}]);
  });

  it('a standup that continues a blocker counts as raising it if the earlier standup is deleted in the meantime', async () => {
    const first = await post('CI is red');
    const carried = Promise.all(['CI is red', 'CI is red', 'CI is red'].map((text) => post(text)));
    await ask('DELETE', `/v1/standups/${first.id}`);
    await carried;
    expect(await brief()).toEqual(['raised: CI is red']);
  });

  it('regression: a standup keeps the blocker that it continues if another standup with it is being deleted', async () => {
    const {id} = await post('CI is red');
    const {records} = service.core.store;
    const read = records.list;
    let carried: Promise<Json> | undefined;
    Object.assign(records, {
      list: async (...[where, query, deadline]: Parameters<typeof read>) => {
        const found = await read(where, query, deadline);
        if (query.list === lists.standupsOfAuthor(ada.id)) await (carried ??= post('CI is red'));
        return found;
      },
    });
    await ask('DELETE', `/v1/standups/${id}`).finally(() => Object.assign(records, {list: read}));
    expect(await blockers()).toMatchObject([{text: 'CI is red', standup: (await carried)?.id}]);
  });

  it('raises no other blocker when it is edited after its blocker was resolved', async () => {
    const standup = await post('CI is red');
    const [raised] = await blockers();
    await change(raised ?? {}, {state: 'resolved'});
    await edit(standup, 'CI was red');
    expect(await brief()).toEqual(['resolved: CI is red']);
  });

  it('leads to a blocker that is removed with its standup, unless acknowledged or resolved', async () => {
    const [one, other] = [await post('Raised'), await post('Seen')];
    const [seen] = await blockers();
    await change(seen ?? {}, {state: 'acknowledged'});
    for (const {id} of [one, other]) {
      expect((await ask('DELETE', `/v1/standups/${id}`)).status).toBe(204);
    }
    expect(await brief()).toEqual(['acknowledged: Seen']);
  });

  it('regression: removes its blocker on deletion or edit, however many its author has raised since', async () => {
    const [deleted, edited] = [await post('To be deleted'), await post('To be edited')];
    const [other, one] = await blockers();
    for (let i = 0; i <= 100; i++) await ask('POST', '/v1/blockers', {team, text: `Since then ${i}`});
    await ask('DELETE', `/v1/standups/${deleted.id}`);
    await edit(edited, 'Edited');
    expect((await ask('GET', `/v1/blockers/${one?.id}`)).status).toBe(404);
    expect((await ask('GET', `/v1/blockers/${other?.id}`)).body.text).toBe('Edited');
  });

  it('regression: continues another open blocker with the same text after an edit, and removes its own', async () => {
    const [first, second] = [await post('CI is red'), await post('No access')];
    await edit(second, 'ci is red');
    expect(await brief()).toEqual(['raised: CI is red']);
    await ask('DELETE', `/v1/standups/${first.id}`);
    expect(await blockers()).toMatchObject([{text: 'CI is red', standup: second.id}]);
  });

  it('is cut if it is longer than a blocker may be', async () => {
    await post(`Stuck ${'😀'.repeat(limits.blocker)}`);
    const [{text = ''} = {}] = await blockers();
    expect(Array.from(text)).toHaveLength(limits.blocker);
    expect(text.endsWith('😀…')).toBe(true);
  });
});

describe('the blockers in a form beside the answers', () => {
  const call = () => ({
    ...workspace.operator(),
    principal: {type: 'member', id: ada.id, name: ada.name} as const,
  });
  const input = (blockersSaid: string, resolved: string[] = []) => ({
    team,
    update: `Today\nWork\n\nBlockers\n${blockersSaid}`,
    blockers: blockersSaid,
    resolved,
    source: 'slack' as const,
  });
  const {standups} = {standups: () => service.core.services.standups};

  it('are raised, updated and resolved in one commit with the standup', async () => {
    const first = await standups().postStandup(call(), input('No access'));
    const [raised] = await blockers();
    expect(raised).toMatchObject({text: 'No access', standup: first.id, question: null});
    await standups().editStandup(call(), first.id ?? '', {
      update: 'Today\nWork',
      blockers: 'No access at all',
    });
    expect(await brief()).toEqual(['raised: No access at all']);
    await standups().postStandup(call(), input('CI is red', [raised?.id]));
    expect(await brief()).toEqual(['raised: CI is red', 'resolved: No access at all']);
    expect((await listEventTypes()).slice(-3)).toEqual([
      'standup.created',
      'blocker.resolved',
      'blocker.raised',
    ]);
  });

  it('include none of other members, and unknown ones are ignored', async () => {
    const grace = await addPerson(service, workspace, {name: 'Grace', team});
    const body = {team, text: 'Of Grace'};
    const theirs = await workspace.request('POST', '/v1/blockers', {body, token: grace.token});
    await standups().postStandup(call(), input('', [theirs.body.id, 'blk_unknown']));
    expect(await brief()).toEqual(['raised: Of Grace']);
  });

  it('are resolved even if the standup itself is unchanged', async () => {
    const {id = ''} = await standups().postStandup(call(), input('No access'));
    const [raised] = await blockers();
    const update = 'Today\nWork\n\nBlockers\nNo access';
    await standups().editStandup(call(), id, {update, blockers: 'No access', resolved: [raised?.id]});
    expect(await brief()).toEqual(['resolved: No access']);
    expect((await standups().findStandup(call(), id)).revision).toBe(1);
  });
});

describe('the blockers in a request for a standup', () => {
  it('are raised and updated with the standup, or resolved in the same step', async () => {
    const over = (await ask('POST', '/v1/blockers', {team, text: 'No access'})).body;
    const body = {team, update: 'Work', blockers: 'CI is red', resolved: [over.id]};
    const {status, body: standup} = await ask('POST', '/v1/standups', body);
    expect(status).toBe(201);
    expect(standup.update).toBe('Work');
    expect(await brief()).toEqual(['raised: CI is red', 'resolved: No access']);
    expect((await blockers())[0]).toMatchObject({standup: standup.id, question: null});
    expect((await listEventTypes()).slice(-3)).toEqual([
      'standup.created',
      'blocker.resolved',
      'blocker.raised',
    ]);
    const patch = (change: Json) => ask('PATCH', `/v1/standups/${standup.id}`, change);
    await patch({update: 'More work'});
    expect(await brief()).toEqual(['raised: CI is red', 'resolved: No access']);
    await patch({blockers: 'CI is very red'});
    expect(await brief()).toEqual(['raised: CI is very red', 'resolved: No access']);
    await patch({blockers: null});
    expect(await brief()).toEqual(['resolved: No access']);
  });

  it('regression: are raised by an edit even if an earlier one of the standup is acknowledged or resolved', async () => {
    const body = {team, update: 'Work', blockers: 'CI is red'};
    const {id} = (await ask('POST', '/v1/standups', body)).body;
    const [first] = await blockers();
    await change(first, {state: 'acknowledged'});
    const patch = async (said: Json) =>
      expect((await ask('PATCH', `/v1/standups/${id}`, said)).status).toBe(200);
    await patch({blockers: 'No access'});
    expect(await brief()).toEqual(['raised: No access', 'acknowledged: CI is red']);
    const [second] = await blockers();
    await patch({blockers: 'No desk', resolved: [first?.id, second?.id]});
    expect(await brief()).toEqual(['raised: No desk', 'resolved: No access', 'resolved: CI is red']);
    await patch({blockers: 'no  DESK'});
    await patch({blockers: 'CI is red'});
    expect(await brief()).toEqual(['raised: CI is red', 'resolved: No access', 'resolved: CI is red']);
  });

  it('regression: are raised by an edit that resolves the earlier one, also as an answer', async () => {
    const standup = await post('CI is red');
    const [first] = await blockers();
    const edited = {answers: answering('No access'), resolved: [first?.id]};
    await ask('PATCH', `/v1/standups/${standup.id}`, edited);
    expect(await brief()).toEqual(['raised: No access', 'resolved: CI is red']);
  });

  it('regression: are raised by an edit even if the update mentions the same words', async () => {
    const body = {team, update: 'Today\nSet up the VPN for Grace'};
    const {id} = (await ask('POST', '/v1/standups', body)).body;
    await ask('PATCH', `/v1/standups/${id}`, {blockers: 'VPN'});
    expect(await brief()).toEqual(['raised: VPN']);
  });

  it('are removed when the standup is deleted', async () => {
    const body = {team, update: 'Work', blockers: 'CI is red'};
    const {id} = (await ask('POST', '/v1/standups', body)).body;
    await ask('DELETE', `/v1/standups/${id}`);
    expect(await brief()).toEqual([]);
  });
});

it('a formatted standup raises blockers without marks, and an edit of the marks alone changes none', async () => {
  const write = (method: string, path: string, stuck: string) =>
    ask(method, path, {...(method === 'POST' && {team}), format: 'markdown', answers: answering(stuck)});
  const {body} = await write('POST', '/v1/standups', '**CI** is [red](https://ci.example/1)');
  expect(await brief()).toEqual(['raised: CI is red (https://ci.example/1)']);
  await write('PATCH', `/v1/standups/${body.id}`, '*CI* is [red](https://ci.example/1)');
  expect(await brief()).toEqual(['raised: CI is red (https://ci.example/1)']);
  const {body: second} = await write('POST', '/v1/standups', '_CI_ is **[red](https://ci.example/1)**');
  await write('PATCH', `/v1/standups/${body.id}`, '*None*');
  expect(await blockers()).toMatchObject([{text: 'CI is red (https://ci.example/1)', standup: second.id}]);
  await ask('DELETE', `/v1/standups/${second.id}`);
  expect(await brief()).toEqual([]);
});

it('the blockers beside a formatted standup are raised without marks, and an edit that repeats them raises none', async () => {
  const update = 'Today\nWork\n\nBlockers\n**CI** is `red`';
  const body = {team, update, format: 'markdown', blockers: '**CI** is `red`'};
  const {id} = (await ask('POST', '/v1/standups', body)).body;
  expect(await brief()).toEqual(['raised: CI is red']);
  const [blocker] = await blockers();
  await change(blocker ?? {}, {state: 'acknowledged'});
  const again = {update: update.replace('Work', 'More'), blockers: '**CI** is `red`'};
  expect((await ask('PATCH', `/v1/standups/${id}`, again)).status).toBe(200);
  expect(await brief()).toEqual(['acknowledged: CI is red']);
  const plain = {update: 'Today\nWork', format: 'plain', blockers: '*None* of it'};
  expect((await ask('PATCH', `/v1/standups/${id}`, plain)).status).toBe(200);
  expect(await brief()).toContain('raised: *None* of it');
});

it('a standup is created even if its team has the maximum of open blockers', async () => {
  const {records} = service.core.store;
  const full = createStandupBlockers(
    createTestContext(service.core, {records: {...records, count: async () => limits.openBlockersPerTeam}}),
  );
  const standup = {
    id: asId('std_0000000000'),
    author: {type: 'member', id: ada.id, name: 'Ada'},
    answers: [],
  } as const;
  const planned = await full.planPosted(
    {...workspace.operator(), deadline: performance.now() + 1_000},
    standup,
    {id: workspace.team, slug: 'platform', questions: []},
    {blockers: 'One too many'},
  );
  expect(planned).toEqual({guards: [], writes: [], events: []});
});
