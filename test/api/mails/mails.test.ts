import {afterAll, beforeAll, beforeEach, describe, expect, it} from '@jest/globals';
import type {MailOutcome} from '../../../src/domain/mail/mail.js';
import {queueMail, recordMail, sendMails} from '../../support/mails.js';
import {testRedisUrl} from '../../support/redis-server.js';
import {
  type Json,
  sendRequest,
  startService,
  type TestResponse,
  type TestService,
  type TestWorkspace,
} from '../../support/service.js';
import {expectProblem} from '../http/expect-problem.js';
import {addPerson, type Person} from '../people.js';
import {eventsOf} from '../samples.js';

let sending: TestService;
let keeping: TestService;
let workspace: TestWorkspace;
let owner: Person;

// No process here sends mails by itself.
beforeAll(async () => {
  const [redisUrl, env] = [await testRedisUrl(), {ROLES: 'web'}];
  sending = await startService({redisUrl, env, mail: 'sent'});
  keeping = await startService({redisUrl, env, mail: 'kept'});
});

afterAll(async () => {
  await sending.close();
  await keeping.close();
});

beforeEach(async () => {
  workspace = await sending.addWorkspace();
  owner = await addPerson(sending, workspace, {name: 'Olga Owner', role: 'owner'});
});

const ask = (method: string, path: string, body?: Json, {url} = sending): Promise<TestResponse> =>
  sendRequest(url, method, path, {token: owner.token, ...(body !== undefined && {body})});
const read = async (id: string, from = sending): Promise<Json> =>
  (await ask('GET', `/v1/mails/${encodeURIComponent(id)}`, undefined, from)).body;
const bounce = (id: string, body: Json = {}) =>
  ask('POST', `/v1/mails/${encodeURIComponent(id)}/bounce`, body);

it('a mail shows its address, the member it is for and what became of it', async () => {
  const ada = await addPerson(sending, workspace, {name: 'Ada', email: 'ada@example.com'});
  const id = await queueMail(sending, workspace, {to: 'ada@example.com', member: ada.id});
  expect(await read(id)).toMatchObject({
    object: 'mail',
    kind: 'sign_in_code',
    to: 'ada@example.com',
    member: {id: ada.id, name: 'Ada'},
    state: 'queued',
    attempts: 0,
    code: null,
    detail: null,
  });
  await sendMails(sending, workspace);
  expect((await read(id)).state).toBe('dropped');
});

it('a list of mails has the newest first, and those of one state on request', async () => {
  const ids = [await queueMail(sending, workspace), await queueMail(sending, workspace)];
  await sendMails(sending, workspace);
  ids.push(await queueMail(sending, workspace));
  const listed = async (query: string) =>
    (await ask('GET', `/v1/mails${query}`)).body.data.map(({id}: Json) => id);
  expect(await listed('')).toEqual(ids.toReversed());
  expect(await listed('?state=queued')).toEqual([ids[2]]);
  const first = (await ask('GET', '/v1/mails?limit=2')).body;
  expect(first.data).toHaveLength(2);
  expect(await listed(`?limit=2&cursor=${first.next_cursor}`)).toEqual([ids[0]]);
});

it('only owners, admins and service accounts read mails and mark them as bounced', async () => {
  const id = await queueMail(sending, workspace);
  const admin = await addPerson(sending, workspace, {name: 'Adam', role: 'admin'});
  const lead = await addPerson(sending, workspace, {name: 'Lea', team: 'platform', as: 'lead'});
  const other = await sending.addWorkspace();
  for (const [method, path] of [
    ['GET', '/v1/mails'],
    ['GET', `/v1/mails/${id}`],
    ['POST', `/v1/mails/${id}/bounce`],
  ] as const) {
    const body = method === 'POST' ? {body: {}} : {};
    const by = async (token: string) => workspace.request(method, path, {token, ...body});
    expectProblem(await by(lead.token), 'forbidden');
    expect((await by(admin.token)).status).toBeLessThan(300);
    const {value} = await workspace.addToken({scopes: ['members:read']});
    expectProblem(await by(value), 'insufficient_scope');
    if (path !== '/v1/mails') expectProblem(await by(other.token), 'not_found');
  }
});

it('a mail shows its text in development, and never where mails are sent', async () => {
  const body = {emails: ['grace@example.com'], teams: [{team_id: 'platform'}]};
  const [made] = (await ask('POST', '/v1/invites', body, keeping)).body.data;
  const [{id}] = (await ask('GET', '/v1/mails')).body.data;
  expect((await read(id, keeping)).content).toBeNull();
  await sendMails(keeping, workspace, {result: 'kept'});
  const {content} = await read(id, keeping);
  expect(content).toMatchObject({
    subject: expect.stringContaining('Olga Owner invited you'),
    text: expect.stringContaining(made.url),
  });
  expect(content.blocks).toContainEqual({type: 'button', label: expect.any(String), url: made.url});
  expect((await read(id, sending)).content).toBeNull();
  expect((await ask('GET', '/v1/mails')).body.data[0].content).toBeNull();
  await ask('DELETE', `/v1/invites/${made.id}`);
  expect((await read(id, keeping)).content).toBeNull();
});

