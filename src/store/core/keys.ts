import type {Credential, PrincipalId} from '../../domain/core/access.js';
import {type Id, suffixOf, type IdSuffix, isId} from '../../domain/core/ids.js';
import type {ListName} from '../../domain/core/lists.js';
import type {Collection, NameSpace} from '../../domain/commit/writes.js';
import {sideOf, type Work, type WorkSide} from '../../domain/core/work.js';

/** A key name that remembers its Redis type, so that a write of another type does not compile. */
export type Key<T extends 'string' | 'hash' | 'list' | 'set' | 'zset' | 'stream'> = string & {
  readonly __type: T;
};

export type AnyKey = string & {readonly __type: string};

function asKey<T extends 'string' | 'hash' | 'list' | 'set' | 'zset' | 'stream'>(name: string): Key<T> {
  return name as Key<T>;
}

/** The number of characters of a SHA-256 in base64url that a key contains. */
export const keptHashLength = 22;

/** The cursor of a webhook that has fallen behind is a field of the head: this prefix, and its id suffix. */
export const cursorPrefix = 'cursor:webhook/';

/** The field in the workspace's head that has the cursor of a webhook that is behind. By its id suffix. */
export function webhookCursorField(suffix: IdSuffix<'webhook'>): string {
  return cursorPrefix + suffix;
}

/** Workspaces whose keys are cached: creating them costs as much as a tenth of a commit. */
const known = new Map<string, WorkspaceKeys>();
const maxKnown = 500;

/** The keys of one workspace: one object, so that the hot paths create no other. */
export function workspaceKeys(workspace: Id<'workspace'>): WorkspaceKeys {
  let keys = known.get(workspace);
  if (keys === undefined) {
    if (known.size >= maxKnown) known.clear();
    keys = buildWorkspaceKeys(workspace);
    known.set(workspace, keys);
  }
  return keys;
}

/**
 * Every key of one workspace, with its id as hash tag, so that one script may use them on a cluster. Keys
 * contain only id suffixes: the other part of an id is a Redis time, unknown in advance.
 */
