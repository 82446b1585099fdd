import {afterAll, beforeAll, beforeEach, describe, expect, it} from '@jest/globals';
import {sendToRedis} from '../../../scripts/redis-protocol.mjs';
import type {Commit, CommitTerms, Guard} from '../../../src/domain/commit/commit.js';
import {createWrite, type CreateWrite, type Write} from '../../../src/domain/commit/writes.js';
import {
  composeId,
  drawIdPart,
  drawnPart,
  type Id,
  type IdSuffix,
  unbornId,
} from '../../../src/domain/core/ids.js';
import type {ReplayPlan} from '../../../src/domain/webhooks/replay.js';
import {lifetimes} from '../../../src/domain/core/limits.js';
import {lists} from '../../../src/domain/core/lists.js';
import {renderDraft, type Resource, type Stamp} from '../../../src/domain/core/resource.js';
import {createCommitCompiler} from '../../../src/store/commit/script.js';
import {workspaceKeys} from '../../../src/store/core/keys.js';
import type {Store} from '../../../src/store/store.js';
import {dumpRedis} from '../dump.js';
import {openTestStore, soon} from '../open-test-store.js';
import {refOf} from '../../../src/domain/commit/reply.js';
import {asId, asSuffix} from '../../support/ids.js';
import {startTestRedis, type TestRedis} from '../../support/redis-server.js';

// A Redis of its own: one test makes it forget the scripts, which others would notice.
let redis: TestRedis;
let store: Store;
let url: string;
let workspace: Id<'workspace'>;

beforeAll(async () => {
  redis = await startTestRedis({appendfsync: 'no'});
  ({store, url} = await openTestStore({url: redis.url}));
});

beforeEach(async () => {
  const slug = `w${draw()}`;
  const made = await store.workspaces.create({slug, name: slug, drawn: draw()}, soon());
  workspace = made?.id ?? asId('');
});

afterAll(async () => {
  await store.close();
  await redis.stop();
});

let drawnSoFar = 0;

/** Halves of ids, each different. */
function draw(): IdSuffix<never> {
  drawnSoFar += 1;
  const bytes = new Uint8Array(10);
  new DataView(bytes.buffer).setUint32(6, drawnSoFar);
  return drawIdPart(bytes);
}

/** Ids of a team and a member that nothing else names. */
const aPlace = () => [unbornId('team', draw()), unbornId('member', draw())] as const;

const terms = (more: Partial<CommitTerms> = {}): CommitTerms => ({workspace, deadline: soon(), ...more});
const draft = renderDraft({object: 'standup', update: 'Words.'});
const list = lists.standups();

const create = (drawn: IdSuffix<'standup'>): CreateWrite => ({
  do: 'create',
  kind: 'standup',
  drawn,
  draft,
  lists: [{list}],
});

function commitOf(writes: readonly Write[], guards: readonly Guard[] = []): Commit {
  const of = create(draw());
  return {
    guards,
    writes,
    events: [{type: 'standup.created', about: of.drawn, revision: 1}],
    reply: {kind: 'resource', of},
  };
}

function stampOf({id, revision, created_at, updated_at}: Resource): Stamp {
  return {id, revision, created_at, updated_at};
}

/** Everything that commits write: the index of due workspaces hears of them a moment later. */
async function dumpWritten(): Promise<string[]> {
  const {text} = await dumpRedis(url);
  return text.split('\n').filter((line) => !line.startsWith('{global}:due'));
}

/** Makes one standup and returns its id. */
async function make(): Promise<Id> {
  const drawn = draw();
  const outcome = await store.commits.run(terms(), commitOf([create(drawn)]));
  if (outcome.kind !== 'committed') throw new Error(outcome.kind);
  return composeId('standup', outcome.at, drawn);
}

const idempotency = (hash: string, fingerprint = 'f'.repeat(43)) => ({hash, fingerprint});

