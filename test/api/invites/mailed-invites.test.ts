import {expect, it} from '@jest/globals';
import {storedId} from '../../../src/domain/core/ids.js';
import {createTestBrowser} from '../../dashboard/test-browser.js';
import {dumpRedis} from '../../store/dump.js';
import {type SentMail, sendMails} from '../../support/mails.js';
import {setMailingStage} from '../../support/mailing-stage.js';
import {type Json, sendRequest, type TestResponse} from '../../support/service.js';
import {eventsOf} from '../samples.js';

const stage = setMailingStage();
const {ask, add, send} = stage;
const platform = [{team_id: 'platform'}];
const invite = async (body: Json = {}, {token} = stage.owner, {url} = stage.sending): Promise<Json> => {
  const given = {emails: ['grace@example.com'], teams: platform, ...body};
  return (await sendRequest(url, 'POST', '/v1/invites', {token, body: given})).body.data[0];
};
const read = async (id: string): Promise<Json> => (await ask('GET', `/v1/invites/${id}`)).body;
const linkOf = ({content}: SentMail): string => content.url.split('#')[1] ?? '';
const join = async (link: string, key = 'k'.repeat(22)): Promise<TestResponse> =>
  createTestBrowser(stage.sending).ask('POST', '/app/invite', {
    body: {link, name: 'Grace Hopper', timezone: 'Europe/Berlin', key},
  });
const grace = async (): Promise<Json> => (await ask('GET', '/v1/members?q=Grace')).body.data[0];

it('an invite is mailed to its address in the language it was given, and no one else is shown its link', async () => {
  const made = await invite({locale: 'de'});
  expect(made.url).toBeNull();
  expect((await read(made.id)).mail).toMatchObject({state: 'queued', detail: null});
  const [mail] = await send();
  expect(mail).toMatchObject({to: 'grace@example.com', language: 'de'});
  expect(mail?.text).toContain('Olga Owner lädt dich zu Platform');
  expect(mail?.text).toContain('/app/join#ws_');
  const shown = (await read(made.id)).mail;
  expect(shown).toEqual({id: expect.stringMatching(/^eml_/), state: 'sent', detail: '250 OK'});
  expect((await ask('GET', `/v1/mails/${shown.id}`)).body.kind).toBe('invite');
});

it('regression: a mail shows the address of who invites only if that person has proven it', async () => {
  const olga = await add({
    name: 'Olga Two',
    role: 'owner',
    email: 'olga@example.com',
  });
  const textOf = async (): Promise<string | undefined> => {
    await invite({}, olga);
    return (await send())[0]?.text;
  };
  expect(await textOf()).toContain('Olga Two invited you');
  const {codes} = stage.sending.core.services;
  const vouched = {workspace: stage.workspace.id, member: storedId<'member'>(olga.id)};
  await codes.proveAddress(vouched, 'olga@example.com', performance.now() + 5_000);
  expect(await textOf()).toContain('Olga Two (olga@example.com) invited you');
});

it('a link for several people is in the answer and in no mail', async () => {
  const made = await invite({emails: undefined});
  expect(made.url).toContain('/app/join#');
  expect(await send()).toEqual([]);
  expect((await read(made.id)).mail).toBeNull();
});

it('a person who joins by a mailed link has proven the address, also if a lead invited them', async () => {
  const lea = await add({name: 'Lea', team: 'platform', as: 'lead'});
  await invite({}, lea);
  const [mail] = await send();
  expect((await join(linkOf(mail!))).status).toBe(201);
  expect(await grace()).toMatchObject({email: 'grace@example.com'});
});

it('a link that its maker could see proves no address', async () => {
  const lea = await add({name: 'Lea', team: 'platform', as: 'lead'});
  const made = await invite({}, lea, stage.keeping);
  expect(made.url).toContain('/app/join#');
  await send();
  expect((await join(made.url.split('#')[1])).status).toBe(201);
  expect((await grace()).email).toBeNull();
});