function buildWorkspaceKeys(workspace: Id<'workspace'>) {
  const tag = `{${workspace}}:`;
  return {
    /**
     * Sequence, consumer cursors, the time of each consumer's last heartbeat (ms), and collection versions;
     * if it is missing, the data is gone. `bytes`: the memory that the workspace uses, see
     * workspace-bytes.ts. `cursor:webhook/<id suffix>`: a webhook that has fallen behind the others. Lives as
     * long as the workspace.
     */
    head: () => asKey<'hash'>(`${tag}head`),
    /** The event log, id `<sequence>-0`. Trimmed by age, never past a consumer's cursor. */
    events: () => asKey<'stream'>(`${tag}events`),
    /**
     * The last 100 changes of a collection that processes cache in memory, newest first: `<version before>
     * <version> <id suffix of the changed resource>`.
     */
    changes: (collection: Collection) => asKey<'list'>(`${tag}changes:${collection}`),
    /** Work to be looked at, by due time (ms). Entries go with the work. */
    ready: () => asKey<'zset'>(`${tag}ready`),
    /** Work for Slack, by due time (ms). Separate, so that no other work waits behind it. */
    slackReady: () => asKey<'zset'>(`${tag}ready:slack`),
    /**
     * Wire JSON of a resource's latest revision, packed for a standup's first one: see packed-standups.ts.
     * Until deleted.
     */
    record: (suffix: IdSuffix) => asKey<'string'>(`${tag}r:${suffix}`),
    /**
     * Wire JSON of earlier revisions, by number. As long as the record, then as long as the events that refer
     * to it (30 days); those of a run 30 days after the last, and each as its difference to the next, see
     * revision-differences.ts.
     */
    revisions: (suffix: IdSuffix) => asKey<'hash'>(`${tag}v:${suffix}`),
    /**
     * An ordered collection of id suffixes. The list of resources removed of a person: 30 days after the
     * last.
     */
    list: (name: ListName) => asKey<'zset'>(`${tag}l:${name}`),
    /** Unique names: name → id suffix. */
    names: (space: NameSpace) => asKey<'hash'>(`${tag}n:${space}`),
    /**
     * How often standups of a run (by id suffix) were posted, changed or deleted while it was open. 60 days
     * after the last.
     */
    runPosts: (suffix: IdSuffix<'run'>) => asKey<'string'>(`${tag}b:${suffix}`),
    /** Members of a team: id suffix → role, a slash, id suffix of their membership. */
    teamMembers: (team: Id<'team'> | IdSuffix<'team'>) => asKey<'hash'>(`${tag}m:${suffixOf(team)}`),
    /** Steps of a run that are taken, see `stepName`: the time (ms). 30 days after the last of them. */
    runSteps: (run: IdSuffix<'run'>) => asKey<'hash'>(`${tag}e:${run}`),
    /**
     * Id suffix of a team → `<how often a look at its schedule was requested> <time (ms) until which
     * everything due is done>`. As long as the team.
     */
    looks: () => asKey<'hash'>(`${tag}looks`),
    /** The event on which a consumer of the log failed last, how often, and since when (ms). 30 days. */
    consumerFailure: (consumer: string) => asKey<'string'>(`${tag}g:${consumer}`),
    /**
     * Exists while a token is neither revoked nor expired; for a session or a sign-in link it holds the
     * SHA-256 of its secret.
     */
    liveToken: (suffix: IdSuffix<'access_token'>) => asKey<'string'>(`${tag}t:${suffix}`),
    /**
     * The key that exists while a caller's credential is valid: that of its token, or the record of the
     * principal that a trusted issuer names.
     */
    credential: (id: Credential['id']): Key<'string'> =>
      asKey<'string'>(`${tag}${isId('access_token', id) ? 't' : 'r'}:${suffixOf(id)}`),
    /**
     * Minute of each token's last use: id suffix → minutes since the epoch. Until the token is revoked or
     * swept.
     */
    tokenUse: () => asKey<'hash'>(`${tag}u`),
    /**
     * Quota that a principal has used: `<all> <writes>`, see domain/core/quota.ts. Until it is full again, a
     * minute at most.
     */
    quota: (principal: Id<'member' | 'service_account'>) => asKey<'string'>(`${tag}a:${suffixOf(principal)}`),
    /**
     * How many sign-ins a person was granted since their workspace became full, see `Commit.lets`. 24 hours
     * after the first.
     */
    waysIn: (person: PrincipalId) => asKey<'string'>(`${tag}o:${suffixOf(person)}`),
    /** The answer to an idempotency key, by 132 bits of its hash; see kept-replies.ts. 24 hours. */
    idempotency: (hash: string) => asKey<'string'>(`${tag}i:${hash.slice(0, keptHashLength)}`),
    /** The encrypted secret of a resource. As long as the resource. */
    secret: (suffix: IdSuffix<'webhook'>) => asKey<'string'>(`${tag}s:${suffix}`),
    /** The earlier secrets, newest first. Until the overlap of their rotation is over, at most 7 days. */
    earlierSecrets: (suffix: IdSuffix<'webhook'>) =>
      [asKey<'string'>(`${tag}s:${suffix}:1`), asKey<'string'>(`${tag}s:${suffix}:2`)] as const,
    /** The custom headers of a webhook, encrypted. As long as the webhook. */
    webhookHeaders: (webhook: IdSuffix<'webhook'>) => asKey<'string'>(`${tag}w:${webhook}:headers`),
    /** Waiting deliveries of a webhook, by due time (ms). */
    pending: (webhook: IdSuffix<'webhook'>) => asKey<'zset'>(`${tag}w:${webhook}:pending`),
    /** Deliveries of a webhook with a request in progress, by end of lease (ms). */
    inflight: (webhook: IdSuffix<'webhook'>) => asKey<'zset'>(`${tag}w:${webhook}:inflight`),
    /** Like `pending`, for deliveries of replays: their backlog, which gets a quarter of the requests. */
    replays: (webhook: IdSuffix<'webhook'>) => asKey<'zset'>(`${tag}w:${webhook}:replays`),
    /** Like `inflight`, for deliveries of replays. */
    replaying: (webhook: IdSuffix<'webhook'>) => asKey<'zset'>(`${tag}w:${webhook}:replaying`),
    /**
     * Results of deliveries of replays: `<replay>:succeeded` and `<replay>:failed` → how many. As long as the
     * webhook.
     */
    replayed: (webhook: IdSuffix<'webhook'>) => asKey<'hash'>(`${tag}w:${webhook}:replayed`),
    /** Deliveries that wait for another of their team: `<team>:<sequence>:<delivery>`, all with score 0. */
    waiting: (webhook: IdSuffix<'webhook'>) => asKey<'zset'>(`${tag}w:${webhook}:waiting`),
    /** Team → `<delivery>:<since (ms)>`: the delivery that the others of that team wait for. */
    heads: (webhook: IdSuffix<'webhook'>) => asKey<'hash'>(`${tag}w:${webhook}:heads`),
    /**
     * Unfinished deliveries of a webhook: `<attempts begun>:<failures recorded>:<number>:<team>:<replay>`.
     */
    tries: (webhook: IdSuffix<'webhook'>) => asKey<'hash'>(`${tag}w:${webhook}:tries`),
    /** Start times of the last requests of a throttled webhook (ms). As long as its throttle's time range. */
    starts: (webhook: IdSuffix<'webhook'>) => asKey<'zset'>(`${tag}w:${webhook}:starts`),
    /**
     * Attempts of a webhook in one hour since the epoch: `ok`, `bad`, the failed ones by their error, and
     * counts by duration, see `durationBucket`. 26 hours.
     */
    health: (webhook: IdSuffix<'webhook'>, hour: number) =>
      asKey<'hash'>(`${tag}w:${webhook}:health:${hour}`),
    /**
     * As long as the webhook. Settings: `concurrency`, `ordering`, `throttle` (`<max>/<seconds>`), `off`
     * while it is disabled. Breaker: see claim-results.ts. `anew`: deliveries claimed until then (ms) do not
     * count for the current receiver. `failing`: ms of the first failure after the last success, `failed`:
     * how many since, `same`: how many of the last of these failed alike, `last`: `<ms>:<error>:<status>` of
     * the last attempt, `warned`. `slow`: above 0 while its receiver is slow. `n`: the number of deliveries
     * numbered so far. `until`: the newest event at its last change, up to which catch-up serves it.
     * `behind`: the webhook's revision at its own cursor, as long as it has one. `missed`, `missed_at`:
     * events that left the log before there was room for them, and since when. `forgotten` after a member is
     * erased: responses to attempts claimed until then (ms) are not stored. `replay`: the running one, by id
     * suffix.
     */
    webhookState: (webhook: IdSuffix<'webhook'>) => asKey<'hash'>(`${tag}w:${webhook}:state`),
    /**
     * `<delivery>:<attempt>:<request and response, without secrets>` by time (ms): the last 100 of a webhook.
     * 30 days.
     */
    excerpts: (webhook: IdSuffix<'webhook'>) => asKey<'zset'>(`${tag}w:${webhook}:excerpts`),
    /**
     * One delivery: webhook, number, for a replay its id and the time it was made (ms), state, attempts
     * recorded, and an entry for each of the last 100. As long as events.
     */
    delivery: (suffix: IdSuffix<'delivery'>) => asKey<'hash'>(`${tag}d:${suffix}`),
    /**
     * The first delivery of each of up to 32 consecutive events to a webhook, see delivery-blocks.ts. As long
     * as events, from the last one on.
     */
    deliveryBlock: (webhook: IdSuffix<'webhook'>, block: string) =>
      asKey<'hash'>(`${tag}w:${webhook}:d:${block}`),
    /**
     * The progress of the erasure of a member: `at` (ms), `state`, counts by kind, `ended` (ms), and until
     * then `member` (id suffix). 90 days after the last step.
     */
    erasure: (suffix: IdSuffix<'erasure'>) => asKey<'hash'>(`${tag}e:${suffix}`),
    /**
     * A replay: its request, `state`, `cursor` (sequence of the last scanned event), `matched`, `at` and
     * `ended` (ms). Until 30 days after its end; one that never ends, since its webhook stays disabled, for
     * 46 days, when every event it could send is too old.
     */
    replay: (suffix: IdSuffix<'replay'>) => asKey<'hash'>(`${tag}x:${suffix}`),
    /**
     * Slack id of the connected workspace or organisation (`id`), and the time of the bot's last installation
     * there (`installed`, ms).
     */
    slackInstallation: () => asKey<'hash'>(`${tag}slack`),
    /** The bot's token there, encrypted. Until the bot is uninstalled. */
    slackToken: () => asKey<'string'>(`${tag}slack-token`),
    /**
     * The wanted and the shown state of a standup in Slack. 400 days after its last change, 30 after it is
     * retracted.
     */
    slackPost: (suffix: IdSuffix<'standup'>) => asKey<'hash'>(`${tag}p:${suffix}`),
    /**
     * The notice of one event to one person in Slack: whether a message is being sent, or exists. 30 days.
     */
    slackNotice: (channel: string, sequence: number) => asKey<'hash'>(`${tag}x:${channel}:${sequence}`),
    /**
     * The one message that reminds a member on a date of theirs: `user`, `run:` and the id suffix of each of
     * its runs → the time at which that closes for them (ms), `due:` and that suffix → how often they were
     * reminded, `why:` and each reason → when it first held that day, `before`, `at` (the last reminder),
     * `snoozed`, `take`, and of the message `ts`, `channel`, `sent`, `sending`, `shown`, `failures`, `links`,
     * `failed`; `old`: the messages that it has replaced. 30 days.
     */
    slackPrompt: (member: Id<'member'> | IdSuffix<'member'>, date: string) =>
      asKey<'hash'>(`${tag}z:${suffixOf(member)}:${date}`),
    /** The prompts for a run: `<id suffix of the member>/<date>`. 30 days. */
    slackPromptsOf: (run: Id<'run'> | IdSuffix<'run'>) => asKey<'set'>(`${tag}z:${suffixOf(run)}`),
    /** Members of a run whose reminder Slack did not deliver: id suffix → Slack's reason. 400 days. */
    slackUnreachable: (run: Id<'run'> | IdSuffix<'run'>) =>
      asKey<'hash'>(`${tag}z:${suffixOf(run)}:unreachable`),
    /**
     * Items of a Slack channel that are not up to date (standups, parent messages, notices), by due time
     * (ms).
     */
    slackPending: (channel: string) => asKey<'zset'>(`${tag}c:${channel}:pending`),
    /**
     * Everything stored under a person's Slack id: names of prompts and notices, `told/<channel>` for a
     * delivery problem they were notified of. As long as the last of them.
     */
    slackKept: (user: string) => asKey<'set'>(`${tag}c:${user}:kept`),
    /** The address of a person's picture in Slack. 30 days after it was last read. */
    slackPicture: (user: string) => asKey<'string'>(`${tag}c:${user}:picture`),
    /** The locale of a person's Slack. 30 days after it was last read. */
    slackLocale: (user: string) => asKey<'string'>(`${tag}c:${user}:locale`),
    /**
     * The record of the text that a person (Slack id) types, see domain/slack/typed-record.ts. 48 hours after
     * the last message.
     */
    typed: (user: string) => asKey<'string'>(`${tag}c:${user}:typed`),
    /** The holder of a Slack channel, or `paused` while Slack wants us to wait. Seconds. */
    slackLease: (channel: string) => asKey<'string'>(`${tag}c:${channel}:lease`),
    /**
     * The delivery problem that keeps a channel from showing standups and reports, see slack-troubles.ts. 30
     * days.
     */
    slackTrouble: (channel: string) => asKey<'hash'>(`${tag}c:${channel}:trouble`),
    /** Channels that had a delivery problem, by the time it was last noted (ms). 30 days after that. */
    slackTroubles: () => asKey<'zset'>(`${tag}c:troubles`),
    /** The time at which the next message to a Slack channel is due (ms), until that time: seconds. */
    slackPace: (channel: string) => asKey<'string'>(`${tag}c:${channel}:pace`),
    /**
     * Channels that the bot could join by itself, so they are public, by the time it did (s): the last 1,000.
     */
    slackPublic: () => asKey<'zset'>(`${tag}c:public`),
    /** The rest of a team's set-up in Slack, by its form. Until it is done, a day at most. */
    teamRest: (form: string) => asKey<'string'>(`${tag}f:${form}`),
    /** The time (ms) until which Slack accepts no call of a method of its Web API. Until then. */
    slackThrottle: (method: string) => asKey<'string'>(`${tag}y:${method}`),
    /**
     * How far the calls of a method are ahead of their pace (`free`, ms), and the time of the last one that
     * had waited behind others (`last`). A minute.
     */
    slackSlots: (method: string) => asKey<'hash'>(`${tag}y:${method}:turns`),
    /** Items that wait behind others for a call of a method, by start of the wait (ms). Half an hour. */
    slackQueue: (method: string) => asKey<'zset'>(`${tag}y:${method}:queue`),
    /**
     * The parent message of a team's day in a channel: `ts`, `shown`, `of`, `names`, `wanted`, the author of
     * each of its standups (`by:`). 400 days.
     */
    slackDay: (channel: string, team: Id<'team'> | IdSuffix<'team'>, date: string) =>
      asKey<'hash'>(`${tag}q:${channel}:${suffixOf(team)}:${date}`),
    /**
     * The summary of a team's week, by its Monday: `channel`, `ts`, `shown`, `sending`, `failures`,
     * `removed`, and addresses of reports (`link:`). 400 days.
     */
    slackWeek: (team: Id<'team'> | IdSuffix<'team'>, monday: string) =>
      asKey<'hash'>(`${tag}q:${suffixOf(team)}:week:${monday}`),
    /**
     * The report of the run of a team and date: `channel`, `place`, `parent`, `ts` and `posted` of each of
     * its messages, `sending`, `part`, `failures`, `failed`, `removed`. 400 days.
     */
    slackDigest: (team: Id<'team'> | IdSuffix<'team'>, date: string) =>
      asKey<'hash'>(`${tag}q:${suffixOf(team)}:${date}`),
  };
}

