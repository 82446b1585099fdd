import type {Credential, IdempotencyKey, PrincipalId} from '../core/access.js';
import type {ActingCaller} from '../core/actor.js';
import type {EventType, ReminderRecord} from '../events/event.js';
import type {Id, IdSuffix} from '../core/ids.js';
import type {ListName} from '../core/lists.js';
import type {QuotaClaim, QuotaVerdict} from '../core/quota.js';
import type {Resource} from '../core/resource.js';
import type {Membership} from '../teams/team.js';
import type {KeptReply, Reply} from './reply.js';
import type {Work} from '../core/work.js';
import type {Collection, NameSpace, Write} from './writes.js';

/**
 * A mutation as data: a service builds it from the data that it has read, and the store runs it as one atomic
 * step. Guards state the data that the plan was built on. When one no longer holds, nothing is written and
 * the service plans again: a service decides every refusal that a caller sees, and no script does.
 */
export interface Commit extends CommitPart {
  readonly reply: Reply;
  /** `release`: frees memory, ends something, or records the end of work. It also runs on a full store. */
  readonly effect?: 'growth' | 'release';
  /**
   * The person that it lets in. For each person it also runs in a full workspace, `limits.waysInWhileFull`
   * times a day.
   */
  readonly lets?: PrincipalId;
}

/** The contribution of one step to a commit. */
export interface CommitPart {
  readonly guards: readonly Guard[];
  /**
   * Writes of one kind run together: none depends on another of the same commit, except that
   * `erase-revisions` comes last.
   */
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

/** Drops duplicates: several parts of a commit may have the same guard. */
export function distinctGuards(guards: readonly Guard[]): Guard[] {
  return [...new Map(guards.map((guard) => [JSON.stringify(guard), guard])).values()];
}

/** Changes nothing: only the answer to an idempotency key is kept. */
export const emptyCommit: Commit = {...nothing, reply: {kind: 'empty'}};

/** Deletes data, on a full store too, without any event. */
export function deletionCommit(writes: readonly Write[]): Commit {
  return {...emptyCommit, effect: 'release', writes};
}

export type Guard =
  | {readonly check: 'unchanged'; readonly collection: Collection; readonly version: string}
  | {readonly check: 'revision'; readonly id: Id; readonly revision: number}
  /**
   * Exactly the revision that was read: a store that went back to an earlier state (a failover, a backup) may
   * make another with the same number.
   */
  | ({readonly check: 'as-read'} & Pick<Resource, 'id' | 'revision' | 'created_at' | 'updated_at'>)
  /** `but`: an id that the name may lead to already. */
  | {
      readonly check: 'name-free';
      readonly names: NameSpace;
      readonly name: string;
      readonly but?: IdSuffix;
    }
  /** The membership of a member in a team: none, any, an accepted one, a lead's, or exactly this one. */
  | {
      readonly check: 'membership';
      readonly team: Id<'team'>;
      readonly member: PrincipalId;
      readonly is: 'none' | 'any' | 'accepted' | 'lead' | Membership;
    }
  /** The running replay of this webhook (its id suffix), or null for none. */
  | {
      readonly check: 'replaying';
      readonly webhook: IdSuffix<'webhook'>;
      readonly replay: IdSuffix<'replay'> | null;
    }
  /** The list has fewer, or more, entries than this. `past`: only entries with a higher score count. */
  | ({readonly check: 'length'; readonly list: ListName; readonly past?: number} & (
      | {readonly below: number}
      | {readonly above: number}
    ))
  /** The list has exactly these entries (id suffixes), in this order. */
  | {readonly check: 'listed'; readonly list: ListName; readonly suffixes: readonly IdSuffix[]}
  /** The list has no entry under that day. */
  | {readonly check: 'day-free'; readonly list: ListName; readonly day: number}
  /**
   * No other look at the team's schedule has been requested, and no step of its runs done, since `asked` was
   * read: see `RunSteps`.
   */
  | {readonly check: 'unasked'; readonly team: IdSuffix<'team'>; readonly asked: number}
  /** The commit runs before this instant (ms), at which one of its assumptions ends. */
  | {readonly check: 'before'; readonly instant: number}
  /**
   * No standup of an open run (its id suffix) has been posted, changed or deleted since they were counted.
   */
  | {readonly check: 'run-posts'; readonly run: IdSuffix<'run'>; readonly count: number}
  /**
   * The webhook has had no success since then (ms), and its workspace has been notified of that, or not
   * (`warned`).
   */
  | {
      readonly check: 'failing';
      readonly webhook: IdSuffix<'webhook'>;
      readonly since: number;
      readonly warned: boolean;
    }
  /** The record of what a Slack user (Slack's id) types is at this version; empty for none. */
  | {readonly check: 'typed'; readonly slackUser: string; readonly version: string}
  /**
   * The time of the bot's last installation in the workspace's Slack (ms; null for none), and whether it has
   * a token there.
   */
  | {readonly check: 'slack'; readonly installedAt: number | null; readonly connected: boolean};

export interface EventDraft {
  readonly type: EventType;
  /** Id suffix of the resource that it is about. */
  readonly about: IdSuffix;
  readonly revision: number;
  /** Id of the team it belongs to, for subscriptions by team. */
  readonly team?: Id<'team'>;
  /** The start of what it reports (ms). */
  readonly since?: number;
  /** The people who were reminded. */
  readonly reminded?: ReminderRecord;
  /** The reason why Slack does not show it. */
  readonly reason?: string;
}

/** Conditions of the caller that the script checks before everything else. */
export interface CommitTerms extends Pick<ActingCaller, 'principal' | 'entryPoint' | 'requestId'> {
  readonly workspace: Id<'workspace'>;
  readonly deadline: number;
  readonly token?: Pick<Credential, 'id'>;
  readonly quota?: QuotaClaim;
  readonly idempotency?: IdempotencyKey;
}

/** `verdict`: the result of the claim on the quota, if the script has checked it. */
export type CommitOutcome = {readonly verdict?: QuotaVerdict | undefined} & CommitResult;

type CommitResult =
  | {
      readonly kind: 'committed';
      /** Redis time of the commit in ms: the `created_at` or `updated_at` of what it wrote. */
      readonly at: number;
      /** Sequence of the last event in the log, this commit's own included. */
      readonly sequence: number;
      /** Work that it has made due, so that a worker in this process need not ask for it. */
      readonly due: readonly Work[];
    }
  | ({readonly kind: 'kept'} & StoredAnswer)
  | {readonly kind: 'stale' | 'token-dead' | 'over-quota' | 'too-late' | 'store-lost' | 'workspace-full'};

/** An earlier answer to an idempotency key. */
export interface StoredAnswer {
  /** The beginning of the first request's fingerprint; no other fingerprint begins so. */
  readonly fingerprint: string;
  readonly reply: KeptReply;
  /** Set for an answer that depends on it. */
  readonly made?: CommitStamp;
}

/** The time of a commit (ms), and the sequence of its last event. */
export interface CommitStamp {
  readonly at: number;
  readonly sequence: number;
}
