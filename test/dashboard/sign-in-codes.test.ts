import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, it} from '@jest/globals';
import {lifetimes, limits} from '../../src/domain/core/limits.js';
import {codeTries} from '../../src/domain/tokens/sign-in-code.js';
import {expectProblem} from '../api/http/expect-problem.js';
import {addPerson, type Person} from '../api/people.js';
import {dumpRedis} from '../store/dump.js';
import {sendMails} from '../support/mails.js';
import {expectEventually} from '../support/expect-eventually.js';
import {testRedisUrl} from '../support/redis-server.js';
import {
  type Json,
  sendRequest,
  startService,
  type TestResponse,
  type TestService,
  type TestWorkspace,
} from '../support/service.js';
import {createTestClock, type TestClock} from '../support/test-clock.js';
import {listCodeMails, readMailedCode} from './mailed-codes.js';
import {createTestBrowser, makeLink, signedIn, type TestBrowser} from './test-browser.js';

let clock: TestClock;
let service: TestService;
let twin: TestService;
let workspace: TestWorkspace;
let owner: Person;
let ada: Person;
let email: string;
let tests = 0;
/** A function that a test sets, to stop the service at a step. */
let failpoint: (name: string) => void = () => undefined;
const lines: string[] = [];
const note = (fields: object, message: string) => void lines.push(JSON.stringify({...fields, message}));
const log = {debug: () => undefined, info: note, warn: note, error: note};

beforeAll(async () => {
  const redisUrl = await testRedisUrl();
  clock = await createTestClock(redisUrl);
  // No process sends mails, so each code stays in the outbox, where the tests read it.
  const shared = {redisUrl, time: clock.time, mail: 'sent'} as const;
  const env = {ROLES: 'web', TRUST_PROXY: '1'};
  service = await startService({...shared, env, log, failpoint: (name) => failpoint(name)});
  twin = await startService({...shared, env});
});

afterAll(async () => {
  await twin.close();
  await service.close();
  await clock.close();
});

beforeEach(async () => {
  tests += 1;
  email = `ada${tests}@example.com`;
  workspace = await service.addWorkspace();
  owner = await addPerson(service, workspace, {name: 'Olga Owner', role: 'owner'});
  ada = await addPerson(service, workspace, {name: 'Ada Lovelace', email});
  // A code counts only for a member who was not changed since.
  await clock.advance(1_000);
});

afterEach(() => {
  failpoint = () => undefined;
});

let networks = 0;

/** Sends a request from a network of its own, unless `from` names one. */
function send(
  path: string,
  body: Json,
  {browser = createTestBrowser(service), from}: {browser?: TestBrowser; from?: string} = {},
): Promise<TestResponse> {
  networks += 1;
  const address = from ?? `198.51.${Math.floor(networks / 250)}.${networks % 250}`;
  return browser.ask('POST', path, {body, headers: {'x-forwarded-for': address}});
}

const ask = (more: Json = {}, options?: Parameters<typeof send>[2]) =>
  send('/app/session/code', {email, workspace: workspace.id, ...more}, options);
const enter = (code: string, more: Json = {}, options?: Parameters<typeof send>[2]) =>
  send('/app/session', {email, workspace: workspace.id, code, ...more}, options);

/** Asks for a code, after the pause since the last one, and reads it from the outbox. */
async function getCode(): Promise<string> {
  const {length} = await listCodeMails(service, workspace);
  if (length > 0) await clock.advance(lifetimes.signInCodePause * 1_000);
  expect((await ask()).status).toBe(202);
  return readMailedCode(service, workspace, length + 1);
}

/** Returns a code that is wrong. */
const differ = (code: string): string => `${code.startsWith('0') ? '1' : '0'}${code.slice(1)}`;
const change = (body: Json, token = owner.token) =>
  workspace.request('PATCH', `/v1/members/${ada.id}`, {token, body});

function expectExpired(answer: TestResponse): void {
  expect(expectProblem(answer, 'invalid_token').detail).toBe('This code has expired. Get a new one.');
  expect(answer.headers.get('set-cookie')).toBeNull();
}

