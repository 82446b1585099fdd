import {afterEach, describe, expect, it} from '@jest/globals';
import {findMail, queueInviteMails} from '../support/queued-mails.js';
import {startReceiver} from '../support/receiver.js';
import {startService, type TestService} from '../support/service.js';
import {startSmtp, type TestSmtp} from '../support/smtp.js';
import {until} from '../support/until.js';
import {addWebhook, createCleanUps, silentLog} from './stage.js';

const cleanUps = createCleanUps();
afterEach(() => cleanUps.run());

const metricsToken = 'a-token-for-the-metrics';

/** Starts a service with a worker and a mail server. */
async function openService(
  options: Parameters<typeof startSmtp>[0] = {},
): Promise<{smtp: TestSmtp; service: TestService}> {
  const smtp = await startSmtp(options);
  cleanUps.add(() => smtp.close());
  const mail = {SMTP_URL: smtp.url, MAIL_FROM: 'Standup <standup@example.com>'};
  const started = await startService({env: {...mail, METRICS_TOKEN: metricsToken}});
  let closing: Promise<void> | undefined;
  const service = {...started, close: () => (closing ??= started.close())};
  cleanUps.add(service.close);
  return {smtp, service};
}

async function readMetrics({url}: TestService): Promise<string> {
  const headers = {authorization: `Bearer ${metricsToken}`};
  return (await fetch(`${url}/metrics`, {headers})).text();
}

it('a queued mail reaches the mail server of the settings, and is counted', async () => {
  const {smtp, service} = await openService({login: true});
  const workspace = await service.addWorkspace();
  const [suffix] = await queueInviteMails(workspace, ['grace@example.com']);
  if (suffix === undefined) throw new Error('no mail was queued');
  await until(() => smtp.mails.length === 1, {what: 'the mail arrives'});
  expect(smtp.mails).toMatchObject([{from: 'standup@example.com', to: 'grace@example.com'}]);
  expect(smtp.mails[0]?.raw).toContain('From: Standup <standup@example.com>');
  await until(async () => (await findMail(workspace, suffix)).state === 'sent', {what: 'it is recorded'});
  const metrics = await readMetrics(service);
  expect(metrics).toContain('standup_mails_total{kind="invite",state="sent"} 1');
  expect(metrics).toContain('standup_mail_oldest_due_seconds 0');
});

describe('a mail server that hangs', () => {
  it('delays no webhook, and no end of the process', async () => {
    const {smtp, service} = await openService();
    smtp.behave((step) => (step === 'sender' ? 'hang' : undefined));
    const workspaces = await Promise.all(Array.from({length: 6}, () => service.addWorkspace()));
    for (const workspace of workspaces) await queueInviteMails(workspace, ['grace@example.com']);
    await until(() => smtp.steps.filter((step) => step === 'sender').length === 4, {what: 'all slots wait'});

    const receiver = await startReceiver();
    cleanUps.add(() => receiver.close());
    for (const workspace of workspaces) {
      await addWebhook(workspace, receiver);
      await workspace.request('POST', '/v1/standups', {body: {team: 'platform', update: 'On my way.'}});
    }
    await until(() => receiver.received.length === 6, {what: 'all webhooks are delivered', withinMs: 5_000});
    expect(smtp.connections()).toBe(4);
    const [, waited] = /^standup_mail_oldest_due_seconds (\S+)/m.exec(await readMetrics(service)) ?? [];
    expect(Number(waited)).toBeGreaterThan(0);

    const begun = performance.now();
    await service.close();
    expect(performance.now() - begun).toBeLessThan(5_000);
  });
});

it('a worker that starts logs the step at which the mail server fails, without the password', async () => {
  const lines: string[] = [];
  const log = {
    ...silentLog,
    warn: (fields: object, text: string) => void lines.push(`${text} ${JSON.stringify(fields)}`),
  };
  const smtp = await startSmtp({login: true});
  cleanUps.add(() => smtp.close());
  const env = {SMTP_URL: smtp.url.replace(/:[^:@/]+@/, ':wrong-word@'), MAIL_FROM: 'standup@example.com'};
  const service = await startService({env, log});
  cleanUps.add(() => service.close());
  await until(() => lines.some((line) => line.includes('mail')), {what: 'the log says so'});
  expect(lines.join('\n')).toMatch(/the mail server takes no mails.*"step":"log in","code":535/);
  expect(lines.join('\n')).not.toContain('wrong-word');
});
