import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, it} from '@jest/globals';
import {createCallByService} from '../../src/domain/core/access.js';
import {lifetimes, limits} from '../../src/domain/core/limits.js';
import {hour} from '../../src/domain/core/quota.js';
import {expectProblem} from '../api/http/expect-problem.js';
import {addPerson, type Person} from '../api/people.js';
import {dumpRedis} from '../store/dump.js';
import {sendMails} from '../support/mails.js';
import {testRedisUrl} from '../support/redis-server.js';
import {
  type Json,
  startService,
  type TestResponse,
  type TestService,
  type TestWorkspace,
} from '../support/service.js';
import {createTestClock, type TestClock} from '../support/test-clock.js';
import {listCodeMails, readCodeOfMail, readMailedCode} from './mailed-codes.js';
import {createTestBrowser, passOf} from './test-browser.js';

let clock: TestClock;
let service: TestService;
let workspace: TestWorkspace;
let owner: Person;
let link: string;
let invite: string;
let email: string;
let tests = 0;
let failpoint: (name: string) => void = () => undefined;

beforeAll(async () => {
  const redisUrl = await testRedisUrl();
  clock = await createTestClock(redisUrl);
  const env = {ROLES: 'web', TRUST_PROXY: '1'};
  const options = {redisUrl, time: clock.time, mail: 'sent', env} as const;
  service = await startService({...options, failpoint: (name) => failpoint(name)});
});

afterAll(async () => {
  await service.close();
  await clock.close();
});

beforeEach(async () => {
  tests += 1;
  email = `grace${tests}@example.com`;
  workspace = await service.addWorkspace();
  owner = await addPerson(service, workspace, {name: 'Olga Owner', role: 'owner'});
  ({link, invite} = await makeInvite({}));
  await clock.advance(1_000);
});

afterEach(() => {
  failpoint = () => undefined;
});

async function makeInvite(body: Json): Promise<{link: string; invite: string}> {
  const all = {teams: [{team_id: 'platform'}], ...body};
  const answer = await workspace.request('POST', '/v1/invites', {token: owner.token, body: all});
  const [{id, url}] = answer.body.data;
  if (url !== null) return {link: passOf(url), invite: id};
  const [mail] = await sendMails(service, workspace);
  return {link: passOf(mail?.content.url ?? ''), invite: id};
}

/** Invites the address, and returns the link in the mail. */
async function readMailedInvite(): Promise<string> {
  const body = {emails: [email], teams: [{team_id: 'platform'}]};
  await workspace.request('POST', '/v1/invites', {token: owner.token, body});
  const asked = {workspace: workspace.id, deadline: performance.now() + 5_000};
  const {mails} = service.core.store;
  const [mail] = (await mails.list(workspace.id, {limit: 1}, asked.deadline)).mails;
  if (mail === undefined) throw new Error('no mail');
  const encrypted = await mails.findSecret(workspace.id, mail.suffix, asked.deadline);
  const composed = await service.core.services.mails.compose(asked, mail, encrypted);
  if (composed?.content.kind !== 'invite') throw new Error('no invite');
  return passOf(composed.content.url);
}

let networks = 0;
function send(body: Json, path = '/app/invite'): Promise<TestResponse> {
  networks += 1;
  const headers = {'x-forwarded-for': `198.51.${Math.floor(networks / 250)}.${networks % 250}`};
  return createTestBrowser(service).ask('POST', path, {body: {link, ...body}, headers});
}

const key = 'k'.repeat(22);
const join = (more: Json = {}) =>
  send({name: 'Grace Hopper', timezone: 'Europe/Berlin', key, email, ...more});

/** Asks for a code, and returns it with the link that stands behind it in the outbox. */
async function getCode(address = email): Promise<string> {
  const {length} = await listCodeMails(service, workspace);
  if (length > 0) await clock.advance(lifetimes.signInCodePause * 1_000);
  expect((await send({email: address})).status).toBe(202);
  const [code = ''] = (await readMailedCode(service, workspace, length + 1)).split(' ');
  return code;
}

const findGrace = async (): Promise<Json[]> =>
  (await workspace.request('GET', '/v1/members?limit=100')).body.data.filter(
    ({name}: Json) => name === 'Grace Hopper',
  );
const differ = (code: string): string => `${code.startsWith('0') ? '1' : '0'}${code.slice(1)}`;

