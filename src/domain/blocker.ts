import type {Principal} from './access.js';
import type {Resource} from './resource.js';

/** Something that keeps somebody from going on, until it is resolved. */
export interface Blocker extends Resource {
  readonly object: 'blocker';
  readonly team: string;
  readonly team_id: string;
  /** Whom it keeps. */
  readonly author: Principal;
  readonly text: string;
  readonly state: BlockerState;
  /** The standup that told of it first; null for one that was raised by itself. */
  readonly standup: string | null;
  readonly acknowledged_by: Principal | null;
  readonly acknowledged_at: string | null;
  readonly resolved_by: Principal | null;
  readonly resolved_at: string | null;
}

export type BlockerState = 'raised' | 'acknowledged' | 'resolved';

export const blockerStates = [
  'raised',
  'acknowledged',
  'resolved',
] as const satisfies readonly BlockerState[];
