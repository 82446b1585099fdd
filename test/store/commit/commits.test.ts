import {afterAll, beforeAll, beforeEach, describe, expect, it} from '@jest/globals';
import {sendToRedis} from '../../../scripts/redis-protocol.mjs';
import {type Commit, type CommitTerms, emptyCommit, type Guard} from '../../../src/domain/commit/commit.js';
import {createWrite, type CreateWrite, type Write} from '../../../src/domain/commit/writes.js';
import {
  composeId,
  suffixFromBytes,
  suffixOf,
  type Id,
  type IdSuffix,
  provisionalId,
} from '../../../src/domain/core/ids.js';
import type {ReplayPlan} from '../../../src/domain/webhooks/replay.js';
import {lifetimes} from '../../../src/domain/core/limits.js';
import {lists, positionOf} from '../../../src/domain/core/lists.js';
import {renderDraft, type Resource, type Stamp} from '../../../src/domain/core/resource.js';
import {createCommitCompiler} from '../../../src/store/commit/script.js';
import {workspaceKeys} from '../../../src/store/core/keys.js';
import type {Store} from '../../../src/store/store.js';
import {dumpRedis} from '../dump.js';
import {openTestStore, newDeadline} from '../open-test-store.js';
import {createRevisionRef} from '../../../src/domain/commit/reply.js';
import {asId, asSuffix} from '../../support/ids.js';
import {startTestRedis, type TestRedis} from '../../support/redis-server.js';

// A separate Redis, because one test removes its scripts, which would affect other tests.
let redis: TestRedis;
let store: Store;
let url: string;
let workspace: Id<'workspace'>;

beforeAll(async () => {
  redis = await startTestRedis({appendfsync: 'no'});
  ({store, url} = await openTestStore({url: redis.url}));
});

beforeEach(async () => {
  const slug = `w${nextSuffix()}`;
  const made = await store.workspaces.create({slug, name: slug, suffix: nextSuffix()}, newDeadline());
  workspace = made?.id ?? asId('');
});

afterAll(async () => {
  await store.close();
  await redis.stop();
});

let generated = 0;

/** Returns the next suffix for an id; each is different. */
function nextSuffix(): IdSuffix<never> {
  generated += 1;
  const bytes = new Uint8Array(10);
  new DataView(bytes.buffer).setUint32(6, generated);
  return suffixFromBytes(bytes);
}

/** Returns unused ids of a team and a member. */
const makeTeamAndMember = () =>
  [provisionalId('team', nextSuffix()), provisionalId('member', nextSuffix())] as const;

const terms = (more: Partial<CommitTerms> = {}): CommitTerms => ({
  workspace,
  deadline: newDeadline(),
  ...more,
});
const draft = renderDraft({object: 'standup', update: 'Words.'});
const list = lists.standups();

const create = (suffix: IdSuffix<'standup'>): CreateWrite => ({
  do: 'create',
  kind: 'standup',
  suffix,
  draft,
  lists: [{list}],
});

function commitOf(writes: readonly Write[], guards: readonly Guard[] = []): Commit {
  const of = create(nextSuffix());
  return {
    guards,
    writes,
    events: [{type: 'standup.created', about: of.suffix, revision: 1}],
    reply: {kind: 'resource', of},
  };
}

function stampOf({id, revision, created_at, updated_at}: Resource): Stamp {
  return {id, revision, created_at, updated_at};
}

/**
 * Dumps all data that commits write, without the index of due workspaces, which is updated a moment later.
 */
async function dumpWritten(): Promise<string[]> {
  const {text} = await dumpRedis(url);
  return text.split('\n').filter((line) => !line.startsWith('{global}:due'));
}

/** Creates a standup and returns its id. */
async function make(): Promise<Id> {
  const suffix = nextSuffix();
  const outcome = await store.commits.run(terms(), commitOf([create(suffix)]));
  if (outcome.kind !== 'committed') throw new Error(outcome.kind);
  return composeId('standup', outcome.at, suffix);
}

const idempotency = (hash: string, fingerprint = 'f'.repeat(43)) => ({hash, fingerprint});

