import type {IdempotencyKey} from '../core/access.js';
import type {Acting} from '../core/actor.js';
import type {ErasedCounts, ErasureState} from '../members/erasure.js';
import type {EventType, Reminded} from '../events/event.js';
import type {Id, IdKind} from '../core/ids.js';
import type {Listing, ListName} from '../core/lists.js';
import type {PromptMoment} from '../prompts/prompt.js';
import type {QuotaClaim, QuotaVerdict} from '../core/quota.js';
import type {ReplayPlan} from '../webhooks/replay.js';
import type {Resource} from '../core/resource.js';
import type {TeamPlace, TeamRole} from '../teams/team.js';
import type {Ordering, Throttle} from '../webhooks/webhook-settings.js';
import type {RestatedDays} from '../core/work.js';

/**
 * A mutation as data: a service builds it from what it has read, and the store runs it as one atomic step.
 * Guards state what the plan was built on; when one no longer holds nothing is written and the service
 * plans again, so every refusal a caller sees is decided in a service and none in a script.
 */
export interface Commit {
  readonly guards: readonly Guard[];
  /**
   * Those of one kind are made together: none rests on another of the same commit, except that
   * `erase-revisions` comes last.
   */
  readonly writes: readonly Write[];
  readonly events: readonly EventDraft[];
  /** What the caller is answered, and every repeat with the same idempotency key. */
  readonly reply: Reply;
  /** `release`: frees memory, ends something, or records the end of work. It also runs on a full store. */
  readonly effect?: 'growth' | 'release';
}

/**
 * Collections that processes keep in memory. Each change to one draws its version anew, and none is ever
 * drawn twice: a number would be counted again by a store that was set back.
 */
export type Collection = 'teams' | 'webhooks';

/** Unique names inside a workspace, each leading to one id. */
export type NameSpace = 'team-slug' | 'slack-channel' | 'slack-user' | 'email' | 'service-account';

export type Guard =
  | {readonly check: 'unchanged'; readonly collection: Collection; readonly version: string}
  | {readonly check: 'revision'; readonly id: string; readonly revision: number}
  /** The same by all that tells a revision from another one of its number, which a store that was set back may make. */
  | ({readonly check: 'as-read'} & Pick<Resource, 'id' | 'revision' | 'created_at' | 'updated_at'>)
  | {readonly check: 'name-free'; readonly names: NameSpace; readonly name: string}
  | {
      readonly check: 'joined';
      readonly team: string;
      readonly member: string;
      readonly role?: TeamRole;
      /** They have accepted their place. */
      readonly accepted?: true;
    }
  /** They are in the team by this very place, as it was read. */
  | ({readonly check: 'placed'; readonly team: string; readonly member: string} & TeamPlace)
  | {readonly check: 'apart'; readonly team: string; readonly member: string}
  /** The replay of this webhook that runs (drawn half), or null for none. */
  | {readonly check: 'replaying'; readonly webhook: string; readonly replay: string | null}
  /** `above`: of the members only those with a higher score count. */
  | {readonly check: 'shorter'; readonly list: ListName; readonly than: number; readonly above?: number}
  | {readonly check: 'longer'; readonly list: ListName; readonly than: number}
  /** These (drawn halves) and no others stand in the list, in this order. */
  | {readonly check: 'listed'; readonly list: ListName; readonly drawn: readonly string[]}
  /** Nothing in this list stands under that day. */
  | {readonly check: 'day-free'; readonly list: ListName; readonly day: number}
  /**
   * Nobody has asked for another look at a team's schedule, or done a step of its runs, since it was read
   * how often they have: see `RunSteps`.
   */
  | {readonly check: 'unasked'; readonly team: string; readonly asked: number}
  /** The commit comes before this instant (ms), at which something that it takes for settled comes due. */
  | {readonly check: 'before'; readonly instant: number}
  /**
   * Since they were counted no standup of an open run (its drawn half) has been posted, changed or deleted.
   */
  | {readonly check: 'run-posts'; readonly run: string; readonly count: number}
  /** The webhook has not had one success since then (ms), and its workspace has been told of it or not. */
  | {readonly check: 'failing'; readonly webhook: string; readonly since: number; readonly warned: boolean}
  /** The record of what somebody (Slack's id) types is at this version; empty for none. */
  | {readonly check: 'typed'; readonly slackUser: string; readonly version: string}
  /**
   * When the bot was last installed in the workspace's Slack (ms; null for never), and whether it has a
   * token there.
   */
  | {readonly check: 'slack'; readonly installedAt: number | null; readonly connected: boolean};

