import {afterAll, beforeAll, beforeEach, describe, expect, it} from '@jest/globals';
import type {MailOutcome} from '../../src/domain/mail/mail.js';
import {composeId} from '../../src/domain/core/ids.js';
import type {IdSuffix} from '../../src/domain/core/ids.js';
import type {MailToSend, SendResult} from '../../src/domain/mail/mail-transport.js';
import type {JobContext} from '../../src/jobs/context.js';
import {createMailPerformer} from '../../src/jobs/send-mail.js';
import {workspaceKeys} from '../../src/store/core/keys.js';
import {findMail, queueInviteMails} from '../support/queued-mails.js';
import {expectEventually} from '../support/expect-eventually.js';
import {testRedisUrl} from '../support/redis-server.js';
import {startService, type TestService, type TestWorkspace} from '../support/service.js';
import {createTestClock, type TestClock} from '../support/test-clock.js';
import {createCleanUps, createJobContext, newDeadline, silentLog} from './stage.js';

const cleanUps = createCleanUps();
const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const accepted: SendResult = {stage: 'accepted', code: 250, detail: '250 OK'};

let clock: TestClock;
let service: TestService;
let workspace: TestWorkspace;
let suffix: IdSuffix<'mail'>;

beforeAll(async () => {
  const redisUrl = await testRedisUrl();
  clock = await createTestClock(redisUrl);
  cleanUps.add(() => clock.close());
  service = await startService({redisUrl, time: clock.time, env: {ROLES: 'web'}});
  cleanUps.add(() => service.close());
});
afterAll(() => cleanUps.run());

beforeEach(async () => {
  workspace = await service.addWorkspace();
  [suffix = suffix] = await queueInviteMails(workspace, ['grace@example.com']);
});

/** Creates a worker whose mail server answers with `result`. `sent` has all that was given to the server. */
function openWorker(
  result: SendResult | ((mail: MailToSend) => Promise<SendResult>),
  changes: Partial<JobContext> = {},
) {
  const sent: MailToSend[] = [];
  const stopping = new AbortController();
  const mail: JobContext['mail'] = {
    mode: 'sent',
    check: async () => undefined,
    async send(given) {
      sent.push(given);
      if (typeof result === 'function') return result(given);
      await given.beforeEnd();
      return result;
    },
  };
  const perform = createMailPerformer(createJobContext(service, {mail, ...changes}));
  const run = (until = newDeadline()) =>
    perform({workspace: workspace.id, work: {kind: 'send-mail'}, until, signal: stopping.signal});
  return {sent, run, stopping};
}

const find = (one = suffix) => findMail(workspace, one);
const typesOf = async (): Promise<string[]> =>
  (await workspace.request('GET', '/v1/events?limit=100')).body.data.map(({type}: {type: string}) => type);

it('a queued mail is sent with its address and content, and recorded as sent', async () => {
  const {run, sent} = openWorker(accepted);
  expect(await run()).toEqual({more: false});
  expect(sent).toMatchObject([
    {suffix, to: 'grace@example.com', composed: {content: {kind: 'invite', teams: ['Platform']}}},
  ]);
  expect(await find()).toMatchObject({state: 'sent', attempts: 1, code: 250, detail: '250 OK'});
  await run();
  expect(sent).toHaveLength(1);
});

it('a mail whose invite was revoked before it is sent is dropped', async () => {
  const {run, sent} = openWorker(accepted);
  const invite = composeId('invite', (await find()).queuedAt, suffix as IdSuffix as IdSuffix<'invite'>);
  const {body} = await workspace.request('GET', '/v1/invites');
  expect(body.data[0].id.slice(-16)).toBe(invite.slice(-16));
  await workspace.request('DELETE', `/v1/invites/${body.data[0].id}`);
  await run();
  expect(await find()).toMatchObject({state: 'dropped', attempts: 0});
  expect(sent).toEqual([]);
});

it('a mail that is too late is dropped, with the last reply of the server', async () => {
  const [late = suffix] = await queueInviteMails(workspace, ['lin@example.com'], {
    until: clock.now() + minuteMs,
  });
  await clock.advance(2 * minuteMs);
  const {run, sent} = openWorker(accepted);
  await run();
  expect(await find(late)).toMatchObject({state: 'dropped', detail: 'It could not be sent in time.'});
  expect(sent.map(({to}) => to)).toEqual(['grace@example.com']);
});