describe('a commit whose check fails', () => {
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
      async () => [[{check: 'revision', id: provisionalId('standup', nextSuffix()), revision: 1}], []],
    ],
    [
      'a revision has the expected number but other content, as after a restored store',
      async () => {
        const found = await store.records.find(workspace, await make(), newDeadline());
        if (found === undefined) throw new Error('not made');
        return [[{...stampOf(found), check: 'as-read', updated_at: '2026-11-23T00:00:00.000Z'}], []];
      },
    ],
    [
      'an invitation to a team has been accepted',
      async () => {
        const [team, member] = makeTeamAndMember();
        const suffix = nextSuffix();
        const membership = {role: 'member', suffix, accepted: true} as const;
        await store.commits.run(terms(), commitOf([{do: 'set-membership', team, member, membership}]));
        return [[{check: 'membership', team, member, is: {...membership, accepted: false}}], []];
      },
    ],
    [
      'a list contains another entry',
      async () => {
        const known = suffixOf(await make());
        await make();
        return [[{check: 'listed', list, suffixes: [known]}], []];
      },
    ],
    [
      'a name is taken',
      async () => {
        const name = 'taken';
        await store.commits.run(
          terms(),
          commitOf([{do: 'name', names: 'email', name, suffix: nextSuffix()}]),
        );
        return [[{check: 'name-free', names: 'email', name}], []];
      },
    ],
    [
      'a member is in no such team',
      async () => [
        [
          {
            check: 'membership',
            team: provisionalId('team', nextSuffix()),
            member: provisionalId('member', nextSuffix()),
            is: 'any',
          },
        ],
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
          ['ZADD', workspaceKeys(workspace).list(list), '1000', nextSuffix(), '2000', nextSuffix()],
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
        const [team, member] = makeTeamAndMember();
        const membership = {role: 'lead', suffix: nextSuffix(), accepted: true} as const;
        await store.commits.run(terms(), commitOf([{do: 'set-membership', team, member, membership}]));
        return [[{check: 'membership', team, member, is: 'none'}], []];
      },
    ],
    [
      'a member has another role in the team',
      async () => {
        const [team, member] = makeTeamAndMember();
        const membership = {role: 'member', suffix: nextSuffix(), accepted: true} as const;
        await store.commits.run(terms(), commitOf([{do: 'set-membership', team, member, membership}]));
        return [[{check: 'membership', team, member, is: 'lead'}], []];
      },
    ],
    [
      'a webhook does not fail, or has failed since another time',
      async () => {
        const webhook = nextSuffix();
        return [[{check: 'failing', webhook, since: 1_000, warned: false}], []];
      },
    ],
    [
      'the workspace has already been notified that a webhook fails',
      async () => {
        const webhook = nextSuffix();
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
          commitOf([
            {do: 'connect-slack', id: 'T0', encrypted: 'sealed', name: 'Acme', by: undefined, greets: 'U0'},
          ]),
        );
        return [[{check: 'slack', installedAt: null, connected: false}], []];
      },
    ],
    [
      'a day is taken in a list',
      async () => {
        const listing = {list, day: 9_000};
        const dated: Write = {do: 'create', kind: 'run', suffix: nextSuffix(), draft, lists: [listing]};
        const free: Guard[] = [8_999, 9_001].map((day) => ({check: 'day-free', list, day}));
        await store.commits.run(terms(), commitOf([dated]));
        expect((await store.commits.run(terms(), commitOf([], free))).kind).toBe('committed');
        return [[{check: 'day-free', list, day: 9_000}], []];
      },
    ],
    [
      'a look has been requested since',
      async () => {
        const team = nextSuffix();
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
      'another worker has looked at the reminder',
      async () => [[{check: 'prompt-due', member: nextSuffix(), date: '2026-11-24', due: '1000.5'}], []],
    ],
    [
      'another worker has looked at the item of an inbox',
      async () => [[{check: 'notice-due', member: nextSuffix(), standup: nextSuffix(), due: '1000.5'}], []],
    ],
    [
      'the reminder has another recipient',
      async () => [
        [
          {
            check: 'prompt-snooze',
            member: nextSuffix(),
            date: '2026-11-24',
            user: 'mail',
            snoozed: undefined,
          },
        ],
        [],
      ],
    ],
    [
      'another worker has taken the mail over',
      async () => [[{check: 'mail-held', suffix: nextSuffix(), holder: 'worker'}], []],
    ],
    [
      'the state of the mail has changed',
      async () => [[{check: 'mail-state', suffix: nextSuffix(), state: 'sent'}], []],
    ],
    [
      'one of several steps is taken',
      async () => {
        const run = nextSuffix();
        await store.commits.run(terms(), commitOf([{do: 'take-steps', run, steps: ['b']}]));
        return [[], [{do: 'take-steps', run, steps: ['a', 'b', 'c']}]];
      },
    ],
    [
      'an address has been invited since it was counted',
      async () => {
        const count = {do: 'count-invite', address: nextSuffix(), day: 20_000, from: 0} as const;
        await store.commits.run(terms(), commitOf([count]));
        return [[], [count]];
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
    // The failing write is the last one, after valid writes.
    const name = 'free';
    const commit = commitOf(
      [
        create(nextSuffix()),
        {do: 'name', names: 'email', name, suffix: nextSuffix()},
        {do: 'touch', collection: 'teams', suffix: nextSuffix()},
        ...writes,
      ],
      guards,
    );
    const outcome = await store.commits.run(terms({idempotency: idempotency('stale')}), commit);
    expect(outcome).toEqual({kind: 'stale'});
    expect(await dumpWritten()).toEqual(before);
  });
});