it('a sent mail is marked as bounced by its id or its Message-ID, with an event that has no address', async () => {
  const ada = await addPerson(sending, workspace, {name: 'Ada', email: 'ada@example.com'});
  await ask('POST', '/v1/invites', {emails: ['grace@example.com']});
  const [{id: ofInvite}] = (await ask('GET', '/v1/mails')).body.data;
  await sendMails(sending, workspace);
  expect(
    (await bounce(`<${ofInvite}@standup.example.com>`, {detail: '550 No\ngrace@example.com'})).status,
  ).toBe(204);
  expect(await read(`<${ofInvite}@standup.example.com>`)).toMatchObject({
    id: ofInvite,
    state: 'failed',
    attempts: 1,
    code: null,
    detail: '550 No grace@example.com',
  });
  await bounce(ofInvite, {detail: 'Again.'});
  const failed = async () =>
    (await eventsOf(workspace)).filter(({type}: Json) => type.endsWith('.mail_failed'));
  expect(await failed()).toMatchObject([{type: 'invite.mail_failed', data: {reason: 'bounced'}}]);
  const id = await queueMail(sending, workspace, {to: 'ada@example.com', member: ada.id});
  await bounce(id);
  expect((await read(id)).state).toBe('queued');
  expect(JSON.stringify((await failed())[0].data)).not.toContain('No grace');
  expectProblem(await bounce(id, {detail: 'a\u0000b'}), 'validation_failed', {pointer: '#/detail'});
  expectProblem(await bounce('eml_unknown'), 'not_found');
});

it('regression: a mail that several people mark as bounced at once has failed once', async () => {
  await ask('POST', '/v1/invites', {emails: ['grace@example.com']});
  const [{id}] = (await ask('GET', '/v1/mails')).body.data;
  await sendMails(sending, workspace);
  await Promise.all(Array.from({length: 8}, () => bounce(id)));
  const types = (await eventsOf(workspace)).map(({type}: Json) => type);
  expect(types.filter((type: string) => type === 'invite.mail_failed')).toHaveLength(1);
});

describe('the address of a member', () => {
  let ada: Person;
  beforeEach(async () => {
    ada = await addPerson(sending, workspace, {name: 'Ada', email: 'ada@example.com'});
  });

  const readAda = async (): Promise<Json> => (await workspace.request('GET', `/v1/members/${ada.id}`)).body;
  const change = async (body: Json): Promise<Json> =>
    (await workspace.request('PATCH', `/v1/members/${ada.id}`, {body})).body;
  const prove = (email: string) =>
    sending.core.services.codes.proveAddress(
      {workspace: workspace.id, member: ada.id},
      email,
      performance.now() + 5_000,
    );
  /** Sends a mail to Ada with this result, and returns its id. */
  const send = (outcome: MailOutcome, to = 'ada@example.com') =>
    recordMail(sending, workspace, {to, member: ada.id}, outcome);

  it('is unproven until they have read a mail there, and a new one is unproven again', async () => {
    expect((await readAda()).email_status).toBe('unproven');
    await prove('ADA@example.com');
    const {email_status, revision} = await readAda();
    expect(email_status).toBe('proven');
    await prove('ada@example.com');
    expect((await readAda()).revision).toBe(revision);
    expect((await change({name: 'Ada King'})).email_status).toBe('proven');
    expect((await change({email: 'ada@example.com'})).email_status).toBe('proven');
    expect((await change({email: 'king@example.com'})).email_status).toBe('unproven');
    await prove('ada@example.com');
    expect((await readAda()).email_status).toBe('unproven');
    expect((await change({email: null})).email_status).toBeNull();
  });

  it('is refused once its server refuses it or a mail came back, until it is proven', async () => {
    await send({result: 'failed', code: 554});
    expect((await readAda()).email_status).toBe('unproven');
    await send({result: 'failed', code: 550, addressRefused: true});
    expect((await readAda()).email_status).toBe('refused');
    await prove('ada@example.com');
    expect((await readAda()).email_status).toBe('proven');
    const id = await send({result: 'sent', code: 250});
    await workspace.request('POST', `/v1/mails/${id}/bounce`, {body: {}});
    expect((await readAda()).email_status).toBe('refused');
    const types = (await eventsOf(workspace)).map(({type}: Json) => type);
    expect(types.slice(-2)).toEqual(['member.updated', 'member.mail_failed']);
    expect((await eventsOf(workspace)).at(-1)).toMatchObject({
      data: {email_status: 'refused', reason: 'bounced'},
    });
  });

  it('is not affected by mails to an earlier address', async () => {
    await change({email: 'king@example.com'});
    await send({result: 'failed', code: 550, addressRefused: true}, 'ada@example.com');
    expect((await readAda()).email_status).toBe('unproven');
  });
});