describe('a commit whose guard does not hold', () => {
  const cases: [string, () => Promise<readonly [Guard[], Write[]]>][] = [
    [
      'a collection has changed',
      async () => [[{check: 'unchanged', collection: 'teams', version: 'another'}], []],
    ],
    [
      'a revision is not the expected one',
      async () => [[{check: 'revision', id: await make(), revision: 2}], []],
    ],
    [
      'a revision is gone',
      async () => [[{check: 'revision', id: unbornId('standup', draw()), revision: 1}], []],
    ],
    [
      'a revision has the expected number but other content, as after a restored store',
      async () => {
        const found = await store.records.find(workspace, await make(), soon());
        if (found === undefined) throw new Error('not made');
        return [[{...stampOf(found), check: 'as-read', updated_at: '2026-11-23T00:00:00.000Z'}], []];
      },
    ],
    [
      'an invitation to a team has been accepted',
      async () => {
        const [team, member] = aPlace();
        const drawn = draw();
        const place = {role: 'member', drawn, accepted: true} as const;
        await store.commits.run(terms(), commitOf([{do: 'place', team, member, place}]));
        return [[{check: 'place', team, member, is: {...place, accepted: false}}], []];
      },
    ],
    [
      'a list contains another entry',
      async () => {
        const known = drawnPart(await make());
        await make();
        return [[{check: 'listed', list, drawn: [known]}], []];
      },
    ],
    [
      'a name is taken',
      async () => {
        const name = 'taken';
        await store.commits.run(terms(), commitOf([{do: 'name', names: 'email', name, drawn: draw()}]));
        return [[{check: 'name-free', names: 'email', name}], []];
      },
    ],
    [
      'a member is in no such team',
      async () => [
        [{check: 'place', team: unbornId('team', draw()), member: unbornId('member', draw()), is: 'any'}],
        [],
      ],
    ],
    [
      'a list is full',
      async () => {
        await make();
        return [[{check: 'length', list, below: 1}], []];
      },
    ],
    [
      'a list is full above a position',
      async () => {
        await sendToRedis(url, [
          ['ZADD', workspaceKeys(workspace).list(list), '1000', draw(), '2000', draw()],
        ]);
        const outcome = await store.commits.run(
          terms(),
          commitOf([], [{check: 'length', list, below: 1, past: 2_000}]),
        );
        expect(outcome.kind).toBe('committed');
        return [[{check: 'length', list, below: 1, past: 1_999}], []];
      },
    ],
    [
      'a list is too short',
      async () => {
        await make();
        return [[{check: 'length', list, above: 1}], []];
      },
    ],
    [
      'a member is in the team already',
      async () => {
        const [team, member] = aPlace();
        const place = {role: 'lead', drawn: draw(), accepted: true} as const;
        await store.commits.run(terms(), commitOf([{do: 'place', team, member, place}]));
        return [[{check: 'place', team, member, is: 'none'}], []];
      },
    ],
    [
      'a member has another role in the team',
      async () => {
        const [team, member] = aPlace();
        const place = {role: 'member', drawn: draw(), accepted: true} as const;
        await store.commits.run(terms(), commitOf([{do: 'place', team, member, place}]));
        return [[{check: 'place', team, member, is: 'lead'}], []];
      },
    ],
    [
      'a webhook does not fail, or has failed since another time',
      async () => {
        const webhook = draw();
        return [[{check: 'failing', webhook, since: 1_000, warned: false}], []];
      },
    ],
    [
      'the workspace has already been notified that a webhook fails',
      async () => {
        const webhook = draw();
        const state = workspaceKeys(workspace).webhookState(webhook);
        await sendToRedis(url, [['HSET', state, 'failing', '1000', 'warned', '1']]);
        return [[{check: 'failing', webhook, since: 1_000, warned: false}], []];
      },
    ],
    [
      'the bot has been installed since',
      async () => {
        await store.commits.run(
          terms(),
          commitOf([{do: 'connect-slack', id: 'T0', sealed: 'sealed', name: 'Acme', by: undefined}]),
        );
        return [[{check: 'slack', installedAt: null, connected: false}], []];
      },
    ],
    [
      'a day is taken in a list',
      async () => {
        const listing = {list, day: 9_000};
        const dated: Write = {do: 'create', kind: 'run', drawn: draw(), draft, lists: [listing]};
        const free: Guard[] = [8_999, 9_001].map((day) => ({check: 'day-free', list, day}));
        await store.commits.run(terms(), commitOf([dated]));
        expect((await store.commits.run(terms(), commitOf([], free))).kind).toBe('committed');
        return [[{check: 'day-free', list, day: 9_000}], []];
      },
    ],
    [
      'a look has been requested since',
      async () => {
        const team = draw();
        const look = {do: 'ask-look', team} as const;
        await store.commits.run(terms(), commitOf([look, look]));
        return [[{check: 'unasked', team, asked: 1}], []];
      },
    ],
    [
      'it comes after the instant before which it was due',
      async () => {
        const made = await store.commits.run(terms(), commitOf([]));
        return [[{check: 'before', instant: made.kind === 'committed' ? made.at : 0}], []];
      },
    ],
    [
      'one of several steps is taken',
      async () => {
        const run = draw();
        await store.commits.run(terms(), commitOf([{do: 'take-steps', run, steps: ['b']}]));
        return [[], [{do: 'take-steps', run, steps: ['a', 'b', 'c']}]];
      },
    ],
    [
      'what is to be erased has been revised',
      async () => [[], [{do: 'remove', id: await make(), from: 2, lists: [list], names: [], how: 'erase'}]],
    ],
    [
      'what is to be revised has been revised',
      async () => [[], [{do: 'revise', id: await make(), from: 2, createdAt: 'x', draft}]],
    ],
    [
      'what is to be removed has been revised',
      async () => [[], [{do: 'remove', id: await make(), from: 2, lists: [list], names: []}]],
    ],
  ];

  it.each(cases)('writes nothing at all if %s', async (_, prepare) => {
    const [guards, writes] = await prepare();
    const before = await dumpWritten();
    // The failing step comes last, after writes that would be in order.
    const name = 'free';
    const commit = commitOf(
      [
        create(draw()),
        {do: 'name', names: 'email', name, drawn: draw()},
        {do: 'touch', collection: 'teams', drawn: draw()},
        ...writes,
      ],
      guards,
    );
    const outcome = await store.commits.run(terms({idempotency: idempotency('stale')}), commit);
    expect(outcome).toEqual({kind: 'stale'});
    expect(await dumpWritten()).toEqual(before);
  });
});