describe('a commit that may not be made', () => {
  const cases: [string, () => Promise<CommitTerms>, string][] = [
    [
      'the token is revoked',
      async () => terms({token: {id: provisionalId('access_token', nextSuffix())}}),
      'token-dead',
    ],
    ['the caller has stopped waiting', async () => terms({deadline: performance.now() - 2_000}), 'too-late'],
    [
      "the workspace's data is gone, even if the token's is too",
      async () => ({
        ...terms({token: {id: asId(`tok_${'0'.repeat(26)}`)}}),
        workspace: composeId('workspace', 1, nextSuffix()),
      }),
      'store-lost',
    ],
  ];

  it.each(cases)('writes nothing at all if %s', async (_, prepare, kind) => {
    const {deadline, ...rest} = await prepare();
    const before = await dumpWritten();
    const {script, keys, args} = createCommitCompiler()(
      {...rest, deadline, idempotency: idempotency('terms')},
      commitOf([create(nextSuffix())]),
      {expected: store.clock.now(), notAfter: store.clock.now() + deadline - performance.now()},
    );
    const [code] = await store.connection.run<number[]>(newDeadline(), script, keys, args);
    const names = ['committed', 'kept', 'stale', 'token-dead', 'too-late', 'store-lost'];
    expect(names[code ?? 0]).toBe(kind);
    expect(await dumpWritten()).toEqual(before);
  });
});

describe('an idempotency record', () => {
  it('makes each repeat return the stored reply, even for another commit', async () => {
    const first = commitOf([create(nextSuffix())]);
    if (first.reply.kind !== 'resource') throw new Error(first.reply.kind);
    const {of} = first.reply;
    const own = idempotency('first');
    expect((await store.commits.run(terms({idempotency: own}), first)).kind).toBe('committed');
    const before = await dumpWritten();
    const kept = {
      kind: 'kept',
      fingerprint: own.fingerprint,
      reply: {kind: 'resource', created: true, of: createRevisionRef(of)},
    };
    expect(await store.commits.run(terms({idempotency: own}), first)).toEqual(kept);
    const other = idempotency('first', 'g'.repeat(43));
    expect(await store.commits.run(terms({idempotency: other}), commitOf([create(nextSuffix())]))).toEqual(
      kept,
    );
    expect(await store.commits.findReply(terms({idempotency: own}))).toEqual(kept);
    expect(await dumpWritten()).toEqual(before);
  });

  it('is kept for 24 hours, belongs to one workspace, and contains no text of a user', async () => {
    await store.commits.run(terms({idempotency: idempotency('ttl')}), commitOf([create(nextSuffix())]));
    const key = workspaceKeys(workspace).idempotency('ttl');
    const [ttl, text] = await sendToRedis(url, [
      ['TTL', key],
      ['GET', key],
    ]);
    expect(ttl).toBeGreaterThan(lifetimes.idempotency - 10);
    expect(ttl).toBeLessThanOrEqual(86_400);
    expect(text).not.toContain('Words.');
    const elsewhere = await store.workspaces.create(
      {slug: `o${nextSuffix()}`, name: 'Other', suffix: nextSuffix()},
      newDeadline(),
    );
    const there = terms({workspace: elsewhere?.id ?? asId(''), idempotency: idempotency('ttl')});
    expect(await store.commits.findReply(there)).toBeUndefined();
  });
});

