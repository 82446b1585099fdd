import {afterAll, afterEach, beforeAll, describe, expect, it} from '@jest/globals';
import net, {type AddressInfo} from 'node:net';
import nodeTls from 'node:tls';
import {storedSuffix} from '../../src/domain/core/ids.js';
import {createSmtp, type SmtpSettings} from '../../src/mail/smtp.js';
import {createMailSending} from '../../src/mail/transport.js';
import {smtpLogin, type SmtpAct, type SmtpStepName, startSmtp, type TestSmtp} from '../support/smtp.js';
import {until} from '../support/until.js';
import {testCertificate} from '../webhook/certificate.js';

const message = Buffer.from('Message-ID: <one@example.com>\r\nSubject: Hello\r\n\r\n.A line\r\n');
const authorities = nodeTls.getCACertificates();

let server: TestSmtp | undefined;
beforeAll(() => nodeTls.setDefaultCACertificates([...authorities, testCertificate.cert]));
afterAll(() => nodeTls.setDefaultCACertificates(authorities));
afterEach(async () => {
  await server?.close();
  server = undefined;
});

interface Given {
  readonly settings?: Partial<SmtpSettings>;
  readonly beforeEnd?: () => Promise<boolean>;
  readonly signal?: AbortSignal;
  readonly port?: number;
  /** True for a server that hangs. */
  readonly isHanging?: boolean;
}

const short = {connect: 400, idle: 400, lastReply: 600, whole: 1_500};

function connect({settings = {}, port = server?.port ?? 0, isHanging = false}: Given = {}) {
  const limits = {close: 50, stop: 200, ...(isHanging && short)};
  return createSmtp({host: '127.0.0.1', port, security: 'off', ...settings}, limits);
}

function send(given: Given = {}) {
  const {beforeEnd = async () => true, signal = new AbortController().signal} = given;
  const addresses = {from: 'standup@example.com', to: 'grace@example.com'};
  return connect(given).send({...addresses, message, beforeEnd, signal});
}

async function sendTo(step: SmtpStepName, act: SmtpAct, given: Given = {}) {
  server = await startSmtp({login: step === 'login'});
  server.behave((reached) => (reached === step ? act : undefined));
  const login = step === 'login' ? {settings: {login: smtpLogin}} : {};
  return send({...login, isHanging: act === 'hang', ...given});
}

it('an accepted mail arrives once, to one address, with the reply of the server', async () => {
  server = await startSmtp();
  expect(await send()).toEqual({stage: 'accepted', code: 250, detail: expect.stringMatching(/^250 /)});
  expect(server.mails).toEqual([
    expect.objectContaining({
      messageId: '<one@example.com>',
      from: 'standup@example.com',
      to: 'grace@example.com',
      raw: message.toString(),
    }),
  ]);
  await until(() => server?.connections() === 0, {what: 'the client hangs up'});
});

it('the end of a message is sent only after it is allowed, when the server has asked for the message', async () => {
  server = await startSmtp();
  const seen: (readonly string[])[] = [];
  const beforeEnd = async () => {
    seen.push([...(server?.steps ?? [])]);
    return true;
  };
  await send({beforeEnd});
  expect(seen).toEqual([['connect', 'sender', 'recipient', 'data']]);
  expect(server.mails).toHaveLength(1);
});

it('a message whose end is not allowed does not arrive', async () => {
  server = await startSmtp();
  expect(await send({beforeEnd: async () => false})).toEqual({stage: 'withheld'});
  await until(() => server?.connections() === 0, {what: 'the client hangs up'});
  expect(server.mails).toEqual([]);
});

