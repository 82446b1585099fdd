import type {Id, IdSuffix} from '../../domain/core/ids.js';
import type {MailWrite} from '../../domain/commit/writes.js';
import type {MailFact} from '../../domain/mail/mail.js';
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
