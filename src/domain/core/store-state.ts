/**
 * The states of the store. `full`: it accepts no new content. `read-only`: it accepts no writes (a replica, a
 * full disk). `lost`: its data is not that of the start, or is missing.
 */
export const storeStates = ['ok', 'full', 'read-only', 'lost', 'unreachable'] as const;
export type StoreState = (typeof storeStates)[number];
