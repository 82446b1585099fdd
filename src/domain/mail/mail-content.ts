import type {InboxNews} from '../inbox/inbox.js';
import type {LeadSummary} from '../runs/lead-summary.js';
import type {WeekTrends} from '../runs/week-trends.js';

/** Everything that the text of a mail says. Who renders it decides nothing. */
export type MailContent =
  | {
      readonly kind: 'invite';
      readonly workspace: string;
      /** The maker of the invite; null if it has none, or if the maker is no person any more. */
      readonly maker: {readonly name: string; readonly email: string | null} | null;
      /** The names of the teams to join. */
      readonly teams: readonly string[];
      readonly url: string;
      readonly expiresAt: string;
    }
  | {
      readonly kind: 'sign_in_code';
      /** The act that the code allows. A code that confirms is entered where it was asked for. */
      readonly purpose: 'sign_in' | 'join' | 'confirm';
      readonly workspace: string;
      readonly code: string;
      readonly url: string;
    }
  | {
      readonly kind: 'reminder';
      /** The name of the member. */
      readonly name: string;
      /** Why they are asked: a run opened, it closes soon, or another person asks. */
      readonly moment: 'opening' | 'before_closing' | 'asked';
      /** The teams that wait for their standup, the first to close first. */
      readonly teams: readonly {readonly name: string; readonly closesAt: string}[];
      /** The minutes until the first of them closes. */
      readonly minutesLeft: number;
      /** The first question of that team; null for the standard ones. */
      readonly question: string | null;
      /** Open blockers of the member that have not changed for days. */
      readonly blockers: readonly {readonly text: string; readonly team: string; readonly since: string}[];
      /** The page that resolves them. */
      readonly blockersUrl: string;
      readonly url: string;
      /** The page that snoozes or skips. */
      readonly laterUrl: string;
    }
  | {
      readonly kind: 'report';
      readonly team: string;
      readonly date: string;
      /** The numbers of people who have posted, and who were expected. */
      readonly posted: number;
      readonly expected: number;
      /** The names of the people who have not; empty if the team does not show them. */
      readonly missing: readonly string[];
      readonly missingCount: number;
      readonly away: readonly string[];
      readonly url: string;
    }
  | {readonly kind: 'lead_summary'; readonly summary: LeadSummary; readonly url: string}
  | {
      readonly kind: 'week';
      readonly team: string;
      readonly monday: string;
      readonly posted: number;
      readonly expected: number;
      /** The number of runs. */
      readonly runs: number;
      /** The numbers of blockers that were raised and resolved in the week. */
      readonly raised: number;
      readonly resolved: number;
      readonly open: readonly {readonly author: string; readonly text: string}[];
      readonly trends: WeekTrends;
      readonly url: string;
    }
  | {
      readonly kind: 'passkey_added';
      readonly workspace: string;
      /** The name of the passkey; null if it has been removed since. */
      readonly passkey: string | null;
      readonly at: string;
      readonly url: string;
    }
  | {
      readonly kind: 'address_changed';
      readonly workspace: string;
      /** The new address without most of its letters; null if the member has none now. */
      readonly address: string | null;
      readonly at: string;
      readonly url: string;
    }
  | {
      readonly kind: 'joined';
      readonly workspace: string;
      /** The name of the person who joined. */
      readonly name: string;
      /** The names of the teams of the invite. */
      readonly teams: readonly string[];
      readonly url: string;
    }
  | ({readonly kind: 'inbox'} & InboxNews)
  | {
      readonly kind: 'webhook';
      readonly webhook: string;
      readonly state:
        | {readonly failingSince: string; readonly until: string}
        | {readonly disabledAt: string; readonly forFailing: boolean};
      readonly url: string;
    };

/** A mail that may be sent now: its content, with the language and time zone of its reader. */
export interface ComposedMail {
  readonly content: MailContent;
  /** The language of the text, such as `de`. */
  readonly language: string;
  readonly timezone: string;
  /** The end (ms) of quiet hours that began while the mail waited; undefined if it may be sent now. */
  readonly notBefore?: number | undefined;
  /** The address that ends such mails; undefined for mails that no one can end. */
  readonly stopUrl?: string | undefined;
}

/** A part of a mail. Texts of other people are in `text` and `items`, and never become a link. */
export type MailBlock =
  | {readonly type: 'paragraph' | 'quote' | 'small' | 'code'; readonly text: string}
  | {readonly type: 'button' | 'link'; readonly label: string; readonly url: string}
  | {readonly type: 'list'; readonly title: string; readonly items: readonly string[]};

/** A mail in the language of its reader. */
export interface WrittenMail {
  readonly subject: string;
  readonly blocks: readonly MailBlock[];
}

/** A mail as its reader sees it. Text and HTML say the same. */
export interface RenderedMail extends WrittenMail {
  readonly text: string;
  readonly html: string;
  /** Headers that only this mail has, such as those to unsubscribe. */
  readonly headers: Readonly<Record<string, string>>;
}