describe('a person who joins by a link while e-mail is on', () => {
  it('proves their address by a code, and has it as a member', async () => {
    const code = await getCode();
    const answer = await join({code});
    expect(answer.status).toBe(201);
    expect(answer.headers.get('set-cookie')).toMatch(/HttpOnly/);
    expect(await findGrace()).toMatchObject([{email, role: 'member', timezone: 'Europe/Berlin'}]);
    const mark = await service.core.store.records.findName(
      workspace.id,
      'unconfirmed',
      (await findGrace())[0].id.slice(-16),
      performance.now() + 5_000,
    );
    expect(mark).toBeUndefined();
  });

  it('regression: leaves their address nowhere once they are erased, nor does a member who got a code', async () => {
    const his = `ada${tests}@example.com`;
    const ada = await addPerson(service, workspace, {name: 'Ada', email: his});
    await getCode(his);
    expect((await join({code: await getCode()})).status).toBe(201);
    const [grace] = await findGrace();
    const {services} = service.core;
    for (const {id} of [ada, grace]) {
      await workspace.request('DELETE', `/v1/members/${id}?erase=true`);
      const call = createCallByService({workspace: workspace.id, deadline: performance.now() + 20_000});
      while ((await services.forgetMember(call, id, true)) !== false);
    }
    const lines = (await dumpRedis(service.redisUrl)).text.split('\n');
    expect(lines.filter((line) => line.includes(email) || line.includes(his))).toEqual([]);
  });

  it('regression: is not signed in as another person who has joined in the same tab', async () => {
    const first = (await join({code: await getCode()})).body.holder.id;
    const other = `other${tests}@example.com`;
    expectProblem(await join({email: other, code: '00000000'}), 'invalid_token');
    const answer = await join({email: other, name: 'Otto Other', code: await getCode(other)});
    expect([answer.status, answer.body.holder.name]).toEqual([201, 'Otto Other']);
    // The lost answer of the first person is still finished.
    const repeat = await join({email: email.toUpperCase(), code: '00000000'});
    expect([repeat.status, repeat.body.holder.id]).toEqual([201, first]);
  });

  it('is refused without an address, and with a wrong code', async () => {
    expectProblem(await join({email: undefined}), 'validation_failed', {pointer: '#/email'});
    const code = await getCode();
    const wrong = expectProblem(await join({code: differ(code)}), 'invalid_token');
    expect(wrong.tries_left).toBe(4);
    expectProblem(await join({code, email: 'other@example.com'}), 'invalid_token');
    expect(await findGrace()).toEqual([]);
    expect((await join({code})).status).toBe(201);
  });

  it('gets the mail also at the address of a member, which the answer does not show', async () => {
    const member = await addPerson(service, workspace, {name: 'Ada', email: `ada${tests}@example.com`});
    const asked = [await send({email: `ada${tests}@example.com`}), await send({email})];
    expect(asked.map(({status, text}) => [status, text])).toEqual([
      [202, ''],
      [202, ''],
    ]);
    await readMailedCode(service, workspace, 2);
    const mails = await listCodeMails(service, workspace);
    expect(mails.map(({to}) => to).toSorted()).toEqual([`ada${tests}@example.com`, email]);
    const hers = mails.find(({to}) => to !== email);
    const [code = ''] = (await readCodeOfMail(service, workspace, hers)).split(' ');
    const refused = expectProblem(await join({code, email: `ada${tests}@example.com`}), 'forbidden');
    expect(refused.detail).toContain('Sign in instead');
    expect(member.name).toBe('Ada');
  });

  it('reads in the mail that the code is for joining', async () => {
    await getCode();
    const [mail] = (await sendMails(service, workspace)).filter(({to}) => to === email);
    expect(mail?.subject).toMatch(/^Your code to join /);
    expect(passOf(mail?.content.url ?? '')).toBe(link);
  });

  it('waits after 100 codes in an hour by the same link, and by no other link', async () => {
    const {admissions} = service.core.store;
    const cost = {limits: {all: limits.codesPerInvite, writes: 0}, isWrite: false, period: hour};
    const count = () => admissions.countFailure(`join:${invite.slice(-16)}`, cost, performance.now() + 5_000);
    await getCode();
    for (let i = 1; i < limits.codesPerInvite; i++) expect((await count())?.granted).toBe(true);
    const refused = expectProblem(await send({email: 'last@example.com'}), 'rate_limited');
    expect(refused.detail).toBe('Too many people asked for a code with this link. Try again in 1 min.');
    const other = await makeInvite({});
    expect((await send({link: other.link, email: 'last@example.com'})).status).toBe(202);
    await clock.advance(60_000);
    expect((await send({email: 'next@example.com'})).status).toBe(202);
  });

  it('is one member after a lost answer, with the same key and the code that was used up', async () => {
    const code = await getCode();
    expect((await join({code})).status).toBe(201);
    expect((await join({code})).status).toBe(201);
    expectProblem(await join({code, key: 'o'.repeat(22)}), 'invalid_token');
    expect(await findGrace()).toHaveLength(1);
  });

  it('needs another code if the process died before it made the member', async () => {
    const code = await getCode();
    failpoint = (name) => {
      if (name === 'before-commit') throw new Error('The process has died.');
    };
    expect((await join({code})).status).toBe(500);
    failpoint = () => undefined;
    expectProblem(await join({code}), 'invalid_token');
    expect((await join({code: await getCode()})).status).toBe(201);
    expect(await findGrace()).toHaveLength(1);
  });

  it('reads the domain of a link, and joins only with an address of exactly that domain', async () => {
    ({link} = await makeInvite({email_domain: 'example.com'}));
    expect((await send({look: true})).body.email_domain).toBe('example.com');
    for (const other of [
      'g@sub.example.com',
      'g@example.com.evil.test',
      'g@\u{FF45}xample.com',
      'g@evil.test',
    ])
      expect(expectProblem(await send({email: other}), 'forbidden').detail).toContain('@example.com');
    expect(await listCodeMails(service, workspace)).toEqual([]);
    expect((await join({code: await getCode(email.toUpperCase())})).status).toBe(201);
    expect(await findGrace()).toMatchObject([{email, email_status: 'proven'}]);
  });

  it('joins by the invite of an address without a code', async () => {
    link = await readMailedInvite();
    expectProblem(await send({email}), 'forbidden');
    expect((await join({email: undefined})).status).toBe(201);
  });
});

