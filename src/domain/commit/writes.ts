import type {BatchWork} from '../core/work.js';
import type {ErasedCounts, ErasureState} from '../members/erasure.js';
import type {Id, IdKind, IdSuffix} from '../core/ids.js';
import type {Listing, ListName} from '../core/lists.js';
import type {PromptMoment} from '../prompts/prompt.js';
import {type DraftJson, renderDraft, type Resource} from '../core/resource.js';
import type {ReplayPlan} from '../webhooks/replay.js';
import type {InboxReason} from '../inbox/inbox.js';
import type {MailFact, MailOutcome} from '../mail/mail.js';
import type {Membership} from '../teams/team.js';
import type {PasskeyUse} from '../tokens/passkey.js';
import type {StatusLook} from '../slack/away-status.js';
import type {KnownMessage, SlackLocation} from '../slack/known-message.js';
import type {SlackItem} from '../slack/slack-post.js';
import type {Ordering, Throttle} from '../webhooks/webhook-settings.js';
import type {PrincipalId} from '../core/access.js';

/** Everything that a commit may write, grouped by feature. The scripts are in `store/commit/`. */
export type Write =
  | RecordWrite
  | WorkWrite
  | TeamWrite
  | TokenWrite
  | RunWrite
  | WebhookWrite
  | ReplayWrite
  | SlackWrite
  | PromptWrite
  | MailWrite
  | DraftWrite
  | InboxWrite
  | ErasureWrite
  | ImportWrite;

/**
 * Collections that processes cache. Each change gives a collection a new random version. A counter would not
 * do, because a restored store would use its numbers again.
 */
export type Collection = 'teams' | 'webhooks';

/** Kinds of names that are unique in a workspace. Each name leads to one id of the stated kind. */
export interface NamedKinds {
  readonly 'team-slug': 'team';
  readonly 'slack-channel': 'team';
  readonly 'slack-user': 'member';
  readonly email: 'member';
  /** Members whose names were entered by a caller who is not an owner (given-names.ts). */
  readonly unconfirmed: 'member';
  /** Members whose name or email address came from Slack (slack-names.ts), under their id suffixes. */
  readonly 'slack-name': 'member';
  readonly 'slack-email': 'member';
  readonly 'service-account': 'service_account';
  /** Rows of imports, as keyed hashes, and erased former members. They stay for ever: none is imported again. */
  readonly imported: 'standup';
}

export type NameSpace = keyof NamedKinds;

export interface CreateWrite {
  readonly do: 'create';
  readonly kind: IdKind;
  readonly suffix: IdSuffix;
  readonly draft: DraftJson;
  readonly lists: readonly Listing[];
  /** Another resource that the same commit creates. Its provisional id appears once in the draft. */
  readonly ofNew?: {readonly kind: IdKind; readonly suffix: IdSuffix};
  /**
   * For a resource without an event: a counter instead gives the position in its lists. `lastListFor`: how long
   * (s) the last list stays after this.
   */
  readonly placed?: {readonly lastListFor?: number};
}

export interface ReviseWrite {
  readonly do: 'revise';
  readonly id: Id;
  /** The number of the revision before this one. The commit fails if the resource has another revision. */
  readonly from: number;
  readonly createdAt: string;
  readonly draft: DraftJson;
  /** Earlier revisions are kept only as long as the events that show them, not as long as the resource. */
  readonly forEvents?: true;
  /** Lists in which the resource moves to another day. Its order among that day's entries stays. */
  readonly move?: readonly Required<Listing>[];
}

/**
 * `remove`: the last revision is kept as long as the events about the resource. `erase`: no revision is kept,
 * and the events about the resource lose their data.
 */
export type RemovalMode = 'remove' | 'erase';

/** Deletes a resource. The commit fails if its revision is no longer `from`. */
export interface RemoveWrite {
  readonly do: 'remove';
  readonly id: Id;
  readonly from: number;
  readonly lists: readonly ListName[];
  /**
   * The ids of the people that the resource names. The removed resource is listed for each person, so that
   * the erasure of a person finds its remaining data.
   */
  readonly names: readonly PrincipalId[];
  /** The way in which the resource is deleted; `remove` by default. */
  readonly how?: RemovalMode;
}

