import type {PrincipalId, Scope, AccessToken} from '../../domain/core/access.js';
import type {How} from '../../domain/commit/writes.js';
import type {Id, IdKind} from '../../domain/core/ids.js';
import type {ListName} from '../../domain/core/lists.js';
import type {Resource, WireJson} from '../../domain/core/resource.js';
import type {Standup} from '../../domain/standups/standup.js';
import type {RecordOf} from '../../domain/records.js';
import type {ErasedKind} from '../../domain/members/erasure.js';
import type {Cleared} from './clear-up.js';
import type {SealedPurpose} from '../../store/core/seal.js';

/** The reason why nothing is done, or the place where it is done besides the lists. */
export type Reason = {readonly nothing: string} | {readonly elsewhere: string};

/** A list of what is somebody's, and how each of it goes when they leave. */
export interface OfPerson<R = never> {
  readonly list: (person: PrincipalId) => ListName;
  /** The count of an erasure to which it belongs. */
  readonly counted: ErasedKind;
  /** It goes only when they are erased, and stays under their name when they just leave. */
  readonly onlyErased?: true;
  clear: (row: R, how: How) => Cleared;
}

/** Plans that what a standup has raised goes with it, or is of another that stays. */
export type Company = (standup: Standup) => Promise<Cleared>;

/** A list of all of it by a day, and how each that is older than `retention_days` goes. */
export interface Expiring<R = never> {
  readonly list: ListName;
  /** Undefined for one that may stay as it is. */
  expire: (row: R, company: Company) => Cleared | undefined | Promise<Cleared>;
  /** After all others. */
  readonly last?: true;
}

/** A list of what belongs to a team, and how each of it goes when the team has gone: without events. */
export interface OfTeam<R = never> {
  readonly list: (team: Id<'team'>) => ListName;
  clear: (row: R, how: How) => Cleared;
  /** After all others. */
  readonly last?: true;
}

/** Wire JSON, a page at a time. */
export type Pages<R = unknown> = AsyncIterable<readonly WireJson<R>[]>;

/** Reads what the export of a person shows. */
export interface PersonSource {
  list: <K extends IdKind>(list: ListName<K>) => Pages<RecordOf<K>>;
  /** With when each was last used. */
  tokens: (list: ListName<'access_token'>) => Pages<AccessToken>;
  /** Their own export sees each once, though dates change meanwhile. */
  standupsOf: (author: PrincipalId) => Pages;
}

/** Everything of somebody, for those whom the scope lets read it. */
export interface Exported<R = never> {
  readonly scope?: Scope;
  read: (source: PersonSource, person: PrincipalId) => readonly Pages[];
  /** Presents what it said before a change; left out where that is not exported. */
  presentEarlier?: (earlier: R) => Resource;
}

/**
 * Each question of a kind has an action, which the one who asks carries out, or a reason. `R`: its record. Who
 * goes through all kinds has rules of `never`: rows go to the action of the list that they are from.
 */
export interface KindRules<R = never> {
  /** Somebody leaves, or everything of them is erased: service/members/forget-member.ts. */
  readonly person: readonly OfPerson<R>[] | Reason;
  /** The workspace keeps it no longer: service/workspaces/retention.ts. */
  readonly retention: Expiring<R> | Reason;
  /** Its team is deleted: service/teams/delete-team.ts. */
  readonly team: OfTeam<R> | Reason;
  /** Somebody takes all that is kept of them: service/members/person-export.ts. */
  readonly personExport: Exported<R> | Reason;
  /** A workspace takes all of it: the operation that hands it out. */
  readonly workspaceExport: string | Reason;
  /** Parts of it are encrypted, for these purposes: store/reencrypt.ts finds each. */
  readonly sealed: readonly SealedPurpose[] | Reason;
}

export type Kinds = {
  readonly [K in IdKind]: [RecordOf<K>] extends [never] ? Unrecorded : KindRules<RecordOf<K>>;
};

/** What has no record (domain/records.ts) stands in no list that could be gone through. */
type Unrecorded = Pick<KindRules, 'workspaceExport' | 'sealed'> &
  Readonly<Record<'person' | 'retention' | 'team' | 'personExport', Reason>>;

type Action<Q extends keyof KindRules> = Exclude<KindRules[Q], Reason>;

/** The actions of all kinds for which there is one; those that come last do. */
export function actionsOf<Q extends keyof KindRules>(kinds: Kinds, question: Q): Action<Q>[] {
  const actions = Object.values<KindRules>(kinds)
    .map((rules) => rules[question])
    .filter((answer): answer is Action<Q> => !isReason(answer));
  return [...actions.filter((action) => !isLast(action)), ...actions.filter(isLast)];
}

function isLast(action: Action<keyof KindRules>): boolean {
  return typeof action === 'object' && 'last' in action;
}

function isReason(answer: KindRules[keyof KindRules]): answer is Reason {
  return typeof answer === 'object' && ('nothing' in answer || 'elsewhere' in answer);
}
