import type {PrincipalId, Scope, AccessToken} from '../../domain/core/access.js';
import type {RemovalMode} from '../../domain/commit/writes.js';
import type {Id, IdKind} from '../../domain/core/ids.js';
import type {ListName} from '../../domain/core/lists.js';
import type {Resource, WireJson} from '../../domain/core/resource.js';
import type {Standup} from '../../domain/standups/standup.js';
import type {RecordOf} from '../../domain/records.js';
import type {ErasedKind} from '../../domain/members/erasure.js';
import type {Removal} from './clear-up.js';
import type {EncryptedPurpose} from '../../store/core/cipher.js';

/** The reason why nothing is done, or where it is done instead of in the lists. */
export type Reason = {readonly nothing: string} | {readonly elsewhere: string};

/** A list of resources that belong to a person, and how each is cleared when they leave. */
export interface OfPerson<R = never> {
  readonly list: (person: PrincipalId) => ListName;
  /** The counter of an erasure that includes it. */
  readonly counted: ErasedKind;
  /** Cleared only when the person is erased; it stays under their name when they just leave. */
  readonly onlyErased?: true;
  clear: (row: R, how: RemovalMode) => Removal;
}

/** Plans the removal of a standup's blockers, or their transfer to another standup that stays. */
export type PlanStandupBlockers = (standup: Standup) => Promise<Removal>;

/** A list of all resources of the kind by day, and how each one older than `retention_days` is cleared. */
export interface RetentionRule<R = never> {
  readonly list: ListName;
  /** Undefined for one that may stay as it is. */
  expire: (row: R, company: PlanStandupBlockers) => Removal | undefined | Promise<Removal>;
  /** Runs after all others. */
  readonly last?: true;
}

/** A list of a team's resources, and how each is cleared, without events, after the team is deleted. */
export interface OfTeam<R = never> {
  readonly list: (team: Id<'team'>) => ListName;
  clear: (row: R, how: RemovalMode) => Removal;
  /** Runs after all others. */
  readonly last?: true;
}

/** Wire JSON, a page at a time. */
export type Pages<R = unknown> = AsyncIterable<readonly WireJson<R>[]>;

/** Reads the contents of a person's export. */
export interface PersonSource {
  list: <K extends IdKind>(list: ListName<K>) => Pages<RecordOf<K>>;
  /** Includes when each token was last used. */
  tokens: (list: ListName<'access_token'>) => Pages<AccessToken>;
  /** Shows each standup once in the person's own export, even if dates change meanwhile. */
  standupsOf: (author: PrincipalId) => Pages;
}

/** All resources of a person, for callers with the scope. */
export interface PersonExport<R = never> {
  readonly scope?: Scope;
  read: (source: PersonSource, person: PrincipalId) => readonly Pages[];
  /** Presents an earlier revision; left out where those are not exported. */
  presentEarlier?: (earlier: R) => Resource;
}

/**
 * For each question about a kind, the action that the asking service runs, or the reason why there is none.
 * `R`: its record. Code that iterates over all kinds has rules of `never`: a row goes to the action of the
 * list that it came from.
 */
export interface KindRules<R = never> {
  /** A person leaves, or all their data is erased: service/members/forget-member.ts. */
  readonly person: readonly OfPerson<R>[] | Reason;
  /** The retention period is over: service/workspaces/retention.ts. */
  readonly retention: RetentionRule<R> | Reason;
  /** Its team is deleted: service/teams/delete-team.ts. */
  readonly team: OfTeam<R> | Reason;
  /** A person exports all data about them: service/members/person-export.ts. */
  readonly personExport: PersonExport<R> | Reason;
  /** A workspace exports all of it: the operation that does so. */
  readonly workspaceExport: string | Reason;
  /** Parts of it are encrypted, for these purposes: store/reencrypt.ts finds each. */
  readonly encrypted: readonly EncryptedPurpose[] | Reason;
}

export type Kinds = {
  readonly [K in IdKind]: [RecordOf<K>] extends [never] ? UnrecordedKind : KindRules<RecordOf<K>>;
};

/** A kind without a record (domain/records.ts) is in no list that could be iterated. */
type UnrecordedKind = Pick<KindRules, 'workspaceExport' | 'encrypted'> &
  Readonly<Record<'person' | 'retention' | 'team' | 'personExport', Reason>>;

type RuleAction<Q extends keyof KindRules> = Exclude<KindRules[Q], Reason>;

/** The actions of all kinds that have one; actions marked `last` come last. */
export function actionsOf<Q extends keyof KindRules>(kinds: Kinds, question: Q): RuleAction<Q>[] {
  const actions = Object.values<KindRules>(kinds)
    .map((rules) => rules[question])
    .filter((answer): answer is RuleAction<Q> => !isReason(answer));
  return [...actions.filter((action) => !isMarkedLast(action)), ...actions.filter(isMarkedLast)];
}

function isMarkedLast(action: RuleAction<keyof KindRules>): boolean {
  return typeof action === 'object' && 'last' in action;
}

function isReason(answer: KindRules[keyof KindRules]): answer is Reason {
  return typeof answer === 'object' && ('nothing' in answer || 'elsewhere' in answer);
}
