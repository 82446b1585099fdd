import type {Credential, PrincipalId} from '../../domain/core/access.js';
import {type Id, drawnPart, type IdSuffix, isId} from '../../domain/core/ids.js';
import type {ListName} from '../../domain/core/lists.js';
import type {Collection, NameSpace} from '../../domain/commit/writes.js';
import {sideOf, type Work, type WorkSide} from '../../domain/core/work.js';

/** A key name that remembers its Redis type, so that a write of another type does not compile. */
export type Key<T extends 'string' | 'hash' | 'list' | 'set' | 'zset' | 'stream'> = string & {
  readonly __type: T;
};

export type AnyKey = string & {readonly __type: string};

function key<T extends 'string' | 'hash' | 'list' | 'set' | 'zset' | 'stream'>(name: string): Key<T> {
  return name as Key<T>;
}

/** So much of a SHA-256 in base64url stands in a key. */
export const keptHashLength = 22;

/** The cursor of a webhook that has fallen behind is a field of the head: this, and its drawn half. */
export const cursorPrefix = 'cursor:webhook/';

/** The field of the head with the cursor of a webhook (its drawn half) that has fallen behind. */
export function webhookCursor(drawn: IdSuffix<'webhook'>): string {
  return cursorPrefix + drawn;
}

/** Workspaces whose keys are at hand: making them costs as much as a tenth of a commit. */
const known = new Map<string, WorkspaceKeys>();
const maxKnown = 500;

/** The keys of one workspace: one object, so that the hot paths make no other. */
export function workspaceKeys(workspace: Id<'workspace'>): WorkspaceKeys {
  let keys = known.get(workspace);
  if (keys === undefined) {
    if (known.size >= maxKnown) known.clear();
    keys = keysOf(workspace);
    known.set(workspace, keys);
  }
  return keys;
}

/**
 * Every key of one workspace. All carry its id as hash tag, so that one script may touch them and the data
 * may be spread over a cluster. Ids stand in keys by their drawn half, which is known before Redis has told
 * the time that makes the other half.
 */