export type RecordWrite =
  | CreateWrite
  | ReviseWrite
  | RemoveWrite
  /** Deletes the earlier revisions of a resource, or all revisions of a removed one. */
  | {readonly do: 'erase-revisions'; readonly suffix: IdSuffix}
  /**
   * Takes a resource out of the list `from`, and adds it to the list in `to`; null for neither. Its position
   * in the new list is copied from the list `positionFrom`.
   */
  | {
      readonly do: 'relist';
      readonly suffix: IdSuffix;
      readonly from: ListName | null;
      readonly to: {readonly list: ListName; readonly positionFrom: ListName} | null;
    }
  /** Lets a unique name lead to this resource. */
  | {readonly do: 'name'; readonly names: NameSpace; readonly name: string; readonly suffix: IdSuffix}
  /** Frees a unique name that leads to this resource. A name of another resource stays. */
  | {readonly do: 'free-name'; readonly names: NameSpace; readonly name: string; readonly suffix: IdSuffix}
  /** Records that a resource of a cached collection has changed, so that processes read it again. */
  | {readonly do: 'touch'; readonly collection: Collection; readonly suffix: IdSuffix};

/** Starts work that is too large for one commit. Jobs do it in batches. */
export interface WorkWrite {
  readonly do: 'begin-work';
  readonly work: BatchWork;
  /** The work is needed only if one of these lists has an entry when the commit runs. */
  readonly ifListed?: readonly ListName[];
}

export type TeamWrite =
  /** Sets the membership of a member in a team; null for none. */
  | {
      readonly do: 'set-membership';
      readonly team: Id<'team'>;
      readonly member: Id<'member'>;
      readonly membership: Membership | null;
    }
  | {readonly do: 'disband'; readonly team: Id<'team'>};

export type TokenWrite =
  /** Makes a token, or the link of an invite, valid; null makes it invalid. It is named by its id suffix. */
  | {
      readonly do: 'admit-token';
      readonly suffix: IdSuffix<'access_token' | 'invite'>;
      readonly admitted: {
        /** The instant (ms) at which the token expires. */
        readonly until: number;
        /** The SHA-256 of the secret that the token's user must present; absent if a signature is enough. */
        readonly proof?: string | undefined;
      } | null;
    }
  /**
   * Counts an invite or a notice to an address, given as a keyed hash, on a day; or one about a webhook. The
   * commit fails if the count is no longer `from`.
   */
  | {
      readonly do: 'count-invite';
      readonly address: string;
      readonly day: number;
      readonly from: number;
    }
  /** Sets the counter and the last use of a passkey; null when the passkey is removed. */
  | {readonly do: 'note-passkey-use'; readonly suffix: IdSuffix<'passkey'>; readonly use: PasskeyUse | null};

export type RunWrite =
  /**
   * Marks steps of a run as taken, each only once. The commit fails if one is already taken, or (with
   * `after`) if one was taken since that instant (ms). `run`: its id suffix.
   */
  | {
      readonly do: 'take-steps';
      readonly run: IdSuffix<'run'>;
      readonly steps: readonly string[];
      readonly after?: number;
    }
  | {readonly do: 'drop-steps'; readonly run: IdSuffix<'run'>}
  /**
   * Counts a post, change or deletion of a standup in an open run (its id suffix). A commit that closes the
   * run fails if its count is older.
   */
  | {readonly do: 'count-run-post'; readonly run: IdSuffix<'run'>}
  /**
   * Requests a check of a team's schedule, because an earlier check does not know which steps this commit
   * makes due. `settled`: nothing is due by the old schedule, and the new one applies from now on. `step`: a
   * step of a run is done, so the check is not urgent.
   */
  | {readonly do: 'ask-look'; readonly team: IdSuffix<'team'>; readonly after?: 'settled' | 'step'}
  /**
   * Records that all steps that were due until `seen` (ms) are done. `next`: when the next step will be due
   * (ms), null for never. The commit needs the guard `unasked`.
   */
  | {
      readonly do: 'look-again';
      readonly team: IdSuffix<'team'>;
      readonly seen: number;
      readonly next: number | null;
    }
  /** Deletes the records of schedule checks of a deleted team. */
  | {readonly do: 'forget-looks'; readonly team: IdSuffix<'team'>};

