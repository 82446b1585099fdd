import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import {addDays} from '../../../src/domain/core/dates.js';
import {addPerson, type Person} from '../../api/people.js';
import {eventsOf} from '../../api/samples.js';
import {type Json, startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {deep} from '../../support/deep.js';

let service: TestService;

beforeAll(async () => {
  service = await startService({env: {ROLES: 'web'}});
});

afterAll(() => service.close());

interface RemovalScene {
  readonly workspace: TestWorkspace;
  readonly ada: Person;
  /** A standup with the blocker “CI is red”, older than the retention that is set later. */
  readonly old: Json;
  /** A standup with another blocker, which remains. */
  readonly young: Json;
  /** Another standup, which remains. */
  readonly spare: Json;
  ask: (method: string, path: string, body?: Json) => Promise<Json>;
}

const saying = (text: string) => ({answers: [{question: 'stuck', value: text}]});

async function setScene(): Promise<RemovalScene> {
  const workspace = await service.addWorkspace();
  const questions = [{key: 'stuck', label: 'In your way?', type: 'text', raises_blocker: true}];
  await workspace.request('PATCH', '/v1/teams/platform', {body: {questions}});
  const ada = await addPerson(service, workspace, {name: 'Ada', team: 'platform'});
  const ask: RemovalScene['ask'] = async (method, path, body) =>
    (await workspace.request(method, path, {token: ada.token, ...(body && {body})})).body;
  const today = new Date().toISOString().slice(0, 10);
  const post = (text: string, date?: string) =>
    ask('POST', '/v1/standups', {team: 'platform', ...saying(text), ...(date && {date})});
  const old = await post('CI is red', addDays(today, -60));
  const [young, spare] = [await post('No access'), await post('none')];
  return {workspace, ada, old, young, spare, ask};
}

const ways: Record<string, (scene: RemovalScene) => Promise<void>> = {
  async retention({workspace}) {
    while ((await service.core.services.purgeExpired(workspace.operator())) > 0);
  },
  async deletion({old, ask}) {
    await ask('DELETE', `/v1/standups/${old.id}`);
  },
};

const red = async ({ask}: RemovalScene) => {
  const {data} = await ask('GET', '/v1/blockers');
  return data.find(({text}: Json) => text === 'CI is red')?.id;
};
const same = ({ask}: RemovalScene) =>
  ask('POST', '/v1/standups', {team: 'platform', ...saying('ci is  RED')});

const acts: Record<string, (scene: RemovalScene) => Promise<unknown>> = {
  'it is edited': ({ask, old}) => ask('PATCH', `/v1/standups/${old.id}`, saying('CI is green')),
  'it gets more text, and its blocker is unchanged': ({ask, old}) =>
    ask('PATCH', `/v1/standups/${old.id}`, {blockers: 'More'}),
  'a later one is edited to the same blocker': ({ask, young}) =>
    ask('PATCH', `/v1/standups/${young.id}`, saying('CI is red')),
  'another is posted with the same blocker': same,
  'another is posted with the same blocker, and one is deleted': async (scene) => {
    await same(scene);
    await scene.ask('DELETE', `/v1/standups/${scene.spare.id}`);
  },
  'its blocker is acknowledged': async (scene) =>
    scene.ask('PATCH', `/v1/blockers/${await red(scene)}`, {state: 'acknowledged'}),
  'its blocker is resolved': async (scene) =>
    scene.ask('PATCH', `/v1/blockers/${await red(scene)}`, {state: 'resolved'}),
  'its blocker is reworded': async (scene) =>
    scene.ask('PATCH', `/v1/blockers/${await red(scene)}`, {text: 'CI was red'}),
  'another process looks for what is old': ({workspace}) =>
    service.core.services.purgeExpired(workspace.operator()),
  'it is deleted': ({ask, old}) => ask('DELETE', `/v1/standups/${old.id}`),
};

/** Names of lists. The other request runs when a list with such a name has been read. */
const points = [/^standups$/, /^open-blockers:/, /^standups:/];

describe.each(Object.keys(ways))('the removal of a standup by %s', (way) => {
  it.each(Object.keys(acts))('removes its blocker unless another standup has it, while %s', async (act) => {
    // In `npm test` each request runs at only one of these points.
    const at = Object.keys(acts).indexOf(act) + Object.keys(ways).indexOf(way);
    for (const point of points.filter((_, i) => deep || i === at % points.length)) {
      const scene = await setScene();
      await scene.workspace.request('PATCH', '/v1/workspace', {body: {retention_days: 30}});
      const {records} = service.core.store;
      const read = records.list;
      let acting: Promise<unknown> | undefined;
      Object.assign(records, {
        list: async (...[where, query, deadline]: Parameters<typeof read>) => {
          const found = await read(where, query, deadline);
          if (acting === undefined && where === scene.workspace.id && point.test([query.list].join())) {
            acting = Promise.resolve();
            acting = acts[act]?.(scene);
            await acting;
          }
          return found;
        },
      });
      await (ways[way]?.(scene) ?? Promise.reject(new Error(way))).finally(() =>
        Object.assign(records, {list: read}),
      );
      await expectWhole(scene);
    }
  });
});

it('retention removes all blockers of many standups, however many steps that takes', async () => {
  const workspace = await service.addWorkspace();
  const keys = ['one', 'two', 'three', 'four', 'five', 'six'];
  const questions = keys.map((key) => ({key, label: key, type: 'text', raises_blocker: true}));
  await workspace.request('PATCH', '/v1/teams/platform', {body: {questions}});
  const date = addDays(new Date().toISOString().slice(0, 10), -60);
  for (let i = 0; i < 20; i++) {
    const answers = keys.map((question) => ({question, value: `${question} ${i}`}));
    const body = {team: 'platform', answers, date};
    expect((await workspace.request('POST', '/v1/standups', {body})).status).toBe(201);
  }
  const open = async () => (await workspace.request('GET', '/v1/blockers?state=open&limit=100')).body;
  expect(await open()).toMatchObject({has_more: true});
  await workspace.request('PATCH', '/v1/workspace', {body: {retention_days: 30}});
  while ((await service.core.services.purgeExpired(workspace.operator())) > 0);
  expect(await open()).toMatchObject({data: [], has_more: false});
  const types = (await eventsOf(workspace)).map(({type}) => type);
  expect(types.filter((type) => type === 'blocker.deleted')).toHaveLength(20 * keys.length);
});

/** Checks rules about standups and blockers that hold in every order of the requests. */
async function expectWhole({workspace, ask, old}: RemovalScene): Promise<void> {
  const standups: Json[] = (await ask('GET', '/v1/standups')).data;
  const blockers: Json[] = (await ask('GET', '/v1/blockers')).data;
  expect(standups.map(({id}) => id)).not.toContain(old.id);
  const alive = new Set([null, ...standups.map(({id}) => id)]);
  const raised = blockers.filter(({state}) => state === 'raised');
  expect(raised.filter(({standup}) => !alive.has(standup))).toEqual([]);
  const fold = (text: string) => text.toLowerCase().replaceAll(/\s+/g, ' ');
  for (const {answers} of standups) {
    const said = fold(answers[0].value);
    const known = blockers.filter(({text}) => fold(text) === said);
    expect([said, known.length]).toEqual([said, said === 'none' ? 0 : 1]);
  }
  expect((await ask('GET', '/v1/blockers?state=open')).data).toEqual(
    blockers.filter(({state}) => state !== 'resolved'),
  );
  const types = (await eventsOf(workspace)).map(({type}) => type);
  const count = (type: string) => types.filter((one) => one === type).length;
  expect(count('blocker.raised') - count('blocker.deleted')).toBe(blockers.length);
}