/** Returns the principal of a browser's session. */
async function readMe(browser: TestBrowser): Promise<Json> {
  return (await workspace.request('GET', '/v1/me', {token: await browser.token()})).body;
}

describe('a person with an address', () => {
  it('signs in by the code that is mailed to it, with every right of the role', async () => {
    const code = await getCode();
    expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{8}$/);
    const [mail] = await listCodeMails(service, workspace);
    expect(mail).toMatchObject({to: email, member: ada.id.slice(-16), state: 'queued'});
    expect(mail?.until).toBe(clock.now() + lifetimes.signInCode * 1_000);
    const browser = createTestBrowser(service);
    const answer = await enter(code, {}, {browser});
    expect(answer.status).toBe(201);
    expect(answer.headers.get('set-cookie')).toMatch(/HttpOnly.*SameSite=Strict/i);
    const me = await readMe(browser);
    expect(me.principal).toMatchObject({id: ada.id, name: 'Ada Lovelace'});
    expect(me.scopes).toContain('tokens:manage');
  });

  it('has proven it by the first code', async () => {
    const read = async (): Promise<Json> =>
      (await workspace.request('GET', `/v1/members/${ada.id}`)).body.email_status;
    expect(await read()).toBe('unproven');
    await enter(await getCode());
    await expectEventually(read).toBe('proven');
  });

  it.each<[string, (code: string) => string]>([
    ['in small letters', (code) => code.toLowerCase()],
    ['with a hyphen and spaces', (code) => ` ${code.slice(0, 4)}-${code.slice(4, 6)} ${code.slice(6)}`],
    ['with letters for digits', (code) => code.replaceAll('0', 'o').replaceAll('1', 'l')],
    ['with another dash', (code) => `${code.slice(0, 4)}\u2013${code.slice(4)}`],
  ])('may write the code %s', async (_, write) => {
    expect((await enter(write(await getCode()))).status).toBe(201);
  });

  it('may write the address and the workspace in other cases, and name the workspace by its slug', async () => {
    const {body} = await workspace.request('GET', '/v1/workspace');
    const named = {email: ` ${email.toUpperCase()}`, workspace: body.slug.toUpperCase()};
    expect((await ask(named)).status).toBe(202);
    const code = await readMailedCode(service, workspace, 1);
    expect((await enter(code, {workspace: body.slug})).status).toBe(201);
  });

  it('gets the mail at the address that the member has, however the request writes it', async () => {
    await ask({email: email.toUpperCase()});
    await readMailedCode(service, workspace, 1);
    expect((await listCodeMails(service, workspace)).map(({to}) => to)).toEqual([email]);
  });

  it('signs in with a code once, also from two processes at the same time', async () => {
    const code = await getCode();
    const answers = await Promise.all([
      enter(code),
      enter(code, {}, {browser: createTestBrowser(twin)}),
      enter(code),
      enter(code, {}, {browser: createTestBrowser(twin)}),
    ]);
    expect(answers.filter(({status}) => status === 201)).toHaveLength(1);
    answers.filter(({status}) => status !== 201).forEach(expectExpired);
    expectExpired(await enter(code));
  });

  it('signs in with the last code only', async () => {
    const first = await getCode();
    const second = await getCode();
    expect(expectProblem(await enter(first), 'invalid_token').tries_left).toBe(codeTries - 1);
    expect((await enter(second)).status).toBe(201);
  });

  it('has an address that is shown as proven from then on', async () => {
    const read = async () => (await workspace.request('GET', `/v1/members/${ada.id}`)).body.email_status;
    const code = await getCode();
    expect(await read()).toBe('unproven');
    expect((await enter(code)).status).toBe(201);
    await expectEventually(read).toBe('proven');
    expect((await enter(await getCode())).status).toBe(201);
  });

  it('replaces the session of the browser', async () => {
    const browser = await signedIn(service, workspace, owner.id);
    const {cookie} = browser;
    expect((await enter(await getCode(), {}, {browser})).status).toBe(201);
    const earlier = createTestBrowser(service);
    earlier.cookie = cookie;
    expect((await earlier.ask('POST', '/app/session/token')).status).toBe(401);
  });
});