describe('a commit whose terms do not hold', () => {
  const cases: [string, () => Promise<CommitTerms>, string][] = [
    [
      'the token is revoked',
      async () => terms({token: {id: unbornId('access_token', draw())}}),
      'token-dead',
    ],
    ['the caller has stopped waiting', async () => terms({deadline: performance.now() - 2_000}), 'too-late'],
    [
      "the workspace's data is gone, even if the token's is too",
      async () => ({
        ...terms({token: {id: asId(`tok_${'0'.repeat(26)}`)}}),
        workspace: composeId('workspace', 1, draw()),
      }),
      'store-lost',
    ],
  ];

  it.each(cases)('writes nothing at all if %s', async (_, prepare, kind) => {
    const {deadline, ...rest} = await prepare();
    const before = await dumpWritten();
    const {script, keys, args} = createCommitCompiler()(
      {...rest, deadline, idempotency: idempotency('terms')},
      commitOf([create(draw())]),
      {expected: store.clock.now(), notAfter: store.clock.now() + deadline - performance.now()},
    );
    const [code] = await store.connection.run<number[]>(soon(), script, keys, args);
    const names = ['committed', 'kept', 'stale', 'token-dead', 'too-late', 'store-lost'];
    expect(names[code ?? 0]).toBe(kind);
    expect(await dumpWritten()).toEqual(before);
  });
});

