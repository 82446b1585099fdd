import {inboxReasons} from '../../../src/domain/inbox/inbox.js';
import {expect, it} from '@jest/globals';
import fc from 'fast-check';
import {
  type Commit,
  type CommitTerms,
  type EventDraft,
  type Guard,
} from '../../../src/domain/commit/commit.js';
import {deep} from '../../support/deep.js';
import {asId, asSuffix} from '../../support/ids.js';
import type {Reply} from '../../../src/domain/commit/reply.js';
import {type CreateWrite, createWrite, reviseWrite, type Write} from '../../../src/domain/commit/writes.js';
import {provisionalId} from '../../../src/domain/core/ids.js';
import {lists} from '../../../src/domain/core/lists.js';
import {mailStates} from '../../../src/domain/mail/mail.js';
import {type Resource} from '../../../src/domain/core/resource.js';
import {createCommitCompiler} from '../../../src/store/commit/script.js';

const half = fc
  .string({unit: fc.constantFrom(...'0123456789abcdef'), minLength: 16, maxLength: 16})
  .map((text) => asSuffix(text));
const id = half.map((suffix) => asId(`team_0000000000${suffix}`));
const count = fc.integer({min: 0, max: 1_000});
const text = fc.string({maxLength: 5});
const list = id.map(lists.standupsOfTeam);
const manyLists = fc.array(list, {maxLength: 3});
const listings = fc.array(fc.record({list, day: count}, {requiredKeys: ['list']}), {maxLength: 3});
const days = fc.array(fc.record({list, day: count}), {maxLength: 2});
const membership = fc.record({role: fc.constantFrom('lead', 'member'), suffix: half, accepted: fc.boolean()});
const passkeyUse = fc.record({counter: count, minute: count});
const knownMessage = fc.oneof(
  fc.record({kind: fc.constant('gone' as const)}),
  fc.record({kind: fc.constant('standup' as const), suffix: half}),
  fc.record({kind: fc.constant('comment' as const), suffix: half, editedAt: text}),
);
const draftPart = {member: id, team: half, date: text, source: text};
const either = <T>(one: fc.Arbitrary<T>) => fc.option(one);
const draft = fc.record({object: fc.constant('thing'), text});

const create: fc.Arbitrary<CreateWrite> = fc
  .tuple(
    fc.constantFrom('standup', 'blocker'),
    half,
    draft,
    listings,
    fc.option(half, {nil: undefined}),
    fc.constantFrom(undefined, {}, {lastListFor: 60}),
  )
  .map(([kind, suffix, said, where, made, placed]) =>
    made === undefined
      ? {...createWrite(kind, suffix, said, where), ...(placed && {placed})}
      : createWrite(kind, suffix, {...said, of: provisionalId('standup', made)}, where, {
          kind: 'standup',
          suffix: made,
        }),
  );

const revise = fc
  .tuple(id, draft, fc.record({forEvents: fc.constant(true), move: days}, {requiredKeys: []}))
  .map(([resourceId, said, more]) =>
    reviseWrite({id: resourceId, revision: 1, created_at: 'x'} as unknown as Resource, said, more),
  );