describe('a code', () => {
  it('has five tries over all processes, after which the right one is refused', async () => {
    const code = await getCode();
    const wrong = differ(code);
    const answers = await Promise.all(
      Array.from({length: 10}, (_, i) =>
        enter(wrong, {}, {browser: createTestBrowser(i % 2 === 0 ? service : twin)}),
      ),
    );
    const left = answers.map((answer) => expectProblem(answer, 'invalid_token').tries_left);
    expect(left.toSorted()).toEqual([0, 0, 0, 0, 0, 0, 1, 2, 3, 4]);
    const late = expectProblem(await enter(code), 'invalid_token');
    expect(late).toMatchObject({tries_left: 0, detail: 'Too many tries. Get a new code.'});
    expect((await enter(await getCode())).status).toBe(201);
  });

  it('says how many tries are left', async () => {
    const wrong = differ(await getCode());
    const details: string[] = [];
    for (let i = 0; i < 6; i++) details.push(expectProblem(await enter(wrong), 'invalid_token').detail);
    expect(details).toEqual([
      'That code is not right. 4 tries left.',
      'That code is not right. 3 tries left.',
      'That code is not right. 2 tries left.',
      'That code is not right. 1 try left.',
      'Too many tries. Get a new code.',
      'Too many tries. Get a new code.',
    ]);
  });

  it('works for 10 minutes', async () => {
    const code = await getCode();
    await clock.advance(lifetimes.signInCode * 1_000 - 1);
    expect((await enter(code)).status).toBe(201);
    const late = await getCode();
    await clock.advance(lifetimes.signInCode * 1_000);
    expectExpired(await enter(late));
  });

  it('is in Redis only as a keyed hash and encrypted, and the address only in the mail', async () => {
    const code = await getCode();
    const {keys, text} = await dumpRedis(service.redisUrl);
    expect(text).not.toContain(code);
    expect(keys.filter((key) => key.includes('{code:'))).not.toEqual([]);
    expect(keys.join(' ')).not.toContain(email);
  });

  it('is in no line of the log, and neither is the address', async () => {
    const code = await getCode();
    await enter(differ(code));
    await enter(code);
    const all = lines.join('\n');
    expect(all).toContain('signInByCode');
    expect(all).toContain('askForCode');
    expect(all).not.toContain(code);
    expect(all).not.toContain(email);
  });

  it('counts in one workspace only', async () => {
    const other = await service.addWorkspace();
    await addPerson(service, other, {name: 'Ada elsewhere', email});
    await clock.advance(1_000);
    const code = await getCode();
    expectExpired(await enter(code, {workspace: other.id}));
    await ask({workspace: other.id});
    await readMailedCode(service, other, 1);
    expectProblem(await enter(code, {workspace: other.id}), 'invalid_token');
    expect((await enter(code)).status).toBe(201);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['was promoted', () => change({role: 'admin'})],
    ['got another address', () => change({email: `new${tests}@example.com`})],
    ['got another name', () => change({name: 'Ada King'})],
    ['was removed', () => workspace.request('DELETE', `/v1/members/${ada.id}`, {token: owner.token})],
  ])('does not sign in a member who %s after it was asked for', async (_, act) => {
    const code = await getCode();
    await clock.advance(1);
    await act();
    expectExpired(await enter(code));
  });

  it('does not sign in the next member with the address', async () => {
    const code = await getCode();
    await clock.advance(1);
    await change({email: null});
    await addPerson(service, workspace, {name: 'The next', email});
    expectExpired(await enter(code));
  });

  it('does not sign in a member who is promoted while it is used', async () => {
    const code = await getCode();
    await clock.advance(1);
    const {commits} = service.core.store;
    const {run} = commits;
    // The promotion comes between the look at the member and the commit of the session.
    const promoting: typeof run = async (terms, commit) => {
      commits.run = run;
      expect((await change({role: 'owner'})).status).toBe(200);
      return run(terms, commit);
    };
    commits.run = promoting;
    const answer = await enter(code);
    commits.run = run;
    expectExpired(answer);
  });

  it('is mailed to no owner whose address an owner has not confirmed', async () => {
    const admin = await addPerson(service, workspace, {name: 'Adam', role: 'admin'});
    await change({email: null});
    expect((await change({email}, admin.token)).status).toBe(200);
    await change({role: 'owner'});
    const {records} = service.core.store;
    const mark = await records.findName(
      workspace.id,
      'unconfirmed',
      ada.id.slice(-16),
      performance.now() + 5_000,
    );
    expect(mark).toBeDefined();
    await clock.advance(1_000);
    expect((await ask()).status).toBe(202);
    await expectNoMail();
  });
});

