import {afterAll, beforeAll, beforeEach, expect, it} from '@jest/globals';
import {createCallByService} from '../../../src/domain/core/access.js';
import type {MailOutcome} from '../../../src/domain/mail/mail.js';
import {recordMail} from '../../support/mails.js';
import {type Json, startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {addPerson, type Person} from '../people.js';
import {eventsOf} from '../samples.js';

let service: TestService;
let workspace: TestWorkspace;
let ada: Person;

// No process here sends mails by itself.
beforeAll(async () => {
  service = await startService({env: {ROLES: 'web'}, mail: 'sent'});
});

afterAll(() => service.close());

beforeEach(async () => {
  workspace = await service.addWorkspace();
  ada = await addPerson(service, workspace, {name: 'Ada', email: 'ada@example.com'});
});

const read = async (): Promise<Json> => (await workspace.request('GET', `/v1/members/${ada.id}`)).body;
const change = async (body: Json): Promise<Json> =>
  (await workspace.request('PATCH', `/v1/members/${ada.id}`, {body})).body;
const prove = (email: string) =>
  service.core.services.proveAddress(
    createCallByService({workspace: workspace.id, deadline: performance.now() + 5_000}),
    ada.id,
    email,
  );
/** Sends a mail to Ada with this result, and returns its id. */
const send = (outcome: MailOutcome, to = 'ada@example.com') =>
  recordMail(service, workspace, {to, member: ada.id}, outcome);

it('an address is unproven until its member has read a mail there, and a new one is unproven again', async () => {
  expect((await read()).email_status).toBe('unproven');
  await prove('ADA@example.com');
  const {email_status, revision} = await read();
  expect(email_status).toBe('proven');
  await prove('ada@example.com');
  expect((await read()).revision).toBe(revision);
  expect((await change({name: 'Ada King'})).email_status).toBe('proven');
  expect((await change({email: 'ada@example.com'})).email_status).toBe('proven');
  expect((await change({email: 'king@example.com'})).email_status).toBe('unproven');
  await prove('ada@example.com');
  expect((await read()).email_status).toBe('unproven');
  expect((await change({email: null})).email_status).toBeNull();
});

it('an address that its server refuses, or whose mail came back, is refused until it is proven', async () => {
  await send({result: 'failed', code: 554});
  expect((await read()).email_status).toBe('unproven');
  await send({result: 'failed', code: 550, addressRefused: true});
  expect((await read()).email_status).toBe('refused');
  await prove('ada@example.com');
  expect((await read()).email_status).toBe('proven');
  const id = await send({result: 'sent', code: 250});
  await workspace.request('POST', `/v1/mails/${id}/bounce`, {body: {}});
  expect((await read()).email_status).toBe('refused');
  const types = (await eventsOf(workspace)).map(({type}: Json) => type);
  expect(types.slice(-2)).toEqual(['member.updated', 'member.mail_failed']);
  expect((await eventsOf(workspace)).at(-1)).toMatchObject({
    data: {email_status: 'refused', reason: 'bounced'},
  });
});

it('a mail to an earlier address says nothing about the present one', async () => {
  await change({email: 'king@example.com'});
  await send({result: 'failed', code: 550, addressRefused: true}, 'ada@example.com');
  expect((await read()).email_status).toBe('unproven');
});
