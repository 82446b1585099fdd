import type {IdSuffix} from '../core/ids.js';
import type {ComposedMail} from './mail-content.js';

/**
 * How far an attempt to hand a mail to the server got. Only this decides what follows: a server that died
 * before it took a mail, and one that died afterwards, give the same error.
 * - `accepted`, `address_refused`, `message_refused`: final replies.
 * - `try_later`: the server refused this mail for now, or left during the dialogue about it.
 * - `installation`: no mail can be sent: no connection, no encryption, or a refused log-in or sender.
 * - `uncertain`: the server has the whole mail, and its reply did not come.
 * - `withheld`: the mail was not handed over, because the caller did not allow it any more.
 */
export type SendStage =
  | 'accepted'
  | 'address_refused'
  | 'message_refused'
  | 'try_later'
  | 'installation'
  | 'uncertain'
  | 'withheld';

/** The step at which an installation fails to send any mail. */
export type SmtpStep = 'connect' | 'encrypt' | 'log in' | 'sender';

export interface SendResult {
  readonly stage: SendStage;
  /** The reply code of the server. */
  readonly code?: number | undefined;
  /** The reply of the server, or the reason why there was none: 200 characters on one line. */
  readonly detail?: string | undefined;
  /** Present if `stage` is `installation`. */
  readonly step?: SmtpStep | undefined;
}

export interface MailToSend {
  readonly suffix: IdSuffix<'mail'>;
  readonly queuedAt: number;
  readonly to: string;
  readonly composed: ComposedMail;
  /** Called when only the end of the message is left to send. It is sent only if this resolves to true. */
  readonly beforeEnd: () => Promise<boolean>;
  /** Ends the dialogue at once, or soon if the end of the message was sent. */
  readonly signal: AbortSignal;
}

/** Sends one mail. It never rejects because of the server. */
export type SendMail = (mail: MailToSend) => Promise<SendResult>;

/** The way that mails leave this process: by a server, or in development into the log. */
export type MailTransport =
  | {
      readonly mode: 'sent';
      readonly send: SendMail;
      /** Connects, logs in and hangs up. Returns the step that failed; undefined if all is well. */
      readonly check: (signal?: AbortSignal) => Promise<SendResult | undefined>;
    }
  | {readonly mode: 'kept'; readonly describe: (composed: ComposedMail) => string};
