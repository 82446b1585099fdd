import type {Id, IdSuffix} from '../../domain/core/ids.js';
import type {Mail} from '../../domain/mail/mail.js';
import type {ServiceContext} from '../core/context.js';

/** The preference that a link at the end of a mail changes. */
export type Subscription = 'reminders' | 'daily' | 'weekly' | 'notices';

/** The right that a link in a mail gives. It is sealed, and it ends when the address of the member changes. */
interface LinkRights {
  /** Snoozes or skips a member's reminder of a date, until an instant (ms). */
  readonly reminder: {readonly date: string; readonly until: number};
  readonly unsubscribe: {readonly from: Subscription};
}

interface LinkOwner {
  readonly workspace: Id<'workspace'>;
  readonly member: IdSuffix<'member'>;
  /** A hash of the address to which the mail went. */
  readonly address: string;
}

export type MailLink<K extends keyof LinkRights> = LinkOwner & LinkRights[K];

export function createMailLinks({cipher, sha256, publicUrl}: ServiceContext) {
  const hashAddress = (address: string) => Buffer.from(sha256(address)).toString('base64url');

  function encrypt<K extends keyof LinkRights>(
    kind: K,
    workspace: Id<'workspace'>,
    {member, to}: Mail,
    rights: LinkRights[K],
  ): string {
    return cipher.encrypt(
      'mail-link',
      kind,
      JSON.stringify({workspace, member, address: hashAddress(to), ...rights}),
    );
  }

  return {
    /** Returns the address of the page that snoozes or skips. Servers never see what follows the `#`. */
    createReminderUrl: (workspace: Id<'workspace'>, mail: Mail, rights: LinkRights['reminder']) =>
      `${publicUrl}/app/reminder#${encrypt('reminder', workspace, mail, rights)}`,
    /** Returns the address that mail clients call to unsubscribe, and that shows a page to people. */
    createUnsubscribeUrl: (workspace: Id<'workspace'>, mail: Mail, from: Subscription) =>
      `${publicUrl}/app/unsubscribe/${encrypt('unsubscribe', workspace, mail, {from})}`,
    /** Opens a link; undefined if it is not one of ours. */
    open<K extends keyof LinkRights>(kind: K, token: string): MailLink<K> | undefined {
      try {
        return JSON.parse(cipher.decrypt('mail-link', kind, token)) as MailLink<K>;
      } catch {
        return undefined;
      }
    },
    /** True while the member still has the address to which the link was sent. */
    isFor: ({address}: LinkOwner, email: string | null): boolean =>
      email !== null && hashAddress(email) === address,
  };
}