export type Write =
  | {
      readonly do: 'create';
      readonly kind: IdKind;
      readonly drawn: string;
      readonly draft: object;
      /** The draft by `renderDraft`, where whoever plans has it. */
      readonly rendered?: string;
      readonly lists: readonly Listing[];
      /** Something else that the same commit creates, whose `unbornId` stands once in the draft. */
      readonly ofNew?: {readonly kind: IdKind; readonly drawn: string};
    }
  | {
      readonly do: 'revise';
      readonly id: Id;
      /** The revision that this one follows; a guard on it is implied. */
      readonly from: number;
      readonly createdAt: string;
      readonly draft: object;
      /**
       * The revision that this one follows. Given, it stays only as long as the events that tell of it,
       * instead of as long as the record, and as its difference to this one.
       */
      readonly before?: {readonly draft: object; readonly updatedAt: string};
      /** Lists in which the day changes; the place inside the day stays. */
      readonly move?: readonly Required<Listing>[];
    }
  /**
   * `remove`: the last revision stays as long as the events that tell of it. `erase`: no revision stays, and
   * events about it have no data from then on. A guard on `from` is implied. `names`: ids of the people it
   * names; what is removed is listed of each, so that their erasure finds what stays.
   */
  | {
      readonly do: 'remove' | 'erase';
      readonly id: string;
      readonly from: number;
      readonly lists: readonly ListName[];
      readonly names: readonly string[];
    }
  /** Forgets the earlier revisions of something, and all of what was removed before. */
  | {readonly do: 'erase-revisions'; readonly drawn: string}
  /** Moves something from one list to another, to the place it has in a third; null is no list. */
  | {
      readonly do: 'relist';
      readonly drawn: string;
      readonly from: ListName | null;
      readonly to: ListName | null;
      readonly placedAs: ListName;
    }
  | {readonly do: 'take-name'; readonly names: NameSpace; readonly name: string; readonly drawn: string}
  | {readonly do: 'free-name'; readonly names: NameSpace; readonly name: string}
  /**
   * A member (drawn half of the id) is no longer this user of Slack (Slack's id): listed as removed of them.
   */
  | {readonly do: 'leave-slack'; readonly member: string; readonly slackUser: string}
  /** Something of a collection (drawn half of its id) has changed. */
  | {readonly do: 'touch'; readonly collection: Collection; readonly drawn: string}
  /** `place`: drawn half of the id of the place in the team. */
  | {
      readonly do: 'join';
      readonly team: string;
      readonly member: string;
      readonly role: TeamRole;
      readonly accepted: boolean;
      readonly place: string;
    }
  | {readonly do: 'leave'; readonly team: string; readonly member: string}
  | {readonly do: 'disband'; readonly team: string}
  /** `proof`: SHA-256 of what whoever uses it must show; left out where a signature says enough. */
  | {
      readonly do: 'allow-token';
      readonly drawn: string;
      readonly expiresAt: number;
      readonly proof?: string;
    }
  | {readonly do: 'revoke-token'; readonly id: string}
  | {readonly do: 'keep-secret'; readonly drawn: string; readonly sealed: string}
  /** A new secret; those before it go on for the overlap, the last two of them, and none for longer. */
  | {
      readonly do: 'rotate-secret';
      readonly drawn: string;
      readonly sealed: string;
      readonly overlapMs: number;
    }
  | {readonly do: 'drop-secret'; readonly id: string}
  /** What a webhook sends besides our headers, encrypted; null for nothing. */
  | {readonly do: 'keep-headers'; readonly webhook: string; readonly sealed: string | null}
  /** How fast, and in which order, deliveries of a webhook are given out. */
  | {
      readonly do: 'pace-webhook';
      readonly webhook: string;
      readonly concurrency: number;
      readonly ordering: Ordering;
      readonly throttle: Throttle | null;
    }
  | {readonly do: 'open-webhook'; readonly drawn: string}
  | {readonly do: 'pause-webhook'; readonly drawn: string}
  /** Events that fan-out has not come to are for the webhook as it was: at this revision. */
  | {readonly do: 'hold-place'; readonly drawn: string; readonly revision: number}
  /** Its workspace has been told that the webhook fails: once until it succeeds again. */
  | {readonly do: 'mark-warned'; readonly webhook: string}
  | {readonly do: 'close-webhook'; readonly id: string}
  /** What receivers have said to a webhook's deliveries: they may have repeated what was sent. */
  | {readonly do: 'forget-responses'; readonly webhook: string}
  | {readonly do: 'redeliver'; readonly webhook: string; readonly delivery: string}
  /** `instead`: drawn half of the oldest one of the webhook, which is kept no longer. */
  | {
      readonly do: 'start-replay';
      readonly drawn: string;
      readonly plan: ReplayPlan;
      readonly instead?: string;
    }
  /** What of it still waits is taken back by the work of the replay. */
  | {readonly do: 'cancel-replay'; readonly webhook: string; readonly replay: string}
  /**
   * The bot is installed, from now on with this token (encrypted): Slack reads the log, and what waits for
   * it goes on at once. `id`: Slack's.
   */
  | {
      readonly do: 'connect-slack';
      readonly id: string;
      readonly sealed: string;
      /** Slack's name. */
      readonly name: string;
      /** Id of the member who has installed it. */
      readonly by: string | undefined;
    }
  /** The token is forgotten; whose installation it was, and what waits for Slack, stays. */
  | {readonly do: 'disconnect-slack'}
  /**
   * Somebody is to be reminded of a run by the one message of that date of theirs, which names all their
   * teams: what is noted before is kept, and what is noted again changes nothing. `slackUser`: Slack's id;
   * `date`: by the member's own clocks; `closesAt`: when the run closes for them (ms); `moment`: why;
   * `notBefore`: from when on they may be sent something (ms; the end of their quiet hours).
   */
  | {
      readonly do: 'prompt';
      readonly member: string;
      readonly slackUser: string;
      readonly date: string;
      readonly team: string;
      readonly run: string;
      readonly closesAt: number;
      readonly moment: PromptMoment;
      readonly notBefore: number;
    }
  /** Nothing of that day's message until then (ms); after that it comes anew. Nothing where there is none. */
  | {
      readonly do: 'snooze-prompt';
      readonly member: string;
      readonly slackUser: string;
      readonly date: string;
      readonly until: number;
    }
  /** The record of what somebody (Slack's id) types: JSON, with a new version. Guard with `typed`. */
  | {readonly do: 'keep-typed'; readonly slackUser: string; readonly version: string; readonly json: string}
  /**
   * Steps of a run are taken: nobody takes them again. A guard is implied that none of them has been taken,
   * or with `after` none since then (ms). `run`: drawn half of its id.
   */
  | {
      readonly do: 'take-steps';
      readonly run: string;
      readonly steps: readonly string[];
      readonly after?: number;
    }
  /**
   * Somebody has to look at a team's schedule at once; where nothing is due, what the commit makes due is
   * so since then. `settled`: no opening is due by the rules of before, and those of after count from now on.
   */
  | {readonly do: 'ask-look'; readonly team: string; readonly settled?: true}
  /**
   * A step of a team's runs is done: whoever has looked at them before it does not know what it makes due,
   * and looks again.
   */
  | {readonly do: 'void-looks'; readonly team: string}
  /**
   * Everything that was due until `seen` (ms) is settled; `next`: when there will be something to do (ms),
   * null for never. Guard with `unasked`.
   */
  | {readonly do: 'look-again'; readonly team: string; readonly seen: number; readonly next: number | null}
  | {readonly do: 'drop-steps'; readonly run: string}
  /** What has been noted of looks at a deleted team's schedule. */
  | {readonly do: 'forget-looks'; readonly team: string}
  | {readonly do: 'unlist'; readonly drawn: string; readonly list: ListName}
  | {readonly do: 'purge-team'; readonly team: string}
  /**
   * A standup of an open run (its drawn half) is posted, changed or deleted: whoever closes the run must
   * have seen it.
   */
  | {readonly do: 'count-run-post'; readonly run: string}
  /** Closed runs of these days are looked at again: who is off there may be another. */
  | {readonly do: 'restate-runs'; readonly days: RestatedDays}
  /** `erasure`: drawn half of its id, when everything of them is to be erased. */
  | {
      readonly do: 'forget-member';
      readonly member: string;
      readonly erase: boolean;
      readonly erasure?: string;
    }
  /** `revoked`: how many tokens the same commit takes away. */
  | {
      readonly do: 'start-erasure';
      readonly drawn: string;
      readonly member: string;
      readonly revoked: number;
    }
  | {
      readonly do: 'note-erasure';
      readonly erasure: string;
      readonly state: Exclude<ErasureState, 'queued'>;
      readonly erased: Partial<ErasedCounts>;
    };

