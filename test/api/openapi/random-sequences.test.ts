import {afterAll, beforeAll, expect, it} from '@jest/globals';
import fc from 'fast-check';
import {deep} from '../../support/deep.js';
import {
  startService,
  type TestResponse,
  type TestService,
  type TestWorkspace,
} from '../../support/service.js';
import {eventsOf} from '../samples.js';

/** Run more with `RANDOM_SEED=n RANDOM_SEQUENCES=n npm test -- test/api/openapi/random-sequences`. */
const seed = Number(process.env['RANDOM_SEED'] ?? 20_261_123);
const sequences = Number(process.env['RANDOM_SEQUENCES'] ?? (deep ? 25 : 3));

let service: TestService;

beforeAll(async () => {
  service = await startService({
    env: {RATE_LIMIT: '0', RATE_LIMIT_WRITES: '0', RATE_LIMIT_AUTH_FAILURES: '0'},
  });
});

afterAll(() => service.close());

/** `which` selects among all standups so far, deleted ones included. */
type SequenceStep =
  | {readonly kind: 'create'; readonly text: string}
  | {readonly kind: 'edit'; readonly which: number; readonly text: string; readonly stale: boolean}
  | {readonly kind: 'delete'; readonly which: number}
  | {readonly kind: 'repeat'; readonly which: number};

const text = fc.constantFrom('One.', 'Two.', 'Three.');
const which = fc.nat(9);
const step: fc.Arbitrary<SequenceStep> = fc.oneof(
  fc.record({kind: fc.constant('create' as const), text}),
  fc.record({kind: fc.constant('edit' as const), which, text, stale: fc.boolean()}),
  fc.record({kind: fc.constant('delete' as const), which}),
  fc.record({kind: fc.constant('repeat' as const), which}),
);

/** The expected state of the service, and every successful request with its key. */
interface Model {
  readonly standups: {readonly id: string; update: string; revision: number; deleted: boolean}[];
  readonly done: {readonly send: () => Promise<TestResponse>; readonly first: TestResponse}[];
  events: number;
}

async function perform(
  workspace: TestWorkspace,
  model: Model,
  one: SequenceStep,
  key: string,
): Promise<void> {
  if (one.kind === 'repeat') {
    const earlier = model.done[one.which % Math.max(1, model.done.length)];
    if (earlier === undefined) return;
    const again = await earlier.send();
    expect({status: again.status, text: again.text}).toEqual({
      status: earlier.first.status,
      text: earlier.first.text,
    });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    return;
  }
  const send = (
    method: string,
    path: string,
    options: {body?: object; headers?: Record<string, string>} = {},
  ) => workspace.request(method, path, {...options, headers: {...options.headers, 'idempotency-key': key}});
  const keep = async (request: () => Promise<TestResponse>): Promise<TestResponse> => {
    const first = await request();
    if (first.status < 300) model.done.push({send: request, first});
    return first;
  };
  if (one.kind === 'create') {
    const {status, body} = await keep(() =>
      send('POST', '/v1/standups', {body: {team: 'platform', update: one.text}}),
    );
    expect(status).toBe(201);
    model.standups.push({id: body.id, update: one.text, revision: 1, deleted: false});
    model.events += 1;
    return;
  }
  const standup = model.standups[one.which % Math.max(1, model.standups.length)];
  if (standup === undefined) return;
  const path = `/v1/standups/${standup.id}`;
  if (one.kind === 'delete') {
    const {status} = await keep(() => send('DELETE', path));
    expect(status).toBe(standup.deleted ? 404 : 204);
    if (!standup.deleted) model.events += 1;
    standup.deleted = true;
    return;
  }
  const tag = `"${one.stale ? standup.revision + 1 : standup.revision}"`;
  const {status, body} = await keep(() =>
    send('PATCH', path, {body: {update: one.text}, headers: {'if-match': tag}}),
  );
  expect(status).toBe(standup.deleted ? 404 : one.stale ? 412 : 200);
  if (status !== 200) return;
  if (standup.update !== one.text) {
    standup.revision += 1;
    model.events += 1;
  }
  standup.update = one.text;
  expect(body).toMatchObject({id: standup.id, update: standup.update, revision: standup.revision});
}

it(
  `lists and events match a simple model after any of ${sequences} random sequences of posts, edits, deletions and repeats`,
  async () => {
    const property = fc.asyncProperty(
      fc.array(step, {minLength: 5, maxLength: 40, size: 'max'}),
      async (steps) => {
        const workspace = await service.addWorkspace();
        const before = (await eventsOf(workspace)).length;
        const model: Model = {standups: [], done: [], events: 0};
        for (const [i, one] of steps.entries()) await perform(workspace, model, one, `step-${i}`);
        const {body} = await workspace.request('GET', '/v1/standups?limit=100');
        const shown = body.data.map(({id, update, revision}: Model['standups'][number]) => ({
          id,
          update,
          revision,
        }));
        const expected = model.standups
          .filter(({deleted}) => !deleted)
          .toReversed()
          .map(({id, update, revision}) => ({id, update, revision}));
        expect(shown).toEqual(expected);
        expect(await eventsOf(workspace)).toHaveLength(before + model.events);
      },
    );
    await fc.assert(property, {seed, numRuns: sequences});
  },
  120_000 + sequences * 3_000,
);
