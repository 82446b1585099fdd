import type {ErasureRecord} from '../../domain/members/erasure.js';
import type {Commit, CommitOutcome, CommitTerms, NameSpace} from '../../domain/commit/commit.js';
import type {Attempt, Delivery} from '../../domain/webhooks/delivery.js';
import type {LogEntry, LogPlace} from '../../domain/events/event.js';
import type {ListName, ListQuery, Page, PageQuery, Row} from '../../domain/core/lists.js';
import type {Prompt, PromptName} from '../../domain/prompts/prompt.js';
import type {QuotaClaim, QuotaVerdict} from '../../domain/core/quota.js';
import type {Replay} from '../../domain/webhooks/replay.js';
import type {Resource, WireJson} from '../../domain/core/resource.js';
import type {SlackPlace, SlackTrouble} from '../../domain/slack/slack-post.js';
import type {TeamDirectory, TeamPlace} from '../../domain/teams/team.js';
import type {Failing} from '../../domain/webhooks/webhook-failing.js';
import type {WebhookHealth} from '../../domain/webhooks/webhook-health.js';
import type {Work} from '../../domain/core/work.js';
import type {Workspace} from '../../domain/workspaces/workspace.js';

export interface Commits {
  run(terms: CommitTerms, commit: Commit): Promise<CommitOutcome>;
  findReply(terms: CommitTerms): Promise<Extract<CommitOutcome, {kind: 'kept'}> | undefined>;
}

export interface Records {
  find<R extends Resource>(workspace: string, id: string, deadline: number): Promise<R | undefined>;
  findByDrawn<R extends Resource>(workspace: string, drawn: string, deadline: number): Promise<R | undefined>;
  /** Several of one kind at once, in the order of their ids. */
  findMany<R extends Resource>(
    workspace: string,
    ids: readonly string[],
    deadline: number,
  ): Promise<(R | undefined)[]>;
  findRevisions(
    workspace: string,
    refs: readonly {drawn: string; revision: number}[],
    deadline: number,
  ): Promise<(WireJson | undefined)[]>;
  listRevisions(
    workspace: string,
    drawn: string,
    range: {from: number; to: number},
    deadline: number,
  ): Promise<WireJson[]>;
  /** Members of a list, whether there are records of them or not. */
  listEntries(workspace: string, list: ListName, limit: number, deadline: number): Promise<string[]>;
  list(workspace: string, query: ListQuery, deadline: number): Promise<Page<Row>>;
  findPlace(workspace: string, list: ListName, drawn: string, deadline: number): Promise<number | undefined>;
  count(workspace: string, list: ListName, deadline: number): Promise<number>;
  /** Those of these lists that have something from a place on (inclusive). */
  listFilled(
    workspace: string,
    lists: readonly ListName[],
    from: number,
    deadline: number,
  ): Promise<Set<ListName>>;
  findHeaders(workspace: string, webhook: string, deadline: number): Promise<string | undefined>;
  findName(workspace: string, names: NameSpace, name: string, deadline: number): Promise<string | undefined>;
  findTeamPlace(
    workspace: string,
    team: string,
    member: string,
    deadline: number,
  ): Promise<TeamPlace | undefined>;
  /** Those of these members who are in a team and no observers. */
  listExpected(
    workspace: string,
    team: string,
    members: readonly string[],
    deadline: number,
  ): Promise<Set<string>>;
  /** How often standups of an open run have been posted, changed or deleted. */
  countRunPosts(workspace: string, run: string, deadline: number): Promise<number>;
}

export interface Teams {
  /** Perhaps out of date: guard on its version. Undefined where it is not in memory. */
  peek(workspace: string): TeamDirectory | undefined;
  fresh(workspace: string, deadline: number): Promise<TeamDirectory>;
  /** At this version, which the store had a moment ago, or a newer one. */
  at(workspace: string, version: string, deadline: number): Promise<TeamDirectory>;
}

