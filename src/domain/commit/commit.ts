import type {Credential, IdempotencyKey, PrincipalId} from '../core/access.js';
import type {ActingCaller} from '../core/actor.js';
import type {EventType, ReminderRecord} from '../events/event.js';
import type {Id, IdSuffix} from '../core/ids.js';
import type {ListName} from '../core/lists.js';
import type {QuotaClaim, QuotaVerdict} from '../core/quota.js';
import type {Resource} from '../core/resource.js';
import type {TraceContext} from '../core/trace-context.js';
import type {MailState} from '../mail/mail.js';
import type {KnownMessage, SlackLocation} from '../slack/known-message.js';
import type {Membership} from '../teams/team.js';
import type {PasskeyUse} from '../tokens/passkey.js';
import type {KeptReply, Reply} from './reply.js';
import type {Work} from '../core/work.js';
import type {Collection, DraftPartName, NameSpace, Write} from './writes.js';

/**
 * A change as data. A service plans it from data that it has read, and the store runs it as one atomic step.
 * Guards say what must not have changed since the data was read. If a guard fails, nothing is written and the
 * service plans again, so that only services refuse requests.
 */
export interface Commit extends CommitPart {
  readonly reply: Reply;
  /** `release`: the commit frees memory or records finished work. A full store allows it, too. */
  readonly effect?: 'growth' | 'release';
  /**
   * The person who gets access by this commit. In a full workspace, such a commit is allowed
   * `limits.waysInWhileFull` times a day for each person.
   */
  readonly lets?: PrincipalId;
  /**
   * True if the commit records the result of something that has left the service already, such as a mail. It is
   * allowed in a workspace that has become read-only meanwhile.
   */
  readonly finishes?: true;
}

/** The guards, writes and events that one planning step adds to a commit. */
export interface CommitPart {
  readonly guards: readonly Guard[];
  /** The writes. Their order has no effect, except that `erase-revisions` runs last. */
  readonly writes: readonly Write[];
  readonly events: readonly EventDraft[];
}

export const nothing: CommitPart = {guards: [], writes: [], events: []};

export function joinCommitParts(parts: readonly Partial<CommitPart>[]): CommitPart {
  return {
    guards: parts.flatMap(({guards = []}) => guards),
    writes: parts.flatMap(({writes = []}) => writes),
    events: parts.flatMap(({events = []}) => events),
  };
}

/** Removes duplicate guards, since several parts of a commit may have the same guard. */
export function removeDuplicateGuards(guards: readonly Guard[]): Guard[] {
  return [...new Map(guards.map((guard) => [JSON.stringify(guard), guard])).values()];
}

/** A commit that changes nothing, except that it stores the answer to an idempotency key. */
export const emptyCommit: Commit = {...nothing, reply: {kind: 'empty'}};

/** Creates a commit that only deletes data. It writes no event, and is also allowed on a full store. */
export function createDeletionCommit(writes: readonly Write[]): Commit {
  return {...emptyCommit, effect: 'release', writes};
}

