import {createHmac} from 'node:crypto';
import {type Id, type IdSuffix, suffixOf} from '../../domain/core/ids.js';
import type {MailWrite, Write} from '../../domain/commit/writes.js';
import type {RequestContext} from '../../domain/core/access.js';
import {dayNumber, toInstant} from '../../domain/core/dates.js';
import {limits} from '../../domain/core/limits.js';
import {mailOfFact, type MailFact, type NoticeFact} from '../../domain/mail/mail.js';
import {createEmailComparisonKey} from '../../domain/core/text.js';
import type {ServiceEnvironment} from './environment.js';

export interface NewMail {
  /** Generated once for a call, or derived from the fact, so that a repeated plan queues one mail. */
  readonly suffix: IdSuffix<'mail'>;
  readonly fact: MailFact;
  readonly to: string;
  readonly member?: Id<'member'> | undefined;
  /** A hash of the address of a person without an account, by which the mail is erased later. */
  readonly address?: string;
  /** The secret that the mail shows. */
  readonly secret?: string;
  /** The instant (ms) after which it is not sent any more. */
  readonly until: number;
}

/** Returns the writes that queue a mail; none while mail is off. They belong in the commit of its fact. */
export function createQueueMailWrites(
  {mail, cipher}: Pick<ServiceEnvironment, 'mail' | 'cipher'>,
  {secret, ...queued}: NewMail,
): MailWrite[] {
  if (mail === undefined) return [];
  const encrypted = secret === undefined ? undefined : cipher.encrypt('mail', queued.suffix, secret);
  return [{do: 'queue-mail', ...queued, encrypted}];
}

/** A mail that tells a member a fact. */
export interface FactMail {
  readonly fact: MailFact;
  readonly to: string;
  readonly member: Id<'member'>;
  readonly until: number;
}

/** Returns the writes that queue the mail of a fact to a member: one mail, however often it is planned. */
export function createFactMailWrites(
  context: Pick<ServiceEnvironment, 'mail' | 'cipher' | 'sha256'>,
  mail: FactMail,
): MailWrite[] {
  const suffix = mailOfFact(context.sha256, mail.fact, suffixOf(mail.member));
  return createQueueMailWrites(context, {...mail, suffix});
}

/** The time (ms) after its fact in which a notice is sent: longer than a weekend without a mail server. */
const noticeMs = 3 * 24 * 3_600_000;

/** Returns the writes that queue a notice to a member. */
export function createNoticeWrites(
  context: Pick<ServiceEnvironment, 'mail' | 'cipher' | 'sha256' | 'clock'>,
  fact: NoticeFact,
  {member, to}: Pick<FactMail, 'member' | 'to'>,
): MailWrite[] {
  return createFactMailWrites(context, {fact, member, to, until: context.clock.now() + noticeMs});
}

/**
 * Counts the notices of a kind to one address or Slack user, or about one webhook, and drops all but the first few of
 * a day.
 * Programs can cause any number, also to strangers: an admin may give members any address.
 */
export async function limitNotices(
  context: Pick<ServiceEnvironment, 'admissions' | 'cipher' | 'clock'>,
  {workspace, deadline}: RequestContext,
  {kind, about}: {readonly kind: NoticeFact['about'] | 'asked_week'; readonly about: string},
  notices: readonly Write[],
): Promise<Write[]> {
  if (notices.length === 0) return [];
  const address = hashCountedAddress(context, `${kind} ${workspace}`, about);
  const day = dayNumber(toInstant(context.clock.now()).slice(0, 10));
  const from = await context.admissions.countInvites(workspace, address, day, deadline);
  return from < limits.noticesPerDay ? [...notices, {do: 'count-invite', address, day, from}] : [];
}

/**
 * Returns a keyed hash, under which mails to an address or about a webhook are counted. `counted`: the kind of
 * mail and its workspace.
 */
export function hashCountedAddress(
  {cipher}: Pick<ServiceEnvironment, 'cipher'>,
  counted: string,
  address: string,
): string {
  const hmac = createHmac('sha256', cipher.derive('invited-address'));
  return hmac
    .update(`${counted}\0${createEmailComparisonKey(address)}`)
    .digest('base64url')
    .slice(0, 22);
}