it('a mail that must not arrive yet is sent when it may, and not before', async () => {
  const {services} = service.core;
  const notBefore = clock.now() + 10 * minuteMs;
  const compose: typeof services.mails.compose = async (...given) => {
    const composed = await services.mails.compose(...given);
    return composed && {...composed, notBefore};
  };
  const watched = {...services, mails: {...services.mails, compose}};
  const {run, sent} = openWorker({stage: 'accepted', code: 250, detail: '250 OK'}, {services: watched});
  await run();
  expect(await find()).toMatchObject({state: 'queued', attempts: 0});
  await clock.set(notBefore - 1);
  await run();
  expect(sent).toEqual([]);
  await clock.advance(1);
  await run();
  expect(await find()).toMatchObject({state: 'sent'});
});

describe('a mail that the server refuses', () => {
  it.each(['address_refused', 'message_refused'] as const)(
    'for good (%s) has failed, and programs hear of it',
    async (stage) => {
      const {run} = openWorker({stage, code: 550, detail: '550 no such user'});
      await run();
      expect(await find()).toMatchObject({state: 'failed', code: 550, detail: '550 no such user'});
      expect(await typesOf()).toContain('invite.mail_failed');
    },
  );

  it.each<[SendResult['stage'], true | undefined]>([
    ['address_refused', true],
    ['message_refused', undefined],
  ])('says something about its address only if that is refused (%s)', async (stage, addressRefused) => {
    const {services} = service.core;
    const outcomes: MailOutcome[] = [];
    const recordOutcome: typeof services.mails.recordOutcome = async (call, mail, outcome) => {
      outcomes.push(outcome);
      await services.mails.recordOutcome(call, mail, outcome);
    };
    const watched = {...services, mails: {...services.mails, recordOutcome}};
    await openWorker({stage, code: 550, detail: '550 no'}, {services: watched}).run();
    expect(outcomes.map((outcome) => outcome.addressRefused)).toEqual([addressRefused]);
  });

  it('for now is sent again after a minute, and then after five', async () => {
    const {run, sent} = openWorker({stage: 'try_later', code: 451, detail: '451 greylisted'});
    await run();
    expect(await find()).toMatchObject({state: 'queued', attempts: 1, code: 451});
    await clock.advance(minuteMs - 1);
    await run();
    expect(sent).toHaveLength(1);
    await clock.advance(1);
    await run();
    expect(sent).toHaveLength(2);
    await clock.advance(5 * minuteMs - 1);
    await run();
    expect(sent).toHaveLength(2);
    await clock.advance(1);
    await run();
    expect(sent).toHaveLength(3);
  });

  it('for now, and that would be too late the next time, has failed', async () => {
    const {run} = openWorker({stage: 'try_later', code: 451, detail: '451 greylisted'});
    await clock.advance(59 * minuteMs + 30 * secondMs);
    await run();
    expect(await find()).toMatchObject({state: 'failed', code: 451});
  });
});

it('a mail whose reply did not come is uncertain, and is not sent again', async () => {
  const {run, sent} = openWorker({stage: 'uncertain', detail: 'the connection ended'});
  await run();
  await clock.advance(10 * minuteMs);
  await run();
  expect(await find()).toMatchObject({state: 'uncertain', detail: 'the connection ended'});
  expect(sent).toHaveLength(1);
});