describe('an idempotency record', () => {
  it('makes every repeat a look-up, even of another commit', async () => {
    const first = commitOf([create(draw())]);
    if (first.reply.kind !== 'resource') throw new Error(first.reply.kind);
    const {of} = first.reply;
    const own = idempotency('first');
    expect((await store.commits.run(terms({idempotency: own}), first)).kind).toBe('committed');
    const before = await dumpWritten();
    const kept = {
      kind: 'kept',
      fingerprint: own.fingerprint.slice(0, 11),
      reply: {kind: 'resource', created: true, of: refOf(of)},
    };
    expect(await store.commits.run(terms({idempotency: own}), first)).toEqual(kept);
    const other = idempotency('first', 'g'.repeat(43));
    expect(await store.commits.run(terms({idempotency: other}), commitOf([create(draw())]))).toEqual(kept);
    expect(await store.commits.findReply(terms({idempotency: own}))).toEqual(kept);
    expect(await dumpWritten()).toEqual(before);
  });

  it('lives for 24 hours, belongs to one workspace, and contains no text of a user', async () => {
    await store.commits.run(terms({idempotency: idempotency('ttl')}), commitOf([create(draw())]));
    const key = workspaceKeys(workspace).idempotency('ttl');
    const [ttl, text] = await sendToRedis(url, [
      ['TTL', key],
      ['GET', key],
    ]);
    expect(ttl).toBeGreaterThan(lifetimes.idempotency - 10);
    expect(ttl).toBeLessThanOrEqual(86_400);
    expect(text).not.toContain('Words.');
    const elsewhere = await store.workspaces.create(
      {slug: `o${draw()}`, name: 'Other', drawn: draw()},
      soon(),
    );
    const there = terms({workspace: elsewhere?.id ?? asId(''), idempotency: idempotency('ttl')});
    expect(await store.commits.findReply(there)).toBeUndefined();
  });
});

it('100 commits at once get sequences without gap or double, and times that never decrease', async () => {
  const outcomes = await Promise.all(
    Array.from({length: 100}, () => store.commits.run(terms(), commitOf([create(draw())]))),
  );
  const committed = outcomes.flatMap((outcome) => (outcome.kind === 'committed' ? [outcome] : []));
  const ordered = committed.toSorted((a, b) => a.sequence - b.sequence);
  expect(ordered.map(({sequence}) => sequence)).toEqual(Array.from({length: 100}, (_, i) => i + 1));
  const times = ordered.map(({at}) => at);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
});

const replayOf = (webhook: Id<'webhook'>): ReplayPlan => ({
  webhook,
  since: 0,
  until: 1,
  types: ['standup.created'],
  only: 'failed',
  dryRun: false,
  first: 1,
  last: 0,
});

