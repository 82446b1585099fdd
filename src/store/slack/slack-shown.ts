import type {
  ReportKind,
  SlackComment,
  SlackCopy,
  SlackDay,
  SlackDigestPost,
  SlackNotice,
  SlackPart,
  SlackMessage,
  SlackPost,
  SlackWeek,
} from '../../domain/slack/slack-post.js';
import {type KnownMessage, parseKnownMessage, type SlackLocation} from '../../domain/slack/known-message.js';
import {
  parseCommentFields,
  parseCopyFields,
  parseSlackItemName,
  type SlackItem,
  slackItemName,
} from '../../domain/slack/slack-post.js';
import type {SlackPostMode} from '../../domain/teams/team.js';
import type {RedisCommands} from '../core/connection.js';
import {workspaceKeys} from '../core/keys.js';
import {createReportKey} from './slack-items.js';
import {type Id, type IdSuffix, storedId, storedSuffix} from '../../domain/core/ids.js';

/** Reads the wanted and the actual state of standups, days, reports and notices in Slack. */
export type SlackShown = ReturnType<typeof createSlackPostReader>;

/** The number of possible message records that are looked up in one call. Most of them do not exist. */
const soughtAtOnce = 250;

/** The fields of a standup's message record that determine where it is shown. */
const messageFields = ['channel', 'ts', 'permalink', 'failed'] as const;
export type MessageFields = (string | null)[];

/** Parses a standup's message. `trouble`: the channel's problem, which also affects untried standups. */
export function parseSlackMessage(
  [channel, ts = null, permalink = null, failed]: MessageFields,
  trouble: string | null,
): SlackMessage | undefined {
  if (!channel) return undefined;
  const problem = failed ?? (ts === null ? trouble : null);
  if (ts === null && problem === null) return undefined;
  return {channel_id: channel, message_ts: ts, permalink: ts && permalink, problem};
}