describe('the stage of a failed attempt', () => {
  it.each<[SmtpStepName, SmtpAct, object]>([
    ['connect', {code: 421}, {stage: 'installation', step: 'connect', code: 421}],
    ['connect', {code: 554}, {stage: 'installation', step: 'connect', code: 554}],
    ['connect', 'die', {stage: 'installation', step: 'connect'}],
    ['connect', 'hang', {stage: 'installation', step: 'connect'}],
    ['login', {code: 535}, {stage: 'installation', step: 'log in', code: 535}],
    ['login', {code: 454}, {stage: 'installation', step: 'log in', code: 454}],
    ['login', 'die', {stage: 'installation', step: 'log in'}],
    ['login', 'hang', {stage: 'installation', step: 'log in'}],
    ['sender', {code: 550}, {stage: 'installation', step: 'sender', code: 550}],
    ['sender', {code: 451}, {stage: 'installation', step: 'sender', code: 451}],
    ['sender', 'die', {stage: 'try_later'}],
    ['sender', 'hang', {stage: 'try_later'}],
    ['recipient', {code: 550, text: 'no such user'}, {stage: 'address_refused', code: 550}],
    ['recipient', {code: 554, text: '5.7.1 Relay access denied'}, {stage: 'message_refused', code: 554}],
    ['recipient', {code: 550, text: '5.1.1 no such user'}, {stage: 'address_refused', code: 550}],
    ['recipient', {code: 451}, {stage: 'try_later', code: 451}],
    ['recipient', {code: 421}, {stage: 'try_later', code: 421}],
    ['recipient', {code: 530}, {stage: 'installation', step: 'sender', code: 530}],
    ['recipient', 'die', {stage: 'try_later'}],
    ['recipient', 'hang', {stage: 'try_later'}],
    ['data', 'die', {stage: 'try_later'}],
    ['end', {code: 554, text: 'spam'}, {stage: 'message_refused', code: 554}],
    ['end', {code: 451}, {stage: 'try_later', code: 451}],
    ['end', 'die', {stage: 'uncertain'}],
    ['end', 'lost', {stage: 'uncertain'}],
    ['end', 'hang', {stage: 'uncertain'}],
  ])('at %s, when the server does %j, is %j', async (step, act, result) => {
    const beforeEnd = step === 'data' ? () => new Promise<boolean>(() => undefined) : async () => true;
    const isHanging = act === 'hang' || step === 'data';
    expect(await sendTo(step, act, {beforeEnd, isHanging})).toMatchObject(result);
  });

  it('without a server is a failure of the installation to connect', async () => {
    expect(await send({port: 1})).toMatchObject({stage: 'installation', step: 'connect'});
  });
});

describe('encryption', () => {
  it.each(['starttls', 'implicit'] as const)('by %s protects the mail and the password', async (tls) => {
    server = await startSmtp({tls, login: true});
    const settings = {security: tls === 'implicit' ? 'tls' : 'starttls', login: smtpLogin} as const;
    expect(await send({settings})).toMatchObject({stage: 'accepted'});
    expect(server.mails).toMatchObject([{isEncrypted: true}]);
  });

  it('nothing is sent in clear to a server without STARTTLS', async () => {
    server = await startSmtp({login: true});
    const settings = {security: 'starttls', login: smtpLogin} as const;
    expect(await send({settings})).toMatchObject({stage: 'installation', step: 'encrypt'});
    expect(server.steps).toEqual(['connect']);
  });

  it.each(['starttls', 'implicit'] as const)(
    'a certificate of an unknown authority is refused by %s',
    async (tls) => {
      server = await startSmtp({tls});
      nodeTls.setDefaultCACertificates(authorities);
      try {
        const security = tls === 'implicit' ? 'tls' : 'starttls';
        expect(await send({settings: {security}})).toMatchObject({stage: 'installation', step: 'encrypt'});
      } finally {
        nodeTls.setDefaultCACertificates([...authorities, testCertificate.cert]);
      }
    },
  );
});

it('a check logs in and sends nothing, and names the step that failed', async () => {
  server = await startSmtp({login: true});
  expect(await connect({settings: {login: smtpLogin}}).check()).toBeUndefined();
  const wrong = {user: 'standup', password: 'wrong'};
  expect(await connect({settings: {login: wrong}}).check()).toMatchObject({step: 'log in', code: 535});
  expect(await connect({port: 1}).check()).toMatchObject({step: 'connect'});
  expect(server.steps).toEqual(['connect', 'login', 'connect', 'login']);
});

it('a reply that repeats the password is shown without it', async () => {
  const {user, password} = smtpLogin;
  const plain = Buffer.from(`\0${user}\0${password}`).toString('base64');
  const text = `${password} is not ${plain}`;
  const {detail} = await sendTo('login', {code: 535, text});
  expect(detail).toContain('… is not …');
});

it('the reply of a server is kept as one line of 200 characters', async () => {
  server = undefined;
  const hostile = net.createServer((socket) => {
    socket.on('error', () => undefined);
    socket.write(`554-a\u0007\r\n554 ${'b'.repeat(500)}\r\n`);
  });
  await new Promise<void>((resolve) => hostile.listen(0, '127.0.0.1', resolve));
  const {port} = hostile.address() as AddressInfo;
  const {detail = ''} = await send({port});
  hostile.close();
  expect(detail).toHaveLength(200);
  expect(detail).not.toMatch(/\p{Cc}/u);
});