it('every kind of write and guard can be run, on keys of the types that it declares', async () => {
  const [made, removed, erased] = [await make(), await make(), await make()];
  const team = asSuffix(`team_${'0'.repeat(10)}${draw()}`);
  const member = asId(`mem_${'0'.repeat(10)}${draw()}`);
  const [webhook, failing] = [draw(), draw()];
  const state = workspaceKeys(workspace).webhookState(failing);
  await sendToRedis(url, [['HSET', state, 'failing', '1000']]);
  const place = {role: 'member', drawn: draw(), accepted: true} as const;
  const whole = asId<'webhook'>(`whk_${'0'.repeat(10)}${webhook}`);
  // One of each kind, and of those that may be the other way round both.
  const writes: {readonly [K in Write['do']]: readonly Extract<Write, {readonly do: K}>[]} = {
    create: [create(draw())],
    revise: [{do: 'revise', id: made, from: 1, createdAt: 'x', draft, move: [{list, day: 3}]}],
    remove: [
      {do: 'remove', id: removed, from: 1, lists: [list], names: []},
      {do: 'remove', id: erased, from: 1, lists: [list], names: [], how: 'erase'},
    ],
    'erase-revisions': [{do: 'erase-revisions', drawn: drawnPart(removed)}],
    relist: [
      {
        do: 'relist',
        drawn: drawnPart(made),
        from: lists.membersOfRole('member'),
        to: {list: lists.membersOfRole('admin'), placedAs: list},
      },
      {do: 'relist', drawn: draw(), from: list, to: null},
    ],
    name: [{do: 'name', names: 'email', name: 'a@example.test', drawn: draw()}],
    'free-name': [{do: 'free-name', names: 'email', name: 'b@example.test', drawn: draw()}],
    touch: [{do: 'touch', collection: 'webhooks', drawn: draw()}],
    'begin-work': [
      {do: 'begin-work', work: {kind: 'purge-team', team: asId('team_x')}},
      {
        do: 'begin-work',
        work: {kind: 'restate-runs', member, from: '2026-11-23', until: '2026-11-24', asked: 'once'},
      },
      {do: 'begin-work', work: {kind: 'forget-member', member, erase: true, erasure: draw()}},
    ],
    place: [
      {do: 'place', team: unbornId('team', team), member, place},
      {do: 'place', team: unbornId('team', team), member: unbornId('member', draw()), place: null},
    ],
    disband: [{do: 'disband', team: unbornId('team', draw())}],
    'admit-token': [
      {do: 'admit-token', drawn: draw(), admitted: {until: Date.now() + 60_000}},
      {do: 'admit-token', drawn: asSuffix('0'.repeat(16)), admitted: null},
    ],
    'keep-secret': [
      {do: 'keep-secret', webhook, sealed: 'sealed', overlapMs: 0},
      {do: 'keep-secret', webhook, sealed: 'next', overlapMs: 60_000},
    ],
    'keep-headers': [{do: 'keep-headers', webhook, sealed: 'sealed'}],
    'pace-webhook': [
      {
        do: 'pace-webhook',
        webhook,
        concurrency: 4,
        ordering: 'per_team',
        throttle: {max: 10, per_seconds: 1},
      },
    ],
    'switch-webhook': [
      {do: 'switch-webhook', webhook, on: true},
      {do: 'switch-webhook', webhook: draw(), on: false},
    ],
    'hold-place': [{do: 'hold-place', webhook: draw(), revision: 1}],
    'mark-warned': [{do: 'mark-warned', webhook: failing}],
    'close-webhook': [{do: 'close-webhook', webhook: draw()}],
    'forget-responses': [{do: 'forget-responses', webhook}],
    redeliver: [{do: 'redeliver', webhook, delivery: draw()}],
    'try-webhook': [{do: 'try-webhook', webhook}],
    'start-replay': [{do: 'start-replay', drawn: draw(), plan: replayOf(whole)}],
    'cancel-replay': [{do: 'cancel-replay', webhook, replay: draw()}],
    'connect-slack': [{do: 'connect-slack', id: 'T0', sealed: 'sealed', name: 'Acme', by: undefined}],
    'disconnect-slack': [{do: 'disconnect-slack'}],
    'leave-slack': [{do: 'leave-slack', member: draw(), slackUser: 'U1'}],
    prompt: [
      {
        do: 'prompt',
        moment: 'before_closing',
        member,
        slackUser: 'U0',
        date: '2026-11-24',
        team: asId('t'),
        run: unbornId('run', draw()),
        closesAt: 1_000,
        notBefore: 0,
      },
    ],
    'snooze-prompt': [
      {do: 'snooze-prompt', member: drawnPart(member), slackUser: 'U0', date: '2026-11-24', until: 1_000},
    ],
    'keep-typed': [{do: 'keep-typed', slackUser: 'U0', version: 'first', json: '{}'}],
    'take-steps': [{do: 'take-steps', run: draw(), steps: ['a', 'b'], after: Date.now() + 60_000}],
    'drop-steps': [{do: 'drop-steps', run: draw()}],
    'count-run-post': [{do: 'count-run-post', run: asSuffix<'run'>('counted')}],
    'ask-look': [
      {do: 'ask-look', team},
      {do: 'ask-look', team, after: 'settled'},
      {do: 'ask-look', team, after: 'step'},
    ],
    'look-again': [{do: 'look-again', team, seen: 1, next: 2}],
    'forget-looks': [{do: 'forget-looks', team: draw()}],
    'start-erasure': [{do: 'start-erasure', drawn: draw(), member, revoked: 2}],
    'note-erasure': [{do: 'note-erasure', erasure: draw(), state: 'done', erased: {standups: 1}}],
  };
  const first = await store.commits.run(
    terms({idempotency: idempotency('all')}),
    commitOf(Object.values(writes).flat()),
  );
  expect(first.kind).toBe('committed');
  const [installedAt = 0] = (
    await sendToRedis(url, [['HGET', workspaceKeys(workspace).slackInstallation(), 'installed']])
  ).map(Number);
  const {version} = await store.subscriptions.fresh(workspace, soon());
  const revised = await store.records.find(workspace, made, soon());
  if (revised === undefined) throw new Error('not made');
  const guards: Record<Guard['check'], Guard> = {
    unchanged: {check: 'unchanged', collection: 'webhooks', version},
    revision: {check: 'revision', id: made, revision: 2},
    'name-free': {check: 'name-free', names: 'email', name: 'c@example.test'},
    'as-read': {check: 'as-read', ...stampOf(revised)},
    place: {check: 'place', team: unbornId('team', team), member, is: place},
    listed: {check: 'listed', list: lists.webhooks(), drawn: []},
    replaying: {check: 'replaying', webhook: draw(), replay: null},
    length: {check: 'length', list, below: 100},
    'day-free': {check: 'day-free', list, day: 9_999},
    unasked: {check: 'unasked', team, asked: 3},
    before: {check: 'before', instant: Date.now() + 60_000},
    'run-posts': {check: 'run-posts', run: asSuffix<'run'>('counted'), count: 1},
    failing: {check: 'failing', webhook: failing, since: 1_000, warned: true},
    typed: {check: 'typed', slackUser: 'U0', version: 'first'},
    slack: {check: 'slack', installedAt, connected: false},
  };
  const others: Guard[] = [
    {check: 'length', list, above: 1},
    {check: 'place', team: unbornId('team', team), member, is: 'any'},
    {check: 'place', team: unbornId('team', team), member, is: 'accepted'},
    {check: 'place', team: unbornId('team', team), member: asId(made), is: 'none'},
  ];
  const second = await store.commits.run(terms(), commitOf([], [...Object.values(guards), ...others]));
  expect(second.kind).toBe('committed');
  // Each once more on what the first has written: a key of another type would be refused.
  const {create: _c, revise: _r, remove: _d, ...again} = writes;
  expect((await store.commits.run(terms(), commitOf(Object.values(again).flat()))).kind).toBe('committed');
});