/** Writes about a webhook. `webhook` is its id suffix. */
export type WebhookWrite =
  /** Adds a signing secret. The two previous ones stay valid for the overlap; older ones do not. */
  | {
      readonly do: 'keep-secret';
      readonly webhook: IdSuffix<'webhook'>;
      readonly encrypted: string;
      readonly overlapMs: number;
    }
  /** Sets the webhook's additional headers, encrypted; null for none. */
  | {readonly do: 'keep-headers'; readonly webhook: IdSuffix<'webhook'>; readonly encrypted: string | null}
  /** Sets how fast and in which order deliveries are sent. */
  | {
      readonly do: 'pace-webhook';
      readonly webhook: IdSuffix<'webhook'>;
      readonly concurrency: number;
      readonly ordering: Ordering;
      readonly throttle: Throttle | null;
    }
  /** Switches the webhook on or off. Switching it on clears its failures. */
  | {readonly do: 'switch-webhook'; readonly webhook: IdSuffix<'webhook'>; readonly on: boolean}
  /** Events not handled for this webhook yet are handled with its settings at this revision. */
  | {readonly do: 'hold-position'; readonly webhook: IdSuffix<'webhook'>; readonly revision: number}
  /** Records that the workspace was told about a failing webhook: once until the next success. */
  | {readonly do: 'mark-warned'; readonly webhook: IdSuffix<'webhook'>}
  /** Deletes the webhook and the data of its deliveries. */
  | {readonly do: 'close-webhook'; readonly webhook: IdSuffix<'webhook'>}
  /** Deletes the receiver's answers to deliveries, because they may repeat what was sent. */
  | {readonly do: 'forget-responses'; readonly webhook: IdSuffix<'webhook'>}
  /** Sends a delivery again. `delivery`: its id suffix. */
  | {
      readonly do: 'redeliver';
      readonly webhook: IdSuffix<'webhook'>;
      readonly delivery: IdSuffix<'delivery'>;
    }
  /**
   * Makes the waiting deliveries of a webhook due at once. If its circuit breaker is open, makes the next
   * test request due at once.
   */
  | {readonly do: 'try-webhook'; readonly webhook: IdSuffix<'webhook'>};

export type ReplayWrite =
  /** Starts a replay. `instead`: the id suffix of the webhook's oldest replay, which is deleted. */
  | {
      readonly do: 'start-replay';
      readonly suffix: IdSuffix<'replay'>;
      readonly plan: ReplayPlan;
      readonly instead?: IdSuffix<'replay'>;
    }
  /** Cancels a replay. Its deliveries that still wait are withdrawn. */
  | {
      readonly do: 'cancel-replay';
      readonly webhook: IdSuffix<'webhook'>;
      readonly replay: IdSuffix<'replay'>;
    };

