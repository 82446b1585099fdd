import {beforeEach, describe, expect, it} from '@jest/globals';
import {suffixOf} from '../../../src/domain/core/ids.js';
import {limits} from '../../../src/domain/core/limits.js';
import type {MailOutcome} from '../../../src/domain/mail/mail.js';
import {failingLimits} from '../../../src/domain/webhooks/webhook-failing.js';
import {workspaceKeys} from '../../../src/store/core/keys.js';
import {createSessionToken, createTestBrowser, passOf} from '../../dashboard/test-browser.js';
import {queueMail, recordMail, sendMails} from '../../support/mails.js';
import {asId} from '../../support/ids.js';
import {setMailingStage} from '../../support/mailing-stage.js';
import {type Json, sendRequest, type TestResponse} from '../../support/service.js';
import {createAuthenticator} from '../../support/software-authenticator.js';
import {expectProblem} from '../http/expect-problem.js';
import type {Person} from '../people.js';
import {eventsOf} from '../samples.js';

const stage = setMailingStage();
const {ask, add, send} = stage;
const read = async (id: string, from = stage.sending): Promise<Json> =>
  (await ask('GET', `/v1/mails/${encodeURIComponent(id)}`, undefined, from)).body;
const bounce = (id: string, body: Json = {}) =>
  ask('POST', `/v1/mails/${encodeURIComponent(id)}/bounce`, body);

it('a mail shows its address, the member it is for and what became of it', async () => {
  const ada = await add({name: 'Ada', email: 'ada@example.com'});
  const id = await queueMail(stage.sending, stage.workspace, {to: 'ada@example.com', member: ada.id});
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
  await send();
  expect((await read(id)).state).toBe('dropped');
});

it('a list of mails has the newest first, and those of one state on request', async () => {
  const ids = [
    await queueMail(stage.sending, stage.workspace),
    await queueMail(stage.sending, stage.workspace),
  ];
  await send();
  ids.push(await queueMail(stage.sending, stage.workspace));
  const listed = async (query: string) =>
    (await ask('GET', `/v1/mails${query}`)).body.data.map(({id}: Json) => id);
  expect(await listed('')).toEqual(ids.toReversed());
  expect(await listed('?state=queued')).toEqual([ids[2]]);
  const first = (await ask('GET', '/v1/mails?limit=2')).body;
  expect(first.data).toHaveLength(2);
  expect(await listed(`?limit=2&cursor=${first.next_cursor}`)).toEqual([ids[0]]);
});

it('only owners, admins and service accounts read mails and mark them as bounced', async () => {
  const id = await queueMail(stage.sending, stage.workspace);
  const admin = await add({name: 'Adam', role: 'admin'});
  const lead = await add({name: 'Lea', team: 'platform', as: 'lead'});
  const other = await stage.sending.addWorkspace();
  for (const [method, path] of [
    ['GET', '/v1/mails'],
    ['GET', `/v1/mails/${id}`],
    ['POST', `/v1/mails/${id}/bounce`],
  ] as const) {
    const body = method === 'POST' ? {body: {}} : {};
    const by = async (token: string) => stage.workspace.request(method, path, {token, ...body});
    expectProblem(await by(lead.token), 'forbidden');
    expect((await by(admin.token)).status).toBeLessThan(300);
    const {value} = await stage.workspace.addToken({scopes: ['members:read']});
    expectProblem(await by(value), 'insufficient_scope');
    if (path !== '/v1/mails') expectProblem(await by(other.token), 'not_found');
  }
});

