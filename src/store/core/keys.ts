import type {Credential, PrincipalId} from '../../domain/core/access.js';
import {type Id, suffixOf, type IdSuffix, isId} from '../../domain/core/ids.js';
import type {ListName} from '../../domain/core/lists.js';
import type {Collection, NameSpace} from '../../domain/commit/writes.js';
import {findWorkSide, type Work, type WorkSide} from '../../domain/core/work.js';

/** The name of a Redis key with the type of its value, so that a command of another type does not compile. */
export type Key<T extends 'string' | 'hash' | 'list' | 'set' | 'zset' | 'stream'> = string & {
  readonly __type: T;
};

export type AnyKey = string & {readonly __type: string};

function asKey<T extends 'string' | 'hash' | 'list' | 'set' | 'zset' | 'stream'>(name: string): Key<T> {
  return name as Key<T>;
}

/** The number of characters of a hash (SHA-256 in base64url) that a key contains. */
const keptHashLength = 22;

/** Returns the name of a key that never exists, in the cluster slot of another key. */
export function absentKeyBeside(key: string): string {
  return `${key.slice(0, key.indexOf('}') + 1)}:absent`;
}

/** The prefix of a field in a workspace's head, before the id suffix of a webhook that has fallen behind. */
export const cursorPrefix = 'cursor:webhook/';

/** Returns the field of a workspace's head with the position of a webhook that has fallen behind. */
export function formatWebhookCursorField(suffix: IdSuffix<'webhook'>): string {
  return cursorPrefix + suffix;
}

/** A cache of each workspace's keys, because creating them takes up to a tenth of the time of a commit. */
const known = new Map<string, WorkspaceKeys>();
const maxKnown = 500;

/** Returns the keys of one workspace. The same object is reused, to save time in frequent operations. */
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
 * Creates the keys of one workspace. The workspace's id is their hash tag, so that one script may use them
 * all in a cluster. Keys contain only id suffixes, because the time in an id is unknown in advance.
 */