function keysOf(workspace: Id<'workspace'>) {
  const tag = `{${workspace}}:`;
  return {
    /**
     * Sequence, reader cursors, when somebody last said that a reader runs (ms), and collection versions; its
     * absence means the data is gone. `bytes`: the memory that the workspace uses, see workspace-bytes.ts.
     * `cursor:webhook/<drawn half>`: a webhook that has fallen behind the
     * others. Lives as long as the workspace.
     */
    head: () => key<'hash'>(`${tag}head`),
    /** The event log, id `<sequence>-0`. Trimmed by age, never past a reader's cursor. */
    events: () => key<'stream'>(`${tag}events`),
    /**
     * The last 100 changes of a collection that processes keep in memory, newest first: `<version before>
     * <version> <drawn half of what has changed>`.
     */
    changes: (collection: Collection) => key<'list'>(`${tag}changes:${collection}`),
    /** Work that someone must look at, by when (ms). Entries go with the work. */
    ready: () => key<'zset'>(`${tag}ready`),
    /** Work of Slack, by when (ms). Apart, so that nothing else stands behind it. */
    slackReady: () => key<'zset'>(`${tag}ready:slack`),
    /**
     * Wire JSON of a resource's latest revision, of a standup's first one packed: see packed-standups.ts.
     * Until deleted.
     */
    record: (drawn: IdSuffix) => key<'string'>(`${tag}r:${drawn}`),
    /**
     * Wire JSON of earlier revisions, by number. As long as the record, then as long as the events that refer
     * to it (30 days); of a run 30 days after the last, and each as its difference to the next, see
     * revision-differences.ts.
     */
    revisions: (drawn: IdSuffix) => key<'hash'>(`${tag}v:${drawn}`),
    /**
     * An ordered collection: members are drawn halves. What was removed of a person: 30 days after the last.
     */
    list: (name: ListName) => key<'zset'>(`${tag}l:${name}`),
    /** Unique names: name → drawn half. */
    names: (space: NameSpace) => key<'hash'>(`${tag}n:${space}`),
    /**
     * How often standups of a run (its drawn half) have been posted, changed or deleted while it was open.
     * 60 days after the last.
     */
    runPosts: (drawn: IdSuffix<'run'>) => key<'string'>(`${tag}b:${drawn}`),
    /** Members of a team: drawn half → role, a slash, drawn half of their place. */
    teamMembers: (team: Id<'team'> | IdSuffix<'team'>) => key<'hash'>(`${tag}m:${drawnPart(team)}`),
    /** Steps of a run that are taken, see `stepName`: when (ms). 30 days after the last of them. */
    runSteps: (run: IdSuffix<'run'>) => key<'hash'>(`${tag}e:${run}`),
    /**
     * Drawn half of a team's id → `<how often a look at its schedule was asked for> <until when (ms)
     * everything due is settled>`. As long as the team.
     */
    looks: () => key<'hash'>(`${tag}looks`),
    /** On which event a reader of the log has failed last, how often, and since when (ms). 30 days. */
    readerFailure: (reader: string) => key<'string'>(`${tag}g:${reader}`),
    /**
     * Exists while a token is neither revoked nor expired: of a session or a sign-in link the SHA-256 of its
     * secret.
     */
    liveToken: (drawn: IdSuffix<'access_token'>) => key<'string'>(`${tag}t:${drawn}`),
    /**
     * What exists while a caller's credential is good: the key of its token, or the record of the principal
     * that a trusted issuer names.
     */
    credential: (id: Credential['id']): Key<'string'> =>
      key<'string'>(`${tag}${isId('access_token', id) ? 't' : 'r'}:${drawnPart(id)}`),
    /**
     * Minute of each token's last use: drawn half → minutes since the epoch. Until the token is revoked or
     * swept.
     */
    tokenUse: () => key<'hash'>(`${tag}u`),
    /**
     * Quota that a principal has used: `<all> <writes>`, see domain/core/quota.ts. Until it is whole again, a
     * minute at most.
     */
    quota: (principal: Id<'member' | 'service_account'>) => key<'string'>(`${tag}a:${drawnPart(principal)}`),
    /** How many ways in a person has got since their workspace was full, see `Commit.lets`. 24 hours after the first. */
    waysIn: (person: PrincipalId) => key<'string'>(`${tag}o:${drawnPart(person)}`),
    /** The answer to an idempotency key, by 132 bits of its hash; see kept-replies.ts. 24 hours. */
    idempotency: (hash: string) => key<'string'>(`${tag}i:${hash.slice(0, keptHashLength)}`),
    /** The encrypted secret of a resource. As long as the resource. */
    secret: (drawn: IdSuffix<'webhook'>) => key<'string'>(`${tag}s:${drawn}`),
    /** The secrets before it, newest first. Until the overlap of their rotation is over, at most 7 days. */
    earlierSecrets: (drawn: IdSuffix<'webhook'>) =>
      [key<'string'>(`${tag}s:${drawn}:1`), key<'string'>(`${tag}s:${drawn}:2`)] as const,
    /** What a webhook sends besides our headers, encrypted. As long as the webhook. */
    webhookHeaders: (webhook: IdSuffix<'webhook'>) => key<'string'>(`${tag}w:${webhook}:headers`),
    /** Deliveries of a webhook that wait, by due time (ms). */
    pending: (webhook: IdSuffix<'webhook'>) => key<'zset'>(`${tag}w:${webhook}:pending`),
    /** Deliveries of a webhook that are on the wire, by end of lease (ms). */
    inflight: (webhook: IdSuffix<'webhook'>) => key<'zset'>(`${tag}w:${webhook}:inflight`),
    /** Like `pending`, for deliveries of replays: their backlog, served with a quarter of the requests. */
    replays: (webhook: IdSuffix<'webhook'>) => key<'zset'>(`${tag}w:${webhook}:replays`),
    /** Like `inflight`, for deliveries of replays. */
    replaying: (webhook: IdSuffix<'webhook'>) => key<'zset'>(`${tag}w:${webhook}:replaying`),
    /**
     * What has become of deliveries of replays: `<replay>:succeeded` and `<replay>:failed` → how many. As
     * long as the webhook.
     */
    replayed: (webhook: IdSuffix<'webhook'>) => key<'hash'>(`${tag}w:${webhook}:replayed`),
    /** Deliveries that wait for another of their team: `<team>:<sequence>:<delivery>`, all with score 0. */
    waiting: (webhook: IdSuffix<'webhook'>) => key<'zset'>(`${tag}w:${webhook}:waiting`),
    /** Team → `<delivery>:<since (ms)>`: what the others of that team wait for. */
    heads: (webhook: IdSuffix<'webhook'>) => key<'hash'>(`${tag}w:${webhook}:heads`),
    /**
     * Unfinished deliveries of a webhook: `<attempts begun>:<failures recorded>:<number>:<team>:<replay>`.
     */
    tries: (webhook: IdSuffix<'webhook'>) => key<'hash'>(`${tag}w:${webhook}:tries`),
    /** When the last requests of a throttled webhook began (ms). As long as its throttle looks back. */
    starts: (webhook: IdSuffix<'webhook'>) => key<'zset'>(`${tag}w:${webhook}:starts`),
    /**
     * Attempts of a webhook in one hour since the epoch: `ok`, `bad`, those that failed by their error, and
     * how many took how long, by `durationBucket`. 26 hours.
     */
    health: (webhook: IdSuffix<'webhook'>, hour: number) => key<'hash'>(`${tag}w:${webhook}:health:${hour}`),
    /**
     * As long as the webhook. Settings: `concurrency`, `ordering`, `throttle` (`<max>/<seconds>`), `off`
     * while it is disabled. Breaker: see claim-results.ts. `anew`: what was claimed until then (ms) says
     * nothing of the receiver that it has now. `failing`: ms of the first failure after the last success,
     * `failed`: how many since, `same`: how many of the last of these failed alike, `last`:
     * `<ms>:<error>:<status>` of the last attempt, `warned`. `slow`: above 0 while its receiver is. `n`: deliveries numbered so
     * far. `until`: the newest event at its last change, which it goes by the log up to. `behind`: the
     * webhook's revision at its own cursor, as long as it has one. `missed`, `missed_at`: events that were
     * gone from the log before there was room for them, and since when. `forgotten` once somebody has been
     * erased: nothing is kept of responses to attempts that were claimed until then (ms).
     * `replay`: the one that runs, by its drawn half.
     */
    webhookState: (webhook: IdSuffix<'webhook'>) => key<'hash'>(`${tag}w:${webhook}:state`),
    /**
     * `<delivery>:<attempt>:<what went over the wire, without its secrets>` by time (ms): the last 100 of a
     * webhook. 30 days.
     */
    excerpts: (webhook: IdSuffix<'webhook'>) => key<'zset'>(`${tag}w:${webhook}:excerpts`),
    /**
     * One delivery: webhook, number, of a replay its id and when it was made (ms), state, attempts
     * recorded, and an entry for each of the last 100. As long as events.
     */
    delivery: (drawn: IdSuffix<'delivery'>) => key<'hash'>(`${tag}d:${drawn}`),
    /**
     * The first delivery of each of up to 32 events in a row to a webhook, see delivery-blocks.ts. As long as
     * events, from the last one on.
     */
    deliveryBlock: (webhook: IdSuffix<'webhook'>, block: string) =>
      key<'hash'>(`${tag}w:${webhook}:d:${block}`),
    /**
     * How the erasing of a member gets on: `at` (ms), `state`, counts by kind, `ended` (ms), and until then
     * `member` (drawn half). 90 days after the last step.
     */
    erasure: (drawn: IdSuffix<'erasure'>) => key<'hash'>(`${tag}e:${drawn}`),
    /**
     * A replay: what was asked for, `state`, `cursor` (sequence of the last event looked at), `matched`, `at`
     * and `ended` (ms). Until 30 days after its end; one that never ends, since its webhook stays disabled,
     * for 46 days, when nothing it could send is young enough.
     */
    replay: (drawn: IdSuffix<'replay'>) => key<'hash'>(`${tag}x:${drawn}`),
    /**
     * Slack's id of the workspace or organisation that is served (`id`), and when the bot was last
     * installed there (`installed`, ms).
     */
    slackInstallation: () => key<'hash'>(`${tag}slack`),
    /** The bot's token there, encrypted. Until it is uninstalled. */
    slackToken: () => key<'string'>(`${tag}slack-token`),
    /**
     * What Slack should show of a standup and what it shows. 400 days after the last change of it, 30 once
     * it is retracted.
     */
    slackPost: (drawn: IdSuffix<'standup'>) => key<'hash'>(`${tag}p:${drawn}`),
    /** Telling one person in Slack of one event: whether a message is under way, or there. 30 days. */
    slackNotice: (channel: string, sequence: number) => key<'hash'>(`${tag}x:${channel}:${sequence}`),
    /**
     * The one message by which somebody is reminded on a date of theirs: `user`, `run:` and the drawn half
     * of each run it is about → when that closes for them (ms), `due:` and that → how often they were
     * reminded, `why:` and each reason → when it first held that day, `before`, `at` (the last reminder),
     * `snoozed`, `take`, and of the message `ts`, `channel`, `sent`, `sending`, `shown`, `failures`,
     * `links`, `failed`; `old`: those whose place it has taken. 30 days.
     */
    slackPrompt: (member: Id<'member'> | IdSuffix<'member'>, date: string) =>
      key<'hash'>(`${tag}z:${drawnPart(member)}:${date}`),
    /** The prompts that are about a run: `<drawn half of the member>/<date>`. 30 days. */
    slackPromptsOf: (run: Id<'run'> | IdSuffix<'run'>) => key<'set'>(`${tag}z:${drawnPart(run)}`),
    /** Those of a run whom Slack did not deliver a reminder to: drawn half → Slack's reason. 400 days. */
    slackUnreachable: (run: Id<'run'> | IdSuffix<'run'>) =>
      key<'hash'>(`${tag}z:${drawnPart(run)}:unreachable`),
    /**
     * What of a Slack channel is not yet as it should be (standups, parent messages, notices), by due time
     * (ms).
     */
    slackPending: (channel: string) => key<'zset'>(`${tag}c:${channel}:pending`),
    /**
     * Everything that stands under Slack's id of a person: names of prompts and notices, `told/<channel>`
     * for a trouble they were told of. As long as the last of them.
     */
    slackKept: (user: string) => key<'set'>(`${tag}c:${user}:kept`),
    /** The address of a person's picture in Slack. 30 days after it was last read. */
    slackPicture: (user: string) => key<'string'>(`${tag}c:${user}:picture`),
    /**
     * The record of what somebody (Slack's id) types, see domain/slack/typed-record.ts. 48 hours after the
     * last word.
     */
    typed: (user: string) => key<'string'>(`${tag}c:${user}:typed`),
    /** Who works on a Slack channel, or `paused` while Slack wants us to wait. Seconds. */
    slackLease: (channel: string) => key<'string'>(`${tag}c:${channel}:lease`),
    /** What keeps a channel from showing standups and reports, see slack-troubles.ts. 30 days. */
    slackTrouble: (channel: string) => key<'hash'>(`${tag}c:${channel}:trouble`),
    /** Channels that had a trouble, by when it was noted last (ms). 30 days after that. */
    slackTroubles: () => key<'zset'>(`${tag}c:troubles`),
    /** When the next message to a Slack channel is due (ms), as long as that is to come: seconds. */
    slackPace: (channel: string) => key<'string'>(`${tag}c:${channel}:pace`),
    /**
     * Channels that the bot could join by itself, so that they are public, by when it did (s): the last
     * 1,000.
     */
    slackPublic: () => key<'zset'>(`${tag}c:public`),
    /** The rest of a team's set-up in Slack, by its form. Until it is done, a day at most. */
    teamRest: (form: string) => key<'string'>(`${tag}f:${form}`),
    /** Until when (ms) Slack wants no call of a method of its Web API. As long as that. */
    slackThrottle: (method: string) => key<'string'>(`${tag}y:${method}`),
    /**
     * How far the calls of a method are ahead of their pace (`free`, ms), and when the last was that had
     * waited behind others (`last`). A minute.
     */
    slackTurns: (method: string) => key<'hash'>(`${tag}y:${method}:turns`),
    /** Items that wait behind others for a call of a method, by since when (ms). Half an hour. */
    slackQueue: (method: string) => key<'zset'>(`${tag}y:${method}:queue`),
    /**
     * The parent message of a team's day in a channel: `ts`, `shown`, `of`, `names`, `wanted`, the author
     * of each standup of it (`by:`). 400 days.
     */
    slackDay: (channel: string, team: Id<'team'> | IdSuffix<'team'>, date: string) =>
      key<'hash'>(`${tag}q:${channel}:${drawnPart(team)}:${date}`),
    /**
     * The summary of a team's week, by its Monday: `channel`, `ts`, `shown`, `sending`, `failures`,
     * `removed`, and addresses of reports (`link:`). 400 days.
     */
    slackWeek: (team: Id<'team'> | IdSuffix<'team'>, monday: string) =>
      key<'hash'>(`${tag}q:${drawnPart(team)}:week:${monday}`),
    /**
     * The report of the run of a team and date: `channel`, `place`, `parent`, `ts` and `posted` of each of
     * its messages, `sending`, `part`, `failures`, `failed`, `removed`. 400 days.
     */
    slackDigest: (team: Id<'team'> | IdSuffix<'team'>, date: string) =>
      key<'hash'>(`${tag}q:${drawnPart(team)}:${date}`),
  };
}