/** Part of a list of standups, all of it read at one instant. */
export interface StandupPage extends Page<Row & {readonly slack: SlackPlace | null}> {
  /** The version of the teams. */
  readonly teams: string;
  /** The same only as long as nothing has changed that the page shows. */
  readonly mark: string;
  /** The mark is the one that was known: then there are no rows. */
  readonly unchanged: boolean;
}

export interface StandupPages {
  read(
    workspace: string,
    query: ListQuery,
    options: {readonly shown: boolean; readonly known?: string | undefined},
    deadline: number,
  ): Promise<StandupPage>;
}

export interface Admissions {
  admit(applicant: {
    readonly workspace: string;
    readonly token: {readonly id: string};
    readonly quota?: QuotaClaim;
    readonly deadline: number;
  }): Promise<{
    readonly state: 'live' | 'dead' | 'lost' | 'over';
    readonly verdict?: QuotaVerdict | undefined;
  }>;
  /** SHA-256 of the secret of a token (by its drawn half); undefined for one that is over. */
  findProof(workspace: string, drawn: string, deadline: number): Promise<string | undefined>;
}

/** When tokens were last used, to the minute (ms); undefined for one that was not. */
export interface TokenUse {
  note(workspace: string, token: string): void;
  find(workspace: string, tokens: readonly string[], deadline: number): Promise<(number | undefined)[]>;
}

export interface EventLog {
  findBySequence(workspace: string, sequence: number, deadline: number): Promise<LogEntry | undefined>;
  listAfter(workspace: string, after: number, limit: number, deadline: number): Promise<LogEntry[]>;
  /**
   * Undefined when the log does not go on there: what came next has been dropped, or the store was set back
   * to before that place.
   */
  readOn(
    workspace: string,
    place: LogPlace,
    limit: number,
    deadline: number,
  ): Promise<LogEntry[] | undefined>;
  /** The other way: what stands before a place, or at the end, newest first. Undefined as `readOn`. */
  readBack(
    workspace: string,
    place: LogPlace | undefined,
    limit: number,
    deadline: number,
  ): Promise<LogEntry[] | undefined>;
  /** Behind the newest event; undefined when the workspace's data is gone. */
  findEnd(workspace: string, deadline: number): Promise<LogPlace | undefined>;
  render(workspace: string, entries: readonly LogEntry[], deadline: number): Promise<string[]>;
  span(workspace: string, deadline: number): Promise<{newest: number; oldest: number} | undefined>;
  /** Sequences of the first and the last event from `since` up to and including `until` (ms). */
  findRange(
    workspace: string,
    since: number,
    until: number,
    deadline: number,
  ): Promise<{first: number; last: number}>;
}

/** An event with its wire JSON. */
export interface TailEvent extends LogEntry {
  readonly json: WireJson;
}

export interface TailReader {
  wait(after: number, withinMs: number, signal: AbortSignal): Promise<'grown' | 'shrunk' | 'still'>;
  /** Undefined as `EventLog.readOn`. */
  read(place: LogPlace, limit: number): Promise<readonly TailEvent[] | undefined>;
  close(): void;
}

/** The end of each event log, looked at once for all who wait there. */
export interface EventTail {
  open(workspace: string): TailReader;
}

/**
 * When somebody looks at the schedules of teams, and which steps of their runs are taken. Teams and runs by
 * the drawn halves of their ids.
 */
export interface RunSteps {
  /**
   * `asked`: how often a look was asked for; `from`: what was due until then (ms) is settled. Undefined
   * where nobody has.
   */
  findLook(
    workspace: string,
    team: string,
    deadline: number,
  ): Promise<{readonly asked: number; readonly from: number} | undefined>;
  /** When each of these steps was taken (ms); undefined for those that are not. */
  findTaken(
    workspace: string,
    run: string,
    steps: readonly string[],
    deadline: number,
  ): Promise<(number | undefined)[]>;
}