function buildWorkspaceKeys(workspace: Id<'workspace'>) {
  const tag = `{${workspace}}:`;
  return {
    /**
     * The head of a workspace, a hash of facts about the whole workspace: number and time (ms) of the last event, the
     * positions and heartbeats (ms) of log readers, and the versions of collections. If it is missing, the
     * workspace's data is lost. `bytes`: the used memory (workspace-bytes.ts). `cursor:webhook/<id suffix>`:
     * the position of a webhook that has fallen behind. `frozen`: since when (ms) the workspace is read-only
     * (frozen.ts); `exported`: the digest of its last export since; `removing`: the slug, once its removal has
     * begun. `imported`: the number of resources placed without an event; `imported:key`: the key
     * of the hashes of imports. Kept as long as the workspace.
     */
    head: () => asKey<'hash'>(`${tag}head`),
    /** The progress of an import: `file` (digest), `lines`, `slug`, `importer`. Kept until it is complete. */
    importProgress: () => asKey<'hash'>(`${tag}import`),
    /** The people of an import: JSON of `[hash of the person, choice]`. Kept until it ends, at most 9 days. */
    importPeople: (suffix: IdSuffix<'import'>) => asKey<'string'>(`${tag}h:${suffix}`),
    /** The event log, with ids `<number>-0`. It is shortened by age, but never past a reader's position. */
    events: () => asKey<'stream'>(`${tag}events`),
    /**
     * The last 100 changes of a cached collection, newest first: `<version before> <version> <id suffix of
     * the changed resource>`.
     */
    changes: (collection: Collection) => asKey<'list'>(`${tag}changes:${collection}`),
    /** The due work of a workspace, by due time (ms). Entries are removed when the work is done. */
    ready: () => asKey<'zset'>(`${tag}ready`),
    /** The due work for Slack, by due time (ms). It is separate, so that no other work waits behind it. */
    slackReady: () => asKey<'zset'>(`${tag}ready:slack`),
    /** The JSON of a resource's latest revision. Kept until the resource is deleted. */
    record: (suffix: IdSuffix) => asKey<'string'>(`${tag}r:${suffix}`),
    /**
     * The JSON of a resource's earlier revisions, by number. Kept as long as the record, and then as long as
     * events refer to it (30 days). Those of a run are kept for 30 days after the last one.
     */
    revisions: (suffix: IdSuffix) => asKey<'hash'>(`${tag}v:${suffix}`),
    /** A list of resources by id suffix. A person's removed ones stay for 30 days after the last removal. */
    list: (name: ListName) => asKey<'zset'>(`${tag}l:${name}`),
    /** The unique names in a workspace, each with the id suffix of its resource. */
    names: (space: NameSpace) => asKey<'hash'>(`${tag}n:${space}`),
    /** The number of posts, changes and deletions in an open run. Kept for 60 days after the last one. */
    runPosts: (suffix: IdSuffix<'run'>) => asKey<'string'>(`${tag}b:${suffix}`),
    /** The members of a team: id suffix → role, a slash, and the id suffix of the membership. */
    teamMembers: (team: Id<'team'> | IdSuffix<'team'>) => asKey<'hash'>(`${tag}m:${suffixOf(team)}`),
    /** The steps of a run that were taken, each with its time (ms). Kept for 30 days after the last one. */
    runSteps: (run: IdSuffix<'run'>) => asKey<'hash'>(`${tag}e:${run}`),
    /**
     * The schedule checks of teams, by the teams' id suffixes: `<number of requested checks> <time (ms) until
     * which everything due is done>`. Kept as long as the team.
     */
    looks: () => asKey<'hash'>(`${tag}looks`),
    /** The last event on which a log reader failed, how often, and since when (ms). Kept for 30 days. */
    consumerFailure: (consumer: string) => asKey<'string'>(`${tag}g:${consumer}`),
    /** Exists while a token is valid. For a session, sign-in link or invite: the SHA-256 of the secret. */
    liveToken: (suffix: IdSuffix<'access_token' | 'invite'>) => asKey<'string'>(`${tag}t:${suffix}`),
    /** Exists while a credential is valid: a token's key, or the record of a trusted issuer's principal. */
    credential: (id: Credential['id']): Key<'string'> =>
      asKey<'string'>(`${tag}${isId('access_token', id) ? 't' : 'r'}:${suffixOf(id)}`),
    /** The last use of each token: id suffix → minutes since the epoch. Kept as long as the token. */
    tokenUse: () => asKey<'hash'>(`${tag}u`),
    /** The use of each passkey: id suffix → `<signature counter> <minutes since the epoch>`. Kept as long as it. */
    passkeyUse: () => asKey<'hash'>(`${tag}k`),
    /** The used quota of a principal or link: `<all> <writes>` (domain/core/quota.ts). Kept for a minute. */
    quota: (principal: Id<'member' | 'service_account' | 'access_token'>) =>
      asKey<'string'>(`${tag}a:${suffixOf(principal)}`),
    /** The number of a person's sign-ins since their workspace was full (`Commit.lets`). Kept for 24 hours. */
    waysIn: (person: PrincipalId) => asKey<'string'>(`${tag}o:${suffixOf(person)}`),
    /**
     * The drafts of a member's standups: `<id suffix of the team>:<date>:<source>` → the time of the last change
     * (ms), a space, and the part as JSON. Kept for 8 days after the last change.
     */
    drafts: (member: Id<'member'> | IdSuffix<'member'>) => asKey<'hash'>(`${tag}h:${suffixOf(member)}`),
    /** The standups in a member's inbox, by the number of the last event. Kept for 90 days after the last one. */
    inbox: (member: Id<'member'>) => asKey<'zset'>(`${tag}k:${suffixOf(member)}`),
    /** Those of them that are unread, by the same number. Kept as long. */
    unread: (member: Id<'member'>) => asKey<'zset'>(`${tag}k:${suffixOf(member)}:unread`),
    /**
     * The items of the inbox: `<how often since it was read> <reasons> <last reason> <id of who did it> <id suffix
     * of what they did> <time (ms)> <number of the first event since it was read>`. Kept as long.
     */
    inboxItems: (member: Id<'member'>) => asKey<'hash'>(`${tag}k:${suffixOf(member)}:items`),
    /**
     * The standups whose conversations a member has muted, by the time (ms) of the last thing in them, or of the
     * muting. Kept for 90 days after the last one, and as long as the inbox.
     */
    muted: (member: Id<'member'>) => asKey<'zset'>(`${tag}k:${suffixOf(member)}:muted`),
    /** Items of inboxes that may have to be sent: `<member>/<standup>` (id suffixes), by due time (ms). */
    noticesDue: () => asKey<'zset'>(`${tag}z:notices`),
    /** The number of invites to an address (by keyed hash) on a day (see `dayNumber`). Kept for 24 hours. */
    invited: (address: string, day: number) => asKey<'string'>(`${tag}j:${address}:${day}`),
    /**
     * The stored answer to an idempotency key, by 132 bits of its hash (kept-replies.ts). Kept for 24 hours.
     */
    idempotency: (hash: string) => asKey<'string'>(`${tag}i:${hash.slice(0, keptHashLength)}`),
    /** The encrypted secret of a webhook. Kept as long as the webhook. */
    secret: (suffix: IdSuffix<'webhook'>) => asKey<'string'>(`${tag}s:${suffix}`),
    /** Earlier secrets of a webhook, newest first. Kept until the end of their overlap, at most 7 days. */
    earlierSecrets: (suffix: IdSuffix<'webhook'>) =>
      [asKey<'string'>(`${tag}s:${suffix}:1`), asKey<'string'>(`${tag}s:${suffix}:2`)] as const,
    /** The additional headers of a webhook, encrypted. Kept as long as the webhook. */
    webhookHeaders: (webhook: IdSuffix<'webhook'>) => asKey<'string'>(`${tag}w:${webhook}:headers`),
    /** The waiting deliveries of a webhook, by due time (ms). */
    pending: (webhook: IdSuffix<'webhook'>) => asKey<'zset'>(`${tag}w:${webhook}:pending`),
    /** The deliveries of a webhook with a request in progress, by the end of their lease (ms). */
    inflight: (webhook: IdSuffix<'webhook'>) => asKey<'zset'>(`${tag}w:${webhook}:inflight`),
    /** The waiting deliveries of replays, by due time (ms). They get a quarter of the requests. */
    replays: (webhook: IdSuffix<'webhook'>) => asKey<'zset'>(`${tag}w:${webhook}:replays`),
    /** The deliveries of replays with a request in progress, by the end of their lease (ms). */
    replaying: (webhook: IdSuffix<'webhook'>) => asKey<'zset'>(`${tag}w:${webhook}:replaying`),
    /** Results of replays: `<replay>:succeeded`, `<replay>:failed` → number. Kept as long as the webhook. */
    replayed: (webhook: IdSuffix<'webhook'>) => asKey<'hash'>(`${tag}w:${webhook}:replayed`),
    /** Deliveries that wait for one of their team: `<team>:<number>:<delivery>`, all with score 0. */
    waiting: (webhook: IdSuffix<'webhook'>) => asKey<'zset'>(`${tag}w:${webhook}:waiting`),
    /** The delivery of each team that the team's other deliveries wait for: `<delivery>:<since (ms)>`. */
    heads: (webhook: IdSuffix<'webhook'>) => asKey<'hash'>(`${tag}w:${webhook}:heads`),
    /** Unfinished deliveries: `<started attempts>:<recorded failures>:<number>:<team>:<replay>`. */
    tries: (webhook: IdSuffix<'webhook'>) => asKey<'hash'>(`${tag}w:${webhook}:tries`),
    /** Start times (ms) of a throttled webhook's last requests. Kept as long as the throttle's period. */
    starts: (webhook: IdSuffix<'webhook'>) => asKey<'zset'>(`${tag}w:${webhook}:starts`),
    /**
     * The counted attempts of a webhook in one hour. The key contains the hour, counted since the epoch.
     * Fields: `ok`, `bad`, failures by error, and counts by ranges of duration. Kept for 26 hours.
     */
    health: (webhook: IdSuffix<'webhook'>, hour: number) =>
      asKey<'hash'>(`${tag}w:${webhook}:health:${hour}`),
    /**
     * The state of a webhook, kept as long as the webhook.
     * Settings: `concurrency`, `ordering`, `throttle` (`<max>/<seconds>`); `off` while it is disabled.
     * Circuit breaker: see include/charge-receiver.lua. `anew`: deliveries claimed until then (ms) do not count for the
     * current receiver.
     * Failures: `failing` (the first failure after the last success, ms), `failed` (the number since), `same`
     * (how many of the last failed alike), `last` (`<ms>:<error>:<status>` of the last attempt), `warned`;
     * `slow` is above 0 for a slow receiver.
     * Progress: `n` (the number of deliveries so far), `until` (the newest event at its last change, for
     * catching up), `behind` (its revision at its own position), `missed` and `missed_at` (events that were
     * deleted before there was space).
     * `forgotten`: after an erasure, answers to attempts claimed until then (ms) are not stored. `replay`:
     * the id suffix of the running replay.
     */
    webhookState: (webhook: IdSuffix<'webhook'>) => asKey<'hash'>(`${tag}w:${webhook}:state`),
    /**
     * The requests and responses of the last 100 attempts of a webhook, without secrets:
     * `<delivery>:<attempt>:<content>` by time (ms). Kept for 30 days.
     */
    excerpts: (webhook: IdSuffix<'webhook'>) => asKey<'zset'>(`${tag}w:${webhook}:excerpts`),
    /**
     * One delivery: its webhook, number, state, number of attempts, and the last 100 attempts. For a replay
     * also the replay's id and the creation time (ms). Kept as long as events.
     */
    delivery: (suffix: IdSuffix<'delivery'>) => asKey<'hash'>(`${tag}d:${suffix}`),
    /** First deliveries of up to 32 events in a row (delivery-blocks.ts). Kept as long as the last event. */
    deliveryBlock: (webhook: IdSuffix<'webhook'>, block: string) =>
      asKey<'hash'>(`${tag}w:${webhook}:d:${block}`),
    /**
     * The progress of a member's erasure: `at` (ms), `state`, counts by kind, `ended` (ms), and until then
     * `member` (id suffix). Kept for 90 days after the last step.
     */
    erasure: (suffix: IdSuffix<'erasure'>) => asKey<'hash'>(`${tag}e:${suffix}`),
    /**
     * A replay: its plan, `state`, `cursor` (the number of the last examined event), `matched`, `at` and
     * `ended` (ms). Kept for 30 days after its end. A replay that never ends is kept for 46 days, after which
     * all its events are too old.
     */
    replay: (suffix: IdSuffix<'replay'>) => asKey<'hash'>(`${tag}x:${suffix}`),
    /**
     * A mail: `fact`, `to`, `member`, `state`, `attempts`, `at`, `changed` (ms), `until`, `code`, `detail`; while
     * it is being sent `holder`, and `marked` once the server may have accepted it. Kept for 30 days.
     */
    mail: (suffix: IdSuffix<'mail'>) => asKey<'hash'>(`${tag}j:${suffix}`),
    /** The encrypted secret that a mail shows: a link or a code. Kept until the mail is over. */
    mailSecret: (suffix: IdSuffix<'mail'>) => asKey<'string'>(`${tag}j:${suffix}:secret`),
    /** The mails of a member (an id suffix), or to a hashed address. Kept for 30 days after the last one. */
    mailsOf: (owner: string) => asKey<'set'>(`${tag}j:${owner}:of`),
    /** The mails of the last 30 days, by the time of their queueing (µs). */
    mails: () => asKey<'zset'>(`${tag}mails`),
    /** The unfinished mails, by due time or by the end of their lease (ms). */
    mailsDue: () => asKey<'zset'>(`${tag}mails:due`),
    /** The Slack workspace or organisation (`id`), and the bot's last installation (`installed`, ms). */
    slackInstallation: () => asKey<'hash'>(`${tag}slack`),
    /** The bot's token for Slack, encrypted. Kept until the bot is uninstalled. */
    slackToken: () => asKey<'string'>(`${tag}slack-token`),
    /**
     * The wanted and the actual state of a standup in Slack, and the comments shown below it. Kept for 400 days
     * after its last change, and for 30 days after it is removed.
     */
    slackPost: (suffix: IdSuffix<'standup'>) => asKey<'hash'>(`${tag}p:${suffix}`),
    /**
     * The messages of a comment in the thread of its standup: `channel`, `standup`, `parent`, `ts` and `posted` of
     * each, `sending`, `part`, `failures`, `failed`, `removed`. Kept for 400 days after the last change.
     */
    slackComment: (suffix: IdSuffix<'comment'>) => asKey<'hash'>(`${tag}p:${suffix}`),
    /**
     * What a message in a Slack channel is (domain/slack/known-message.ts). Kept for 400 days after the message,
     * or for 7 days if it was deleted before it was heard of.
     */
    slackMessage: (channel: string, ts: string) => asKey<'string'>(`${tag}c:${channel}:${ts}`),
    /** The message that tells one person about one event: being sent, or existing. Kept for 30 days. */
    slackNotice: (channel: string, sequence: number) => asKey<'hash'>(`${tag}x:${channel}:${sequence}`),
    /**
     * The message that reminds a member on a date, in Slack or by mail. Its runs: `run:<id suffix>` →
     * their closing time for the member (ms), `due:<id suffix>` → the number of reminders. Its reasons:
     * `why:<reason>` → the first time on that day. Other fields: `user`, `before`, `at` (the last reminder),
     * `snoozed`, `take`. About the message: `ts`, `channel`, `sent`, `sending`, `shown`, `failures`, `links`,
     * `failed`, and `old` (the messages that it replaced). Kept for 30 days.
     */
    slackPrompt: (member: Id<'member'> | IdSuffix<'member'>, date: string) =>
      asKey<'hash'>(`${tag}z:${suffixOf(member)}:${date}`),
    /** The reminders that go by mail and must be looked at, by due time (ms). */
    remindPending: () => asKey<'zset'>(`${tag}z:pending`),
    /** The reminders of a run: `<id suffix of the member>/<date>`. Kept for 30 days. */
    slackPromptsOf: (run: Id<'run'> | IdSuffix<'run'>) => asKey<'set'>(`${tag}z:${suffixOf(run)}`),
    /** Members whose reminder of a run failed: id suffix → the reason. Kept for 400 days. */
    slackUnreachable: (run: Id<'run'> | IdSuffix<'run'>) =>
      asKey<'hash'>(`${tag}z:${suffixOf(run)}:unreachable`),
    /** The items of a Slack channel to update (standups, parent messages, notices), by due time (ms). */
    slackPending: (channel: string) => asKey<'zset'>(`${tag}c:${channel}:pending`),
    /**
     * The names of everything that is stored for a Slack user: reminders, notices, and `told/<channel>` if
     * the person was told about a problem in a channel. Kept as long as the last of these.
     */
    slackKept: (user: string) => asKey<'set'>(`${tag}c:${user}:kept`),
    /** The URL of a person's picture in Slack. Kept for 30 days after it was last read. */
    slackPicture: (user: string) => asKey<'string'>(`${tag}c:${user}:picture`),
    /**
     * What was seen at looks at a member's status in Slack, by the id suffixes of runs: `<time (ms)> <1 if it made an
     * absence> <emoji>`. Kept for 8 days after the last look.
     */
    slackStatus: (member: Id<'member'>) => asKey<'hash'>(`${tag}k:${suffixOf(member)}:status`),
    /** The locale of a person in Slack. Kept for 30 days after it was last read. */
    slackLocale: (user: string) => asKey<'string'>(`${tag}c:${user}:locale`),
    /** A Slack user's messages to the bot (domain/slack/typed-record.ts). Kept for 48 h after the last. */
    typed: (user: string) => asKey<'string'>(`${tag}c:${user}:typed`),
    /** The worker that updates a Slack channel, or `paused` while Slack wants a pause. Kept for seconds. */
    slackLease: (channel: string) => asKey<'string'>(`${tag}c:${channel}:lease`),
    /** The problem that stops a channel's standups and reports (slack-troubles.ts). Kept for 30 days. */
    slackTrouble: (channel: string) => asKey<'hash'>(`${tag}c:${channel}:trouble`),
    /** Channels with a delivery problem, by the time of its last record (ms). Kept for 30 days after that. */
    slackTroubles: () => asKey<'zset'>(`${tag}c:troubles`),
    /** The time at which the next message to a Slack channel may be sent (ms). Kept until then. */
    slackPace: (channel: string) => asKey<'string'>(`${tag}c:${channel}:pace`),
    /** The last 1,000 channels that the bot could join by itself, by time (s). Such channels are public. */
    slackPublic: () => asKey<'zset'>(`${tag}c:public`),
    /** The unfinished part of a team's set-up in Slack, by the form's id. Kept until done, at most a day. */
    teamRest: (form: string) => asKey<'string'>(`${tag}f:${form}`),
    /** The time (ms) until which Slack accepts no call of a method of its Web API. Kept until then. */
    slackThrottle: (method: string) => asKey<'string'>(`${tag}y:${method}`),
    /**
     * The time (ms) by which the calls of a method are ahead of the allowed rate (`free`), and when a
     * low-priority item last made a call (`last`). Kept for a minute.
     */
    slackSlots: (method: string) => asKey<'hash'>(`${tag}y:${method}:turns`),
    /** Low-priority items that wait for a Slack method, by start of the wait (ms). Kept for half an hour. */
    slackQueue: (method: string) => asKey<'zset'>(`${tag}y:${method}:queue`),
    /**
     * The parent message of a team's day in a channel: `ts`, `shown`, `of`, `names`, `wanted`, and the author
     * of each standup (`by:`). Kept for 400 days.
     */
    slackDay: (channel: string, team: Id<'team'> | IdSuffix<'team'>, date: string) =>
      asKey<'hash'>(`${tag}q:${channel}:${suffixOf(team)}:${date}`),
    /**
     * The summary of a team's week, by its Monday: `channel`, `ts`, `shown`, `sending`, `failures`,
     * `removed`, the URLs of reports (`link:`), and the channels of copies (`copy:`). Kept for 400 days.
     */
    slackWeek: (team: Id<'team'> | IdSuffix<'team'>, monday: string) =>
      asKey<'hash'>(`${tag}q:${suffixOf(team)}:week:${monday}`),
    /**
     * The report of a team's run: `channel`, `place`, `parent`, `ts` and `posted` of each message, `sending`,
     * `part`, `failures`, `failed`, `removed`, and the channels of copies (`copy:`). Kept for 400 days.
     */
    slackDigest: (team: Id<'team'> | IdSuffix<'team'>, date: string) =>
      asKey<'hash'>(`${tag}q:${suffixOf(team)}:${date}`),
    /** A report that a person has posted in a channel, by the key of their press; as `slackDigest`. */
    slackCopy: (team: Id<'team'> | IdSuffix<'team'>, key: string) =>
      asKey<'hash'>(`${tag}q:${suffixOf(team)}:copy:${key}`),
  };
}