export type SlackWrite =
  /**
   * Connects the workspace to Slack with this encrypted bot token. From now on events are read for Slack, and
   * waiting work continues at once. `id`: the id of the Slack workspace.
   */
  | {
      readonly do: 'connect-slack';
      readonly id: string;
      readonly encrypted: string;
      /** The name of the Slack workspace. */
      readonly name: string;
      /** The member who has installed the bot. */
      readonly by: Id<'member'> | undefined;
      /** The Slack user who has installed the bot, and is greeted unless that has happened before. */
      readonly greets: string;
    }
  /** Asks for the message to a Slack user about the event with that number, or for its update. */
  | {readonly do: 'ask-notice'; readonly slackUser: string; readonly sequence: number}
  /** Asks for a report in a channel, where a person posts it. */
  | {readonly do: 'post-report'; readonly channel: string; readonly item: SlackItem & {readonly kind: 'copy'}}
  /** Deletes the bot token. The record of the installation and the work that waits for Slack stay. */
  | {readonly do: 'disconnect-slack'}
  /**
   * Ends the link between a member (its id suffix) and a Slack user (Slack's id). The Slack user is added to
   * the member's list of removed resources.
   */
  | {readonly do: 'leave-slack'; readonly member: IdSuffix<'member'>; readonly slackUser: string}
  /** Stores what a message in a channel is, for `seconds`. Needs the guard `slack-message`. */
  | ({
      readonly do: 'keep-slack-message';
      readonly known: KnownMessage;
      readonly seconds: number;
    } & SlackLocation)
  /** Records what a look at a member's status in Slack has seen for a run (its id suffix). */
  | {
      readonly do: 'note-slack-status';
      readonly member: Id<'member'>;
      readonly run: IdSuffix<'run'>;
      readonly look: StatusLook;
    }
  | {readonly do: 'drop-slack-status'; readonly member: Id<'member'>}
  /** Stores the record of a Slack user's typed messages with a new version. Needs the guard `typed`. */
  | {readonly do: 'keep-typed'; readonly slackUser: string; readonly version: string; readonly json: string};

/**
 * Writes about the message that reminds a member on a date. The date is in the member's time zone. `user`: the
 * recipient, a Slack user, `mailRecipient` or `browserRecipient`.
 */
export type PromptWrite =
  /** Adds a run to the member's reminder. Adding the same run again changes nothing. */
  | {
      readonly do: 'prompt';
      readonly member: Id<'member'>;
      readonly user: string;
      readonly date: string;
      readonly team: Id<'team'>;
      readonly run: Id<'run'>;
      /** The instant at which the run closes for the member (ms). */
      readonly closesAt: number;
      readonly moment: PromptMoment;
      /** The earliest instant at which the member may get a message (ms), after their quiet hours. */
      readonly notBefore: number;
    }
  /** Delays a day's reminder until `until` (ms), if there is a reminder. */
  | {
      readonly do: 'snooze-prompt';
      readonly member: IdSuffix<'member'>;
      readonly user: string;
      readonly date: string;
      readonly until: number;
    }
  /** Records the result of a look at a reminder that goes by mail. Needs the guard `prompt-due`. */
  | {
      readonly do: 'record-reminder';
      readonly member: IdSuffix<'member'>;
      readonly date: string;
      /** The instant (ms) of the next look; null if none is needed. */
      readonly next: number | null;
      /** The mail that the same commit queues. It ends a snooze. */
      readonly sent?: {readonly mail: IdSuffix<'mail'>; readonly take: number} | undefined;
      /** Deletes the reminder, since its member is gone. */
      readonly forget?: boolean | undefined;
    }
  /** Records why the reminder of a run did not reach a member. `code`: null once one has reached them. */
  | {
      readonly do: 'note-unreachable';
      readonly run: IdSuffix<'run'>;
      readonly member: IdSuffix<'member'>;
      readonly code: string | null;
    };

export type MailWrite =
  /** Queues a mail. A mail that exists stays as it is, so that one fact makes one mail. */
  | {
      readonly do: 'queue-mail';
      readonly suffix: IdSuffix<'mail'>;
      readonly fact: MailFact;
      readonly to: string;
      readonly member?: Id<'member'> | undefined;
      /** A hash of the address of a person without an account, by which their mails are found. */
      readonly address?: string | undefined;
      /** The encrypted secret that the text shows. It is deleted when the mail is over. */
      readonly encrypted?: string | undefined;
      /** The instant (ms) after which it is not sent any more. */
      readonly until: number;
    }
  /** Records the result of an attempt, and makes the next mail due. Needs the guard `mail-held`. */
  | {readonly do: 'record-mail'; readonly suffix: IdSuffix<'mail'>; readonly outcome: MailOutcome}
  /** Deletes a mail. `member`: the member it is for. `address`: as it was queued. */
  | {
      readonly do: 'erase-mail';
      readonly suffix: IdSuffix<'mail'>;
      readonly member?: IdSuffix<'member'> | undefined;
      readonly address?: string | undefined;
    };