/** Everything that is kept under Slack's ids of people. */
export interface SlackPeople {
  /** Forgets a bounded part of it; true while there is more. */
  forget(workspace: string, slackUser: string, deadline: number): Promise<boolean>;
  /** The address of their picture, for 30 days; undefined forgets it. */
  keepPicture(
    workspace: string,
    slackUser: string,
    address: string | undefined,
    deadline: number,
  ): Promise<void>;
}

/** What Redis has written of every change to the disk. */
export interface AppendOnlyFile {
  /** Begins to write it anew; `busy`: ask again later. */
  rewrite(deadline: number): Promise<'begun' | 'busy' | 'none'>;
}

export interface Deliveries {
  /**
   * One delivery ahead of the fan-out of its event; nothing when it has been made. Halves of ids are drawn
   * ones.
   */
  make(
    workspace: string,
    delivery: {webhook: string; drawn: string; sequence: number},
    deadline: number,
  ): Promise<void>;
}

/** Deliveries and their attempts as they are shown. */
export interface DeliveryRecords {
  find(workspace: string, id: string, deadline: number): Promise<Delivery | undefined>;
  list(
    workspace: string,
    webhook: string,
    page: PageQuery & {from?: number | undefined},
    deadline: number,
  ): Promise<{rows: {place: number; delivery: Delivery}[]; next: number | undefined}>;
  listAttempts(
    workspace: string,
    id: string,
    page: PageQuery,
    deadline: number,
  ): Promise<{attempts: Attempt[]; next: number | undefined}>;
}

/** How long webhooks have failed; by the drawn half of their ids. */
export interface WebhookFailing {
  find(workspace: string, webhook: string, deadline: number): Promise<Failing | undefined>;
}

/** How webhooks (their drawn halves) are doing. */
export interface WebhookHealths {
  find(workspace: string, webhook: string, deadline: number): Promise<WebhookHealth | undefined>;
}

/** Events sent to a webhook again. */
export interface Replays {
  /** By the ids of webhook and replay. */
  find(workspace: string, webhook: string, id: string, deadline: number): Promise<Replay | undefined>;
  list(
    workspace: string,
    webhook: string,
    page: PageQuery,
    deadline: number,
  ): Promise<{replays: Replay[]; next: number | undefined}>;
  /** The replay of a webhook that runs (drawn halves), and its id where it is still kept. */
  findRunning(
    workspace: string,
    webhook: string,
    deadline: number,
  ): Promise<{drawn: string; id: string | undefined} | undefined>;
  /** Drawn half of the oldest one of a webhook, where it has so many. */
  findOldest(
    workspace: string,
    webhook: string,
    ofMany: number,
    deadline: number,
  ): Promise<string | undefined>;
  /**
   * When those that were no dry runs began after an instant (ms), oldest first; those of the last 24 hours
   * are known.
   */
  listSending(workspace: string, webhook: string, after: number, deadline: number): Promise<number[]>;
}

/** How the erasing of members gets on. */
export interface Erasures {
  find(workspace: string, id: string, deadline: number): Promise<ErasureRecord | undefined>;
  /** Newest first. */
  list(
    workspace: string,
    page: PageQuery,
    deadline: number,
  ): Promise<{erasures: ErasureRecord[]; next: number | undefined}>;
}

/** Knowledge of channels of Slack. */
export interface SlackChannelRecords {
  /** Those of these that are known to be public. */
  listPublic(workspace: string, channels: readonly string[], deadline: number): Promise<ReadonlySet<string>>;
}

/**
 * Where standups (drawn halves) are shown in Slack; undefined for those that have no message of their own
 * there.
 */
export interface SlackPlaces {
  listPlaces(
    workspace: string,
    standups: readonly string[],
    deadline: number,
  ): Promise<(SlackPlace | undefined)[]>;
}