it('a commit fails if either of two things of a kind has changed, and its script has no loop', async () => {
  const [full, empty, other] = ['full', 'empty', 'other'].map((name) => asId(`team_${name}`)) as [
    Id<'team'>,
    Id<'team'>,
    Id<'team'>,
  ];
  const making = create(draw());
  await store.commits.run(terms(), commitOf([{...making, lists: [{list: lists.runsOfTeam(full)}]}]));
  const emptied = (...teams: Id<'team'>[]) =>
    commitOf(
      [create(draw())],
      teams.map((team) => ({check: 'listed', list: lists.runsOfTeam(team), drawn: []})),
    );
  for (const [teams, kind] of [
    [[full, empty], 'stale'],
    [[empty, full], 'stale'],
    [[empty, other, full], 'stale'],
    [[empty, other], 'committed'],
  ] as const) {
    expect((await store.commits.run(terms(), emptied(...teams))).kind).toBe(kind);
  }
  const {script} = createCommitCompiler()(terms(), emptied(empty, other), {expected: 0, notAfter: 0});
  expect(script.source).not.toContain('atKey');
});

it('every key of a commit carries the tag of its workspace, so that a cluster can store it', () => {
  const {keys} = createCommitCompiler()(
    terms({idempotency: idempotency('tags'), token: {id: asId(`tok_${'0'.repeat(26)}`)}}),
    commitOf([create(draw()), {do: 'name', names: 'team-slug', name: 'x', drawn: draw()}]),
    {expected: 0, notAfter: 0},
  );
  expect(keys.length).toBeGreaterThan(6);
  for (const key of keys) expect(key.startsWith(`{${workspace}}:`)).toBe(true);
});

it('commits of one shape share a script, and commits of another shape have their own', () => {
  const compile = createCommitCompiler();
  const shaped = (writes: Write[]) => compile(terms(), commitOf(writes), {expected: 0, notAfter: 0}).script;
  const touch: Write = {do: 'touch', collection: 'teams', drawn: draw()};
  expect(shaped([create(draw())])).toBe(shaped([create(draw())]));
  expect(shaped([create(draw()), touch]).sha).not.toBe(shaped([create(draw())]).sha);
});