/** Checks that the last asked code was mailed to no one: another one, asked for later, comes alone. */
async function expectNoMail(in_ = workspace): Promise<void> {
  const probe = `probe${(networks += 1)}@example.com`;
  await addPerson(service, in_, {name: 'Probe', email: probe});
  await ask({email: probe, workspace: in_.id});
  await readMailedCode(service, in_, 1);
  expect((await listCodeMails(service, in_)).map(({to}) => to)).toEqual([probe]);
}

/** Returns everything that an answer tells, without the ids and times that each has. */
function listFacts({status, headers, body}: TestResponse): Json {
  const own = new Set(['date', 'x-request-id']);
  const {request_id: _, ...said} = body ?? {};
  return {status, headers: [...headers].filter(([name]) => !own.has(name)), body: said};
}

describe('an address without a member', () => {
  it('gets the same answers as the address of a member, and no mail', async () => {
    const stranger = `nobody${tests}@example.com`;
    const known = [await ask()];
    const unknown = [await ask({email: stranger})];
    const code = differ(await readMailedCode(service, workspace, 1));
    for (let i = 0; i < 7; i++) {
      known.push(await enter(code));
      unknown.push(await enter(code, {email: stranger}));
    }
    known.push(await ask());
    unknown.push(await ask({email: stranger}));
    await clock.advance(lifetimes.signInCode * 1_000);
    known.push(await enter(code));
    unknown.push(await enter(code, {email: stranger}));
    expect(unknown.map(listFacts)).toEqual(known.map(listFacts));
    expect(known.map(({status}) => status)).toEqual([202, ...Array.from({length: 7}, () => 401), 429, 401]);
    expect((await listCodeMails(service, workspace)).map(({to}) => to)).toEqual([email]);
  });

  it('gets the same answers in a workspace that does not exist', async () => {
    const answers = [await ask({workspace: 'no-such-workspace'}), await ask({workspace: 'WS_nothing'})];
    const known = await ask();
    for (const answer of answers) expect(listFacts(answer)).toEqual(listFacts(known));
    const wrong = {workspace: 'no-such-workspace'};
    expect(expectProblem(await enter('AAAAAAAA', wrong), 'invalid_token').tries_left).toBe(codeTries - 1);
  });

  it('has the same limits as the address of a member', async () => {
    const stranger = {email: `nobody${tests}@example.com`};
    for (const who of [{}, stranger]) {
      for (let i = 0; i < limits.codesPerHour; i++) {
        expect((await ask(who)).status).toBe(202);
        await clock.advance(lifetimes.signInCodePause * 1_000);
      }
      const refused = await ask(who);
      expectProblem(refused, 'rate_limited');
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(500);
    }
  });
});