/** Writes about the drafts of a member's standups. `team`: its id suffix. */
export type DraftWrite =
  /**
   * Sets the part of a source, as JSON; null for none. Needs the guard `draft-part`. `gone`: parts of deleted
   * teams, which a new part deletes.
   */
  | ({
      readonly do: 'set-draft';
      readonly json: string | null;
      readonly gone?: readonly Omit<DraftPartName, 'member'>[];
    } & DraftPartName)
  /** Deletes all parts for one team and day, or all drafts of the member. */
  | {
      readonly do: 'drop-drafts';
      readonly member: Id<'member'>;
      readonly of: Pick<DraftPartName, 'team' | 'date'> | 'all';
    };

export interface DraftPartName {
  readonly member: Id<'member'>;
  readonly team: IdSuffix<'team'>;
  readonly date: string;
  readonly source: string;
}

export type InboxWrite =
  /**
   * Adds something to a member's inbox. `about`: the id suffix of a comment, a reaction, a blocker or the
   * standup. `sends`: if it stays unread, a message is sent. `named`: they are mentioned by name, which ends a
   * muting.
   */
  | {
      readonly do: 'notify';
      readonly member: Id<'member'>;
      readonly standup: IdSuffix<'standup'>;
      readonly reason: InboxReason;
      readonly by: PrincipalId;
      readonly about: IdSuffix;
      readonly sends: boolean;
      readonly named: boolean;
    }
  /** Records a look at an item that may have to be sent. Needs the guard `notice-due`. */
  | {
      readonly do: 'record-notice';
      readonly member: IdSuffix<'member'>;
      readonly standup: IdSuffix<'standup'>;
      /** The instant (ms) of the next look; null if none is needed. */
      readonly next: number | null;
    }
  /**
   * Marks the item of a standup as read, or all; null for all. One in which something happened after the event
   * `until` stays unread.
   */
  | {
      readonly do: 'read-inbox';
      readonly member: Id<'member'>;
      readonly standup: IdSuffix<'standup'> | null;
      readonly until: number | undefined;
    }
  /** Mutes the conversation about a standup for a member, or ends that. */
  | {
      readonly do: 'mute-inbox';
      readonly member: Id<'member'>;
      readonly standup: IdSuffix<'standup'>;
      readonly mutes: boolean;
    }
  | {readonly do: 'drop-inbox'; readonly member: Id<'member'>};

export type ErasureWrite =
  /** Starts an erasure. `revoked`: the number of tokens that the same commit revokes. */
  | {
      readonly do: 'start-erasure';
      readonly suffix: IdSuffix<'erasure'>;
      readonly member: PrincipalId;
      readonly revoked: number;
    }
  | {
      readonly do: 'note-erasure';
      readonly erasure: IdSuffix<'erasure'>;
      readonly state: Exclude<ErasureState, 'queued'>;
      readonly erased: Partial<ErasedCounts>;
    };

export type ImportWrite =
  /** Stores the key of the hashes of imports, unless the workspace has one. */
  | {readonly do: 'keep-import-key'; readonly key: string}
  /** Stores who is who in an import (its id suffix), by hashes of the people; null forgets it. */
  | {
      readonly do: 'keep-import-people';
      readonly import: IdSuffix<'import'>;
      readonly people: readonly (readonly [person: string, choice: string])[] | null;
    };

export function createWrite(
  kind: IdKind,
  suffix: IdSuffix,
  draft: object,
  lists: readonly Listing[],
  ofNew?: CreateWrite['ofNew'],
): CreateWrite {
  return {do: 'create', kind, suffix, draft: renderDraft(draft), lists, ...(ofNew && {ofNew})};
}

export function reviseWrite(
  {id, revision: from, created_at: createdAt}: Resource,
  draft: object,
  more?: Pick<ReviseWrite, 'forEvents' | 'move'>,
): ReviseWrite {
  return {do: 'revise', id, from, createdAt, draft: renderDraft(draft), ...more};
}