/** All kinds of writes in all variants. If a kind is missing, this file does not compile. */
const writes: {readonly [K in Write['do']]: fc.Arbitrary<Extract<Write, {readonly do: K}>>} = {
  create,
  revise,
  remove: fc.record(
    {
      do: fc.constant('remove'),
      id,
      from: count,
      lists: manyLists,
      names: fc.array(id, {maxLength: 2}),
      how: fc.constantFrom('remove', 'erase'),
    },
    {requiredKeys: ['do', 'id', 'from', 'lists', 'names']},
  ),
  'erase-revisions': fc.record({do: fc.constant('erase-revisions'), suffix: half}),
  relist: fc.record({
    do: fc.constant('relist'),
    suffix: half,
    from: either(list),
    to: either(fc.record({list, positionFrom: list})),
  }),
  name: fc.record({
    do: fc.constant('name'),
    names: fc.constantFrom('email', 'team-slug'),
    name: text,
    suffix: half,
  }),
  'free-name': fc.record({
    do: fc.constant('free-name'),
    names: fc.constantFrom('email', 'team-slug'),
    name: text,
    suffix: half,
  }),
  touch: fc.record({
    do: fc.constant('touch'),
    collection: fc.constantFrom('teams', 'webhooks'),
    suffix: half,
  }),
  'begin-work': fc.record(
    {
      do: fc.constant('begin-work'),
      work: fc.oneof(
        fc.record({kind: fc.constant('purge-team'), team: id}),
        fc.record({kind: fc.constant('forget-member'), member: id, erase: fc.boolean()}),
      ),
      ifListed: fc.array(list, {minLength: 1, maxLength: 2}),
    },
    {requiredKeys: ['do', 'work']},
  ),
  'set-membership': fc.record({
    do: fc.constant('set-membership'),
    team: id,
    member: id,
    membership: either(membership),
  }),
  disband: fc.record({do: fc.constant('disband'), team: id}),
  'admit-token': fc.record({
    do: fc.constant('admit-token'),
    suffix: half,
    admitted: either(fc.record({until: count, proof: text}, {requiredKeys: ['until']})),
  }),
  'count-invite': fc.record({do: fc.constant('count-invite'), address: half, day: count, from: count}),
  'note-passkey-use': fc.record({
    do: fc.constant('note-passkey-use'),
    suffix: half,
    use: either(passkeyUse),
  }),
  'take-steps': fc.record(
    {do: fc.constant('take-steps'), run: half, steps: fc.array(text), after: count},
    {requiredKeys: ['do', 'run', 'steps']},
  ),
  'drop-steps': fc.record({do: fc.constant('drop-steps'), run: half}),
  'count-run-post': fc.record({do: fc.constant('count-run-post'), run: half}),
  'ask-look': fc.record(
    {do: fc.constant('ask-look'), team: half, after: fc.constantFrom('settled', 'step')},
    {requiredKeys: ['do', 'team']},
  ),
  'look-again': fc.record({do: fc.constant('look-again'), team: half, seen: count, next: either(count)}),
  'forget-looks': fc.record({do: fc.constant('forget-looks'), team: half}),
  'keep-secret': fc.record({
    do: fc.constant('keep-secret'),
    webhook: half,
    encrypted: text,
    overlapMs: count,
  }),
  'keep-headers': fc.record({do: fc.constant('keep-headers'), webhook: half, encrypted: either(text)}),
  'pace-webhook': fc.record({
    do: fc.constant('pace-webhook'),
    webhook: half,
    concurrency: count,
    ordering: fc.constantFrom('none', 'per_team'),
    throttle: either(fc.record({max: count, per_seconds: count})),
  }),
  'switch-webhook': fc.record({do: fc.constant('switch-webhook'), webhook: half, on: fc.boolean()}),
  'hold-position': fc.record({do: fc.constant('hold-position'), webhook: half, revision: count}),
  'mark-warned': fc.record({do: fc.constant('mark-warned'), webhook: half}),
  'close-webhook': fc.record({do: fc.constant('close-webhook'), webhook: half}),
  'forget-responses': fc.record({do: fc.constant('forget-responses'), webhook: half}),
  'try-webhook': fc.record({do: fc.constant('try-webhook'), webhook: half}),
  redeliver: fc.record({do: fc.constant('redeliver'), webhook: half, delivery: half}),
  'start-replay': fc.record(
    {
      do: fc.constant('start-replay'),
      suffix: half,
      plan: fc.record({
        webhook: half.map((suffix) => asId<'webhook'>(`whk_0000000000${suffix}`)),
        since: count,
        until: count,
        types: fc.constant(null),
        only: fc.constant('failed'),
        first: count,
        last: count,
        dryRun: fc.boolean(),
      }),
      instead: half,
    },
    {requiredKeys: ['do', 'suffix', 'plan']},
  ),
  'cancel-replay': fc.record({do: fc.constant('cancel-replay'), webhook: half, replay: half}),
  'connect-slack': fc.record({
    do: fc.constant('connect-slack'),
    id: text,
    encrypted: text,
    name: text,
    by: fc.option(id, {nil: undefined}),
    greets: text,
  }),
  'disconnect-slack': fc.record({do: fc.constant('disconnect-slack')}),
  'leave-slack': fc.record({do: fc.constant('leave-slack'), member: half, slackUser: text}),
  'keep-slack-message': fc.record({
    do: fc.constant('keep-slack-message'),
    channel: text,
    ts: text,
    known: knownMessage,
    seconds: count,
  }),
  'note-slack-status': fc.record({
    do: fc.constant('note-slack-status'),
    member: id,
    run: half,
    look: fc.record({at: count, emoji: text, made: fc.boolean()}),
  }),
  'drop-slack-status': fc.record({do: fc.constant('drop-slack-status'), member: id}),
  'keep-typed': fc.record({do: fc.constant('keep-typed'), slackUser: text, version: text, json: text}),
  prompt: fc.record({
    do: fc.constant('prompt'),
    member: id,
    user: text,
    date: text,
    team: id,
    run: id,
    closesAt: count,
    moment: fc.constantFrom('opening', 'before_closing'),
    notBefore: count,
  }),
  'snooze-prompt': fc.record({
    do: fc.constant('snooze-prompt'),
    member: half,
    user: text,
    date: text,
    until: count,
  }),
  'record-reminder': fc.record(
    {
      do: fc.constant('record-reminder'),
      member: half,
      date: text,
      next: either(count),
      sent: fc.record({mail: half, take: count}),
      forget: fc.boolean(),
    },
    {requiredKeys: ['do', 'member', 'date', 'next']},
  ),
  'note-unreachable': fc.record({
    do: fc.constant('note-unreachable'),
    run: half,
    member: half,
    code: either(text),
  }),
  'queue-mail': fc.record(
    {
      do: fc.constant('queue-mail'),
      suffix: half,
      fact: fc.constant({kind: 'sign_in_code'}),
      to: text,
      member: id,
      address: text,
      encrypted: text,
      until: count,
    },
    {requiredKeys: ['do', 'suffix', 'fact', 'to', 'until']},
  ),
  'record-mail': fc.record({
    do: fc.constant('record-mail'),
    suffix: half,
    outcome: fc.record(
      {
        result: fc.oneof(
          fc.constantFrom('sent', 'failed', 'kept'),
          fc.record({next: count, counted: fc.boolean()}),
        ),
        code: count,
        detail: text,
      },
      {requiredKeys: ['result']},
    ),
  }),
  'erase-mail': fc.record(
    {do: fc.constant('erase-mail'), suffix: half, member: half, address: text},
    {requiredKeys: ['do', 'suffix']},
  ),
  'set-draft': fc.record({
    do: fc.constant('set-draft'),
    ...draftPart,
    json: either(text),
    gone: fc.array(fc.record(draftPart), {maxLength: 2}),
  }),
  'drop-drafts': fc.record({
    do: fc.constant('drop-drafts'),
    member: id,
    of: fc.oneof(fc.constant('all'), fc.record({team: half, date: text})),
  }),
  notify: fc.record({
    do: fc.constant('notify'),
    member: id,
    standup: half,
    reason: fc.constantFrom(...inboxReasons),
    by: id,
    about: half,
    sends: fc.boolean(),
    named: fc.boolean(),
  }),
  'record-notice': fc.record({
    do: fc.constant('record-notice'),
    member: half,
    standup: half,
    next: either(count),
  }),
  'mute-inbox': fc.record({
    do: fc.constant('mute-inbox'),
    member: id,
    standup: half,
    mutes: fc.boolean(),
  }),
  'post-report': fc.record({
    do: fc.constant('post-report'),
    channel: text,
    item: fc.record({
      kind: fc.constant('copy' as const),
      team: half,
      date: fc.constant('2026-01-05'),
      of: fc.constantFrom('week' as const, 'digest' as const),
      key: text,
    }),
  }),
  'ask-notice': fc.record({do: fc.constant('ask-notice'), slackUser: text, sequence: count}),
  'read-inbox': fc.record({
    do: fc.constant('read-inbox'),
    member: id,
    standup: either(half),
    until: fc.option(count, {nil: undefined}),
  }),
  'drop-inbox': fc.record({do: fc.constant('drop-inbox'), member: id}),
  'start-erasure': fc.record({do: fc.constant('start-erasure'), suffix: half, member: id, revoked: count}),
  'note-erasure': fc.record({
    do: fc.constant('note-erasure'),
    erasure: half,
    state: fc.constantFrom('running', 'done', 'failed'),
    erased: fc.record({standups: count, blockers: count}, {requiredKeys: []}),
  }),
  'keep-import-key': fc.record({do: fc.constant('keep-import-key'), key: fc.string()}),
  'keep-import-people': fc.record({
    do: fc.constant('keep-import-people'),
    import: half,
    people: fc.option(fc.array(fc.tuple(fc.string(), fc.string())), {nil: null}),
  }),
};

