import {type IdSuffix, suffixFromBytes} from '../core/ids.js';
import type {TraceContext} from '../core/trace-context.js';

const mailKinds = ['invite', 'sign_in_code', 'reminder', 'report', 'week', 'notice'] as const;
export type MailKind = (typeof mailKinds)[number];

/**
 * `queued`: waits, or is being sent. `sent`: the server accepted it. `failed`: it was refused for good.
 * `uncertain`: the server may have accepted it; it is not sent again by itself. `dropped`: no one wanted it
 * any more when it was due. `kept`: in development, it is shown instead of sent.
 */
export const mailStates = ['queued', 'sent', 'failed', 'uncertain', 'dropped', 'kept'] as const;
export type MailState = (typeof mailStates)[number];

/** The fact that a mail tells, by ids. Its text is written when it is sent. */
export type MailFact =
  /**
   * The mail has the id suffix of its invite, and its secret is that of the invite's link. `onlyByMail`: no one
   * else was shown the link, so who has it reads the mails to that address.
   */
  | {readonly kind: 'invite'; readonly onlyByMail?: true}
  /**
   * Its secret is the code. `workspace`: the workspace as the person named it, with which the code is used.
   * `invite`: the code is for joining by its link, which follows the code in the secret. `confirms`: the code is
   * for the member's own session.
   */
  | {
      readonly kind: 'sign_in_code';
      readonly workspace?: string;
      readonly invite?: IdSuffix<'invite'>;
      readonly confirms?: true;
    }
  /** The reminder of a day. `take`: the number of earlier mails of that day. */
  | {readonly kind: 'reminder'; readonly date: string; readonly take: number}
  /** The report of a run that has closed. */
  | {readonly kind: 'report'; readonly run: IdSuffix<'run'>}
  /**
   * The summary of a team's week. `run`: the last one that it knows, since a paused team may go on. `asked`: the
   * key of the press by which its reader asked for it.
   */
  | ({readonly kind: 'week'; readonly team: IdSuffix<'team'>; readonly monday: string} & (
      | {readonly run: IdSuffix<'run'>; readonly asked?: undefined}
      | {readonly asked: string}
    ))
  | NoticeFact;

/** Something that has happened once. */
export type NoticeFact =
  | {readonly kind: 'notice'; readonly about: 'passkey_added'; readonly passkey: IdSuffix<'passkey'>}
  /** It goes to the earlier address. `revision`: that of the member with the new one. */
  | {readonly kind: 'notice'; readonly about: 'address_changed'; readonly revision: number}
  /** It goes to the maker of an invite. `joined`: the member who has accepted it. */
  | {
      readonly kind: 'notice';
      readonly about: 'joined';
      readonly invite: IdSuffix<'invite'>;
      readonly joined: IdSuffix<'member'>;
    }
  /** Something unread about a standup in the inbox: one mail for each standup and day (see `dayNumber`). */
  | {
      readonly kind: 'notice';
      readonly about: 'inbox';
      readonly standup: IdSuffix<'standup'>;
      readonly day: number;
    }
  /** It goes to the leads of a team whose run has closed. */
  | {readonly kind: 'notice'; readonly about: 'lead_summary'; readonly run: IdSuffix<'run'>}
  /** `since`: the first failure after the last success (ms); null if the webhook was disabled. */
  | {
      readonly kind: 'notice';
      readonly about: 'webhook';
      readonly webhook: IdSuffix<'webhook'>;
      readonly revision: number;
      readonly since: number | null;
    };

/** True for a notice by which people see that another person uses their account. No one can end these. */
export function isSafetyNotice(fact: MailFact): boolean {
  return fact.kind === 'notice' && (fact.about === 'passkey_added' || fact.about === 'address_changed');
}

/** A mail in the outbox. It contains no text, so a fact that is no longer true is not sent. */
export interface Mail {
  readonly suffix: IdSuffix<'mail'>;
  readonly fact: MailFact;
  /** The one address that it goes to. */
  readonly to: string;
  /** The member it is for; undefined for a person without an account. */
  readonly member: IdSuffix<'member'> | undefined;
  readonly state: MailState;
  /** The number of times that the server was asked to take it and gave an answer. */
  readonly attempts: number;
  readonly queuedAt: number;
  /** The instant (ms) after which it is not sent any more. */
  readonly until: number;
  /** The instant (ms) of the last change of its state. */
  readonly changedAt: number;
  /** The reply code of the mail server to the last attempt. */
  readonly code: number | undefined;
  /** The answer of the mail server, or why there was none. */
  readonly detail: string | undefined;
  /** The span of the commit that queued it, if it was recorded. No one is shown it. */
  readonly trace: TraceContext | undefined;
}

/** A mail that one worker may send. `encrypted`: its secret, if it has one. */
export interface ClaimedMail extends Mail {
  readonly encrypted: string | undefined;
  readonly holder: string;
}

/**
 * The result of an attempt. `next`: when it is tried again (ms from now). `counted`: the attempt counts, since
 * its failure is not that of the whole installation.
 */
export interface MailOutcome {
  readonly result: Exclude<MailState, 'queued'> | {readonly next: number; readonly counted: boolean};
  readonly code?: number | undefined;
  readonly detail?: string | undefined;
  /** True if the server refuses the address itself. */
  readonly addressRefused?: true;
  /** True if an accepted mail came back, which is no attempt. */
  readonly bounced?: true;
}

/** The id of the mail of an invite: there is one, since inviting again makes another invite. */
export function mailOfInvite(invite: IdSuffix<'invite'>): IdSuffix<'mail'> {
  return invite as IdSuffix as IdSuffix<'mail'>;
}

/** The id of the mail that tells a member a fact, so that a repeated plan queues one mail. */
export function mailOfFact(
  sha256: (text: string) => Uint8Array,
  fact: MailFact,
  member: IdSuffix<'member'>,
): IdSuffix<'mail'> {
  return suffixFromBytes(sha256(`${member} ${Object.values(fact).join(' ')}`));
}