it('100 commits at once get sequences without a gap or duplicate, and times that never decrease', async () => {
  const outcomes = await Promise.all(
    Array.from({length: 100}, () => store.commits.run(terms(), commitOf([create(nextSuffix())]))),
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

it('every kind of write and check can be run, on keys of the declared types', async () => {
  const [made, removed, erased] = [await make(), await make(), await make()];
  const team = asSuffix(`team_${'0'.repeat(10)}${nextSuffix()}`);
  const member = asId(`mem_${'0'.repeat(10)}${nextSuffix()}`);
  const [webhook, failing] = [nextSuffix(), nextSuffix()];
  const state = workspaceKeys(workspace).webhookState(failing);
  await sendToRedis(url, [['HSET', state, 'failing', '1000']]);
  const membership = {role: 'member', suffix: nextSuffix(), accepted: true} as const;
  const whole = asId<'webhook'>(`whk_${'0'.repeat(10)}${webhook}`);
  const passkey = nextSuffix();
  const draftPart = {member, team, date: '2026-11-23', source: 'git'};
  // One write of each kind, or two for kinds with two variants.
  const writes: {readonly [K in Write['do']]: readonly Extract<Write, {readonly do: K}>[]} = {
    create: [create(nextSuffix()), {...create(nextSuffix()), placed: {lastListFor: 60}}],
    revise: [{do: 'revise', id: made, from: 1, createdAt: 'x', draft, move: [{list, day: 3}]}],
    remove: [
      {do: 'remove', id: removed, from: 1, lists: [list], names: []},
      {do: 'remove', id: erased, from: 1, lists: [list], names: [], how: 'erase'},
    ],
    'erase-revisions': [{do: 'erase-revisions', suffix: suffixOf(removed)}],
    relist: [
      {
        do: 'relist',
        suffix: suffixOf(made),
        from: lists.membersOfRole('member'),
        to: {list: lists.membersOfRole('admin'), positionFrom: list},
      },
      {do: 'relist', suffix: nextSuffix(), from: list, to: null},
    ],
    name: [{do: 'name', names: 'email', name: 'a@example.test', suffix: nextSuffix()}],
    'free-name': [{do: 'free-name', names: 'email', name: 'b@example.test', suffix: nextSuffix()}],
    touch: [{do: 'touch', collection: 'webhooks', suffix: nextSuffix()}],
    'begin-work': [
      {do: 'begin-work', work: {kind: 'purge-team', team: asId('team_x')}},
      {
        do: 'begin-work',
        work: {kind: 'restate-runs', member, from: '2026-11-23', until: '2026-11-24', asked: 'once'},
      },
      {
        do: 'begin-work',
        work: {kind: 'clear-thread', standup: asId('std_x'), erase: true},
        ifListed: [lists.teams(), lists.invites()],
      },
      {do: 'begin-work', work: {kind: 'forget-member', member, erase: true, erasure: nextSuffix()}},
    ],
    'set-membership': [
      {do: 'set-membership', team: provisionalId('team', team), member, membership},
      {
        do: 'set-membership',
        team: provisionalId('team', team),
        member: provisionalId('member', nextSuffix()),
        membership: null,
      },
    ],
    disband: [{do: 'disband', team: provisionalId('team', nextSuffix())}],
    'admit-token': [
      {do: 'admit-token', suffix: nextSuffix(), admitted: {until: Date.now() + 60_000}},
      {do: 'admit-token', suffix: asSuffix('0'.repeat(16)), admitted: null},
    ],
    'count-invite': [
      {do: 'count-invite', address: 'one', day: 20_000, from: 0},
      {do: 'count-invite', address: 'other', day: 20_000, from: 0},
    ],
    'note-passkey-use': [
      {do: 'note-passkey-use', suffix: passkey, use: {counter: 1, minute: 2}},
      {do: 'note-passkey-use', suffix: nextSuffix(), use: null},
    ],
    'keep-secret': [
      {do: 'keep-secret', webhook, encrypted: 'sealed', overlapMs: 0},
      {do: 'keep-secret', webhook, encrypted: 'next', overlapMs: 60_000},
    ],
    'keep-headers': [{do: 'keep-headers', webhook, encrypted: 'sealed'}],
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
      {do: 'switch-webhook', webhook: nextSuffix(), on: false},
    ],
    'hold-position': [{do: 'hold-position', webhook: nextSuffix(), revision: 1}],
    'mark-warned': [{do: 'mark-warned', webhook: failing}],
    'close-webhook': [{do: 'close-webhook', webhook: nextSuffix()}],
    'forget-responses': [{do: 'forget-responses', webhook}],
    redeliver: [{do: 'redeliver', webhook, delivery: nextSuffix()}],
    'try-webhook': [{do: 'try-webhook', webhook}],
    'start-replay': [{do: 'start-replay', suffix: nextSuffix(), plan: replayOf(whole)}],
    'cancel-replay': [{do: 'cancel-replay', webhook, replay: nextSuffix()}],
    'connect-slack': [
      {do: 'connect-slack', id: 'T0', encrypted: 'sealed', name: 'Acme', by: undefined, greets: 'U0'},
    ],
    'disconnect-slack': [{do: 'disconnect-slack'}],
    'leave-slack': [{do: 'leave-slack', member: nextSuffix(), slackUser: 'U1'}],
    prompt: [
      {
        do: 'prompt',
        moment: 'before_closing',
        member,
        user: 'U0',
        date: '2026-11-24',
        team: asId('t'),
        run: provisionalId('run', nextSuffix()),
        closesAt: 1_000,
        notBefore: 0,
      },
    ],
    'snooze-prompt': [
      {do: 'snooze-prompt', member: suffixOf(member), user: 'U0', date: '2026-11-24', until: 1_000},
    ],
    'record-reminder': [
      {do: 'record-reminder', member: nextSuffix(), date: '2026-11-24', next: null, forget: true},
      {
        do: 'record-reminder',
        member: nextSuffix(),
        date: '2026-11-24',
        next: Date.now() + 60_000,
        sent: {mail: nextSuffix(), take: 1},
      },
    ],
    'note-unreachable': [
      {do: 'note-unreachable', run: nextSuffix(), member: nextSuffix(), code: 'smtp_550'},
      {do: 'note-unreachable', run: nextSuffix(), member: nextSuffix(), code: null},
    ],
    'queue-mail': [
      {
        do: 'queue-mail',
        suffix: asSuffix<'mail'>('queued'),
        fact: {kind: 'sign_in_code'},
        to: 'a@example.test',
        until: Date.now() + 60_000,
      },
      {
        do: 'queue-mail',
        suffix: nextSuffix(),
        fact: {kind: 'invite'},
        to: 'b@example.test',
        member,
        encrypted: 'x',
        until: Date.now() + 60_000,
      },
    ],
    'record-mail': [
      {
        do: 'record-mail',
        suffix: asSuffix<'mail'>('settled'),
        outcome: {result: 'sent', code: 250, detail: 'ok'},
      },
      {do: 'record-mail', suffix: nextSuffix(), outcome: {result: {next: 1_000, counted: true}}},
    ],
    'erase-mail': [
      {do: 'erase-mail', suffix: nextSuffix(), member: suffixOf(member)},
      {do: 'erase-mail', suffix: nextSuffix()},
    ],
    'keep-slack-message': [
      {do: 'keep-slack-message', channel: 'C0', ts: '1.2', known: {kind: 'gone'}, seconds: 60},
    ],
    'note-slack-status': [
      {do: 'note-slack-status', member, run: nextSuffix(), look: {at: 1, emoji: ':palm_tree:', made: true}},
    ],
    'drop-slack-status': [{do: 'drop-slack-status', member}],
    'keep-typed': [{do: 'keep-typed', slackUser: 'U0', version: 'first', json: '{}'}],
    'take-steps': [{do: 'take-steps', run: nextSuffix(), steps: ['a', 'b'], after: Date.now() + 60_000}],
    'drop-steps': [{do: 'drop-steps', run: nextSuffix()}],
    'count-run-post': [{do: 'count-run-post', run: asSuffix<'run'>('counted')}],
    'ask-look': [
      {do: 'ask-look', team},
      {do: 'ask-look', team, after: 'settled'},
      {do: 'ask-look', team, after: 'step'},
    ],
    'look-again': [{do: 'look-again', team, seen: 1, next: 2}],
    'forget-looks': [{do: 'forget-looks', team: nextSuffix()}],
    'set-draft': [
      {do: 'set-draft', ...draftPart, json: '{}'},
      {do: 'set-draft', ...draftPart, source: 'linear', json: null},
    ],
    'drop-drafts': [
      {do: 'drop-drafts', member, of: {team, date: '2026-11-20'}},
      {do: 'drop-drafts', member: asId(`mem_${'0'.repeat(10)}${nextSuffix()}`), of: 'all'},
    ],
    notify: [
      {
        do: 'notify',
        member,
        standup: nextSuffix(),
        reason: 'reply',
        by: member,
        about: nextSuffix(),
        sends: true,
        named: true,
      },
    ],
    'record-notice': [
      {do: 'record-notice', member: suffixOf(member), standup: nextSuffix(), next: null},
      {do: 'record-notice', member: suffixOf(member), standup: nextSuffix(), next: Date.now() + 60_000},
    ],
    'mute-inbox': [
      {do: 'mute-inbox', member, standup: nextSuffix(), mutes: true},
      {do: 'mute-inbox', member, standup: nextSuffix(), mutes: false},
    ],
    'post-report': [
      {
        do: 'post-report',
        channel: 'C024BE7LH',
        item: {kind: 'copy', team: nextSuffix(), date: '2026-01-05', of: 'week', key: 'k'},
      },
    ],
    'ask-notice': [{do: 'ask-notice', slackUser: 'U024BE7LH', sequence: 3}],
    'read-inbox': [
      {do: 'read-inbox', member, standup: nextSuffix(), until: 4},
      {do: 'read-inbox', member, standup: null, until: undefined},
    ],
    'drop-inbox': [{do: 'drop-inbox', member: asId(`mem_${'0'.repeat(10)}${nextSuffix()}`)}],
    'start-erasure': [{do: 'start-erasure', suffix: nextSuffix(), member, revoked: 2}],
    'note-erasure': [{do: 'note-erasure', erasure: nextSuffix(), state: 'done', erased: {standups: 1}}],
    'keep-import-key': [{do: 'keep-import-key', key: 'kept-once'}],
    'keep-import-people': [
      {do: 'keep-import-people', import: nextSuffix(), people: [['hash', 'former']]},
      {do: 'keep-import-people', import: nextSuffix(), people: null},
    ],
  };
  const first = await store.commits.run(
    terms({idempotency: idempotency('all')}),
    commitOf(Object.values(writes).flat()),
  );
  expect(first.kind).toBe('committed');
  const [installedAt = 0] = (
    await sendToRedis(url, [['HGET', workspaceKeys(workspace).slackInstallation(), 'installed']])
  ).map(Number);
  const {version} = await store.subscriptions.fresh(workspace, newDeadline());
  const revised = await store.records.find(workspace, made, newDeadline());
  if (revised === undefined) throw new Error('not made');
  const queued = asSuffix<'mail'>('queued');
  const due = asSuffix<'standup'>('unread');
  await sendToRedis(url, [
    ['HSET', workspaceKeys(workspace).mail(queued), 'holder', 'worker', 'state', 'sent'],
    ['ZADD', workspaceKeys(workspace).remindPending(), '1000.5', `prompt/${suffixOf(member)}/2026-11-24`],
    ['ZADD', workspaceKeys(workspace).noticesDue(), '1000.5', `${suffixOf(member)}/${due}`],
    ['HSET', workspaceKeys(workspace).slackPrompt(member, '2026-11-25'), 'user', 'mail', 'snoozed', '1000'],
  ]);
  const guards: Record<Guard['check'], Guard> = {
    unchanged: {check: 'unchanged', collection: 'webhooks', version},
    revision: {check: 'revision', id: made, revision: 2},
    'name-free': {check: 'name-free', names: 'email', name: 'c@example.test'},
    'as-read': {check: 'as-read', ...stampOf(revised)},
    membership: {check: 'membership', team: provisionalId('team', team), member, is: membership},
    listed: {check: 'listed', list: lists.webhooks(), suffixes: []},
    replaying: {check: 'replaying', webhook: nextSuffix(), replay: null},
    length: {check: 'length', list, below: 100},
    'day-free': {check: 'day-free', list, day: 9_999},
    unasked: {check: 'unasked', team, asked: 3},
    before: {check: 'before', instant: Date.now() + 60_000},
    'run-posts': {check: 'run-posts', run: asSuffix<'run'>('counted'), count: 1},
    failing: {check: 'failing', webhook: failing, since: 1_000, warned: true},
    'notice-due': {check: 'notice-due', member: suffixOf(member), standup: due, due: '1000.5'},
    'prompt-due': {check: 'prompt-due', member: suffixOf(member), date: '2026-11-24', due: '1000.5'},
    'prompt-snooze': {
      check: 'prompt-snooze',
      member: suffixOf(member),
      date: '2026-11-25',
      user: 'mail',
      snoozed: 1_000,
    },
    'mail-held': {check: 'mail-held', suffix: queued, holder: 'worker'},
    'mail-state': {check: 'mail-state', suffix: queued, state: 'sent'},
    'slack-message': {check: 'slack-message', channel: 'C0', ts: '1.2', known: {kind: 'gone'}},
    typed: {check: 'typed', slackUser: 'U0', version: 'first'},
    'passkey-use': {check: 'passkey-use', passkey, use: {counter: 1, minute: 2}},
    'draft-part': {
      check: 'draft-part',
      ...draftPart,
      changedAt: first.kind === 'committed' ? first.at : 0,
      count: 1,
    },
    slack: {check: 'slack', installedAt, connected: false},
  };
  const others: Guard[] = [
    {check: 'length', list, above: 1},
    {check: 'membership', team: provisionalId('team', team), member, is: 'any'},
    {check: 'membership', team: provisionalId('team', team), member, is: 'accepted'},
    {check: 'membership', team: provisionalId('team', team), member: asId(made), is: 'none'},
  ];
  const second = await store.commits.run(terms(), commitOf([], [...Object.values(guards), ...others]));
  expect(second.kind).toBe('committed');
  // Makes each write again on the data of the first one. A key of another type would cause an error.
  const {create: _c, revise: _r, remove: _d, 'count-invite': counts, ...rest} = writes;
  const again = [...Object.values(rest).flat(), ...counts.map((count) => ({...count, from: 1}))];
  expect((await store.commits.run(terms(), commitOf(again))).kind).toBe('committed');
});

it('a script drops a draft exactly if it makes the standup, and leaves the drafts of other days', async () => {
  const team = asSuffix<'team'>(nextSuffix());
  const member = asId<'member'>(`mem_${'0'.repeat(10)}${nextSuffix()}`);
  const drafts = workspaceKeys(workspace).drafts(member);
  const of = {team, date: '2026-11-23'};
  const part = {do: 'set-draft', member, ...of, json: '{}'} as const;
  const drop = {do: 'drop-drafts', member, of} as const;
  const other = {...part, date: '2026-11-24', source: 'git'};
  const parts = [{...part, source: 'git'}, {...part, source: 'linear'}, other];
  expect((await store.commits.run(terms(), commitOf(parts))).kind).toBe('committed');
  const left = async () => (await sendToRedis(url, [['HLEN', drafts]])).map(Number)[0];
  const making = create(nextSuffix());
  const stale: Guard = {check: 'length', list, below: 0};
  const exists = async () =>
    (await sendToRedis(url, [['EXISTS', workspaceKeys(workspace).record(making.suffix)]]))[0];
  expect((await store.commits.run(terms(), commitOf([making, drop], [stale]))).kind).toBe('stale');
  expect([await left(), String(await exists())]).toEqual([3, '0']);
  expect((await store.commits.run(terms(), commitOf([making, drop]))).kind).toBe('committed');
  expect([await left(), String(await exists())]).toEqual([1, '1']);
});

it('a commit with several checks of a kind fails if any of them fails', async () => {
  const [full, empty, other] = ['full', 'empty', 'other'].map((name) => asId(`team_${name}`)) as [
    Id<'team'>,
    Id<'team'>,
    Id<'team'>,
  ];
  const making = create(nextSuffix());
  await store.commits.run(terms(), commitOf([{...making, lists: [{list: lists.runsOfTeam(full)}]}]));
  const emptied = (...teams: Id<'team'>[]) =>
    commitOf(
      [create(nextSuffix())],
      teams.map((team) => ({check: 'listed', list: lists.runsOfTeam(team), suffixes: []})),
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

it('every key of a commit has the hash tag of its workspace, as a Redis cluster requires', () => {
  const {keys} = createCommitCompiler()(
    terms({idempotency: idempotency('tags'), token: {id: asId(`tok_${'0'.repeat(26)}`)}}),
    commitOf([create(nextSuffix()), {do: 'name', names: 'team-slug', name: 'x', suffix: nextSuffix()}]),
    {expected: 0, notAfter: 0},
  );
  expect(keys.length).toBeGreaterThan(6);
  for (const key of keys) expect(key.startsWith(`{${workspace}}:`)).toBe(true);
});

it('commits with the same kinds of checks and writes share a script, and others have their own', () => {
  const compile = createCommitCompiler();
  const shaped = (writes: Write[]) => compile(terms(), commitOf(writes), {expected: 0, notAfter: 0}).script;
  const touch: Write = {do: 'touch', collection: 'teams', suffix: nextSuffix()};
  expect(shaped([create(nextSuffix())])).toBe(shaped([create(nextSuffix())]));
  expect(shaped([create(nextSuffix()), touch]).sha).not.toBe(shaped([create(nextSuffix())]).sha);
});

it('regression: commits with any number of people and resources need only two scripts, and write every item', async () => {
  const compile = createCommitCompiler();
  const run = nextSuffix();
  const ask = (count: number): Commit => {
    const people = Array.from({length: count}, (_, i) => ({
      id: provisionalId('member', nextSuffix()),
      user: `U${i}`,
    }));
    const made = people.map(() => nextSuffix());
    return {
      guards: people.map(({id}) => ({
        check: 'membership',
        team: provisionalId('team', asSuffix('0'.repeat(16))),
        member: id,
        is: 'none',
      })),
      writes: [
        ...people.flatMap(({id, user}, i): Write[] => [
          {
            do: 'prompt',
            moment: 'before_closing',
            member: id,
            user: `${user}OF${count}`,
            date: '2026-11-23',
            team: asId('t'),
            run: provisionalId('run', run),
            closesAt: 1,
            notBefore: 0,
          },
          create(made[i] ?? asSuffix('')),
        ]),
        {do: 'take-steps', run, steps: people.map(({id}) => `${count}:${suffixOf(id)}`)},
      ],
      events: made.map((about) => ({type: 'standup.created', about, revision: 1})),
      reply: {kind: 'empty'},
    };
  };
  await store.events.addConsumer(workspace, 'slack', newDeadline());
  const scripts = new Set<string>();
  const call = store.connection.call.bind(store.connection);
  const keys = workspaceKeys(workspace);
  let [all, largest] = [0, 0];
  for (let count = 1; count <= 200; count += count < 10 ? 1 : 38) {
    const commit = ask(count);
    scripts.add(compile(terms(), commit, {expected: 0, notAfter: 0}).script.sha);
    expect((await store.commits.run(terms(), commit)).kind).toBe('committed');
    [all, largest] = [all + count, count];
    expect(await call(newDeadline(), ['SCARD', keys.slackPromptsOf(run)])).toBe(all);
    expect(await call(newDeadline(), ['HLEN', keys.runSteps(run)])).toBe(all);
    expect(await call(newDeadline(), ['ZCARD', keys.list(list)])).toBe(all);
    expect(await call(newDeadline(), ['XLEN', keys.events()])).toBe(all);
  }
  expect(largest).toBe(200);
  expect(scripts.size).toBe(2);
  const entries = await call<string[]>(newDeadline(), ['ZRANGE', keys.list(list), '0', '-1', 'WITHSCORES']);
  expect(new Set(entries.filter((_, i) => i % 2 === 1)).size).toBe(all);
});

it('a commit that erases revisions also erases those that it writes itself', async () => {
  const [one, other] = [await make(), await make()];
  const revise = (id: Id): Write => ({
    do: 'revise',
    id,
    from: 1,
    createdAt: '2026-11-23T09:00:00.000Z',
    draft,
  });
  const forget = (id: Id): Write => ({do: 'erase-revisions', suffix: suffixOf(id)});
  await store.commits.run(terms(), commitOf([forget(other), revise(one), forget(one)]));
  const {connection} = store;
  const kept = ['EXISTS', workspaceKeys(workspace).revisions(suffixOf(one))] as const;
  expect(await connection.call(newDeadline(), kept)).toBe(0);
});

it('a Redis server that has lost its scripts receives them again', async () => {
  await make();
  await sendToRedis(url, [['SCRIPT', 'FLUSH']]);
  const outcomes = await Promise.all(
    Array.from({length: 10}, () => store.commits.run(terms(), commitOf([create(nextSuffix())]))),
  );
  expect(outcomes.map(({kind}) => kind)).toEqual(Array.from({length: 10}, () => 'committed'));
});

it('a removed resource remains available to its events for 30 days', async () => {
  const id = await make();
  await store.commits.run(terms(), commitOf([{do: 'remove', id, from: 1, lists: [list], names: []}]));
  const keys = workspaceKeys(workspace);
  const [ttl] = await sendToRedis(url, [['TTL', keys.revisions(suffixOf(id))]]);
  expect(ttl).toBeGreaterThan(lifetimes.events - 10);
  expect(await store.records.find(workspace, id, newDeadline())).toBeUndefined();
  const [json] = await store.records.findRevisions(
    workspace,
    [{suffix: suffixOf(id), revision: 1}],
    newDeadline(),
  );
  expect(JSON.parse(json ?? '{}')).toMatchObject({id, update: 'Words.'});
});

it('an erased resource leaves nothing in the store, so that events about it have no text', async () => {
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
  expect((await dumpRedis(url)).text).not.toContain(suffixOf(id) + ' ');
  const refs = [1, 2].map((revision) => ({suffix: suffixOf(id), revision}));
  expect(await store.records.findRevisions(workspace, refs, newDeadline())).toEqual([undefined, undefined]);
  expect(await store.records.count(workspace, list, newDeadline())).toBe(0);
});

it('resources that move to another list can be placed in the order of a third list', async () => {
  const ids = [await make(), await make(), await make()];
  const [from, to] = [lists.membersOfRole('member'), lists.membersOfRole('admin')];
  for (const id of ids.toReversed()) {
    const write = {do: 'relist', suffix: suffixOf(id), from, to: {list: to, positionFrom: list}} as const;
    await store.commits.run(terms(), commitOf([write]));
  }
  const {rows} = await store.records.list(workspace, {list: to, limit: 10}, newDeadline());
  expect(rows.map(({json}) => JSON.parse(json).id)).toEqual(ids.toReversed());
});

it('resources without events have list positions of their own behind all events, and their last list ends', async () => {
  const [one, two] = [nextSuffix(), nextSuffix()];
  const last = lists.standupsOfTeam(provisionalId('team', nextSuffix()));
  const placed = (suffix: IdSuffix<'standup'>): CreateWrite => ({
    ...create(suffix),
    lists: [
      {list, day: 5},
      {list: last, day: 5},
    ],
    placed: {lastListFor: 60},
  });
  const silent = {...emptyCommit, writes: [placed(one), placed(two)]};
  expect((await store.commits.run(terms(), silent)).kind).toBe('committed');
  const posted = nextSuffix();
  await store.commits.run(terms(), commitOf([{...create(posted), lists: [{list, day: 5}]}]));
  const found = await store.records.listEntries(workspace, list, 10, newDeadline());
  expect(found).toEqual([posted, one, two]);
  const positions = await Promise.all(
    found.map((suffix) => store.records.findPosition(workspace, list, suffix, newDeadline())),
  );
  expect(positions.slice(1)).toEqual([1, 2].map((n) => positionOf(5, 2 ** 37 + n)));
  const keys = workspaceKeys(workspace);
  expect(
    await sendToRedis(url, [
      ['TTL', keys.list(last)],
      ['TTL', keys.list(list)],
    ]),
  ).toEqual([60, -1]);
});

it('a resource created together with a team contains the id of that team, and so does its event', async () => {
  const [team, membership] = [nextSuffix(), nextSuffix()];
  const id = provisionalId('team', team);
  const outcome = await store.commits.run(terms(), {
    guards: [],
    writes: [
      createWrite('team', team, {object: 'team'}, []),
      {
        do: 'create',
        kind: 'team_member',
        suffix: membership,
        draft: renderDraft({object: 'team_member', team_id: id, role: 'lead'}),
        lists: [{list: lists.teamMembers(id)}],
        ofNew: {kind: 'team', suffix: team},
      },
    ],
    events: [{type: 'team.member_added', about: membership, revision: 1, team: id}],
    reply: {kind: 'empty'},
  });
  if (outcome.kind !== 'committed') throw new Error(outcome.kind);
  const made = composeId('team', outcome.at, team);
  expect(await store.records.find(workspace, made, newDeadline())).toMatchObject({id: made});
  const {rows} = await store.records.list(
    workspace,
    {list: lists.teamMembers(made), limit: 10},
    newDeadline(),
  );
  expect(JSON.parse(rows[0]?.json ?? '{}')).toMatchObject({team_id: made, role: 'lead'});
  const [entry] = await store.events.listAfter(workspace, outcome.sequence - 1, 1, newDeadline());
  expect(entry?.team).toBe(made);
});

it('resources created in one commit may refer to each other, and have different list positions', async () => {
  const list = lists.blockersOf(asId('mem_of_places'));
  const [standup, ...blockers] = [nextSuffix(), nextSuffix(), nextSuffix()];
  const outcome = await store.commits.run(terms(), {
    guards: [],
    writes: blockers.map((suffix) => ({
      do: 'create',
      kind: 'blocker',
      suffix,
      draft: renderDraft({object: 'blocker', standup: provisionalId('standup', standup ?? ''), text: suffix}),
      lists: [{list}],
      ofNew: {kind: 'standup', suffix: standup ?? ''},
    })),
    events: blockers.map((about) => ({type: 'blocker.raised', about, revision: 1})),
    reply: {kind: 'empty'},
  });
  if (outcome.kind !== 'committed') throw new Error(outcome.kind);
  const {rows} = await store.records.list(workspace, {list, limit: 10}, newDeadline());
  expect(rows.map(({json}) => JSON.parse(json))).toMatchObject(
    blockers.toReversed().map((text) => ({standup: composeId('standup', outcome.at, standup ?? ''), text})),
  );
  expect(new Set(rows.map(({position}) => position)).size).toBe(2);
});
