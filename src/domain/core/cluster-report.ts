/** The slots and settings of a Redis Cluster, for the operator. */
export interface ClusterReport {
  /** The slots that no master serves, as the master sees it that misses most. */
  readonly unserved: number;
  /** True if every master refuses while one is away; undefined if the servers hide their settings. */
  readonly needsFullCoverage: boolean | undefined;
  /** The longest time (ms) after which a master counts as down; undefined if the servers hide it. */
  readonly nodeTimeoutMs: number | undefined;
}

export const slotCount = 16_384;

/** The node timeouts (ms) that we recommend, both included. */
export const nodeTimeouts = {least: 2_000, most: 5_000};

/**
 * The number of keys up to which a workspace may be moved key by key while it is used: on loopback, that many
 * move within the time of a request.
 */
export const movedWhileUsed = 20_000;

/** A workspace with more keys than `movedWhileUsed`. */
export interface LargeWorkspace<Id> {
  readonly workspace: Id;
  readonly keys: number;
}