it.each([
  ['refused', {result: 'failed', code: 550, addressRefused: true}],
  ['refused for what it says', {result: 'failed', code: 554}],
  ['dropped', {result: 'dropped'}],
] as const)('regression: a link whose mail was %s proves no address', async (_, outcome) => {
  const lea = await add({name: 'Lea', team: 'platform', as: 'lead'});
  const {id} = await invite({}, lea);
  const {mails} = stage.sending.core.store;
  const deadline = performance.now() + 5_000;
  const [mail] = (await mails.list(stage.workspace.id, {limit: 1}, deadline)).mails;
  const encrypted = await mails.findSecret(stage.workspace.id, mail!.suffix, deadline);
  const secret = stage.sending.core.store.cipher.decrypt('mail', mail!.suffix, encrypted ?? '');
  await send(outcome);
  expect((await read(id)).mail.state).toBe(outcome.result);
  expect((await join(`${stage.workspace.id}.${id.slice(-16)}.${secret}`)).status).toBe(201);
  expect(await grace()).toMatchObject({email: null, email_status: null});
});

it('a member without an address accepts an invite that came by mail, and none that its maker passed on', async () => {
  const lin = await add({name: 'Lin'});
  const accept = (link: string) =>
    stage.workspace.request('POST', '/v1/invites/accept', {token: lin.token, body: {link}});
  const {url} = await invite({emails: ['one@example.com']}, stage.owner, stage.keeping);
  expect((await accept(url.split('#')[1])).status).toBe(403);
  await sendMails(stage.keeping, stage.workspace, {result: 'kept'});
  await invite({emails: ['two@example.com']});
  const [mail] = await send();
  expect((await accept(linkOf(mail!))).status).toBe(200);
});

it('the mail of an invite that was ended before it was sent is dropped', async () => {
  const made = await invite();
  await ask('DELETE', `/v1/invites/${made.id}`);
  expect(await send()).toEqual([]);
  expect((await read(made.id)).mail.state).toBe('dropped');
});

it('inviting the same address again sends a new link, and the first one is no longer sent', async () => {
  const first = await invite();
  const second = await invite();
  const mails = await send();
  expect(mails).toHaveLength(1);
  expect((await read(first.id)).state).toBe('revoked');
  expect((await read(second.id)).mail.state).toBe('sent');
});

it('a refused mail shows with its invite, changes its entity tag, and is an event', async () => {
  const made = await invite();
  const before = (await ask('GET', `/v1/invites/${made.id}`)).headers.get('etag');
  await send({result: 'failed', code: 550, detail: '550 No such user'});
  expect((await read(made.id)).mail).toMatchObject({state: 'failed', detail: '550 No such user'});
  expect((await ask('GET', `/v1/invites/${made.id}`)).headers.get('etag')).not.toBe(before);
  expect((await eventsOf(stage.workspace)).at(-1)).toMatchObject({
    type: 'invite.mail_failed',
    data: {id: made.id, reason: 'smtp_550'},
  });
});

it.each([
  ['its address is erased', async (id: string) => void (await ask('DELETE', `/v1/invites/${id}?erase=true`))],
  ['it is used', async (_: string, link: string) => void (await join(link))],
])('the mail of an invite leaves nothing when %s', async (_, end) => {
  const made = await invite({emails: ['traceless@example.com']});
  const {id} = (await read(made.id)).mail;
  const [mail] = await send();
  await end(made.id, linkOf(mail!));
  expect((await ask('GET', `/v1/mails/${id}`)).status).toBe(404);
  expect((await read(made.id)).mail).toBeNull();
  const {text} = await dumpRedis(stage.sending.redisUrl);
  expect(text.split('\n').filter((line) => / *:j:/.test(line) && line.includes('traceless'))).toEqual([]);
});

it('fifty people invited by one request get a mail each', async () => {
  const emails = Array.from({length: 50}, (_, i) => `person${i}@example.com`);
  await invite({emails});
  expect(await send()).toHaveLength(50);
});