export type Guard =
  | {readonly check: 'unchanged'; readonly collection: Collection; readonly version: string}
  | {readonly check: 'revision'; readonly id: Id; readonly revision: number}
  /**
   * The resource is exactly the one that was read, with the same times. The same revision number is not
   * enough, because a restored store may use a number again.
   */
  | ({readonly check: 'as-read'} & Pick<Resource, 'id' | 'revision' | 'created_at' | 'updated_at'>)
  /** The name leads to no resource. `but`: the id suffix of a resource that may already have the name. */
  | {
      readonly check: 'name-free';
      readonly names: NameSpace;
      readonly name: string;
      readonly but?: IdSuffix;
    }
  /** A member's membership in a team is as `is` says: missing, any, accepted, as a lead, or this one. */
  | {
      readonly check: 'membership';
      readonly team: Id<'team'>;
      readonly member: PrincipalId;
      readonly is: 'none' | 'any' | 'accepted' | 'lead' | Membership;
    }
  /** The running replay of this webhook (its id suffix) is the one named here; null if none is running. */
  | {
      readonly check: 'replaying';
      readonly webhook: IdSuffix<'webhook'>;
      readonly replay: IdSuffix<'replay'> | null;
    }
  /** The list has fewer, or more, entries than a number. `past`: only entries with a higher score count. */
  | ({readonly check: 'length'; readonly list: ListName; readonly past?: number} & (
      | {readonly below: number}
      | {readonly above: number}
    ))
  /** The list contains exactly the resources with these id suffixes, in this order. */
  | {readonly check: 'listed'; readonly list: ListName; readonly suffixes: readonly IdSuffix[]}
  /** The list contains no resource for this day. */
  | {readonly check: 'day-free'; readonly list: ListName; readonly day: number}
  /**
   * Since `asked` was read, no one has requested another check of the team's schedule, and no run has
   * advanced (see `RunSteps`).
   */
  | {readonly check: 'unasked'; readonly team: IdSuffix<'team'>; readonly asked: number}
  /** The commit runs before this instant (ms), at which something that its plan assumes is no longer true. */
  | {readonly check: 'before'; readonly instant: number}
  /** No standup of an open run (its id suffix) has been posted, changed or deleted since that count. */
  | {readonly check: 'run-posts'; readonly run: IdSuffix<'run'>; readonly count: number}
  /** The webhook has had no success since this instant (ms). `warned`: whether the workspace was told. */
  | {
      readonly check: 'failing';
      readonly webhook: IdSuffix<'webhook'>;
      readonly since: number;
      readonly warned: boolean;
    }
  /** No one has looked at a reminder that goes by mail, or asked for it, since its due time (`due`) was read. */
  | {
      readonly check: 'prompt-due';
      readonly member: IdSuffix<'member'>;
      readonly date: string;
      readonly due: string;
    }
  /** No one has looked at an item of an inbox, or added to it, since its due time (`due`) was read. */
  | {
      readonly check: 'notice-due';
      readonly member: IdSuffix<'member'>;
      readonly standup: IdSuffix<'standup'>;
      readonly due: string;
    }
  /** A reminder still has this recipient, and this end of its snooze (ms). */
  | {
      readonly check: 'prompt-snooze';
      readonly member: IdSuffix<'member'>;
      readonly date: string;
      readonly user: string;
      readonly snoozed: number | undefined;
    }
  /** This worker may record the result of a mail: no one has taken it over. */
  | {readonly check: 'mail-held'; readonly suffix: IdSuffix<'mail'>; readonly holder: string}
  /** A mail has not changed its state since it was read. */
  | {readonly check: 'mail-state'; readonly suffix: IdSuffix<'mail'>; readonly state: MailState}
  /** The record of a message in a channel is still the same; undefined: there is none. */
  | ({readonly check: 'slack-message'; readonly known: KnownMessage | undefined} & SlackLocation)
  /** The record of a Slack user's typed messages still has this version; an empty version means no record. */
  | {readonly check: 'typed'; readonly slackUser: string; readonly version: string}
  /**
   * No one has changed this part of a draft since that time (ms; null: there is none), and the member has as
   * many parts as then.
   */
  | ({
      readonly check: 'draft-part';
      readonly changedAt: number | null;
      readonly count: number;
    } & DraftPartName)
  /** The counter and the last use of a passkey (its id suffix) are still these. */
  | {readonly check: 'passkey-use'; readonly passkey: IdSuffix<'passkey'>; readonly use: PasskeyUse}
  /** The bot was last installed at this time (ms; null for never). `connected`: it has a token. */
  | {readonly check: 'slack'; readonly installedAt: number | null; readonly connected: boolean};

export interface EventDraft {
  readonly type: EventType;
  readonly about: IdSuffix;
  readonly revision: number;
  /** The id of the team that the event belongs to, for webhooks that subscribe to single teams. */
  readonly team?: Id<'team'>;
  /** The start of the period that the event reports (ms). */
  readonly since?: number;
  readonly reminded?: ReminderRecord;
  /** The reason why Slack does not show the standup. */
  readonly reason?: string;
  /** The member who accepted an invite. The same commit may create the member. */
  readonly acceptedBy?: Id<'member'>;
}

/** Conditions on the caller, which the script checks before everything else. */
export interface CommitTerms extends Pick<ActingCaller, 'principal' | 'entryPoint' | 'requestId'> {
  readonly workspace: Id<'workspace'>;
  readonly deadline: number;
  readonly token?: Pick<Credential, 'id'>;
  readonly quota?: QuotaClaim;
  readonly idempotency?: IdempotencyKey;
  /** The span of the commit. If it is recorded, the commit's events and mails keep it. */
  readonly trace?: TraceContext | undefined;
}

/** The result of a commit. `verdict`: the result of the rate limit, if the script has checked it. */
export type CommitOutcome = {readonly verdict?: QuotaVerdict | undefined} & CommitResult;

type CommitResult =
  | {
      readonly kind: 'committed';
      /** The time of the commit (ms) by Redis, never before the last event: `created_at` or `updated_at`. */
      readonly at: number;
      /** The number of the last event in the log, including the events of this commit. */
      readonly sequence: number;
      /** Work that the commit has made due, so that a worker in this process can start it at once. */
      readonly due: readonly Work[];
    }
  | ({readonly kind: 'kept'} & StoredAnswer)
  | {
      readonly kind:
        | 'stale'
        | 'token-dead'
        | 'over-quota'
        | 'too-late'
        | 'store-lost'
        | 'workspace-full'
        | 'workspace-read-only';
    };

/** The stored answer to an earlier request with the same idempotency key. */
export interface StoredAnswer {
  readonly fingerprint: string;
  readonly reply: KeptReply;
  /** The time of the commit and its last event, for an answer that contains them. */
  readonly made?: CommitStamp;
}

/** The time of a commit (ms), and the number of its last event. */
export interface CommitStamp {
  readonly at: number;
  readonly sequence: number;
}