describe('while the installation can send no mail', () => {
  const failure: SendResult = {
    stage: 'installation',
    step: 'log in',
    code: 535,
    detail: '535 wrong password',
  };

  it('all mails rest, 30 seconds at first and then longer, and no attempt counts', async () => {
    await queueInviteMails(workspace, ['lin@example.com']);
    const {run, sent} = openWorker(failure);
    await run();
    expect(sent).toHaveLength(1);
    const [tried] = sent.map((mail) => mail.suffix);
    expect(await find(tried)).toMatchObject({state: 'queued', attempts: 0, code: 535});
    await clock.advance(29 * secondMs);
    await run();
    expect(sent).toHaveLength(1);
    await clock.advance(secondMs);
    await run();
    expect(sent).toHaveLength(2);
    await clock.advance(59 * secondMs);
    await run();
    expect(sent).toHaveLength(2);
    await clock.advance(secondMs);
    await run();
    expect(sent).toHaveLength(3);
  });

  it('the log has one warning, and one line when mails are sent again', async () => {
    const lines: string[] = [];
    const log = {
      ...silentLog,
      warn: (_: object, text: string) => void lines.push(text),
      info: (_: object, text: string) => void lines.push(text),
    };
    let result = failure;
    const {run} = openWorker(async () => result, {log});
    for (let i = 0; i < 3; i++) {
      await run();
      await clock.advance(15 * minuteMs);
    }
    result = accepted;
    await run();
    expect(lines.filter((line) => /mails?\b/.test(line))).toEqual([
      'no mail can be sent; all mails wait',
      'mails are sent again',
    ]);
  });

  it('mails that were queued before mail was turned off wait', async () => {
    const perform = createMailPerformer(createJobContext(service));
    const slice = {workspace: workspace.id, work: {kind: 'send-mail'}, until: newDeadline()} as const;
    await perform({...slice, signal: new AbortController().signal});
    expect(await find()).toMatchObject({
      state: 'queued',
      attempts: 0,
      detail: expect.stringMatching(/SMTP_URL/),
    });
  });
});

describe('a worker that lost its lease', () => {
  it('does not finish a mail that another worker has', async () => {
    const {run: runOther, sent: sentByOther} = openWorker(accepted);
    let isAllowed: boolean | undefined;
    const {run} = openWorker(async ({beforeEnd}) => {
      await clock.advance(61 * secondMs);
      await runOther();
      isAllowed = await beforeEnd();
      return {stage: isAllowed ? 'accepted' : 'withheld'};
    });
    await run();
    expect(isAllowed).toBe(false);
    expect(sentByOther).toHaveLength(1);
    expect(await find()).toMatchObject({state: 'sent', attempts: 1});
  });

  it('does not finish a mail that it is sending once more itself', async () => {
    const allowed: boolean[] = [];
    const askedAgain = Promise.withResolvers<void>();
    const firstIsOver = Promise.withResolvers<void>();
    const {run, sent} = openWorker(async ({beforeEnd}) => {
      const isFirst = sent.length === 1;
      if (isFirst) {
        await clock.advance(61 * secondMs);
        void run();
        await askedAgain.promise;
      } else {
        askedAgain.resolve();
        await firstIsOver.promise;
      }
      const isAllowed = await beforeEnd();
      allowed.push(isAllowed);
      return isAllowed ? accepted : {stage: 'withheld'};
    });
    await run();
    firstIsOver.resolve();
    await expectEventually(async () => (await find()).state).toBe('sent');
    expect(allowed).toEqual([false, true]);
  });

  it('leaves a mail uncertain that it had marked, until it hears the reply', async () => {
    const {run: runOther, sent: sentByOther} = openWorker(accepted);
    const {run} = openWorker(async ({beforeEnd}) => {
      await beforeEnd();
      await clock.advance(61 * secondMs);
      await runOther();
      expect((await find()).state).toBe('uncertain');
      return accepted;
    });
    await run();
    expect(sentByOther).toEqual([]);
    expect(await find()).toMatchObject({state: 'sent'});
  });

  it('extends the lease while the server is slow', async () => {
    const keys = workspaceKeys(workspace.id);
    const dueAt = async () =>
      Number(await service.core.store.connection.call(newDeadline(), ['ZSCORE', keys.mailsDue(), suffix]));
    const {run} = openWorker(
      async ({beforeEnd}) => {
        const first = await dueAt();
        await clock.advance(100);
        while ((await dueAt()) === first) await new Promise((resolve) => setTimeout(resolve, 5));
        await beforeEnd();
        return accepted;
      },
      {mailLeaseMs: 300},
    );
    await run();
    expect(await find()).toMatchObject({state: 'sent'});
  });
});