describe('the limits of codes', () => {
  it('let an address ask again after 30 seconds', async () => {
    await ask();
    await clock.advance(lifetimes.signInCodePause * 1_000 - 1_000);
    const early = await ask();
    expect(expectProblem(early, 'rate_limited').detail).toBe('You can get another code in 1 s.');
    expect(early.headers.get('retry-after')).toBe('1');
    await clock.advance(1_000);
    expect((await ask()).status).toBe(202);
  });

  it('hold for an address in all workspaces and in every spelling', async () => {
    const spellings = [email, email.toUpperCase()];
    let granted = 0;
    for (let i = 0; i < 10; i++) {
      const answer = await ask({email: spellings[i % 2], workspace: `w${i}`});
      granted += Number(answer.status === 202);
    }
    expect(granted).toBe(limits.codesPerHour);
  });

  it('give an address 20 codes at once in a day, and then as many as the day brings', async () => {
    let granted = 0;
    const start = clock.now();
    while (clock.now() < start + 86_400_000) {
      granted += Number((await ask()).status === 202);
      await clock.advance(360_000);
    }
    expect(granted).toBeGreaterThanOrEqual(limits.codesPerDay);
    expect(granted).toBeLessThan(2 * limits.codesPerDay);
  });

  it('give a network 20 codes in an hour, over all processes', async () => {
    const from = '203.0.113.7';
    let granted = 0;
    for (let i = 0; i < 30; i++) {
      const browser = createTestBrowser(i % 2 === 0 ? service : twin);
      const answer = await ask({email: `somebody${tests}-${i}@example.com`}, {browser, from});
      granted += Number(answer.status === 202);
      if (answer.status !== 202) expectProblem(answer, 'rate_limited');
    }
    expect(granted).toBe(20);
    await clock.advance(3_600_000);
    expect((await ask({}, {from})).status).toBe(202);
  });

  it('count wrong codes as failed authentications', async () => {
    const {redisUrl} = service;
    const env = {ROLES: 'web', TRUST_PROXY: '1', RATE_LIMIT_AUTH_FAILURES: '3'};
    const strict = await startService({redisUrl, time: clock.time, mail: 'sent', env});
    try {
      const browser = createTestBrowser(strict);
      const statuses: number[] = [];
      for (let i = 0; i < 4; i++)
        statuses.push((await enter('AAAAAAAA', {}, {browser, from: '203.0.113.8'})).status);
      expect(statuses).toEqual([401, 401, 401, 429]);
    } finally {
      await strict.close();
    }
  });
});

describe('a process that dies', () => {
  it.each(['before', 'after'])('%s the commit of the mail costs at most that mail', async (side) => {
    failpoint = (name) => {
      if (name === `${side}-commit`) throw new Error('The process has died.');
    };
    expect((await ask()).status).toBe(202);
    await expectEventually(
      () => lines.filter((line) => line.includes('a step after the answer failed')).length,
    ).toBeGreaterThan(0);
    failpoint = () => undefined;
    expect(await listCodeMails(service, workspace)).toHaveLength(side === 'before' ? 0 : 1);
    await clock.advance(lifetimes.signInCodePause * 1_000);
    expect((await ask()).status).toBe(202);
    const code = await readMailedCode(service, workspace, side === 'before' ? 1 : 2);
    expect((await enter(code)).status).toBe(201);
    lines.length = 0;
  });

  it.each(['before', 'after'])('%s the commit of the session has used the code up', async (side) => {
    const code = await getCode();
    failpoint = (name) => {
      if (name === `${side}-commit`) throw new Error('The process has died.');
    };
    expect((await enter(code)).status).toBe(500);
    failpoint = () => undefined;
    expectExpired(await enter(code, {}, {browser: createTestBrowser(twin)}));
    expect((await enter(await getCode())).status).toBe(201);
  });
});

