import type {BatchWork} from '../core/work.js';
import type {ErasedCounts, ErasureState} from '../members/erasure.js';
import type {Id, IdKind, IdSuffix} from '../core/ids.js';
import type {Listing, ListName} from '../core/lists.js';
import type {PromptMoment} from '../prompts/prompt.js';
import {type DraftJson, renderDraft, type Resource} from '../core/resource.js';
import type {ReplayPlan} from '../webhooks/replay.js';
import type {TeamPlace} from '../teams/team.js';
import type {Ordering, Throttle} from '../webhooks/webhook-settings.js';
import type {PrincipalId} from '../core/access.js';

/** Everything that a commit may write: a family for each feature, whose scripts stand in `store/commit/`. */
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
  | ErasureWrite;

/**
 * Collections that processes keep in memory. Each change to one draws its version anew, and none is ever
 * drawn twice: a number would be counted again by a store that was set back.
 */
export type Collection = 'teams' | 'webhooks';

/** Unique names inside a workspace, each leading to one id of this kind. */
export interface NamedKinds {
  readonly 'team-slug': 'team';
  readonly 'slack-channel': 'team';
  readonly 'slack-user': 'member';
  readonly email: 'member';
  /** By the drawn half of their own id: those whose names somebody below an owner has given (given-names.ts). */
  readonly unconfirmed: 'member';
  /** By the drawn half of their own id: those whose name, or e-mail address, came from Slack (slack-names.ts). */
  readonly 'slack-name': 'member';
  readonly 'slack-email': 'member';
  readonly 'service-account': 'service_account';
}

export type NameSpace = keyof NamedKinds;

export interface CreateWrite {
  readonly do: 'create';
  readonly kind: IdKind;
  readonly drawn: IdSuffix;
  readonly draft: DraftJson;
  readonly lists: readonly Listing[];
  /** Something else that the same commit creates, whose `unbornId` stands once in the draft. */
  readonly ofNew?: {readonly kind: IdKind; readonly drawn: IdSuffix};
}

export interface ReviseWrite {
  readonly do: 'revise';
  readonly id: Id;
  /** The revision that this one follows; a guard on it is implied. */
  readonly from: number;
  readonly createdAt: string;
  readonly draft: DraftJson;
  /**
   * The revision that this one follows. Given, it stays only as long as the events that tell of it,
   * instead of as long as the record, and as its difference to this one.
   */
  readonly before?: {readonly draft: DraftJson; readonly updatedAt: string};
  /** Lists in which the day changes; the place inside the day stays. */
  readonly move?: readonly Required<Listing>[];
}

/**
 * `remove`: the last revision stays as long as the events that tell of it. `erase`: no revision stays, and
 * events about it have no data from then on.
 */
export type How = 'remove' | 'erase';

/** Something is no longer there. A guard on `from` is implied. */
export interface RemoveWrite {
  readonly do: 'remove';
  readonly id: Id;
  readonly from: number;
  readonly lists: readonly ListName[];
  /** The people it names (ids): what is removed is listed of each, so that their erasure finds what stays. */
  readonly names: readonly PrincipalId[];
  /** `remove` when left out. */
  readonly how?: How;
}

export type RecordWrite =
  | CreateWrite
  | ReviseWrite
  | RemoveWrite
  /** Forgets the earlier revisions of something, and all of what was removed before. */
  | {readonly do: 'erase-revisions'; readonly drawn: IdSuffix}
  /** Something leaves a list, or enters one at the place it has in a third. */
  | {
      readonly do: 'relist';
      readonly drawn: IdSuffix;
      readonly from: ListName | null;
      readonly to: {readonly list: ListName; readonly placedAs: ListName} | null;
    }
  /** A name leads to something from now on. */
  | {readonly do: 'name'; readonly names: NameSpace; readonly name: string; readonly drawn: IdSuffix}
  /** A name leads to something no longer; one that leads to something else goes on. */
  | {readonly do: 'free-name'; readonly names: NameSpace; readonly name: string; readonly drawn: IdSuffix}
  /** Something of a collection (drawn half of its id) has changed. */
  | {readonly do: 'touch'; readonly collection: Collection; readonly drawn: IdSuffix};

