import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import {expectProblem} from '../api/http/expect-problem.js';
import {addPerson, type Person} from '../api/people.js';
import {findFreePort} from '../support/free-port.js';
import {sendMails} from '../support/mails.js';
import {type Json, startService, type TestService, type TestWorkspace} from '../support/service.js';
import {clientSecret, type SignInProvider, startSignInProvider} from '../support/sign-in-provider.js';
import {listCodeMails, readMailedCode} from './mailed-codes.js';
import {createTestBrowser, makeLink, passOf} from './test-browser.js';
import {createTraveller} from './traveller.js';

let provider: SignInProvider;
let redisUrl: string;
let issuers: string;
let first: TestService;
let workspace: TestWorkspace;
let owner: Person;
let port: string;
let people = 0;
const started: TestService[] = [];

beforeAll(async () => {
  port = String(await findFreePort());
  provider = await startSignInProvider(`http://localhost:${port}/app/sign-in/callback`);
  const {issuer, jwksUrl} = provider;
  const signIn = {id: 'acme', name: 'Acme', client_id: 'standup', client_secret: clientSecret};
  issuers = JSON.stringify([
    {issuer, audience: 'standup', jwks_url: jwksUrl, workspaces: ['acme'], sign_in: signIn},
  ]);
  first = await start('link', {PORT: '0'});
  ({redisUrl} = first);
  workspace = await first.addWorkspace('Acme');
  owner = await addPerson(first, workspace, {name: 'Olga Owner', role: 'owner', email: 'olga@example.com'});
});

afterAll(async () => {
  for (const service of started) await service.close();
  await provider.close();
});

/** Starts one more process on the same data, with other ways to sign in. */
async function start(ways: string, env: Json = {}): Promise<TestService> {
  const all = {SIGN_IN: ways, ROLES: 'web', TRUSTED_ISSUERS: issuers, ...env};
  const given = redisUrl === undefined ? {} : {redisUrl};
  const service = await startService({mail: 'sent', env: all, ...given});
  started.push(service);
  return service;
}

const createInvite = async (body: Json): Promise<Json> => {
  const all = {teams: [{team_id: 'platform'}], ...body};
  return (await workspace.request('POST', '/v1/invites', {token: owner.token, body: all})).body.data[0];
};
const person = () => {
  people += 1;
  return {name: `Grace ${people}`, key: `${people}`.padStart(22, 'k'), email: `grace${people}@example.com`};
};
/** Invites an address, and returns the link in the mail. */
async function readMailedInvite(email: string): Promise<string> {
  await createInvite({emails: [email]});
  const mails = await sendMails(first, workspace);
  return passOf(mails.find(({to}) => to === email)?.content.url ?? '');
}
const join = (service: TestService, body: Json) =>
  createTestBrowser(service).ask('POST', '/app/invite', {body});
const featuresOf = async ({url}: TestService): Promise<string> => {
  const page = await (await fetch(`${url}/app/sign-in`)).text();
  return /<meta name="features" content="([^"]*)">/.exec(page)?.[1] ?? '';
};