describe('a person who is signed in', () => {
  /** Signs in by a link that somebody else made: the session may not create tokens. */
  async function signInUnconfirmed(person = ada): Promise<TestBrowser> {
    const browser = createTestBrowser(service);
    const call = {
      ...workspace.operator(),
      principal: {type: 'member', id: owner.id, name: owner.name},
    } as const;
    const answer = await browser.signIn(await makeLink(workspace, person.id, call));
    expect(answer.status).toBe(201);
    return browser;
  }

  it('confirms that it is them by a code to their own address', async () => {
    const browser = await signInUnconfirmed();
    expect((await readMe(browser)).scopes).not.toContain('tokens:manage');
    expect((await send('/app/session/code', {}, {browser})).status).toBe(202);
    const code = await readMailedCode(service, workspace, 1);
    expect((await send('/app/session', {code}, {browser})).status).toBe(201);
    const me = await readMe(browser);
    expect(me.principal.id).toBe(ada.id);
    expect(me.scopes).toContain('tokens:manage');
  });

  it('regression: confirms also after strangers have used up the codes and tries of the address', async () => {
    const browser = await signInUnconfirmed();
    for (let i = 0; i < limits.codesPerHour; i++) await getCode();
    await clock.advance(lifetimes.signInCodePause * 1_000);
    expectProblem(await ask(), 'rate_limited');
    // Everybody in the network of the person has used up its codes, too.
    const here = {browser, from: '203.0.113.99'};
    for (let i = 0; i < 20; i++) await ask({email: `n${i}@example.com`}, {from: here.from});
    expectProblem(await ask({email: 'last@example.com'}, {from: here.from}), 'rate_limited');
    const count = (await listCodeMails(service, workspace)).length;
    expect((await send('/app/session/code', {}, here)).status).toBe(202);
    const code = await readMailedCode(service, workspace, count + 1);
    for (let i = 0; i < codeTries; i++) await enter(differ(code));
    expectProblem(await enter(code), 'invalid_token');
    expect((await send('/app/session', {code}, here)).status).toBe(201);
    expect((await readMe(browser)).scopes).toContain('tokens:manage');
  });

  it('gets five codes to confirm in an hour, each in a mail that says so and has no link that signs in', async () => {
    const browser = await signInUnconfirmed();
    for (let i = 1; i <= limits.codesPerHour; i++) {
      expect((await send('/app/session/code', {}, {browser})).status).toBe(202);
      await readMailedCode(service, workspace, i);
      await clock.advance(lifetimes.signInCodePause * 1_000);
    }
    expectProblem(await send('/app/session/code', {}, {browser}), 'rate_limited');
    const [mail] = (await sendMails(service, workspace)).filter(({to}) => to === email);
    expect(mail?.content).toMatchObject({purpose: 'confirm', url: expect.stringMatching(/\/app\/sessions$/)});
  });

  it('does not become another person by that person’s code', async () => {
    const browser = await signInUnconfirmed(owner);
    await change({email: `olga${tests}@example.com`});
    await workspace.request('PATCH', `/v1/members/${owner.id}`, {token: owner.token, body: {email}});
    await clock.advance(1_000);
    const code = await getCode();
    await clock.advance(lifetimes.signInCodePause * 1_000);
    const grace = await addPerson(service, workspace, {name: 'Grace', email: `grace${tests}@example.com`});
    await clock.advance(1_000);
    const hers = await signInUnconfirmed(grace);
    expect((await send('/app/session/code', {}, {browser: hers})).status).toBe(202);
    expectProblem(await send('/app/session', {code}, {browser: hers}), 'invalid_token');
    expect((await readMe(hers)).principal.id).toBe(grace.id);
    expect((await readMe(browser)).principal.id).toBe(owner.id);
  });

  it('reads that a code needs an address, and a session', async () => {
    const browser = await signedIn(service, workspace, owner.id);
    const refused = expectProblem(await send('/app/session/code', {}, {browser}), 'forbidden');
    expect(refused.detail).toBe('You have no email address here.');
    expectProblem(await send('/app/session/code', {}), 'authentication_required');
    expectProblem(await send('/app/session', {code: 'AAAAAAAA'}), 'authentication_required');
  });
});

describe('a request for a code', () => {
  it('must name the workspace where there are several', async () => {
    await service.addWorkspace();
    const answer = await send('/app/session/code', {email});
    expectProblem(answer, 'validation_failed', {pointer: '#/workspace'});
  });

  it('needs no workspace where there is only one', async () => {
    const alone = await startService({env: {ROLES: 'web'}, mail: 'kept'});
    try {
      const only = await alone.addWorkspace();
      await addPerson(alone, only, {email});
      await new Promise((resolve) => setTimeout(resolve, 5));
      const browser = createTestBrowser(alone);
      expect((await browser.ask('POST', '/app/session/code', {body: {email}})).status).toBe(202);
      const code = await readMailedCode(alone, only, 1);
      expect((await browser.ask('POST', '/app/session', {body: {email, code}})).status).toBe(201);
    } finally {
      await alone.close();
    }
  });

  it('is refused where mail is off', async () => {
    const without = await startService({env: {ROLES: 'web'}});
    try {
      const answer = await createTestBrowser(without).ask('POST', '/app/session/code', {body: {email}});
      expectProblem(answer, 'forbidden');
    } finally {
      await without.close();
    }
  });

  it.each<[string, Json]>([
    ['email', {email: 7}],
    ['email', {email: ''}],
    ['email', {email: 'a@example.com, b@example.com'}],
    ['email', {email: 'ada@example.com\r\nBcc: b@example.com'}],
    ['email', {email: `${'a'.repeat(250)}@example.com`}],
    ['workspace', {workspace: ['x']}],
    ['workspace', {workspace: 'x'.repeat(41)}],
  ])('is refused for a wrong %s: %j', async (field, wrong) => {
    expectProblem(await ask(wrong), 'validation_failed', {pointer: `#/${field}`});
    expectProblem(await enter('AAAAAAAA', wrong), 'validation_failed', {pointer: `#/${field}`});
  });

  it.each<[Json]>([[7], [null], ['A'.repeat(41)], [{}]])('refuses the code %j', async (code) => {
    expectProblem(await enter(code), 'validation_failed', {pointer: '#/code'});
  });
});

