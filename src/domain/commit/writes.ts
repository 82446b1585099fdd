import type {BatchWork} from '../core/work.js';
import type {ErasedCounts, ErasureState} from '../members/erasure.js';
import type {Id, IdKind, IdSuffix} from '../core/ids.js';
import type {Listing, ListName} from '../core/lists.js';
import type {PromptMoment} from '../prompts/prompt.js';
import {type DraftJson, renderDraft, type Resource} from '../core/resource.js';
import type {ReplayPlan} from '../webhooks/replay.js';
import type {Membership} from '../teams/team.js';
import type {Ordering, Throttle} from '../webhooks/webhook-settings.js';
import type {PrincipalId} from '../core/access.js';

/** Everything that a commit may write: a family for each feature, with its scripts in `store/commit/`. */
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
 * Collections that processes keep in memory. Each change generates a new random version, which never repeats:
 * a counter would repeat numbers in a store that went back to an earlier state.
 */
export type Collection = 'teams' | 'webhooks';

/** Unique names inside a workspace, each leading to one id of this kind. */
export interface NamedKinds {
  readonly 'team-slug': 'team';
  readonly 'slack-channel': 'team';
  readonly 'slack-user': 'member';
  readonly email: 'member';
  /**
   * By the member's own id suffix: members whose name was given by a caller below an owner (given-names.ts).
   */
  readonly unconfirmed: 'member';
  /**
   * By the member's own id suffix: members whose name, or e-mail address, came from Slack (slack-names.ts).
   */
  readonly 'slack-name': 'member';
  readonly 'slack-email': 'member';
  readonly 'service-account': 'service_account';
}

export type NameSpace = keyof NamedKinds;

export interface CreateWrite {
  readonly do: 'create';
  readonly kind: IdKind;
  readonly suffix: IdSuffix;
  readonly draft: DraftJson;
  readonly lists: readonly Listing[];
  /** Something else that the same commit creates. Its provisional id appears once in the draft. */
  readonly ofNew?: {readonly kind: IdKind; readonly suffix: IdSuffix};
}

export interface ReviseWrite {
  readonly do: 'revise';
  readonly id: Id;
  /** The revision that this one follows; a guard on it is implied. */
  readonly from: number;
  readonly createdAt: string;
  readonly draft: DraftJson;
  /**
   * The revision that this one follows. If given, it is stored as a difference to this one and kept only as
   * long as the events about it; otherwise it is kept as long as the record.
   */
  readonly before?: {readonly draft: DraftJson; readonly updatedAt: string};
  /** Lists in which its day changes; its position inside the day stays. */
  readonly move?: readonly Required<Listing>[];
}

/**
 * `remove`: the last revision stays as long as the events about it. `erase`: no revision stays, and events
 * about it have no data from then on.
 */
export type RemovalMode = 'remove' | 'erase';

/** Deletes a resource. A guard on `from` is implied. */
export interface RemoveWrite {
  readonly do: 'remove';
  readonly id: Id;
  readonly from: number;
  readonly lists: readonly ListName[];
  /**
   * Ids of the people it names. The removed resource is listed for each, so that their erasure finds what
   * remains of it.
   */
  readonly names: readonly PrincipalId[];
  /** Defaults to `remove`. */
  readonly how?: RemovalMode;
}

export type RecordWrite =
  | CreateWrite
  | ReviseWrite
  | RemoveWrite
  /** Deletes the earlier revisions of a resource, or every revision of a removed one. */
  | {readonly do: 'erase-revisions'; readonly suffix: IdSuffix}
  /** Takes a resource out of a list, or puts it into one at the position that it has in a third. */
  | {
      readonly do: 'relist';
      readonly suffix: IdSuffix;
      readonly from: ListName | null;
      readonly to: {readonly list: ListName; readonly positionFrom: ListName} | null;
    }
  /** The name leads to this resource from now on. */
  | {readonly do: 'name'; readonly names: NameSpace; readonly name: string; readonly suffix: IdSuffix}
  /** The name no longer leads to this resource. A name that leads to another one is left alone. */
  | {readonly do: 'free-name'; readonly names: NameSpace; readonly name: string; readonly suffix: IdSuffix}
  /** A resource of a collection (its id suffix) has changed. */
  | {readonly do: 'touch'; readonly collection: Collection; readonly suffix: IdSuffix};