it('a process that stops gives a mail back that it has not handed over', async () => {
  const {run, stopping} = openWorker(async () => {
    stopping.abort();
    return {stage: 'withheld'};
  });
  await run();
  const {run: runOther, sent} = openWorker(accepted);
  await runOther();
  expect(sent).toHaveLength(1);
});

it('a mail is kept in development, and the log shows its link', async () => {
  const lines: string[] = [];
  const log = {...silentLog, info: (_: object, text: string) => void lines.push(text)};
  const {keptMails} = await import('../../src/mail/transport.js');
  const perform = createMailPerformer(createJobContext(service, {mail: keptMails, log}));
  const slice = {workspace: workspace.id, work: {kind: 'send-mail'}, until: newDeadline()} as const;
  await perform({...slice, signal: new AbortController().signal});
  expect(lines.find((line) => line.startsWith('Mail to'))).toMatch(
    /^Mail to grace@example\.com: .+ → http:\/\/localhost:\d+\/app\/join#/,
  );
  expect(await find()).toMatchObject({state: 'kept'});
});

it('a slice of mails ends after its time limit and reports that more are due', async () => {
  await queueInviteMails(workspace, ['lin@example.com', 'max@example.com']);
  const {run, sent} = openWorker(accepted);
  expect(await run(performance.now())).toEqual({more: true});
  expect(sent).toHaveLength(1);
});

it('regression: an installation that sends no mail rests no longer after the clock was set back', async () => {
  const {run, sent} = openWorker({stage: 'installation', step: 'connect', detail: 'ECONNREFUSED'});
  await run();
  await clock.advance(-5 * 60 * minuteMs);
  await queueInviteMails(workspace, ['lin@example.com', 'max@example.com']);
  await run();
  expect(sent).toHaveLength(2);
  await clock.advance(minuteMs);
  await run();
  expect(sent).toHaveLength(3);
});

it('regression: an uncertain mail that was refused for now has failed, since its secret is gone', async () => {
  const {run: runOther, sent: sentByOther} = openWorker(accepted);
  const {run} = openWorker(async ({beforeEnd}) => {
    await beforeEnd();
    await clock.advance(61 * secondMs);
    await runOther();
    expect((await find()).state).toBe('uncertain');
    return {stage: 'try_later', code: 451, detail: '451 not now'};
  });
  await run();
  await clock.advance(minuteMs);
  await runOther();
  expect(await find()).toMatchObject({state: 'failed', code: 451});
  expect(await typesOf()).toContain('invite.mail_failed');
  expect(sentByOther).toEqual([]);
});

it('regression: mails that waited or were taken do not wait for the old time after the clock was set back', async () => {
  const {run: runThatDies} = openWorker(() => Promise.reject(new Error('killed')));
  await runThatDies().catch(() => undefined);
  const [waiting = suffix] = await queueInviteMails(workspace, ['lin@example.com']);
  await clock.advance(-5 * 60 * minuteMs);
  const {run, sent} = openWorker(accepted);
  await run();
  expect(sent.map((mail) => mail.suffix).toSorted()).toEqual([suffix, waiting].toSorted());
});

it('regression: a mail that must wait for many hours is looked at once an hour, and not without a pause', async () => {
  const {services} = service.core;
  const notBefore = clock.now() + 300 * minuteMs;
  const [waiting = suffix] = await queueInviteMails(workspace, ['lin@example.com'], {
    until: clock.now() + 600 * minuteMs,
  });
  let looks = 0;
  const compose: typeof services.mails.compose = async (...given) => {
    if (given[1].suffix === waiting) looks += 1;
    const composed = await services.mails.compose(...given);
    return composed && {...composed, notBefore};
  };
  const watched = {...services, mails: {...services.mails, compose}};
  const {run, sent} = openWorker(accepted, {services: watched});
  const soon = () => performance.now() + 500;
  expect(await run(soon())).toEqual({more: false});
  expect(looks).toBe(1);
  for (let hour = 1; hour < 5; hour += 1) {
    await clock.advance(60 * minuteMs);
    expect(await run(soon())).toEqual({more: false});
  }
  expect(looks).toBe(5);
  expect(sent).toEqual([]);
  await clock.advance(60 * minuteMs);
  await run(soon());
  expect(await find(waiting)).toMatchObject({state: 'sent'});
});