/** Work that is too much for one commit begins at once, and jobs do it in batches. */
export interface WorkWrite {
  readonly do: 'begin-work';
  readonly work: BatchWork;
}

export type TeamWrite =
  /** The place of a member in a team from now on; null for none. */
  | {
      readonly do: 'place';
      readonly team: Id<'team'>;
      readonly member: Id<'member'>;
      readonly place: TeamPlace | null;
    }
  | {readonly do: 'disband'; readonly team: Id<'team'>};

/** A token (drawn half of its id) is good from now on; null: no longer. */
export interface TokenWrite {
  readonly do: 'admit-token';
  readonly drawn: IdSuffix<'access_token'>;
  readonly admitted: {
    /** In ms. */
    readonly until: number;
    /** SHA-256 of what whoever uses it must show; left out where a signature says enough. */
    readonly proof?: string | undefined;
  } | null;
}

export type RunWrite =
  /**
   * Steps of a run are taken: nobody takes them again. A guard is implied that none of them has been taken,
   * or with `after` none since then (ms). `run`: drawn half of its id.
   */
  | {
      readonly do: 'take-steps';
      readonly run: IdSuffix<'run'>;
      readonly steps: readonly string[];
      readonly after?: number;
    }
  | {readonly do: 'drop-steps'; readonly run: IdSuffix<'run'>}
  /**
   * A standup of an open run (its drawn half) is posted, changed or deleted: whoever closes the run must
   * have seen it.
   */
  | {readonly do: 'count-run-post'; readonly run: IdSuffix<'run'>}
  /**
   * Somebody looks at a team's schedule again at once: an earlier look does not know what this commit makes
   * due. What it makes due is so from this commit on, where nothing was due before. `settled`: no opening is
   * due by the earlier rules, and the new ones count from now on. `step`: a step of a run is done, and nobody
   * need look at once.
   */
  | {readonly do: 'ask-look'; readonly team: IdSuffix<'team'>; readonly after?: 'settled' | 'step'}
  /**
   * Everything that was due until `seen` (ms) is settled; `next`: when there will be something to do (ms),
   * null for never. Guard with `unasked`.
   */
  | {
      readonly do: 'look-again';
      readonly team: IdSuffix<'team'>;
      readonly seen: number;
      readonly next: number | null;
    }
  /** The notes on looks at the schedule of a deleted team go. */
  | {readonly do: 'forget-looks'; readonly team: IdSuffix<'team'>};

/** `webhook` is the drawn half of its id. */
export type WebhookWrite =
  /** A new secret; those before it go on for the overlap, the last two of them, and none for longer. */
  | {
      readonly do: 'keep-secret';
      readonly webhook: IdSuffix<'webhook'>;
      readonly sealed: string;
      readonly overlapMs: number;
    }
  /** The headers that it sends besides ours, encrypted; null for none. */
  | {readonly do: 'keep-headers'; readonly webhook: IdSuffix<'webhook'>; readonly sealed: string | null}
  /** How fast, and in which order, its deliveries are given out. */
  | {
      readonly do: 'pace-webhook';
      readonly webhook: IdSuffix<'webhook'>;
      readonly concurrency: number;
      readonly ordering: Ordering;
      readonly throttle: Throttle | null;
    }
  /** Switched on it begins anew: nothing is remembered of its failures. */
  | {readonly do: 'switch-webhook'; readonly webhook: IdSuffix<'webhook'>; readonly on: boolean}
  /** Events that fan-out has not come to are for the webhook as it was: at this revision. */
  | {readonly do: 'hold-place'; readonly webhook: IdSuffix<'webhook'>; readonly revision: number}
  /** Its workspace has been told that it fails: once until it succeeds again. */
  | {readonly do: 'mark-warned'; readonly webhook: IdSuffix<'webhook'>}
  /** It is deleted, and all that its deliveries were made of. */
  | {readonly do: 'close-webhook'; readonly webhook: IdSuffix<'webhook'>}
  /** The answers of receivers to its deliveries go: they may have repeated what was sent. */
  | {readonly do: 'forget-responses'; readonly webhook: IdSuffix<'webhook'>}
  /** `delivery`: drawn half of its id. */
  | {
      readonly do: 'redeliver';
      readonly webhook: IdSuffix<'webhook'>;
      readonly delivery: IdSuffix<'delivery'>;
    }
  /** What waits for its next attempt is due, and so is the probe of a breaker that is open. */
  | {readonly do: 'try-webhook'; readonly webhook: IdSuffix<'webhook'>};