/** Work too large for one commit: it begins at once, and jobs do it in batches. */
export interface WorkWrite {
  readonly do: 'begin-work';
  readonly work: BatchWork;
}

export type TeamWrite =
  /** The membership of a member in a team from now on; null for none. */
  | {
      readonly do: 'set-membership';
      readonly team: Id<'team'>;
      readonly member: Id<'member'>;
      readonly membership: Membership | null;
    }
  | {readonly do: 'disband'; readonly team: Id<'team'>};

/** The token (its id suffix) is valid from now on; null: no longer. */
export interface TokenWrite {
  readonly do: 'admit-token';
  readonly suffix: IdSuffix<'access_token'>;
  readonly admitted: {
    /** In ms. */
    readonly until: number;
    /** SHA-256 of the secret that the token's user must present; left out where a signature is enough. */
    readonly proof?: string | undefined;
  } | null;
}

export type RunWrite =
  /**
   * Takes steps of a run, each only once. A guard is implied that none of them has been taken, or with
   * `after` none since then (ms). `run`: its id suffix.
   */
  | {
      readonly do: 'take-steps';
      readonly run: IdSuffix<'run'>;
      readonly steps: readonly string[];
      readonly after?: number;
    }
  | {readonly do: 'drop-steps'; readonly run: IdSuffix<'run'>}
  /**
   * A standup of an open run (its id suffix) is posted, changed or deleted. The commit that closes the run
   * must have seen it.
   */
  | {readonly do: 'count-run-post'; readonly run: IdSuffix<'run'>}
  /**
   * Requests a look at a team's schedule at once, since an earlier look does not know what this commit makes
   * due. Where nothing was due before, that counts as due from this commit on. `settled`: no opening is due
   * by the earlier rules, and the new ones count from now on. `step`: a step of a run is done, and no
   * immediate look is needed.
   */
  | {readonly do: 'ask-look'; readonly team: IdSuffix<'team'>; readonly after?: 'settled' | 'step'}
  /**
   * Everything that was due until `seen` (ms) is done; `next`: when there will be something to do (ms), null
   * for never. Guard with `unasked`.
   */
  | {
      readonly do: 'look-again';
      readonly team: IdSuffix<'team'>;
      readonly seen: number;
      readonly next: number | null;
    }
  /** Deletes the notes on looks at the schedule of a deleted team. */
  | {readonly do: 'forget-looks'; readonly team: IdSuffix<'team'>};

/** `webhook` is the webhook's id suffix. */
export type WebhookWrite =
  /** Adds a secret. The last two before it stay valid for the overlap, and none for longer. */
  | {
      readonly do: 'keep-secret';
      readonly webhook: IdSuffix<'webhook'>;
      readonly encrypted: string;
      readonly overlapMs: number;
    }
  /** The headers that it sends besides ours, encrypted; null for none. */
  | {readonly do: 'keep-headers'; readonly webhook: IdSuffix<'webhook'>; readonly encrypted: string | null}
  /** The rate and the order in which its deliveries are sent. */
  | {
      readonly do: 'pace-webhook';
      readonly webhook: IdSuffix<'webhook'>;
      readonly concurrency: number;
      readonly ordering: Ordering;
      readonly throttle: Throttle | null;
    }
  /** Switches it on or off. Switched on, it starts afresh: its failures are forgotten. */
  | {readonly do: 'switch-webhook'; readonly webhook: IdSuffix<'webhook'>; readonly on: boolean}
  /** Events that fan-out has not reached are for the webhook as it was at this revision. */
  | {readonly do: 'hold-position'; readonly webhook: IdSuffix<'webhook'>; readonly revision: number}
  /** Its workspace has been notified that it fails: once until it succeeds again. */
  | {readonly do: 'mark-warned'; readonly webhook: IdSuffix<'webhook'>}
  /** Deletes it, with everything that its deliveries were made of. */
  | {readonly do: 'close-webhook'; readonly webhook: IdSuffix<'webhook'>}
  /** Deletes the receivers' answers to its deliveries: they may have repeated what was sent. */
  | {readonly do: 'forget-responses'; readonly webhook: IdSuffix<'webhook'>}
  /** `delivery`: its id suffix. */
  | {
      readonly do: 'redeliver';
      readonly webhook: IdSuffix<'webhook'>;
      readonly delivery: IdSuffix<'delivery'>;
    }
  /** Makes due what waits for its next attempt, and the probe of an open breaker. */
  | {readonly do: 'try-webhook'; readonly webhook: IdSuffix<'webhook'>};