it('a mail shows its text in development, and never where mails are sent', async () => {
  const body = {emails: ['grace@example.com'], teams: [{team_id: 'platform'}]};
  const [made] = (await ask('POST', '/v1/invites', body, stage.keeping)).body.data;
  const [{id}] = (await ask('GET', '/v1/mails')).body.data;
  expect((await read(id, stage.keeping)).content).toBeNull();
  await sendMails(stage.keeping, stage.workspace, {result: 'kept'});
  const {content} = await read(id, stage.keeping);
  expect(content).toMatchObject({
    subject: expect.stringContaining('Olga Owner invited you'),
    text: expect.stringContaining(made.url),
  });
  expect(content.blocks).toContainEqual({type: 'button', label: expect.any(String), url: made.url});
  expect((await read(id, stage.sending)).content).toBeNull();
  expect((await ask('GET', '/v1/mails')).body.data[0].content).toBeNull();
  await ask('DELETE', `/v1/invites/${made.id}`);
  expect((await read(id, stage.keeping)).content).toBeNull();
});

it('a sent mail is marked as bounced by its id or its Message-ID, with an event that has no address', async () => {
  const ada = await add({name: 'Ada', email: 'ada@example.com'});
  await ask('POST', '/v1/invites', {emails: ['grace@example.com']});
  const [{id: ofInvite}] = (await ask('GET', '/v1/mails')).body.data;
  await send();
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
    (await eventsOf(stage.workspace)).filter(({type}: Json) => type.endsWith('.mail_failed'));
  expect(await failed()).toMatchObject([{type: 'invite.mail_failed', data: {reason: 'bounced'}}]);
  const id = await queueMail(stage.sending, stage.workspace, {to: 'ada@example.com', member: ada.id});
  await bounce(id);
  expect((await read(id)).state).toBe('queued');
  expect(JSON.stringify((await failed())[0].data)).not.toContain('No grace');
  expectProblem(await bounce(id, {detail: 'a\u0000b'}), 'validation_failed', {pointer: '#/detail'});
  expectProblem(await bounce('eml_unknown'), 'not_found');
});

it('regression: a mail that several people mark as bounced at once has failed once', async () => {
  await ask('POST', '/v1/invites', {emails: ['grace@example.com']});
  const [{id}] = (await ask('GET', '/v1/mails')).body.data;
  await send();
  await Promise.all(Array.from({length: 8}, () => bounce(id)));
  const types = (await eventsOf(stage.workspace)).map(({type}: Json) => type);
  expect(types.filter((type: string) => type === 'invite.mail_failed')).toHaveLength(1);
});

it('an admin cannot mark a mail to an owner as bounced, but owners and service accounts can', async () => {
  const olga = await add({name: 'Olga Two', role: 'owner', email: 'olga@example.com'});
  const admin = await add({name: 'Adam', role: 'admin'});
  const outcome = {result: 'sent', code: 250} as const;
  const queue = () =>
    recordMail(stage.sending, stage.workspace, {to: 'olga@example.com', member: olga.id}, outcome);
  const mark = async (token: string): Promise<TestResponse> =>
    stage.workspace.request('POST', `/v1/mails/${await queue()}/bounce`, {token, body: {}});
  const readStatus = async (): Promise<Json> =>
    (await ask('GET', `/v1/members/${olga.id}`)).body.email_status;
  const refused = expectProblem(await mark(admin.token), 'forbidden');
  expect(refused.detail).toBe('Only an owner of the workspace may mark mails to an owner as bounced.');
  expect(await readStatus()).toBe('unproven');
  expect((await mark(stage.workspace.token)).status).toBe(204);
  expect(await readStatus()).toBe('refused');
  expect((await mark(stage.owner.token)).status).toBe(204);
  await ask('PATCH', `/v1/members/${olga.id}`, {role: 'member'});
  expect((await mark(admin.token)).status).toBe(204);
});

