import {toInstant} from '../core/dates.js';
import {composeId, type Id, type IdSuffix} from '../core/ids.js';

/**
 * The kinds of data that the erasure of a person removes. `traces`: their name in other data, and earlier
 * texts.
 */
export const erasedKinds = [
  'team_places',
  'access_tokens',
  'absences',
  'blockers',
  'standups',
  'traces',
] as const;

export type ErasedKind = (typeof erasedKinds)[number];
export type ErasedCounts = Readonly<Record<ErasedKind, number>>;

/** The states of an erasure. `failed`: the last attempt failed, and another follows automatically. */
export const erasureStates = ['queued', 'running', 'failed', 'done'] as const;

export type ErasureState = (typeof erasureStates)[number];

/** The erasure of everything about a person. It contains neither the person nor the one who requested it. */
export interface Erasure {
  readonly id: Id<'erasure'>;
  readonly object: 'erasure';
  readonly state: ErasureState;
  readonly erased: ErasedCounts;
  readonly left: ErasedCounts;
  readonly created_at: string;
  readonly ended_at: string | null;
}

/** An erasure in its stored form. */
export interface ErasureRecord {
  readonly suffix: IdSuffix<'erasure'>;
  /** The start of the erasure (ms). */
  readonly at: number;
  readonly state: ErasureState;
  readonly erased: ErasedCounts;
  /** The id suffix of the member, until everything is erased. */
  readonly member: IdSuffix<'member'> | undefined;
  /** The end of the erasure (ms). */
  readonly endedAt: number | undefined;
}

export const nothingErased: ErasedCounts = {
  team_places: 0,
  access_tokens: 0,
  absences: 0,
  blockers: 0,
  standups: 0,
  traces: 0,
};

export function createErasureId(suffix: IdSuffix<'erasure'>, at: number): Id<'erasure'> {
  return composeId('erasure', at, suffix);
}

export function presentErasure(record: ErasureRecord, left: ErasedCounts): Erasure {
  const {suffix, at, state, erased, endedAt} = record;
  return {
    id: createErasureId(suffix, at),
    object: 'erasure',
    state,
    erased,
    left,
    created_at: toInstant(at),
    ended_at: endedAt === undefined ? null : toInstant(endedAt),
  };
}