it('regression: commits about any number of people and things share two scripts, and write each item', async () => {
  const compile = createCommitCompiler();
  const run = draw();
  const ask = (count: number): Commit => {
    const people = Array.from({length: count}, (_, i) => ({
      id: unbornId('member', draw()),
      user: `U${i}`,
    }));
    const made = people.map(() => draw());
    return {
      guards: people.map(({id}) => ({
        check: 'place',
        team: unbornId('team', asSuffix('0'.repeat(16))),
        member: id,
        is: 'none',
      })),
      writes: [
        ...people.flatMap(({id, user}, i): Write[] => [
          {
            do: 'prompt',
            moment: 'before_closing',
            member: id,
            slackUser: `${user}OF${count}`,
            date: '2026-11-23',
            team: asId('t'),
            run: unbornId('run', run),
            closesAt: 1,
            notBefore: 0,
          },
          create(made[i] ?? asSuffix('')),
        ]),
        {do: 'take-steps', run, steps: people.map(({id}) => `${count}:${drawnPart(id)}`)},
      ],
      events: made.map((about) => ({type: 'standup.created', about, revision: 1})),
      reply: {kind: 'empty'},
    };
  };
  await store.events.addReader(workspace, 'slack', soon());
  const scripts = new Set<string>();
  const call = store.connection.call.bind(store.connection);
  const keys = workspaceKeys(workspace);
  let [all, largest] = [0, 0];
  for (let count = 1; count <= 200; count += count < 10 ? 1 : 38) {
    const commit = ask(count);
    scripts.add(compile(terms(), commit, {expected: 0, notAfter: 0}).script.sha);
    expect((await store.commits.run(terms(), commit)).kind).toBe('committed');
    [all, largest] = [all + count, count];
    expect(await call(soon(), ['SCARD', keys.slackPromptsOf(run)])).toBe(all);
    expect(await call(soon(), ['HLEN', keys.runSteps(run)])).toBe(all);
    expect(await call(soon(), ['ZCARD', keys.list(list)])).toBe(all);
    expect(await call(soon(), ['XLEN', keys.events()])).toBe(all);
  }
  expect(largest).toBe(200);
  expect(scripts.size).toBe(2);
  const places = await call<string[]>(soon(), ['ZRANGE', keys.list(list), '0', '-1', 'WITHSCORES']);
  expect(new Set(places.filter((_, i) => i % 2 === 1)).size).toBe(all);
});

it('a commit that erases revisions erases those that it writes itself, in any order', async () => {
  const [one, other] = [await make(), await make()];
  const revise = (id: Id): Write => ({
    do: 'revise',
    id,
    from: 1,
    createdAt: '2026-11-23T09:00:00.000Z',
    draft,
  });
  const forget = (id: Id): Write => ({do: 'erase-revisions', drawn: drawnPart(id)});
  await store.commits.run(terms(), commitOf([forget(other), revise(one), forget(one)]));
  const {connection} = store;
  const kept = ['EXISTS', workspaceKeys(workspace).revisions(drawnPart(one))];
  expect(await connection.call(soon(), kept)).toBe(0);
});

it('a server that has lost its scripts receives them again', async () => {
  await make();
  await sendToRedis(url, [['SCRIPT', 'FLUSH']]);
  const outcomes = await Promise.all(
    Array.from({length: 10}, () => store.commits.run(terms(), commitOf([create(draw())]))),
  );
  expect(outcomes.map(({kind}) => kind)).toEqual(Array.from({length: 10}, () => 'committed'));
});

it('a removed resource remains available to its events for 30 days', async () => {
  const id = await make();
  await store.commits.run(terms(), commitOf([{do: 'remove', id, from: 1, lists: [list], names: []}]));
  const keys = workspaceKeys(workspace);
  const [ttl] = await sendToRedis(url, [['TTL', keys.revisions(drawnPart(id))]]);
  expect(ttl).toBeGreaterThan(lifetimes.events - 10);
  expect(await store.records.find(workspace, id, soon())).toBeUndefined();
  const [json] = await store.records.findRevisions(workspace, [{drawn: drawnPart(id), revision: 1}], soon());
  expect(JSON.parse(json ?? '{}')).toMatchObject({id, update: 'Words.'});
});

