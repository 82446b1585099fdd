import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import type {RedisCommand} from '../../../src/store/core/connection.js';
import fc from 'fast-check';
import {anyCharacter} from '../../support/any-character.js';
import type {Commit, CommitTerms} from '../../../src/domain/commit/commit.js';
import {asId} from '../../support/ids.js';
import {dayNumber, toInstant} from '../../../src/domain/core/dates.js';
import {
  composeId,
  suffixFromBytes,
  idPrefixes,
  type IdKind,
  suffixWithSequence,
} from '../../../src/domain/core/ids.js';
import {lists, positionOf} from '../../../src/domain/core/lists.js';
import {renderDraft, renderResource} from '../../../src/domain/core/resource.js';
import {createCommitCompiler} from '../../../src/store/commit/script.js';
import {workspaceKeys} from '../../../src/store/core/keys.js';
import type {Store} from '../../../src/store/store.js';
import {openTestStore, newDeadline} from '../open-test-store.js';
import {createWrite} from '../../../src/domain/commit/writes.js';

let store: Store;

beforeAll(async () => {
  ({store} = await openTestStore());
});

afterAll(() => store.close());

const compile = createCommitCompiler();
const call = <T>(...args: RedisCommand) => store.connection.call(newDeadline(), args) as Promise<T>;
let workspaces = 0;

/** Creates a workspace with nothing but a sequence, and returns its keys. */
async function emptyWorkspace(sequence: number) {
  workspaces += 1;
  const workspace = composeId('workspace', workspaces, suffixFromBytes(new Uint8Array(10)));
  const keys = workspaceKeys(workspace);
  await call('HSET', keys.head(), 'sequence', String(sequence));
  return {workspace, keys};
}

/** Runs the script of a commit as if the server's clock showed the given time. */
async function runAt(ms: number, expected: number, terms: CommitTerms, commit: Commit) {
  const {script, keys, args} = compile(terms, commit, {expected, notAfter: Number.MAX_SAFE_INTEGER});
  const clock = "redis.call('TIME')";
  expect(script.source.split(clock)).toHaveLength(2);
  const source = script.source.replace(
    clock,
    `{'${Math.floor(ms / 1_000)}', '${(ms % 1_000) * 1_000 + 999}'}`,
  );
  return call<number[]>('EVAL', source, String(keys.length), ...keys, ...args);
}

const instants = fc.integer({min: Date.UTC(2000, 0, 1), max: Date.UTC(2100, 0, 1) - 1});
/** Differences between the caller's guess of the script's time and that time: none, small, or large (ms). */
const guesses = fc.oneof(
  fc.constant(0),
  fc.integer({min: -3_000, max: 3_000}),
  fc.integer({min: -1e11, max: 1e11}),
);
const suffix = fc.uint8Array({minLength: 10, maxLength: 10}).map(suffixFromBytes);
const sequences = fc.integer({min: 0, max: 2 ** 38 - 2});
const kinds = fc.constantFrom(...(Object.keys(idPrefixes) as IdKind[]));
const days = fc
  .integer({min: 0, max: 36_524})
  .map((day) => toInstant(Date.UTC(2000, 0, 1) + day * 86_400_000).slice(0, 10));
const drafts = fc
  .dictionary(fc.string({unit: anyCharacter, minLength: 1}), fc.jsonValue(), {minKeys: 1})
  .filter((draft) => !Object.hasOwn(draft, '__proto__'))
  .map((draft) => ({object: 'thing', ...draft}));

const runs = {numRuns: 150};