const guards: {readonly [C in Guard['check']]: fc.Arbitrary<Extract<Guard, {readonly check: C}>>} = {
  unchanged: fc.record({
    check: fc.constant('unchanged'),
    collection: fc.constantFrom('teams', 'webhooks'),
    version: text,
  }),
  revision: fc.record({check: fc.constant('revision'), id, revision: count}),
  'as-read': fc.record({
    check: fc.constant('as-read'),
    id,
    revision: count,
    created_at: text,
    updated_at: text,
  }),
  'name-free': fc.record({
    check: fc.constant('name-free'),
    names: fc.constantFrom('email', 'team-slug'),
    name: text,
  }),
  membership: fc.record({
    check: fc.constant('membership'),
    team: id,
    member: id,
    is: fc.oneof(fc.constantFrom('none', 'any', 'accepted', 'lead'), membership),
  }),
  replaying: fc.record({check: fc.constant('replaying'), webhook: half, replay: either(half)}),
  length: fc.oneof(
    fc.record(
      {check: fc.constant('length'), list, below: count, past: count},
      {requiredKeys: ['check', 'list', 'below']},
    ),
    fc.record({check: fc.constant('length'), list, above: count}),
  ),
  listed: fc.record({check: fc.constant('listed'), list, suffixes: fc.array(half, {maxLength: 2})}),
  'day-free': fc.record({check: fc.constant('day-free'), list, day: count}),
  unasked: fc.record({check: fc.constant('unasked'), team: half, asked: count}),
  before: fc.record({check: fc.constant('before'), instant: count}),
  'run-posts': fc.record({check: fc.constant('run-posts'), run: half, count}),
  failing: fc.record({check: fc.constant('failing'), webhook: half, since: count, warned: fc.boolean()}),
  'mail-state': fc.record({
    check: fc.constant('mail-state'),
    suffix: half,
    state: fc.constantFrom(...mailStates),
  }),
  'draft-part': fc.record({
    check: fc.constant('draft-part'),
    ...draftPart,
    changedAt: either(count),
    count,
  }),
  'mail-held': fc.record({check: fc.constant('mail-held'), suffix: half, holder: text}),
  'passkey-use': fc.record({check: fc.constant('passkey-use'), passkey: half, use: passkeyUse}),
  'notice-due': fc.record({check: fc.constant('notice-due'), member: half, standup: half, due: text}),
  'prompt-due': fc.record({check: fc.constant('prompt-due'), member: half, date: text, due: text}),
  'prompt-snooze': fc.record({
    check: fc.constant('prompt-snooze'),
    member: half,
    date: text,
    user: text,
    snoozed: fc.oneof(count, fc.constant(undefined)),
  }),
  'slack-message': fc.record({
    check: fc.constant('slack-message'),
    channel: text,
    ts: text,
    known: fc.option(knownMessage, {nil: undefined}),
  }),
  typed: fc.record({check: fc.constant('typed'), slackUser: text, version: text}),
  slack: fc.record({check: fc.constant('slack'), installedAt: either(count), connected: fc.boolean()}),
};