describe('software that opens the link of a mail', () => {
  it('uses nothing up: no GET, HEAD, OPTIONS or preview', async () => {
    const code = await getCode();
    const [mail] = await listCodeMails(service, workspace);
    if (mail === undefined) throw new Error('no mail');
    const {mails, cipher} = service.core.store;
    const deadline = performance.now() + 5_000;
    const encrypted = await mails.findSecret(workspace.id, mail.suffix, deadline);
    const asked = {workspace: workspace.id, deadline};
    const composed = await service.core.services.mails.compose(asked, mail, encrypted);
    expect(composed?.content).toMatchObject({kind: 'sign_in_code', code});
    const {url} = composed?.content ?? {url: ''};
    expect(new URL(url).search).toBe('');
    expect(cipher.decrypt('mail', mail.suffix, encrypted ?? '')).toBe(code);
    expect(Object.fromEntries(new URLSearchParams(new URL(url).hash.slice(1)))).toEqual({
      code,
      email,
      workspace: workspace.id,
    });
    const query = new URL(url).hash.slice(1);
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']) {
      for (const path of ['/app/sign-in', `/app/sign-in?${query}`, '/app/session/code', '/app/session'])
        await sendRequest(service.url, method, path, {});
    }
    expect((await enter(code)).status).toBe(201);
  });
});

describe('the mail of a code', () => {
  async function compose(): Promise<unknown> {
    const [mail] = await listCodeMails(service, workspace);
    if (mail === undefined) throw new Error('no mail');
    const deadline = performance.now() + 5_000;
    const encrypted = await service.core.store.mails.findSecret(workspace.id, mail.suffix, deadline);
    return service.core.services.mails.compose({workspace: workspace.id, deadline}, mail, encrypted);
  }

  it.each<[string, () => Promise<unknown>]>([
    ['the member got another address', () => change({email: `new${tests}@example.com`})],
    ['the member is gone', () => workspace.request('DELETE', `/v1/members/${ada.id}`, {token: owner.token})],
    ['the code has expired', () => clock.advance(lifetimes.signInCode * 1_000)],
  ])('is dropped once %s', async (_, act) => {
    await getCode();
    expect(await compose()).toBeDefined();
    await clock.advance(1);
    await act();
    expect(await compose()).toBeUndefined();
  });

  it('is dropped once the code was used, or has no tries left', async () => {
    const code = await getCode();
    for (let i = 0; i < codeTries; i++) await enter(differ(code));
    expect(await compose()).toBeUndefined();
    const next = await getCode();
    expect(await compose()).toBeDefined();
    await enter(next);
    expect(await compose()).toBeUndefined();
  });

  it('is dropped once there is a newer code', async () => {
    await getCode();
    const [first] = await listCodeMails(service, workspace);
    if (first === undefined) throw new Error('no mail');
    await getCode();
    const deadline = performance.now() + 5_000;
    const encrypted = await service.core.store.mails.findSecret(workspace.id, first.suffix, deadline);
    const {mails} = service.core.services;
    expect(await mails.compose({workspace: workspace.id, deadline}, first, encrypted)).toBeUndefined();
  });
});