describe('the address of a member', () => {
  let ada: Person;
  beforeEach(async () => {
    ada = await add({name: 'Ada', email: 'ada@example.com'});
  });

  const readAda = async (): Promise<Json> =>
    (await stage.workspace.request('GET', `/v1/members/${ada.id}`)).body;
  const change = async (body: Json): Promise<Json> =>
    (await stage.workspace.request('PATCH', `/v1/members/${ada.id}`, {body})).body;
  const prove = (email: string) =>
    stage.sending.core.services.codes.proveAddress(
      {workspace: stage.workspace.id, member: ada.id},
      email,
      performance.now() + 5_000,
    );
  /** Sends a mail to Ada with this result, and returns its id. */
  const sendToAda = (outcome: MailOutcome, to = 'ada@example.com') =>
    recordMail(stage.sending, stage.workspace, {to, member: ada.id}, outcome);

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
    await sendToAda({result: 'failed', code: 554});
    expect((await readAda()).email_status).toBe('unproven');
    await sendToAda({result: 'failed', code: 550, addressRefused: true});
    expect((await readAda()).email_status).toBe('refused');
    await prove('ada@example.com');
    expect((await readAda()).email_status).toBe('proven');
    const id = await sendToAda({result: 'sent', code: 250});
    await stage.workspace.request('POST', `/v1/mails/${id}/bounce`, {body: {}});
    expect((await readAda()).email_status).toBe('refused');
    const types = (await eventsOf(stage.workspace)).map(({type}: Json) => type);
    expect(types.slice(-2)).toEqual(['member.updated', 'member.mail_failed']);
    expect((await eventsOf(stage.workspace)).at(-1)).toMatchObject({
      data: {email_status: 'refused', reason: 'bounced'},
    });
  });

  it('is not affected by mails to an earlier address', async () => {
    await change({email: 'king@example.com'});
    await sendToAda({result: 'failed', code: 550, addressRefused: true}, 'ada@example.com');
    expect((await readAda()).email_status).toBe('unproven');
  });
});