const event: fc.Arbitrary<EventDraft> = fc.record(
  {
    type: fc.constant('standup.created'),
    about: half,
    revision: count,
    team: fc.oneof(
      id,
      half.map((suffix) => provisionalId('team', suffix)),
    ),
    since: count,
    reason: text,
  },
  {requiredKeys: ['type', 'about', 'revision']},
);

const reply: fc.Arbitrary<Reply> = fc.oneof(
  fc.constant({kind: 'empty' as const}),
  create.map((of) => ({kind: 'resource' as const, status: 201 as const, of})),
  fc.constant({kind: 'test' as const, webhook: asId<'webhook'>('whk_0')}),
);

const commits: fc.Arbitrary<Commit> = fc.record(
  {
    guards: fc.array(fc.oneof(...Object.values(guards)), {maxLength: 4}),
    writes: fc.array(fc.oneof(...Object.values(writes)), {maxLength: 4}),
    events: fc.array(event, {maxLength: 3}),
    reply,
    effect: fc.constantFrom('growth', 'release'),
  },
  {requiredKeys: ['guards', 'writes', 'events', 'reply']},
);

const everybody: fc.Arbitrary<CommitTerms> = fc.record(
  {
    workspace: fc.constant(asId('ws_0')),
    deadline: fc.constant(0),
    token: fc.record({id}),
    idempotency: fc.record({hash: text, fingerprint: fc.constant('f'.repeat(43))}),
  },
  {requiredKeys: ['workspace', 'deadline']},
);