export type WorkspaceKeys = ReturnType<typeof buildWorkspaceKeys>;

export function findReadySetOfSide(keys: WorkspaceKeys, side: WorkSide): Key<'zset'> {
  return side === 'slack' ? keys.slackReady() : keys.ready();
}

/** Returns the list of due work that contains this work: Slack's, or the one for everything else. */
export function findReadySet(keys: WorkspaceKeys, work: Work): Key<'zset'> {
  return findReadySetOfSide(keys, findWorkSide(work));
}

/** Returns the name of a key without its hash tag, and the tag: a workspace's id, for a workspace's key. */
export function splitKey(key: string): {readonly workspace: string; readonly name: string} {
  const at = key.indexOf('}:');
  return {workspace: key.slice(1, at), name: key.slice(at + 2)};
}

/** The keys of the whole installation. They contain no text of people. */
export const globalKeys = {
  /** The id of the stored data, created once. If a used installation lacks it, the data is lost. */
  generation: () => asKey<'string'>('{global}:generation'),
  /** The id of the installation, the value that detects a wrong SECRET_KEY, and the `format` of the data. */
  installation: () => asKey<'hash'>('{global}:installation'),
  /**
   * The encrypted signing keys. The current key is under `current`. A replaced key stays until the first
   * rotation after its last token has expired.
   */
  signingKeys: () => asKey<'hash'>('{global}:signing-keys'),
  /** Workspace ids by slug. A slug whose workspace was never created is removed after 10 minutes. */
  workspaceSlugs: () => asKey<'hash'>('{global}:workspace-slugs'),
  /** The ids of all workspaces. */
  workspaces: () => asKey<'set'>('{global}:workspaces'),
  /** The cursor in `workspaceSlugs` at which the maintenance of workspaces goes on. */
  upkeep: () => asKey<'string'>('{global}:upkeep'),
  /** Running processes: name → `<last heartbeat (ms)> <identity on its machine>`. Listed for a day. */
  workers: () => asKey<'hash'>('{global}:workers'),
  /**
   * Running processes of every role: name → `<last heartbeat (ms)> <data formats it reads> <version> <location>`.
   * Listed for a day. Apart from `workers`, whose entries earlier versions read to their ends.
   */
  processes: () => asKey<'hash'>('{global}:processes'),
  /** Exists if a process served Slack within a day. The log of a new workspace is then read for Slack. */
  slackServed: () => asKey<'string'>('{global}:slack-served'),
  /**
   * The time (ms) at which a process last read the logs of all workspaces with the bot. It is one sign of
   * life for them all. Kept as long as the installation.
   */
  slackRead: () => asKey<'string'>('{global}:slack-read'),
  /** The time (ms) at which a process last took Slack's events. Kept as long as the installation. */
  slackHeard: () => asKey<'string'>('{global}:slack-heard'),
  /** A test value that shows whether the store accepts writes. Kept for 1 second. */
  probe: () => asKey<'string'>('{global}:probe'),
  /** Workspaces by the time (ms) of their next check for due work (due-index.ts). */
  due: () => asKey<'zset'>('{global}:due'),
  /** Workspaces by the time (ms) at which they must be checked for due Slack work. */
  slackDue: () => asKey<'zset'>('{global}:due:slack'),
  /** The process that currently runs the scheduler. Kept for 3 seconds. */
  scheduler: () => asKey<'string'>('{global}:pump'),
  /** The process that currently searches for Slack work. Kept for 3 seconds. */
  slackScheduler: () => asKey<'string'>('{global}:pump:slack'),
  /**
   * Failed authentications of an address (by keyed hash), as a used quota. Kept for a minute at most; that of
   * asked codes for an hour.
   */
  failedAuthentications: (hash: string) => asKey<'string'>(`{global}:failed-auth:${hash}`),
  /**
   * The ids of our workspaces by the Slack id of a workspace or organisation. An entry is never given to
   * another workspace. If a workspace was not completed, the next installation continues with it.
   */
  slackWorkspaces: () => asKey<'hash'>('{global}:slack-workspaces'),
  /** A started bot installation, by the hash of its state. Kept for 10 minutes, or until Slack's redirect. */
  slackState: (hash: string) => asKey<'string'>(`{global}:slack-state:${hash}`),
  /** Used redirects from an identity provider, and challenges of passkeys, by a hash. Kept for 10 minutes. */
  signInReturn: (hash: string) => asKey<'string'>(`{global}:sign-in:${hash}`),
  /**
   * A code to sign in: `code` (its keyed hash), `at` (ms), `left` (tries). Kept for 10 minutes, or until it is
   * used. `address`, `subject`: keyed hashes of the address (or of the member who confirms), and of the
   * address with the workspace.
   */
  signInCode: (address: string, subject: string) => asKey<'hash'>(`{code:${address}}:${subject}`),
  /** The codes for an address or a member who confirms, as a used quota of an hour and a day. Kept for a day. */
  signInCodesOf: (address: string) => asKey<'string'>(`{code:${address}}`),
  /**
   * The sign-in of a program, by a keyed hash of its device code: `asked` (encrypted: name, scopes, address), `at`
   * (ms), `state`, `polled` (ms). Once decided: `by` (workspace and member), `suffix`, `token`, `kid`, `given`
   * (ms). Kept for 10 minutes, or for a minute after its token was given.
   */
  deviceLogin: (hash: string) => asKey<'hash'>(`{global}:device:${hash}`),
  /** The hash of the device code by a keyed hash of the code that people type. Kept for 10 minutes. */
  deviceUserCode: (hash: string) => asKey<'string'>(`{global}:device-code:${hash}`),
  /** The undecided sign-ins of programs by their end (ms). Kept for 10 minutes after the last start. */
  deviceLogins: () => asKey<'zset'>('{global}:device-logins'),
  /** The number of wrong codes that a member, or all of a workspace (a keyed hash), typed. Kept for a minute. */
  wrongDeviceCodes: (hash: string) => asKey<'string'>(`{global}:device-tries:${hash}`),
  /** The signatures of Slack's requests that were already answered. Kept for 10 minutes. */
  slackSignature: (hash: string) => asKey<'string'>(`{global}:slack-seen:${hash}`),
} as const;