export type WorkspaceKeys = ReturnType<typeof keysOf>;

export function readyOfSide(keys: WorkspaceKeys, side: WorkSide): Key<'zset'> {
  return side === 'slack' ? keys.slackReady() : keys.ready();
}

/** The set in which a piece of work stands. */
export function readyOf(keys: WorkspaceKeys, work: Work): Key<'zset'> {
  return readyOfSide(keys, sideOf(work));
}

/** Keys of the installation. Nothing a person wrote stands here. */
export const globalKeys = {
  /** Made once; its absence on a used installation means the data is gone. */
  generation: () => key<'string'>('{global}:generation'),
  /** Installation id, the check value that refuses a wrong SECRET_KEY, and the `format` of the data. */
  installation: () => key<'hash'>('{global}:installation'),
  /**
   * Signing keys, encrypted: the one that signs under `current`, and those replaced, until a rotation after
   * their last token has expired.
   */
  signingKeys: () => key<'hash'>('{global}:signing-keys'),
  /**
   * Workspace slug → workspace id. A claim whose workspace does not confirm it is removed after 10 minutes.
   */
  workspaceSlugs: () => key<'hash'>('{global}:workspace-slugs'),
  /** Ids of all workspaces. */
  workspaces: () => key<'set'>('{global}:workspaces'),
  /**
   * Processes that work: the name each has drawn → `<last sign of life (ms)> <what its machine knows it by>`.
   * A day after the last.
   */
  workers: () => key<'hash'>('{global}:workers'),
  /** That some process has served Slack within a day: what a new workspace's log is read by. */
  slackServed: () => key<'string'>('{global}:slack-served'),
  /** Whether the store takes writes: something to write, 1 second. */
  probe: () => key<'string'>('{global}:probe'),
  /** Workspaces by when somebody must look at their ready set (ms), see due-index.ts. Entries go with the work. */
  due: () => key<'zset'>('{global}:due'),
  /** The same of the ready set for Slack. */
  slackDue: () => key<'zset'>('{global}:due:slack'),
  /** Which process runs the pump. 3 seconds. */
  pump: () => key<'string'>('{global}:pump'),
  /** Which process looks for work of Slack. 3 seconds. */
  slackPump: () => key<'string'>('{global}:pump:slack'),
  /**
   * Failed authentications from an address, or installations of the bot begun there, by its keyed hash, as
   * a quota. Until it is whole again, a minute at most.
   */
  failedAuthentications: (hash: string) => key<'string'>(`{global}:failed-auth:${hash}`),
  /**
   * Slack's id of a workspace or organisation → id of ours. Never given to another: a pointer that nothing
   * confirms yet is where the next installation goes on.
   */
  slackWorkspaces: () => key<'hash'>('{global}:slack-workspaces'),
  /**
   * Somebody is on the way to install the bot, by the hash of their state. 10 minutes, or until they come
   * back.
   */
  slackState: (hash: string) => key<'string'>(`{global}:slack-state:${hash}`),
  /** Ways back from an identity provider that were taken, by the hash of their state. 10 minutes. */
  signInReturn: (hash: string) => key<'string'>(`{global}:sign-in:${hash}`),
  /** Signatures of Slack requests already answered. 10 minutes. */
  slackSignature: (hash: string) => key<'string'>(`{global}:slack-seen:${hash}`),
} as const;