describe('the bytes that the commit script writes to Redis', () => {
  it('are correct for a new resource, its list entries and its event, at any time', async () => {
    await fc.assert(
      fc.asyncProperty(
        instants,
        guesses,
        suffix,
        sequences,
        kinds,
        days,
        drafts,
        async (ms, off, half, sequence, kind, date, draft) => {
          const {workspace, keys} = await emptyWorkspace(sequence);
          const day = dayNumber(date);
          const list = lists.standups();
          const created = createWrite(kind, half, draft, [{list, day}]);
          const [code, now, , last] = await runAt(
            ms,
            Math.max(0, ms + off),
            {workspace, deadline: newDeadline()},
            {
              guards: [],
              writes: [created],
              events: [{type: 'standup.created', about: half, revision: 1, team: asId('team_x')}],
              reply: {kind: 'resource', of: created},
            },
          );
          expect([code, now, last]).toEqual([0, ms, sequence + 1]);
          const at = toInstant(ms);
          const id = composeId(kind, ms, half);
          const record = await call<string>('GET', keys.record(half));
          expect(record).toBe(renderResource(draft, {id, revision: 1, created_at: at, updated_at: at}));
          expect(Number(await call('ZSCORE', keys.list(list), half))).toBe(positionOf(day, sequence + 1));
          const [event] = await store.events.listAfter(workspace, sequence, 2, newDeadline());
          expect(event).toEqual({
            id: composeId('event', ms, suffixWithSequence(half, sequence + 1)),
            sequence: sequence + 1,
            type: 'standup.created',
            about: half,
            revision: 1,
            team: 'team_x',
            at: ms,
          });
          expect(await call('HGET', keys.head(), 'sequence')).toBe(String(sequence + 1));
        },
      ),
      runs,
    );
  });

  it('are correct for a new revision, and keep the previous revision and the position within the day', async () => {
    await fc.assert(
      fc.asyncProperty(
        instants,
        guesses,
        instants,
        suffix,
        drafts,
        drafts,
        days,
        async (ms, off, later, half, first, second, date) => {
          const {workspace, keys} = await emptyWorkspace(7);
          const list = lists.standups();
          const terms = {workspace, deadline: newDeadline()};
          const reply = {kind: 'empty'} as const;
          await runAt(ms, ms, terms, {
            guards: [],
            writes: [createWrite('standup', half, first, [{list, day: 1}])],
            events: [],
            reply,
          });
          const before = await call<string>('GET', keys.record(half));
          const id = composeId('standup', ms, half);
          const day = dayNumber(date);
          const [code] = await runAt(later, Math.max(0, later + off), terms, {
            guards: [],
            writes: [
              {
                do: 'revise',
                id,
                from: 1,
                createdAt: toInstant(ms),
                draft: renderDraft(second),
                move: [{list, day}],
              },
            ],
            events: [],
            reply,
          });
          expect(code).toBe(0);
          const stamp = {id, revision: 2, created_at: toInstant(ms), updated_at: toInstant(later)};
          expect(await call('GET', keys.record(half))).toBe(renderResource(second, stamp));
          expect(await call('HGETALL', keys.revisions(half))).toEqual(['1', before]);
          expect(Number(await call('ZSCORE', keys.list(list), half))).toBe(positionOf(day, 8));
        },
      ),
      runs,
    );
  });
});

it('the check of a revision is not misled by a text that looks like the end of a record', async () => {
  const fake = '","revision":9,"created_at":"x","updated_at":"y"}';
  const {workspace, keys} = await emptyWorkspace(0);
  const half = suffixFromBytes(new Uint8Array(10).fill(7));
  const terms = {workspace, deadline: newDeadline()};
  const draft = {object: 'standup', update: fake, metadata: {a: fake}};
  const reply = {kind: 'empty'} as const;
  await runAt(1_000, 1_000, terms, {
    guards: [],
    writes: [createWrite('standup', half, draft, [])],
    events: [],
    reply,
  });
  const id = composeId('standup', 1_000, half);
  const revise = (from: number) =>
    runAt(2_000, 2_000, terms, {
      guards: [],
      writes: [{do: 'revise', id, from, createdAt: toInstant(1_000), draft: renderDraft(draft)}],
      events: [],
      reply,
    });
  expect((await revise(9))[0]).toBe(2);
  expect((await revise(1))[0]).toBe(0);
  expect(JSON.parse(await call('GET', keys.record(half))).revision).toBe(2);
});