/** Returns the highest index of `KEYS` or `ARGV` in a script. */
function highest(source: string, kind: 'KEYS' | 'ARGV'): number {
  return Math.max(
    0,
    ...Array.from(source.matchAll(new RegExp(`${kind}\\[(\\d+)\\]`, 'g')), ([, n]) => Number(n)),
  );
}

it('a commit gets the correct script, whatever commits were compiled before', () => {
  const shared = createCommitCompiler();
  const times = {expected: 0, notAfter: 0};
  fc.assert(
    fc.property(everybody, commits, (terms, commit) => {
      const {script, keys, args} = shared(terms, commit, times);
      const own = createCommitCompiler()(terms, commit, times);
      expect(script.source).toBe(own.script.source);
      expect(highest(script.source, 'KEYS')).toBeLessThanOrEqual(keys.length);
      expect(highest(script.source, 'ARGV')).toBeLessThanOrEqual(args.length);
    }),
    {numRuns: deep ? 3_000 : 150},
  );
});

/** Many writes of each kind, because two random ones in a commit seldom share a script. */
it.each([
  ...Object.entries(writes).map(([kind, one]) => [kind, one.map((write) => ({writes: [write]}))] as const),
  ...Object.entries(guards).map(
    ([kind, one]) => [`the guard ${kind}`, one.map((guard) => ({guards: [guard]}))] as const,
  ),
])('the cache key of the script for %s contains everything that the script depends on', (_, part) => {
  const shared = createCommitCompiler();
  const times = {expected: 0, notAfter: 0};
  const terms = {workspace: asId<'workspace'>('ws_0'), deadline: 0};
  const rest: Commit = {guards: [], writes: [], events: [], reply: {kind: 'empty'}};
  fc.assert(
    fc.property(part as fc.Arbitrary<Partial<Commit>>, (some) => {
      const commit = {...rest, ...some};
      const own = createCommitCompiler()(terms, commit, times);
      expect(shared(terms, commit, times).script.source).toBe(own.script.source);
    }),
    {numRuns: deep ? 400 : 40},
  );
});