const emptyLines = '\r\n'.repeat(20_000);

it.each([
  ['floods its greeting', [], emptyLines, 'installation'],
  ['floods a reply', ['220 hello\r\n'], emptyLines, 'installation'],
  ['answers without an end', ['220 hello\r\n', '250 hello\r\n'], '250-x\r\n', 'try_later'],
])('regression: a server that %s is soon left', async (_, replies, text, stage) => {
  let isLeft = false;
  const hostile = net.createServer((socket) => {
    const proper = [...replies];
    const repeat = (): void => void (isLeft || socket.write(text, () => setTimeout(repeat, 5)));
    const answer = (): void => {
      const reply = proper.shift();
      if (reply === undefined) repeat();
      else socket.write(reply);
    };
    socket.on('error', () => undefined);
    socket.on('close', () => (isLeft = true));
    socket.on('data', answer);
    answer();
  });
  await new Promise<void>((resolve) => hostile.listen(0, '127.0.0.1', resolve));
  const {port} = hostile.address() as AddressInfo;
  const begunAt = performance.now();
  const result = await send({port, isHanging: true});
  const tookMs = performance.now() - begunAt;
  await until(() => isLeft, {what: 'the client hangs up'});
  hostile.close();
  expect(result.stage).toBe(stage);
  expect(tookMs).toBeLessThan(3_000);
});

describe('a process that stops', () => {
  it('closes the dialogue at once if the server cannot have the mail', async () => {
    const stopping = new AbortController();
    const sending = sendTo('recipient', 'hang', {signal: stopping.signal, isHanging: false});
    await until(() => server?.steps.includes('recipient') === true);
    stopping.abort();
    expect(await sending).toEqual({stage: 'withheld'});
  });

  it('waits a moment for the reply if the server has the mail', async () => {
    server = await startSmtp({slowMs: 20});
    const stopping = new AbortController();
    const beforeEnd = async () => {
      setImmediate(() => stopping.abort());
      return true;
    };
    expect(await send({beforeEnd, signal: stopping.signal})).toMatchObject({stage: 'accepted'});
  });

  it('does not wait for long for a server that hangs after the mail', async () => {
    const stopping = new AbortController();
    const sending = sendTo('end', 'hang', {signal: stopping.signal, isHanging: false});
    await until(() => server?.steps.includes('end') === true);
    stopping.abort();
    expect(await sending).toMatchObject({stage: 'uncertain'});
  });
});

const secretMails = {
  invite: {kind: 'invite', url: `http://localhost:3000/app/join#ws_1.abc.${'s'.repeat(43)}`},
  code: {
    kind: 'sign_in_code',
    purpose: 'sign_in',
    code: 'K7QM3XTD',
    url: 'http://localhost:3000/app/sign-in#code=K7QM3XTD',
  },
} as const;

it.each([
  ['invite', 's'.repeat(43)],
  ['code', 'K7QM3XTD'],
  ['code', 'K7QM-3XTD'],
] as const)(
  'regression: a filter that quotes the secret of a refused mail (%s, %s) shows it to no one',
  async (mail, secret) => {
    for (const code of [550, 451]) {
      server = await startSmtp();
      server.behave((step) =>
        step === 'end' ? {code, text: `spam: ${'x'.repeat(150)} #a.${secret}`} : undefined,
      );
      const {host, security} = {host: '127.0.0.1', security: 'off'} as const;
      const sender = {name: 'Standup', address: 'standup@example.com'};
      const transport = createMailSending({host, port: server.port, security}, sender);
      if (transport.mode !== 'sent') throw new Error('no mail is sent');
      const content = {workspace: 'Example', maker: null, teams: [], expiresAt: '2026-12-03T22:00:00.000Z'};
      const result = await transport.send({
        suffix: storedSuffix<'mail'>('0123456789abcdef'),
        queuedAt: 1_700_000_000_000,
        to: 'grace@example.com',
        composed: {content: {...content, ...secretMails[mail]}, language: 'en', timezone: 'UTC'},
        beforeEnd: async () => true,
        signal: new AbortController().signal,
      });
      expect(result).toMatchObject({code, detail: expect.stringContaining('spam')});
      expect(result.detail).not.toContain(secret.slice(0, 8));
      await server.close();
    }
  },
);