export function createSlackPostReader({call}: RedisCommands) {
  return {
    /** Returns the team (id suffix) and day under which a standup is shown; undefined without a channel. */
    async findTeamDay(
      workspace: Id<'workspace'>,
      suffix: IdSuffix<'standup'>,
      deadline: number,
    ): Promise<{readonly team: IdSuffix<'team'>; readonly day: string} | undefined> {
      const key = workspaceKeys(workspace).slackPost(suffix);
      const [team, day] = await call<(string | null)[]>(deadline, ['HMGET', key, 'team', 'day']);
      return team && day ? {team: storedSuffix(team), day} : undefined;
    },
    /** Returns the channel of a standup since its first event; undefined if it never had one. */
    async findChannel(
      workspace: Id<'workspace'>,
      suffix: IdSuffix<'standup'>,
      deadline: number,
    ): Promise<string | undefined> {
      return (
        (await call<string | null>(deadline, [
          'HGET',
          workspaceKeys(workspace).slackPost(suffix),
          'channel',
        ])) ?? undefined
      );
    },
    async find(
      workspace: Id<'workspace'>,
      suffix: IdSuffix<'standup'>,
      deadline: number,
    ): Promise<SlackPost | undefined> {
      const fields = await parseHash(workspaceKeys(workspace).slackPost(suffix), deadline);
      const want = fields.get('want');
      if (want === undefined) return undefined;
      return {
        suffix: storedSuffix(suffix),
        team: storedSuffix(fields.get('team') ?? ''),
        day: fields.get('day') ?? '',
        author: storedId(fields.get('author') ?? ''),
        mode: (fields.get('mode') ?? 'thread') as SlackPostMode,
        want: want === 'deleted' ? want : Number(want),
        posted: Number(fields.get('posted') ?? 0),
        blockers: fields.get('blockers') ?? '',
        counts: fields.get('counts') ?? '',
        ts: fields.get('ts'),
        rest: parseMessageParts(fields),
        permalink: fields.get('permalink'),
        parent: fields.get('parent'),
        comments: parseCommentFields(fields.keys()),
        again: fields.has('again'),
        sending: fields.get('sending'),
        sendingPart: Number(fields.get('part') ?? 1),
        failures: Number(fields.get('failures') ?? 0),
        failed: fields.get('failed'),
      };
    },
    /** Returns what a message in a channel is; undefined for one that we know nothing of. */
    async findMessage(
      workspace: Id<'workspace'>,
      {channel, ts}: SlackLocation,
      deadline: number,
    ): Promise<KnownMessage | undefined> {
      const key = workspaceKeys(workspace).slackMessage(channel, ts);
      const value = await call<string | null>(deadline, ['GET', key]);
      return value === null ? undefined : parseKnownMessage(value);
    },
    async findDay(
      workspace: Id<'workspace'>,
      channel: string,
      team: IdSuffix<'team'>,
      date: string,
      deadline: number,
    ): Promise<SlackDay> {
      const keys = workspaceKeys(workspace);
      const [fields, members] = await Promise.all([
        parseHash(keys.slackDay(channel, team, date), deadline),
        call<IdSuffix<'member'>[]>(deadline, ['HKEYS', keys.teamMembers(team)]),
      ]);
      const of = fields.get('of');
      const authors = [...fields].flatMap(([name, author]) =>
        name.startsWith('by:') ? [[storedSuffix<'standup'>(name.slice(3)), storedId(author)] as const] : [],
      );
      return {
        team,
        date,
        ts: fields.get('ts'),
        sending: fields.get('sending'),
        shown: fields.get('shown'),
        of: of === undefined ? undefined : Number(of),
        authors: new Map(authors),
        names: fields.has('names'),
        wanted: fields.has('wanted'),
        failures: Number(fields.get('failures') ?? 0),
        members,
      };
    },
    /** Returns the report of a run; undefined if none was ever wanted. */
    async findDigest(
      workspace: Id<'workspace'>,
      team: IdSuffix<'team'>,
      date: string,
      deadline: number,
    ): Promise<SlackDigestPost | undefined> {
      const fields = await parseHash(workspaceKeys(workspace).slackDigest(team, date), deadline);
      if (fields.size === 0) return undefined;
      return {
        team,
        date,
        channel: fields.get('channel') ?? '',
        mode: fields.get('place') === 'channel' ? 'channel' : 'thread',
        ...parseReplies(fields),
      };
    },
    /** Returns the messages of a comment; undefined if it was never to be shown. */
    async findComment(
      workspace: Id<'workspace'>,
      suffix: IdSuffix<'comment'>,
      deadline: number,
    ): Promise<SlackComment | undefined> {
      const fields = await parseHash(workspaceKeys(workspace).slackComment(suffix), deadline);
      const standup = fields.get('standup');
      if (standup === undefined) return undefined;
      return {suffix, standup: storedSuffix(standup), ...parseReplies(fields)};
    },
    /** Returns the channel of a comment; undefined if it was never to be shown. */
    async findCommentChannel(
      workspace: Id<'workspace'>,
      suffix: IdSuffix<'comment'>,
      deadline: number,
    ): Promise<string | undefined> {
      const key = workspaceKeys(workspace).slackComment(suffix);
      return (await call<string | null>(deadline, ['HGET', key, 'channel'])) ?? undefined;
    },
    /** Returns a report that a person has posted; undefined if none was. */
    async findCopy(
      workspace: Id<'workspace'>,
      item: SlackCopy['item'],
      deadline: number,
    ): Promise<SlackCopy | undefined> {
      const fields = await parseHash(workspaceKeys(workspace).slackCopy(item.team, item.key), deadline);
      const channel = fields.get('channel');
      return channel === undefined ? undefined : {item, channel, ...parseReplies(fields)};
    },
    /** Returns where these reports are shown: as the team has chosen, and where people have posted them. */
    async listReports(
      workspace: Id<'workspace'>,
      kind: ReportKind,
      reports: readonly {readonly team: IdSuffix<'team'>; readonly date: string}[],
      deadline: number,
    ): Promise<ShownReport[]> {
      const found: ShownReport[] = [];
      const keyOf = createReportKey(workspaceKeys(workspace), kind);
      // In a very long list, most records do not exist. So each group is first checked for any that do.
      for (let start = 0; start < reports.length; start += soughtAtOnce) {
        const some = reports.slice(start, start + soughtAtOnce);
        const [first, ...others] = some.map(keyOf);
        if (first === undefined) continue;
        const keys = [first, ...others];
        const isAny = others.length === 0 || (await call<number>(deadline, ['EXISTS', first, ...others])) > 0;
        const records = isAny ? await Promise.all(keys.map((key) => parseHash(key, deadline))) : [];
        some.forEach(({team, date}, i) => {
          const fields = records[i] ?? new Map<string, string>();
          const channel = fields.get('channel');
          if (channel !== undefined) found.push({channel, item: {kind, team, date}});
          for (const {key, channel: other} of parseCopyFields(fields))
            found.push({channel: other, item: {kind: 'copy', team, date, of: kind, key}});
        });
      }
      return found;
    },
    /** Returns the summary of a week (`monday` is its first day); undefined if none was ever wanted. */
    async findWeek(
      workspace: Id<'workspace'>,
      team: IdSuffix<'team'>,
      monday: string,
      deadline: number,
    ): Promise<SlackWeek | undefined> {
      const fields = await parseHash(workspaceKeys(workspace).slackWeek(team, monday), deadline);
      const channel = fields.get('channel');
      if (channel === undefined) return undefined;
      const links = [...fields].flatMap(([name, link]) =>
        name.startsWith('link:') ? [[name.slice('link:'.length), link] as const] : [],
      );
      return {
        channel,
        ts: fields.get('ts'),
        sending: fields.get('sending'),
        shown: fields.get('shown'),
        failures: Number(fields.get('failures') ?? 0),
        removed: fields.has('removed'),
        links: new Map(links),
      };
    },
    async findNotice(
      workspace: Id<'workspace'>,
      channel: string,
      sequence: number,
      deadline: number,
    ): Promise<SlackNotice | undefined> {
      const fields = await parseHash(workspaceKeys(workspace).slackNotice(channel, sequence), deadline);
      if (fields.size === 0) return undefined;
      const failures = Number(fields.get('failures') ?? 0);
      const channelId = fields.get('channel');
      const [ts, sending, shown] = ['ts', 'sending', 'shown'].map((name) => fields.get(name));
      return {ts, channel: channelId, sending, failures, shown};
    },
    /** Lists the numbers of the events about which a person was told, of the last 30 days. */
    async listNotices(workspace: Id<'workspace'>, person: string, deadline: number): Promise<number[]> {
      const key = workspaceKeys(workspace).slackKept(person);
      const names = await call<string[]>(deadline, ['SMEMBERS', key]);
      return names.flatMap((name) => {
        const item = parseSlackItemName(name);
        return item.kind === 'notice' && slackItemName(item) === name ? [item.sequence] : [];
      });
    },
    /** Returns where standups (id suffixes) are shown, or why not; undefined without their own message. */
    async listMessages(
      workspace: Id<'workspace'>,
      standups: readonly IdSuffix<'standup'>[],
      deadline: number,
    ): Promise<(SlackMessage | undefined)[]> {
      const keys = workspaceKeys(workspace);
      // Commands that are issued together are sent together.
      const found = await Promise.all(
        standups.map((suffix) =>
          call<MessageFields>(deadline, ['HMGET', keys.slackPost(suffix), ...messageFields]),
        ),
      );
      // A standup that waits behind another one, which Slack refused, has not been tried itself.
      const waiting = new Set(
        found.flatMap(([channel, ts, , failed]) => (channel && !ts && !failed ? [channel] : [])),
      );
      const troubles = await Promise.all(
        [...waiting].map(
          async (channel) =>
            [
              channel,
              await call<string | null>(deadline, ['HGET', keys.slackTrouble(channel), 'code']),
            ] as const,
        ),
      );
      const codes = new Map(troubles);
      return found.map((fields) => parseSlackMessage(fields, codes.get(fields[0] ?? '') ?? null));
    },
    /** Returns how standups (id suffixes) are shown; undefined for those that should never be shown. */
    async listModes(
      workspace: Id<'workspace'>,
      standups: readonly IdSuffix<'standup'>[],
      deadline: number,
    ): Promise<(SlackPostMode | undefined)[]> {
      const keys = workspaceKeys(workspace);
      const found = await Promise.all(
        standups.map((suffix) => call<string | null>(deadline, ['HGET', keys.slackPost(suffix), 'mode'])),
      );
      return found.map((mode) => (mode ?? undefined) as SlackPostMode | undefined);
    },
  };

  async function parseHash(key: string, deadline: number): Promise<Map<string, string>> {
    const flat = await call<string[]>(deadline, ['HGETALL', key]);
    return new Map(flat.flatMap((name, i) => (i % 2 === 0 ? [[name, flat[i + 1] ?? ''] as const] : [])));
  }
}