it('an erased resource leaves nothing behind, and events about it have no text', async () => {
  const id = asId(await make());
  const writes: Write[] = [
    {
      do: 'revise',
      id,
      from: 1,
      createdAt: 'x',
      draft: renderDraft({object: 'standup', update: 'Other words.'}),
    },
  ];
  await store.commits.run(terms(), commitOf(writes));
  await store.commits.run(
    terms(),
    commitOf([{do: 'remove', id, from: 2, lists: [list], names: [], how: 'erase'}]),
  );
  expect((await dumpRedis(url)).text).not.toContain(drawnPart(id) + ' ');
  const refs = [1, 2].map((revision) => ({drawn: drawnPart(id), revision}));
  expect(await store.records.findRevisions(workspace, refs, soon())).toEqual([undefined, undefined]);
  expect(await store.records.count(workspace, list, soon())).toBe(0);
});

it('a resource that moves to another list keeps the order that it has in a third', async () => {
  const ids = [await make(), await make(), await make()];
  const [from, to] = [lists.membersOfRole('member'), lists.membersOfRole('admin')];
  for (const id of ids.toReversed()) {
    const write = {do: 'relist', drawn: drawnPart(id), from, to: {list: to, placedAs: list}} as const;
    await store.commits.run(terms(), commitOf([write]));
  }
  const {rows} = await store.records.list(workspace, {list: to, limit: 10}, soon());
  expect(rows.map(({json}) => JSON.parse(json).id)).toEqual(ids.toReversed());
});

it('a resource created with a team contains the id of that team, and so does its event', async () => {
  const [team, place] = [draw(), draw()];
  const id = unbornId('team', team);
  const outcome = await store.commits.run(terms(), {
    guards: [],
    writes: [
      createWrite('team', team, {object: 'team'}, []),
      {
        do: 'create',
        kind: 'team_member',
        drawn: place,
        draft: renderDraft({object: 'team_member', team_id: id, role: 'lead'}),
        lists: [{list: lists.teamMembers(id)}],
        ofNew: {kind: 'team', drawn: team},
      },
    ],
    events: [{type: 'team.member_added', about: place, revision: 1, team: id}],
    reply: {kind: 'empty'},
  });
  if (outcome.kind !== 'committed') throw new Error(outcome.kind);
  const made = composeId('team', outcome.at, team);
  expect(await store.records.find(workspace, made, soon())).toMatchObject({id: made});
  const {rows} = await store.records.list(workspace, {list: lists.teamMembers(made), limit: 10}, soon());
  expect(JSON.parse(rows[0]?.json ?? '{}')).toMatchObject({team_id: made, role: 'lead'});
  const [entry] = await store.events.listAfter(workspace, outcome.sequence - 1, 1, soon());
  expect(entry?.team).toBe(made);
});

it('resources created in one commit may refer to each other, and have positions of their own', async () => {
  const list = lists.blockersOf(asId('mem_of_places'));
  const [standup, ...blockers] = [draw(), draw(), draw()];
  const outcome = await store.commits.run(terms(), {
    guards: [],
    writes: blockers.map((drawn) => ({
      do: 'create',
      kind: 'blocker',
      drawn,
      draft: renderDraft({object: 'blocker', standup: unbornId('standup', standup ?? ''), text: drawn}),
      lists: [{list}],
      ofNew: {kind: 'standup', drawn: standup ?? ''},
    })),
    events: blockers.map((about) => ({type: 'blocker.raised', about, revision: 1})),
    reply: {kind: 'empty'},
  });
  if (outcome.kind !== 'committed') throw new Error(outcome.kind);
  const {rows} = await store.records.list(workspace, {list, limit: 10}, soon());
  expect(rows.map(({json}) => JSON.parse(json))).toMatchObject(
    blockers.toReversed().map((text) => ({standup: composeId('standup', outcome.at, standup ?? ''), text})),
  );
  expect(new Set(rows.map(({place}) => place)).size).toBe(2);
});