describe('a code to join', () => {
  it('signs in nowhere, and a code to sign in joins nothing', async () => {
    const code = await getCode();
    await addPerson(service, workspace, {name: 'Ada', email});
    await clock.advance(1_000);
    const suffix = invite.slice(-16);
    for (const named of [workspace.id, 'join'])
      expectProblem(await send({email, workspace: named, code}, '/app/session'), 'invalid_token');
    const asJoin = {email, workspace: `join:${suffix}`, code};
    expectProblem(await send(asJoin, '/app/session'), 'validation_failed', {pointer: '#/workspace'});
    await clock.advance(lifetimes.signInCodePause * 1_000);
    expect((await send({email, workspace: workspace.id}, '/app/session/code')).status).toBe(202);
    const own = await readMailedCode(service, workspace, 2);
    expectProblem(await join({code: own}), 'invalid_token');
    expect((await send({email, workspace: workspace.id, code: own}, '/app/session')).status).toBe(201);
  });

  it('counts for its invite only', async () => {
    const code = await getCode();
    ({link} = await makeInvite({}));
    expectProblem(await join({code}), 'invalid_token');
  });

  it('is mailed to no one for a link that is unknown or has ended', async () => {
    const [own = '', suffix = ''] = link.split('.');
    const unknown = await send({link: `${own}.${suffix}.${'A'.repeat(43)}`, email});
    expectProblem(unknown, 'invalid_token');
    await workspace.request('DELETE', `/v1/invites/${invite}`);
    expectProblem(await send({email}), 'forbidden');
    expect(await listCodeMails(service, workspace)).toEqual([]);
  });

  it('has a mail that leads back to the page of the invite, and is dropped once the invite has ended', async () => {
    const code = await getCode();
    const [mail] = await listCodeMails(service, workspace);
    if (mail === undefined) throw new Error('no mail');
    const compose = async (): Promise<Json> => {
      const deadline = performance.now() + 5_000;
      const encrypted = await service.core.store.mails.findSecret(workspace.id, mail.suffix, deadline);
      return service.core.services.mails.compose({workspace: workspace.id, deadline}, mail, encrypted);
    };
    const {content} = await compose();
    expect(content).toMatchObject({kind: 'sign_in_code', code});
    expect(content.url).toMatch(new RegExp(`/app/join#${link}$`));
    await workspace.request('DELETE', `/v1/invites/${invite}`);
    expect(await compose()).toBeUndefined();
  });
});
