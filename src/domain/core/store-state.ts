/**
 * The states of the store. `full`: it accepts no new content. `read-only`: it accepts no writes (a replica, a
 * full disk). `lost`: its data is not that of the start, or is missing. `degraded`: some masters of a cluster
 * serve, so that the workspaces of the others wait for a failover.
 */
export const storeStates = ['ok', 'degraded', 'full', 'read-only', 'lost', 'unreachable'] as const;
export type StoreState = (typeof storeStates)[number];