describe('an installation with SIGN_IN=link', () => {
  it('shows and takes neither codes, passkeys nor providers', async () => {
    const browser = createTestBrowser(first);
    const body = {email: 'olga@example.com'};
    for (const [path, given, sentence] of [
      ['/app/session/code', body, 'Signing in by a code is off here.'],
      ['/app/session', {...body, code: 'K7QM3XTD'}, 'Signing in by a code is off here.'],
      ['/app/session/passkey', {}, 'Signing in with a passkey is off here.'],
    ] as const) {
      const refused = expectProblem(await browser.ask('POST', path, {body: given}), 'forbidden');
      expect(refused.detail).toContain(sentence);
    }
    const gone = await createTraveller().go(`${first.url}/app/sign-in/acme`);
    expect(gone.location).toContain('problem=unknown_provider');
    expect(await featuresOf(first)).toBe('mail links');
    const page = await (await fetch(`${first.url}/app/sign-in`)).text();
    expect(page).toContain('<meta name="sign-in-providers" content="[]">');
    expect(await listCodeMails(first, workspace)).toEqual([]);
  });

  it('lets people join by a link without a code, and by a mailed one', async () => {
    const {email, ...grace} = person();
    const {url} = await createInvite({});
    const link = passOf(url);
    const look = (await join(first, {link, look: true})).body;
    expect(look).toMatchObject({needs_code: false, needs_provider: false, providers: []});
    expectProblem(await join(first, {link, email}), 'forbidden');
    expect((await join(first, {link, ...grace})).status).toBe(201);
    const {email: to, ...lin} = person();
    expect((await join(first, {link: await readMailedInvite(to), ...lin})).status).toBe(201);
  });

  it('offers no form for a link of one domain, and takes no new one: no way proves an address', async () => {
    const service = await start('mail', {SMTP_URL: 'smtps://smtp.example.com', MAIL_FROM: 'a@example.com'});
    const body = {teams: [{team_id: 'platform'}], email_domain: 'example.com'};
    const ask = ({url}: TestService) =>
      fetch(`${url}/v1/invites`, {
        method: 'POST',
        headers: {authorization: `Bearer ${owner.token}`, 'content-type': 'application/json'},
        body: JSON.stringify(body),
      });
    const made = (await (await ask(service)).json()) as Json;
    const link = passOf(made.data[0].url);
    const look = (await join(first, {link, look: true})).body;
    expect(look).toMatchObject({needs_code: false, needs_provider: true, providers: []});
    const {name, key} = person();
    expectProblem(await join(first, {link, name, key}), 'forbidden');
    const refused = (await (await ask(first)).json()) as Json;
    expect(refused.errors).toMatchObject([{pointer: '#/email_domain'}]);
  });

  it('refuses a new passkey in a session that exists', async () => {
    const browser = createTestBrowser(first);
    await browser.signIn(await makeLink(workspace, owner.id));
    const answer = await workspace.request('POST', '/v1/passkeys/challenge', {token: await browser.token()});
    expect(expectProblem(answer, 'forbidden').detail).toContain('passkey is off here');
  });
});

describe('an installation with SIGN_IN=mail', () => {
  let service: TestService;
  beforeAll(async () => {
    // No mail is sent: no process works.
    service = await start('mail', {SMTP_URL: 'smtps://smtp.example.com', MAIL_FROM: 'a@example.com'});
  });

  it('signs in by a code, and by no link but one of the operator', async () => {
    const browser = createTestBrowser(service);
    const subject = {email: 'olga@example.com', workspace: workspace.id};
    expect((await browser.ask('POST', '/app/session/code', {body: subject})).status).toBe(202);
    const code = await readMailedCode(first, workspace, 1);
    expect((await browser.ask('POST', '/app/session', {body: {...subject, code}})).status).toBe(201);
    const asked = await fetch(`${service.url}/v1/sign-in-links`, {
      method: 'POST',
      headers: {authorization: `Bearer ${owner.token}`, 'content-type': 'application/json'},
      body: '{}',
    });
    expect([asked.status, ((await asked.json()) as Json).detail]).toEqual([
      403,
      'Signing in by a link is off here. Choose another way.',
    ]);
    const principal = {type: 'member', id: owner.id, name: owner.name} as const;
    const own = await makeLink(workspace, owner.id, {...workspace.operator(), principal});
    expectProblem(await createTestBrowser(service).signIn(own), 'forbidden');
    const ofOperator = await makeLink(workspace, owner.id);
    expect((await createTestBrowser(service).signIn(ofOperator)).status).toBe(201);
    expect(await featuresOf(service)).toBe('mail codes');
  });

  it('lets people join by a mailed invite or a mailed code', async () => {
    const {email, ...grace} = person();
    expect((await join(service, {link: await readMailedInvite(email), ...grace})).status).toBe(201);
    const {url} = await createInvite({});
    const {body} = await join(service, {link: passOf(url), look: true});
    expect(body).toMatchObject({needs_code: true, needs_provider: false});
  });
});

describe('an installation with SIGN_IN=provider', () => {
  it('takes an invite only through the provider, also one that came by mail', async () => {
    const service = await start('provider', {PORT: port, PUBLIC_URL: `http://localhost:${port}`});
    const {email, name, key} = person();
    const link = await readMailedInvite(email);
    const {body: look} = await join(service, {link, look: true});
    expect(look).toMatchObject({needs_provider: true, providers: ['acme']});
    const refused = await join(service, {link, name, key});
    expect([refused.status, refused.body.detail]).toEqual([403, 'You can’t join here with a link alone.']);
    provider.become(name, {email, email_verified: true, name});
    const traveller = createTraveller();
    const url = `http://localhost:${port}`;
    const {body} = await traveller.ask(url, '/app/invite', 'POST', {link, provider: 'acme', key});
    const back = await traveller.follow(body.location);
    const home = await traveller.go(back, {'sec-fetch-site': 'cross-site'});
    expect(home.location).toBe('/app/join?joined=1');
  });
});
