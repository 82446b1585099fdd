import {afterAll, beforeAll, beforeEach, expect, it} from '@jest/globals';
import type {Write} from '../../../src/domain/commit/writes.js';
import type {ClaimedMail, MailOutcome} from '../../../src/domain/mail/mail.js';
import {suffixOf} from '../../../src/domain/core/ids.js';
import {createCommits} from '../../../src/store/commit/commits.js';
import {type RedisConnection, openConnection} from '../../../src/store/core/connection.js';
import {workspaceKeys} from '../../../src/store/core/keys.js';
import {createMails, type Mails} from '../../../src/store/mail/mails.js';
import {testRedisUrl} from '../../support/redis-server.js';
import {expectEventually} from '../../support/expect-eventually.js';
import {asId, asSuffix} from '../../support/ids.js';

const workspace = asId<'workspace'>('ws_00000000000000000000000000');
const keys = workspaceKeys(workspace);
const newDeadline = () => performance.now() + 2_000;
const member = asId<'member'>('mem_0000000000000000000000000a');
const suffix = asSuffix<'mail'>('000000000000000m');

let connection: RedisConnection;
let mails: Mails;
beforeAll(async () => {
  connection = await openConnection({url: await testRedisUrl(), tlsVerify: true, onError: () => undefined});
  mails = createMails(connection);
});
afterAll(() => connection.close());
beforeEach(async () => {
  await connection.call(newDeadline(), ['FLUSHDB', 'SYNC']);
  await connection.call(newDeadline(), ['HSET', keys.head(), 'sequence', '9']);
});

async function commit(...writes: Write[]): Promise<void> {
  const plan = {guards: [], writes, events: [], reply: {kind: 'empty'}} as const;
  const outcome = await createCommits(connection).run({workspace, deadline: newDeadline()}, plan);
  expect(outcome.kind).toBe('committed');
}

const queue = (given: Partial<Extract<Write, {do: 'queue-mail'}>> = {}): Write => ({
  do: 'queue-mail',
  suffix,
  fact: {kind: 'sign_in_code'},
  to: 'grace@example.com',
  member,
  encrypted: 'sealed',
  until: Date.now() + 600_000,
  ...given,
});
const find = () => mails.find(workspace, suffix, newDeadline());
const claim = (holder: string, leaseMs = 60_000) => mails.claim(workspace, holder, leaseMs, newDeadline());
const record = (outcome: MailOutcome) => commit({do: 'record-mail', suffix, outcome});
const workAt = () => connection.call<string | null>(newDeadline(), ['ZSCORE', keys.ready(), 'send-mail']);

async function claimMail(holder: string, leaseMs?: number): Promise<ClaimedMail> {
  const found = await claim(holder, leaseMs);
  if (found.kind !== 'claimed') throw new Error(found.kind);
  return found.mail;
}

it('a fact that is queued twice makes one mail, which is due at once', async () => {
  await commit(queue());
  await commit(queue({to: 'other@example.com'}));
  expect(await find()).toMatchObject({state: 'queued', to: 'grace@example.com', attempts: 0});
  expect(Number(await workAt())).toBeLessThanOrEqual(Date.now() + 50);
  const {mails: listed} = await mails.list(workspace, {limit: 10}, newDeadline());
  expect(listed).toHaveLength(1);
});

it('only one worker gets a due mail, with its secret', async () => {
  await commit(queue());
  expect(await claimMail('one')).toMatchObject({holder: 'one', encrypted: 'sealed'});
  expect(await claim('two')).toEqual({kind: 'idle'});
  expect(Number(await workAt())).toBeGreaterThan(Date.now() + 50_000);
});

it('another worker gets the mail of a dead worker that did not begin to hand it over', async () => {
  await commit(queue());
  const first = await claimMail('one', 1);
  await expectEventually(async () => (await claim('two')).kind).toBe('claimed');
  expect(await mails.mark(workspace, first, 60_000, newDeadline())).toBe(false);
});

it('a mail that a dead worker may have handed over becomes uncertain, and is not sent again', async () => {
  await commit(queue());
  const mail = await claimMail('one');
  expect(await mails.mark(workspace, mail, 1, newDeadline())).toBe(true);
  await expectEventually(async () => (await claim('two')).kind).toBe('uncertain');
  expect(await find()).toMatchObject({state: 'uncertain', attempts: 1});
  expect(await claim('two')).toEqual({kind: 'idle'});
  expect(await workAt()).toBeNull();
});

it('a worker that hears late that its mail was accepted still records that', async () => {
  await commit(queue());
  const mail = await claimMail('one');
  await mails.mark(workspace, mail, 1, newDeadline());
  await expectEventually(async () => (await claim('two')).kind).toBe('uncertain');
  expect(await mails.isHeldBy(workspace, mail, newDeadline())).toBe(true);
  await record({result: 'sent', code: 250});
  expect(await find()).toMatchObject({state: 'sent', code: 250});
});

it('a mail that is over keeps no secret, and one that waits keeps it', async () => {
  await commit(queue());
  await claimMail('one');
  await record({result: {next: 60_000, counted: true}, code: 451, detail: 'Try later.'});
  expect(await find()).toMatchObject({state: 'queued', attempts: 1, code: 451, detail: 'Try later.'});
  expect(await mails.findSecret(workspace, suffix, newDeadline())).toBe('sealed');
  expect(await claim('two')).toEqual({kind: 'idle'});
  await record({result: 'failed', code: 550});
  expect(await mails.findSecret(workspace, suffix, newDeadline())).toBeUndefined();
  expect(await workAt()).toBeNull();
});

it('a failure of the whole installation counts for no mail', async () => {
  await commit(queue());
  await claimMail('one');
  await record({result: {next: 30_000, counted: false}});
  expect(await find()).toMatchObject({state: 'queued', attempts: 0});
});

it('an erased mail leaves nothing, and is not handed over', async () => {
  await commit(queue());
  const mail = await claimMail('one');
  expect(await mails.listOf(workspace, suffixOf(member), newDeadline())).toEqual([suffix]);
  await commit({do: 'erase-mail', suffix, member: suffixOf(member)});
  expect(await mails.mark(workspace, mail, 60_000, newDeadline())).toBe(false);
  const left = await connection.call<string[]>(newDeadline(), ['KEYS', '*']);
  expect(left.filter((key) => key.includes(':j:') || key.includes(':mails'))).toEqual([]);
});

it('regression: a code, for which a person waits, goes before mails that were queued earlier', async () => {
  const report = {kind: 'report', run: asSuffix<'run'>('run')} as const;
  await commit(queue({suffix: asSuffix<'mail'>('report'), fact: report}));
  await new Promise((resolve) => setTimeout(resolve, 5));
  await commit(queue());
  expect(await mails.findOldestDue(workspace, newDeadline())).toBeLessThan(5_000);
  expect(await claimMail('one')).toMatchObject({suffix});
  expect(await claimMail('two')).toMatchObject({fact: report});
});

it('pages of mails queued at the same instant leave none out', async () => {
  const all = ['a', 'b', 'c', 'd', 'e'].map((end) => asSuffix<'mail'>(`000000000000000${end}`));
  await commit(...all.map((one) => queue({suffix: one})));
  const seen: string[] = [];
  let past: number | undefined;
  do {
    const page = await mails.list(workspace, {limit: 2, ...(past !== undefined && {past})}, newDeadline());
    seen.push(...page.mails.map((mail) => mail.suffix));
    past = page.next;
  } while (past !== undefined);
  expect(seen).toEqual(all.toReversed());
});
