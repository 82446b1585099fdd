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

/** The reason why a kind needs no action in a case, or the name of the code that does the action instead. */
export type Reason = {readonly nothing: string} | {readonly elsewhere: string};

/** A list of a person's resources, and the function that clears each of them when the person leaves. */
export interface OfPerson<R = never> {
  readonly list: (person: PrincipalId) => ListName;
  /** The counter of an erasure in which these resources are counted. */
  readonly counted: ErasedKind;
  /** True if the resources are cleared only when the person is erased, not when they just leave. */
  readonly onlyErased?: true;
  clear: (row: R, how: RemovalMode) => Removal;
}

/** Plans the removal of a standup's blockers, or their move to another standup that stays. */
export type PlanStandupBlockers = (standup: Standup) => Promise<Removal>;

/** A list of all resources of a kind by day; `expire` clears each one older than `retention_days`. */
export interface RetentionRule<R = never> {
  readonly list: ListName;
  /** The days for which resources stay, whatever the workspace's `retention_days`. */
  readonly days?: number;
  /** Returns the removal of a resource; undefined if the resource may stay. */
  expire: (row: R, company: PlanStandupBlockers) => Removal | undefined | Promise<Removal>;
  /** True if this rule runs after all others. */
  readonly last?: true;
}

/** A list of a team's resources. `clear` removes each, without events, after the team's deletion. */
export interface OfTeam<R = never> {
  readonly list: (team: Id<'team'>) => ListName;
  clear: (row: R, how: RemovalMode) => Removal;
  /** True if this rule runs after all others. */
  readonly last?: true;
}

/** Pages of resources as JSON. */
export type Pages<R = unknown> = AsyncIterable<readonly WireJson<R>[]>;

/** Reads the data for an export about one person. */
export interface PersonSource {
  list: <K extends IdKind>(list: ListName<K>) => Pages<RecordOf<K>>;
  /** Reads tokens, with the time of each token's last use. */
  tokens: (list: ListName<'access_token'>) => Pages<AccessToken>;
  /** Reads a person's standups. Each appears once, even if its date changes meanwhile. */
  standupsOf: (author: PrincipalId) => Pages;
}

/** All resources of a kind that belong to a person. Only callers with the scope get them. */
export interface PersonExport<R = never> {
  readonly scope?: Scope;
  read: (source: PersonSource, person: PrincipalId) => readonly Pages[];
  /** Presents an earlier revision of a resource; left out if earlier revisions are not exported. */
  presentEarlier?: (earlier: R) => Resource;
}

/**
 * The rules of one kind of resource: for each case an action, or the reason why there is none. `R`: the
 * kind's record. Code that goes through all kinds uses rules of `never`: each row is passed only to the rule
 * of the list that contained it.
 */
export interface KindRules<R = never> {
  /** The rule for when a person leaves or all their data is erased: service/members/forget-member.ts. */
  readonly person: readonly OfPerson<R>[] | Reason;
  /** The rule for when the retention period is over: service/workspaces/retention.ts. */
  readonly retention: RetentionRule<R> | readonly RetentionRule<R>[] | Reason;
  /** The rule for when the resource's team is deleted: service/teams/delete-team.ts. */
  readonly team: OfTeam<R> | Reason;
  /** The rule for an export of all data about a person: service/members/person-export.ts. */
  readonly personExport: PersonExport<R> | Reason;
  /** The API operation that exports all resources of this kind in a workspace. */
  readonly workspaceExport: string | Reason;
  /** The purposes for which parts of this kind are encrypted; store/encrypted-values.ts finds each part. */
  readonly encrypted: readonly EncryptedPurpose[] | Reason;
}

export type Kinds = {
  readonly [K in IdKind]: [RecordOf<K>] extends [never] ? UnrecordedKind : KindRules<RecordOf<K>>;
};

/** The rules of a kind without records of its own (domain/records.ts), which no list contains. */
type UnrecordedKind = Pick<KindRules, 'workspaceExport' | 'encrypted'> &
  Readonly<Record<'person' | 'retention' | 'team' | 'personExport', Reason>>;

type RuleAction<Q extends keyof KindRules> = Exclude<KindRules[Q], Reason>;

/** Returns the actions of all kinds for one case, such as `retention`; those marked `last` come last. */
export function listActions<Q extends keyof KindRules>(kinds: Kinds, question: Q): RuleAction<Q>[] {
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