export interface EventDraft {
  readonly type: EventType;
  /** Drawn half of the id of the resource it is about. */
  readonly about: string;
  readonly revision: number;
  /** Id of the team it belongs to, for subscriptions by team. */
  readonly team?: Id<'team'>;
  /** When what it tells of began (ms). */
  readonly since?: number;
  /** Who was reminded. */
  readonly reminded?: Reminded;
  /** Why it is not shown in Slack. */
  readonly reason?: string;
}

/** One revision of one resource; its drawn half names it. */
interface RevisionRef {
  readonly drawn: string;
  readonly revision: number;
}

export interface Reply {
  readonly status: 200 | 201 | 202 | 204;
  /** The revision that is the body; absent for an answer without one. */
  readonly resource?: RevisionRef;
  /** The revisions that are the rows of a list, which is the body. */
  readonly resources?: readonly RevisionRef[];
  /** Members shown this once besides the resource's own (a secret), encrypted. */
  readonly sealed?: string;
  /** Members shown besides the resource's own that may have changed when a repeat comes. */
  readonly beside?: object;
  /**
   * Id of the key that signs the access token in the answer: a repeat signs the same claims with it again.
   */
  readonly signedBy?: string;
  /** A body that is no resource revision. */
  readonly inline?: string;
  /**
   * The id of the webhook that the commit's only event is a test of: the body is the delivery of that
   * event.
   */
  readonly tests?: Id<'webhook'>;
  /** Drawn half of the erasure that the commit starts: its id is known with the time. */
  readonly erases?: string;
  /** The replay that the commit starts: the body is how it begins. */
  readonly starts?: {readonly drawn: string; readonly plan: ReplayPlan};
  /** In what the store has kept of either reply: when the commit was made, and the sequence of its event. */
  readonly made?: {readonly at: number; readonly sequence: number};
}

/** Conditions of the caller that the script checks before everything else. */
export interface CommitTerms extends Pick<Acting, 'principal' | 'door' | 'requestId'> {
  readonly workspace: string;
  readonly deadline: number;
  readonly token?: {readonly id: string};
  readonly quota?: QuotaClaim;
  readonly idempotency?: IdempotencyKey;
}

/** `verdict`: what the claim on the quota came to, where the script has looked at it. */
export type CommitOutcome = {readonly verdict?: QuotaVerdict} & CommitResult;

type CommitResult =
  | {
      readonly kind: 'committed';
      /** Redis time of the commit in ms: the `created_at` or `updated_at` of what it wrote. */
      readonly at: number;
      /** Sequence of the last event in the log, this commit's own included. */
      readonly sequence: number;
    }
  /** `fingerprint`: how that of the first request begins; no other begins so. */
  | {readonly kind: 'kept'; readonly fingerprint: string; readonly reply: Reply}
  | {readonly kind: 'stale' | 'token-dead' | 'over-quota' | 'too-late' | 'store-lost'};
