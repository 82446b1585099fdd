import {toInstant} from '../core/dates.js';
import {composeId, type Id, type IdSuffix} from '../core/ids.js';

/** Kinds of data that are erased of a person. `traces`: their name in what others keep, and earlier texts. */
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

/** `failed`: the last try failed; another one follows by itself. */
export const erasureStates = ['queued', 'running', 'failed', 'done'] as const;

export type ErasureState = (typeof erasureStates)[number];

/**
 * The erasure of everything about a person, running or done. It says neither who they were nor who asked for
 * it.
 */
export interface Erasure {
  readonly id: Id<'erasure'>;
  readonly object: 'erasure';
  readonly state: ErasureState;
  readonly erased: ErasedCounts;
  readonly left: ErasedCounts;
  readonly created_at: string;
  readonly ended_at: string | null;
}

/** An erasure as the store keeps it. */
export interface ErasureRecord {
  readonly suffix: IdSuffix<'erasure'>;
  /** ms. */
  readonly at: number;
  readonly state: ErasureState;
  readonly erased: ErasedCounts;
  /** Id suffix of the member, until everything is erased. */
  readonly member: IdSuffix<'member'> | undefined;
  /** ms. */
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

export function erasureId(suffix: IdSuffix<'erasure'>, at: number): Id<'erasure'> {
  return composeId('erasure', at, suffix);
}

export function presentErasure(record: ErasureRecord, left: ErasedCounts): Erasure {
  const {suffix, at, state, erased, endedAt} = record;
  return {
    id: erasureId(suffix, at),
    object: 'erasure',
    state,
    erased,
    left,
    created_at: toInstant(at),
    ended_at: endedAt === undefined ? null : toInstant(endedAt),
  };
}
