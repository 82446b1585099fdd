import type {Durability} from './durability.js';

/** The state of one Redis server of the store, for the operator. */
export interface ServerReport {
  /** Host and port. */
  readonly name: string;
  readonly role: 'master' | 'replica';
  /** Undefined if the server does not answer. */
  readonly found:
    | {
        readonly version: string;
        readonly durability: Durability;
        /** The bytes of its master's changes that a replica has not applied; undefined for a master. */
        readonly lagBytes: number | undefined;
        /** The number of replicas of a master that can confirm a change; undefined for a replica. */
        readonly replicas: number | undefined;
        /** The time (ms) by which its clock is ahead of that of the first master. */
        readonly skewMs: number;
      }
    | undefined;
}

/** The state of the whole store, for metrics. */
export interface StoreServers {
  readonly servers: readonly ServerReport[];
  /** The scripts of this process that stopped half-way, since its start. */
  readonly brokenScripts: number;
}

/** The largest difference (ms) of two clocks that harms nothing. Leases of a few seconds depend on them. */
export const harmlessSkewMs = 500;
