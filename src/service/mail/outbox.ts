import type {Call, Caller} from '../../domain/core/access.js';
import type {Commit} from '../../domain/commit/commit.js';
import {cleanName} from '../../domain/core/clean-name.js';
import {toInstant} from '../../domain/core/dates.js';
import {notFound} from '../../domain/core/errors.js';
import {composeId, isId, suffixOf} from '../../domain/core/ids.js';
import type {PageQuery} from '../../domain/core/lists.js';
import type {Mail, MailState} from '../../domain/mail/mail.js';
import type {ShownMail} from '../../domain/mail/shown-mail.js';
import type {Answer} from '../core/answers.js';
import type {ServiceContext} from '../core/context.js';
import {planMailFailure, planReach} from './mail-failure.js';
import type {MailService} from './mails.js';

interface MailQuery extends PageQuery {
  readonly state?: MailState | undefined;
}

/** Shows owners and admins what became of mails. */
export function createOutbox(
  context: ServiceContext,
  {composeMail}: {readonly composeMail: MailService['compose']},
) {
  const {mails, records, authority, mutate, renderMail} = context;

  /** Finds a mail by its id, or by its `Message-ID`, which contains the id. */
  async function requireMail({workspace, deadline}: Caller, reference: string): Promise<Mail> {
    const id = /^<?(eml_[0-9a-z]{26})(?:@[^<>]*>?)?$/.exec(reference.toLowerCase())?.[1] ?? '';
    const mail = isId('mail', id) ? await mails.find(workspace, suffixOf(id), deadline) : undefined;
    if (mail === undefined || composeId('mail', mail.queuedAt, mail.suffix) !== id) throw notFound('mail');
    return mail;
  }

  /** Returns what a mail says. Elsewhere than in development, it would show codes and links of others. */
  async function readContent(access: Caller, mail: Mail): Promise<ShownMail['content']> {
    if (context.mail !== 'kept' || mail.state !== 'kept') return null;
    const encrypted = await mails.findSecret(access.workspace, mail.suffix, access.deadline);
    const composed = await composeMail(access, mail, encrypted);
    if (composed === undefined) return null;
    const {subject, text, blocks} = renderMail(composed);
    return {subject, text, blocks};
  }

  async function present(access: Caller, mail: Mail): Promise<ShownMail> {
    const {suffix, member, queuedAt, fact, to, state, attempts, code = null, detail = null} = mail;
    const [found, content] = await Promise.all([
      member && records.findBySuffix(access.workspace, member, access.deadline),
      readContent(access, mail),
    ]);
    return {
      id: composeId('mail', queuedAt, suffix),
      object: 'mail',
      kind: fact.kind,
      to,
      member: found?.object === 'member' ? {id: found.id, name: found.name} : null,
      state,
      attempts,
      code,
      detail,
      expires_at: toInstant(mail.until),
      created_at: toInstant(queuedAt),
      updated_at: toInstant(mail.changedAt),
      content,
    };
  }

  async function planBounce(call: Call, reference: string, detail = 'It came back.'): Promise<Commit> {
    const proof = [...(await authority.requireAdmin(call, 'mark mails as bounced'))];
    const mail = await requireMail(call, reference);
    const member = mail.member && (await records.findBySuffix(call.workspace, mail.member, call.deadline));
    // An admin may not change an owner, and a refused address ends reminders. A service account only passes on
    // what the mail provider reports.
    if (member?.role === 'owner' && call.principal.type === 'member')
      proof.push(...(await authority.requireOwner(call, 'mark mails to an owner as bounced')));
    const wasSent = mail.state === 'sent' || mail.state === 'uncertain';
    const onOneLine = cleanName(detail.trim().replaceAll(/\s+/g, ' '));
    const outcome = {result: 'failed', detail: onOneLine, bounced: true} as const;
    if (!wasSent) return {guards: proof, writes: [], events: [], reply: {kind: 'empty'}};
    const [{writes, events}, reach] = await Promise.all([
      planMailFailure(context, call, mail, outcome),
      planReach(context, call, mail, outcome),
    ]);
    return {
      guards: [...proof, {check: 'mail-state', suffix: mail.suffix, state: mail.state}],
      writes: [{do: 'record-mail', suffix: mail.suffix, outcome}, ...writes, ...reach],
      events,
      reply: {kind: 'empty'},
    };
  }

  return {
    /** Returns a mail. Errors: `forbidden`, `not_found`. */
    async findMail(access: Caller, reference: string): Promise<ShownMail> {
      await authority.requireAdmin(access, 'see mails');
      return present(access, await requireMail(access, reference));
    },
    /** Lists mails, newest first. With a state, a page may have fewer rows. Errors: `forbidden`. */
    async listMails(
      access: Caller,
      {state, ...page}: MailQuery,
    ): Promise<{readonly mails: readonly ShownMail[]; readonly next: number | undefined}> {
      await authority.requireAdmin(access, 'see mails');
      const found = await mails.list(access.workspace, page, access.deadline);
      const wanted = found.mails.filter((mail) => state === undefined || mail.state === state);
      return {mails: await Promise.all(wanted.map((mail) => present(access, mail))), next: found.next};
    },
    /**
     * Records that a mail came back, which its server cannot know. Changes nothing unless it was sent. Of
     * people, only owners may do so for mails to an owner. Errors: `forbidden`, `not_found`.
     */
    recordBounce: (call: Call, reference: string, detail?: string): Promise<Answer<void>> =>
      mutate(call, () => planBounce(call, reference, detail)),
  };
}