describe('a notice by mail', () => {
  const email = 'ada@example.com';
  const readSent = async () =>
    (await send()).map(({to, subject, content, headers}) => ({to, subject, content, headers}));
  const patch = (id: string, body: Json) => ask('PATCH', `/v1/members/${id}`, body);

  describe('about a new passkey', () => {
    async function addPasskey(ada: Person): Promise<string> {
      const token = await createSessionToken(stage.workspace, ada.id);
      const by = (method: string, path: string, body?: Json) =>
        stage.workspace.request(method, path, {token, ...(body !== undefined && {body})});
      const {ticket, public_key: options} = (await by('POST', '/v1/passkeys/challenge')).body;
      const credential = createAuthenticator().create(options);
      const made = await by('POST', '/v1/passkeys', {ticket, credential, name: 'Chrome on macOS'});
      return made.body.id;
    }

    it('goes once to its member, who cannot end such notices', async () => {
      const ada = await add({name: 'Ada', email});
      await patch(ada.id, {reports: {notices: false}});
      await addPasskey(ada);
      const mails = await readSent();
      expect(mails).toMatchObject([
        {
          to: email,
          subject: 'A passkey was added to your account',
          content: {passkey: 'Chrome on macOS', url: expect.stringMatching(/\/app\/sessions$/)},
        },
      ]);
      expect(mails[0]?.headers).toEqual({});
    });

    it('goes to the earlier address if the passkey is removed and the address changed at once', async () => {
      const ada = await add({name: 'Ada', email});
      const id = await addPasskey(ada);
      const token = await createSessionToken(stage.workspace, ada.id);
      await stage.workspace.request('DELETE', `/v1/passkeys/${id}`, {token});
      await patch(ada.id, {email: 'thief@example.com'});
      expect((await readSent()).filter(({content}) => content.kind === 'passkey_added')).toMatchObject([
        {to: email, content: {passkey: null}},
      ]);
    });

    it('regression: does not flood an address, which an admin may have chosen', async () => {
      const ada = await add({name: 'Ada', email});
      const token = await createSessionToken(stage.workspace, ada.id);
      for (let i = 0; i < limits.noticesPerDay + 3; i++) {
        const id = await addPasskey(ada);
        await stage.workspace.request('DELETE', `/v1/passkeys/${id}`, {token});
      }
      expect(await send()).toHaveLength(limits.noticesPerDay);
    });

    it('is queued for no member without an address', async () => {
      await addPasskey(await add({name: 'Ada'}));
      expect(await readSent()).toEqual([]);
    });
  });

  describe('about a changed address', () => {
    it.each([
      ['changed', 'king@example.com', 'k…@example.com'],
      ['removed', null, null],
    ])('goes to the earlier address when it is %s', async (_, after, shown) => {
      const ada = await add({name: 'Ada', email});
      await patch(ada.id, {email: after, reports: {notices: false}});
      await patch(ada.id, {name: 'Ada King'});
      const mails = await readSent();
      expect(mails).toMatchObject([
        {
          to: email,
          subject: 'Your address was changed',
          content: {address: shown, workspace: expect.any(String)},
        },
      ]);
      expect(mails[0]?.headers).toEqual({});
    });

    it('regression: shows no domain that an admin chose to a stranger, whose address was never proven', async () => {
      const ada = await add({name: 'Ada', email});
      await patch(ada.id, {email: 'x@win-a-prize.example.net'});
      const [mail] = await send();
      expect(mail?.content).toMatchObject({kind: 'address_changed', address: 'x…'});
      expect(JSON.stringify(mail)).not.toContain('win-a-prize');
    });

    it('regression: does not flood one address, which may be that of a stranger', async () => {
      const members = [await add({name: 'Ada'}), await add({name: 'Lin'})];
      for (let i = 0; i < 2 * limits.noticesPerDay; i++) {
        const id = members[i % 2]?.id ?? '';
        await patch(id, {email});
        expect((await patch(id, {email: null})).status).toBe(200);
      }
      expect((await send()).filter(({to}) => to === email)).toHaveLength(limits.noticesPerDay);
    });

    it('comes neither with the first address nor with another spelling of the same', async () => {
      const ada = await add({name: 'Ada'});
      await patch(ada.id, {email});
      await patch(ada.id, {email: 'ADA@example.com'});
      expect(await readSent()).toEqual([]);
    });
  });

  describe('about a person who joined', () => {
    let lea: Person;
    beforeEach(async () => {
      lea = await add({name: 'Lea', email: 'lea@example.com', team: 'platform', as: 'lead'});
    });

    async function invite(): Promise<string> {
      const body = {emails: ['grace@example.com'], teams: [{team_id: 'platform'}]};
      await stage.workspace.request('POST', '/v1/invites', {token: lea.token, body});
      const [mail] = await send();
      return passOf(mail?.content.url ?? '');
    }
    const join = (link: string) =>
      createTestBrowser(stage.sending).ask('POST', '/app/invite', {
        body: {link, name: 'Grace', timezone: 'UTC', key: 'k'.repeat(22)},
      });

    it('goes once to who created the invite, who can end such notices', async () => {
      const link = await invite();
      await Promise.all([join(link), join(link)]);
      expect((await join(link)).status).toBe(201);
      const [mail, ...more] = await send();
      expect(more).toEqual([]);
      expect(mail).toMatchObject({
        to: 'lea@example.com',
        subject: 'Grace joined Platform',
        content: {kind: 'joined', url: expect.stringContaining('/app/people/mem_')},
      });
      const end = /\/app\/unsubscribe\/[\w-]+/.exec(mail?.text ?? '')?.[0] ?? '';
      expect((await sendRequest(stage.sending.url, 'POST', end)).status).toBe(200);
      expect((await ask('GET', `/v1/members/${lea.id}`)).body.reports.notices).toBe(false);
    });

    it.each([
      ['does not want it', () => patch(lea.id, {reports: {notices: false}})],
      [
        'has an address that refuses mails',
        () =>
          recordMail(
            stage.sending,
            stage.workspace,
            {to: 'lea@example.com', member: lea.id},
            {result: 'failed', addressRefused: true},
          ),
      ],
    ])('does not go to a maker who %s', async (_, prepare) => {
      const link = await invite();
      await prepare();
      expect((await join(link)).status).toBe(201);
      expect(await readSent()).toEqual([]);
    });

    async function accept({token}: Person) {
      const body = {teams: [{team_id: 'platform'}]};
      const made = await stage.workspace.request('POST', '/v1/invites', {token: lea.token, body});
      const link = passOf(made.body.data[0].url);
      return stage.workspace.request('POST', '/v1/invites/accept', {token, body: {link}});
    }

    it('comes when a member accepts, and not if they are in all the teams already', async () => {
      const lin = await add({name: 'Lin', email: 'grace@example.com'});
      expect((await accept(lin)).status).toBe(200);
      expect(await readSent()).toMatchObject([{subject: 'Lin joined Platform'}]);
      expect((await accept(lin)).status).toBe(200);
      expect(await readSent()).toEqual([]);
    });

    it('regression: does not flood who created the invites, whose address may be that of a stranger', async () => {
      for (let i = 0; i < limits.noticesPerDay + 2; i++)
        expect((await accept(await add({name: `Lin ${i}`}))).status).toBe(200);
      expect(await send()).toHaveLength(limits.noticesPerDay);
    });
  });

  describe('about a webhook that fails', () => {
    let webhook: string;
    beforeEach(async () => {
      const body = {url: 'https://hooks.example.com/secret', events: ['*'], description: 'Tickets'};
      webhook = (await ask('POST', '/v1/webhooks', body)).body.id;
      await patch(stage.owner.id, {email: 'olga@example.com'});
      await add({name: 'Adam', role: 'admin', email: 'adam@example.com'});
      await add({name: 'Mia', email: 'mia@example.com'});
      const quiet = await add({name: 'Quentin', role: 'admin', email: 'quentin@example.com'});
      await patch(quiet.id, {reports: {notices: false}});
    });

    async function failFor({ms, attempts}: {readonly ms: number; readonly attempts: number}): Promise<void> {
      const {store, services} = stage.sending.core;
      const suffix = suffixOf(asId<'webhook'>(webhook));
      const key = workspaceKeys(stage.workspace.id).webhookState(suffix);
      const fields = ['failing', String(store.clock.now() - ms), 'failed', String(attempts)];
      await store.connection.call(performance.now() + 5_000, ['HSET', key, ...fields]);
      const judge = () => services.webhookFailures.judgeWebhook(stage.workspace.operator(), suffix);
      await Promise.all([judge(), judge(), judge()]);
      await judge();
    }

    it('goes once to owners and admins who want it, when it fails and when it is disabled', async () => {
      await failFor(failingLimits.warn);
      const failing = await readSent();
      expect(failing.map(({to}) => to).toSorted()).toEqual(['adam@example.com', 'olga@example.com']);
      expect(failing[0]).toMatchObject({
        subject: 'The webhook Tickets (hooks.example.com) is failing',
        content: {url: expect.stringContaining(`/app/webhooks/${webhook}`)},
      });
      await failFor(failingLimits.disable);
      const disabled = await readSent();
      expect(disabled.map(({to}) => to).toSorted()).toEqual(['adam@example.com', 'olga@example.com']);
      expect(disabled[0]).toMatchObject({content: {state: {forFailing: true}}});
    });

    it('regression: comes only a few times a day if a program enables it again each time', async () => {
      const {webhookFailures} = stage.sending.core.services;
      const mails = [];
      for (let i = 0; i < limits.noticesPerDay + 3; i++) {
        await webhookFailures.disableWebhook(stage.workspace.operator(), asId<'webhook'>(webhook), 'gone');
        mails.push(...(await send()));
        await ask('PATCH', `/v1/webhooks/${webhook}`, {enabled: true});
      }
      expect(mails.filter(({to}) => to === 'adam@example.com')).toHaveLength(limits.noticesPerDay);
    });

    it('is dropped if the webhook works again before it is sent', async () => {
      await failFor(failingLimits.warn);
      const key = workspaceKeys(stage.workspace.id).webhookState(suffixOf(asId<'webhook'>(webhook)));
      const {connection} = stage.sending.core.store;
      await connection.call(performance.now() + 5_000, ['HDEL', key, 'failing', 'failed']);
      expect(await readSent()).toEqual([]);
    });

    it('does not come when a person disables the webhook', async () => {
      await ask('PATCH', `/v1/webhooks/${webhook}`, {enabled: false});
      expect(await readSent()).toEqual([]);
    });
  });
});