/** The messages by which people are reminded in Slack. */
export interface PromptRecords {
  /** By the drawn half of the member's id and their own date. */
  find(workspace: string, member: string, date: string, deadline: number): Promise<Prompt | undefined>;
  /** Those of a person (Slack's id) that are to be sent or looked at again. */
  listWaiting(workspace: string, slackUser: string, deadline: number): Promise<readonly PromptName[]>;
  /** Those of these members (ids) whom Slack delivered no reminder of a run to. */
  findUnreachable(
    workspace: string,
    run: string,
    members: readonly string[],
    deadline: number,
  ): Promise<ReadonlySet<string>>;
}

/** Records of what people type to the bot, by Slack's id of a person. */
export interface TypedRecords {
  find(
    workspace: string,
    slackUser: string,
    deadline: number,
  ): Promise<{readonly version: string; readonly json: string} | undefined>;
}

export interface Workspaces {
  /** `id`: one that has been reserved for it; undefined is answered when the slug belongs to another. */
  create(
    workspace: {slug: string; name: string; drawn: string; id?: string},
    deadline: number,
  ): Promise<Workspace | undefined>;
  find(id: string, deadline: number): Promise<Workspace | undefined>;
  findBySlug(slug: string, deadline: number): Promise<Workspace | undefined>;
  list(deadline: number): Promise<Workspace[]>;
}

/** Which Slack workspaces (Slack's ids) belong to which of ours, and their tokens as they are kept. */
export interface SlackInstallationRecords {
  /**
   * The workspace of ours that a Slack workspace belongs to, for good: the one it has already, or else
   * `workspace`. With `alone` only if that one has no Slack workspace yet; undefined when it has.
   */
  claim(
    slackId: string,
    workspace: string,
    options: {readonly alone: boolean},
    deadline: number,
  ): Promise<string | undefined>;
  findWorkspace(slackId: string, deadline: number): Promise<string | undefined>;
  /** Undefined while the bot has never been installed for it. */
  find(workspace: string, deadline: number): Promise<SlackInstallationRecord | undefined>;
  list(deadline: number): Promise<{readonly slackId: string; readonly workspace: string}[]>;
}

export interface SlackInstallationRecord {
  readonly slackId: string;
  /** Redis time of the latest installation, in ms. */
  readonly installedAt: number;
  /** The bot's token, encrypted; undefined while it is disconnected. */
  readonly sealed: string | undefined;
  /** Slack's name of the workspace or organisation; undefined for an installation of before it was kept. */
  readonly name?: string | undefined;
  /** Id of the member who has installed it last, where they were one. */
  readonly by?: string | undefined;
}

/** Troubles that keep channels of Slack from showing standups and reports. */
export interface SlackTroubleRecords {
  find(workspace: string, channel: string, deadline: number): Promise<SlackTrouble | undefined>;
  /** Channels that had one in the last 30 days, the latest first; `next`: where the following page begins. */
  list(
    workspace: string,
    query: PageQuery,
    deadline: number,
  ): Promise<{readonly channels: readonly string[]; readonly next: number | undefined}>;
  resume(workspace: string, channel: string, deadline: number): Promise<void>;
}

export type SealedPurpose =
  | 'webhook-secret'
  | 'webhook-headers'
  | 'shown-once'
  | 'slack-installation'
  | 'sign-in';

/** Encrypts what must not stand in the store in clear. */
export interface Sealer {
  seal(purpose: SealedPurpose, context: string, text: string): string;
  open(purpose: SealedPurpose, context: string, sealed: string): string;
}

/** Redis time in ms. */
export interface Clock {
  now(): number;
  /**
   * False for a while after it has leapt: nothing is given up, missed or erased by it until it has gone right
   * for some minutes.
   */
  isSteady(): boolean;
}

/** Draws the half of an id that does not depend on time. */
export type DrawId = () => string;

/** Tells the workers of this process (and, in time, of others) that there is work. Never awaited. */
export type Wake = (workspace: string, work: Work) => void;