/** A report that a channel shows: that of the team, or one that a person has posted. */
export interface ShownReport {
  readonly channel: string;
  readonly item: SlackItem & {readonly kind: ReportKind | 'copy'};
}

/** Reads the messages of a report or a comment. */
function parseReplies(fields: ReadonlyMap<string, string>) {
  const ts = fields.get('ts');
  const first = ts === undefined ? [] : [[1, {ts, posted: fields.get('posted') ?? ''}] as const];
  const all = [...first, ...parseLaterMessages(fields)];
  return {
    parts: new Map(all.map(([number, part]) => [number, {ts: part.ts, shown: part.posted}])),
    parent: fields.get('parent'),
    sending: fields.get('sending'),
    sendingPart: Number(fields.get('part') ?? 1),
    failures: Number(fields.get('failures') ?? 0),
    failed: fields.get('failed'),
    removed: fields.has('removed'),
  };
}

/** Returns the messages of an item after its first one, by number. */
function parseLaterMessages(
  fields: ReadonlyMap<string, string>,
): (readonly [number, {ts: string; posted: string}])[] {
  return [...fields].flatMap(([name, ts]) => {
    const number = Number(/^ts:(\d+)$/.exec(name)?.[1] ?? 0);
    return number === 0 ? [] : [[number, {ts, posted: fields.get(`posted:${number}`) ?? ''}] as const];
  });
}

function parseMessageParts(fields: ReadonlyMap<string, string>): Map<number, SlackPart> {
  return new Map(
    parseLaterMessages(fields).map(([number, {ts, posted}]) => [
      number,
      {ts, posted: Number(posted), blockers: fields.get(`blockers:${number}`) ?? ''},
    ]),
  );
}