export type WorkspaceKeys = ReturnType<typeof buildWorkspaceKeys>;

export function readySetOfSide(keys: WorkspaceKeys, side: WorkSide): Key<'zset'> {
  return side === 'slack' ? keys.slackReady() : keys.ready();
}

/** The ready set that contains this work. */
export function readySetOf(keys: WorkspaceKeys, work: Work): Key<'zset'> {
  return readySetOfSide(keys, sideOf(work));
}

/** Keys of the installation. They contain no text written by people. */
export const globalKeys = {
  /** Created once; if a used installation lacks it, the data is gone. */
  generation: () => asKey<'string'>('{global}:generation'),
  /** Installation id, the check value that detects a wrong SECRET_KEY, and the `format` of the data. */
  installation: () => asKey<'hash'>('{global}:installation'),
  /**
   * Signing keys, encrypted: the current one under `current`, and the replaced ones, until a rotation after
   * their last token has expired.
   */
  signingKeys: () => asKey<'hash'>('{global}:signing-keys'),
  /**
   * Workspace slug → workspace id. A claim whose workspace does not confirm it is removed after 10 minutes.
   */
  workspaceSlugs: () => asKey<'hash'>('{global}:workspace-slugs'),
  /** Ids of all workspaces. */
  workspaces: () => asKey<'set'>('{global}:workspaces'),
  /**
   * Running processes: the generated name of each → `<last heartbeat (ms)> <identity on its machine>`. A day
   * after the last.
   */
  workers: () => asKey<'hash'>('{global}:workers'),
  /**
   * Exists when a process has served Slack within a day: then a new workspace's log gets a Slack consumer.
   */
  slackServed: () => asKey<'string'>('{global}:slack-served'),
  /** A test write that shows whether the store takes writes; 1 second. */
  probe: () => asKey<'string'>('{global}:probe'),
  /**
   * Workspaces by the time at which a process must check their ready set (ms), see due-index.ts. Entries go
   * with the work.
   */
  due: () => asKey<'zset'>('{global}:due'),
  /** The same for the ready set of Slack. */
  slackDue: () => asKey<'zset'>('{global}:due:slack'),
  /** The process that runs the scheduler. 3 seconds. */
  scheduler: () => asKey<'string'>('{global}:pump'),
  /** The process that looks for work of Slack. 3 seconds. */
  slackScheduler: () => asKey<'string'>('{global}:pump:slack'),
  /**
   * Failed authentications from an address, or installations of the bot started there, by its keyed hash, as
   * a quota. Until it is full again, a minute at most.
   */
  failedAuthentications: (hash: string) => asKey<'string'>(`{global}:failed-auth:${hash}`),
  /**
   * Slack id of a workspace or organisation → our workspace id. Never given to another: a pointer that is not
   * confirmed yet is where the next installation continues.
   */
  slackWorkspaces: () => asKey<'hash'>('{global}:slack-workspaces'),
  /**
   * A started installation of the bot, by the hash of its state. 10 minutes, or until the person comes back.
   */
  slackState: (hash: string) => asKey<'string'>(`{global}:slack-state:${hash}`),
  /** Redirects from an identity provider that were used, by the hash of their state. 10 minutes. */
  signInReturn: (hash: string) => asKey<'string'>(`{global}:sign-in:${hash}`),
  /** Signatures of Slack requests already answered. 10 minutes. */
  slackSignature: (hash: string) => asKey<'string'>(`{global}:slack-seen:${hash}`),
} as const;