export type ReplayWrite =
  /** `instead`: drawn half of the oldest one of the webhook, which is kept no longer. */
  | {
      readonly do: 'start-replay';
      readonly drawn: IdSuffix<'replay'>;
      readonly plan: ReplayPlan;
      readonly instead?: IdSuffix<'replay'>;
    }
  /** The work of the replay takes back what of it still waits. */
  | {
      readonly do: 'cancel-replay';
      readonly webhook: IdSuffix<'webhook'>;
      readonly replay: IdSuffix<'replay'>;
    };

export type SlackWrite =
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
      /** The member who has installed it. */
      readonly by: Id<'member'> | undefined;
    }
  /** The token is forgotten; whose installation it was, and what waits for Slack, stays. */
  | {readonly do: 'disconnect-slack'}
  /**
   * A member (drawn half of the id) is no longer this user of Slack (Slack's id): listed as removed of them.
   */
  | {readonly do: 'leave-slack'; readonly member: IdSuffix<'member'>; readonly slackUser: string}
  /** The record of what somebody (Slack's id) types: JSON, with a new version. Guard with `typed`. */
  | {readonly do: 'keep-typed'; readonly slackUser: string; readonly version: string; readonly json: string};

/** About the one message of a date by which somebody is reminded in Slack: by the member's own clocks. */
export type PromptWrite =
  /** They are to be reminded of a run: what is noted before is kept, and noting it again changes nothing. */
  | {
      readonly do: 'prompt';
      readonly member: Id<'member'>;
      /** Slack's id. */
      readonly slackUser: string;
      readonly date: string;
      readonly team: Id<'team'>;
      readonly run: Id<'run'>;
      /** The close of the run for them (ms). */
      readonly closesAt: number;
      /** Why they are reminded. */
      readonly moment: PromptMoment;
      /** From when on they may be sent something (ms; the end of their quiet hours). */
      readonly notBefore: number;
    }
  /** Nothing of that day's message until then (ms); after that it comes anew. Nothing where there is none. */
  | {
      readonly do: 'snooze-prompt';
      /** Drawn half of their id. */
      readonly member: IdSuffix<'member'>;
      readonly slackUser: string;
      readonly date: string;
      readonly until: number;
    };

export type ErasureWrite =
  /** `revoked`: how many tokens the same commit takes away. */
  | {
      readonly do: 'start-erasure';
      readonly drawn: IdSuffix<'erasure'>;
      readonly member: PrincipalId;
      readonly revoked: number;
    }
  | {
      readonly do: 'note-erasure';
      readonly erasure: IdSuffix<'erasure'>;
      readonly state: Exclude<ErasureState, 'queued'>;
      readonly erased: Partial<ErasedCounts>;
    };

/** Something new. `drawn`: of its id; `ofNew`: as in `CreateWrite`. */
export function createWrite(
  kind: IdKind,
  drawn: IdSuffix,
  draft: object,
  lists: readonly Listing[],
  ofNew?: CreateWrite['ofNew'],
): CreateWrite {
  return {do: 'create', kind, drawn, draft: renderDraft(draft), lists, ...(ofNew && {ofNew})};
}

/** The next revision of a resource, with what `ReviseWrite` may have besides. */
export function reviseWrite(
  {id, revision: from, created_at: createdAt}: Resource,
  draft: object,
  more?: Pick<ReviseWrite, 'before' | 'move'>,
): ReviseWrite {
  return {do: 'revise', id, from, createdAt, draft: renderDraft(draft), ...more};
}