export type ReplayWrite =
  /** `instead`: id suffix of the webhook's oldest replay, which is no longer kept. */
  | {
      readonly do: 'start-replay';
      readonly suffix: IdSuffix<'replay'>;
      readonly plan: ReplayPlan;
      readonly instead?: IdSuffix<'replay'>;
    }
  /** The replay's work takes back those of its deliveries that still wait. */
  | {
      readonly do: 'cancel-replay';
      readonly webhook: IdSuffix<'webhook'>;
      readonly replay: IdSuffix<'replay'>;
    };

export type SlackWrite =
  /**
   * Installs the bot with this token (encrypted) from now on: the log is read for Slack, and what waits for
   * Slack goes on at once. `id`: Slack's.
   */
  | {
      readonly do: 'connect-slack';
      readonly id: string;
      readonly encrypted: string;
      /** Slack's name. */
      readonly name: string;
      /** The member who has installed it. */
      readonly by: Id<'member'> | undefined;
    }
  /** Forgets the token. The record of the installation stays, and so does what waits for Slack. */
  | {readonly do: 'disconnect-slack'}
  /**
   * A member (its id suffix) is no longer this Slack user (Slack's id), who is listed as removed from them.
   */
  | {readonly do: 'leave-slack'; readonly member: IdSuffix<'member'>; readonly slackUser: string}
  /**
   * Stores the record of what a Slack user (Slack's id) types: JSON, with a new version. Guard with `typed`.
   */
  | {readonly do: 'keep-typed'; readonly slackUser: string; readonly version: string; readonly json: string};

/** Writes about the one Slack message that reminds a member on a date, in the member's own time zone. */
export type PromptWrite =
  /** Reminds a member of a run. Earlier notes stay, and noting it again changes nothing. */
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
      /** The reason why they are reminded. */
      readonly moment: PromptMoment;
      /** The earliest instant at which they may be sent something (ms; the end of their quiet hours). */
      readonly notBefore: number;
    }
  /** Holds that day's message back until then (ms), when it comes again. Does nothing where there is none. */
  | {
      readonly do: 'snooze-prompt';
      /** Their id suffix. */
      readonly member: IdSuffix<'member'>;
      readonly slackUser: string;
      readonly date: string;
      readonly until: number;
    };

export type ErasureWrite =
  /** `revoked`: how many tokens the same commit revokes. */
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

/** Creates a resource. `suffix`: its id suffix; `ofNew`: as in `CreateWrite`. */
export function createWrite(
  kind: IdKind,
  suffix: IdSuffix,
  draft: object,
  lists: readonly Listing[],
  ofNew?: CreateWrite['ofNew'],
): CreateWrite {
  return {do: 'create', kind, suffix, draft: renderDraft(draft), lists, ...(ofNew && {ofNew})};
}

/** The next revision of a resource, with optional members of `ReviseWrite`. */
export function reviseWrite(
  {id, revision: from, created_at: createdAt}: Resource,
  draft: object,
  more?: Pick<ReviseWrite, 'before' | 'move'>,
): ReviseWrite {
  return {do: 'revise', id, from, createdAt, draft: renderDraft(draft), ...more};
}
