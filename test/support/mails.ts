import {createCallByService} from '../../src/domain/core/access.js';
import {composeId, type Id, suffixFromBytes} from '../../src/domain/core/ids.js';
import {randomBytes} from 'node:crypto';
import type {MailOutcome} from '../../src/domain/mail/mail.js';
import type {MailContent, RenderedMail} from '../../src/domain/mail/mail-content.js';
import {workspaceKeys} from '../../src/store/core/keys.js';
import {renderMail} from '../../src/mail/render.js';
import type {TestService, TestWorkspace} from './service.js';

type In = Pick<TestService, 'core'>;
type Of = Pick<TestWorkspace, 'id'>;

const newDeadline = () => performance.now() + 5_000;

export interface SentMail extends RenderedMail {
  readonly to: string;
  readonly content: MailContent;
  readonly language: string;
}

/** Looks at what is unread in the inboxes of a workspace as the worker would, once people had their time to read. */
export async function sendNotices(
  {store, services}: Pick<In['core'], 'store' | 'services'>,
  workspace: Id<'workspace'>,
): Promise<void> {
  const key = workspaceKeys(workspace).noticesDue();
  const waiting = await store.connection.call<string[]>(newDeadline(), ['ZRANGE', key, '0', '-1']);
  for (const name of waiting) await store.connection.call(newDeadline(), ['ZADD', key, '0', name]);
  while (await services.sendNotice(createCallByService({workspace, deadline: newDeadline()})));
}

/**
 * Sends the queued mails of a workspace, and those about unread items, as the worker would, to no one, and
 * returns them. The service of the test has no worker of its own (`ROLES: 'web'`).
 */
export async function sendMails(
  {core: {store, services}}: In,
  {id: workspace}: Of,
  outcome: MailOutcome = {result: 'sent', code: 250, detail: '250 OK'},
): Promise<SentMail[]> {
  const sent: SentMail[] = [];
  await sendNotices({store, services}, workspace);
  for (;;) {
    const found = await store.mails.claim(workspace, 'test', 60_000, newDeadline());
    if (found.kind !== 'claimed') return sent;
    const {mail} = found;
    const call = createCallByService({workspace, deadline: newDeadline()});
    const composed = await services.mails.compose(call, mail, mail.encrypted);
    if (composed !== undefined) {
      const {content, language} = composed;
      sent.push({...renderMail(composed), content, language, to: mail.to});
    }
    await services.mails.recordOutcome(call, mail, composed === undefined ? {result: 'dropped'} : outcome);
  }
}

/** Queues a mail without a fact, and returns its id. */
export async function queueMail(
  {core: {store}}: In,
  {id: workspace}: Of,
  {to = 'grace@example.com', member}: {readonly to?: string; readonly member?: Id<'member'>} = {},
): Promise<Id<'mail'>> {
  const suffix = suffixFromBytes(randomBytes(10));
  const until = Date.now() + 600_000;
  const write = {do: 'queue-mail', suffix, fact: {kind: 'sign_in_code'}, to, member, until} as const;
  const commit = {guards: [], writes: [write], events: [], reply: {kind: 'empty'}} as const;
  await store.commits.run({workspace, deadline: newDeadline()}, commit);
  const mail = await store.mails.find(workspace, suffix, newDeadline());
  return composeId('mail', mail?.queuedAt ?? 0, suffix);
}

/** Queues a mail without a fact, and records this result of sending it. Returns its id. */
export async function recordMail(
  service: In,
  workspace: Of,
  mail: Parameters<typeof queueMail>[2],
  outcome: MailOutcome,
): Promise<Id<'mail'>> {
  const id = await queueMail(service, workspace, mail);
  const [{store, services}, deadline] = [service.core, newDeadline()];
  const found = await store.mails.claim(workspace.id, 'test', 60_000, deadline);
  if (found.kind !== 'claimed') throw new Error('no mail is due');
  const call = createCallByService({workspace: workspace.id, deadline});
  await services.mails.recordOutcome(call, found.mail, outcome);
  return id;
}
