import {drawnPart} from '../domain/ids.js';
import {lifetimes} from '../domain/limits.js';
import {
  parseSlackItem,
  type SlackAsk,
  type SlackClaim,
  type SlackClaimed,
  type SlackDay,
  type SlackDigestPost,
  type SlackItem,
  slackItemName,
  type SlackNotice,
  type SlackNoticeWish,
  type SlackOutcome,
  type SlackPart,
  type SlackPlace,
  type SlackPost,
  type SlackWish,
} from '../domain/slack-post.js';
import type {SlackPostMode} from '../domain/team.js';
import {workName} from '../domain/work.js';
import type {Connection} from './connection.js';
import {globalKeys, workspaceKeys} from './keys.js';
import {slackItemKey} from './slack-items.js';
import {
  askScript,
  beginScript,
  claimScript,
  limitScript,
  readNoticeScript,
  readScript,
  renewScript,
  settleScript,
} from './slack-scripts.js';

/** One holder's grip on a channel. */
export interface SlackHold {
  readonly workspace: string;
  readonly channel: string;
  readonly holder: string;
  /** What is worked on; an outcome of any other item leaves that pending where it is. */
  readonly claimed?: SlackClaimed;
}

export interface SlackPosts {
  /** Moves the cursor over one event, noting what it asks for: of a standup, and of days and digests. False when somebody else was quicker. */
  read(
    workspace: string,
    sequence: number,
    wish: SlackWish | undefined,
    deadline: number,
    asks?: readonly SlackAsk[],
  ): Promise<boolean>;
  /** Asks for days and digests; once more does no harm. */
  ask(workspace: string, asks: readonly SlackAsk[], deadline: number): Promise<void>;
  /** Moves the cursor over one event that people are told of, at most 90 of them. False when somebody else was quicker. */
  readNotice(workspace: string, sequence: number, wish: SlackNoticeWish, deadline: number): Promise<boolean>;
  /** The team (drawn half) and day that a standup belongs to in Slack; undefined when it has never had a channel. */
  findPlace(
    workspace: string,
    drawn: string,
    deadline: number,
  ): Promise<{readonly team: string; readonly day: string} | undefined>;
  /** The channel a standup belongs to since its first event; undefined when it has never had one. */
  findChannel(workspace: string, drawn: string, deadline: number): Promise<string | undefined>;
  /** Takes the channel for `leaseMs` and the first item that is due, or gives the channel back. */
  claim(hold: SlackHold, leaseMs: number, deadline: number): Promise<SlackClaim>;
  /** Gives the channel back; true when something is due in it. */
  release(hold: SlackHold, deadline: number): Promise<boolean>;
  renew(hold: SlackHold, leaseMs: number, deadline: number): Promise<boolean>;
  find(workspace: string, drawn: string, deadline: number): Promise<SlackPost | undefined>;
  findDay(
    workspace: string,
    channel: string,
    team: string,
    date: string,
    deadline: number,
  ): Promise<SlackDay>;
  /** Undefined where none was ever wanted. */
  findDigest(
    workspace: string,
    team: string,
    date: string,
    deadline: number,
  ): Promise<SlackDigestPost | undefined>;
  /** The channels of digests, where there are any; `team`: its id, or the drawn half. */
  listDigestChannels(
    workspace: string,
    digests: readonly {readonly team: string; readonly date: string}[],
    deadline: number,
  ): Promise<(string | undefined)[]>;
  findNotice(
    workspace: string,
    channel: string,
    sequence: number,
    deadline: number,
  ): Promise<SlackNotice | undefined>;
  /** Where standups (drawn halves) are shown; undefined for those that have no message of their own. */
  listPlaces(
    workspace: string,
    standups: readonly string[],
    deadline: number,
  ): Promise<(SlackPlace | undefined)[]>;
  /** How standups (drawn halves) are shown; undefined for those that never were to be. */
  listModes(
    workspace: string,
    standups: readonly string[],
    deadline: number,
  ): Promise<(SlackPostMode | undefined)[]>;
  /**
   * Marks that a call is about to post. False when the channel is no longer held, or has had a message less than `spacingMs` ago: then
   * nothing may be sent.
   */
  begin(
    hold: SlackHold,
    item: SlackItem,
    token: string,
    parent: string | undefined,
    leaseMs: number,
    deadline: number,
    more?: {readonly part?: number; readonly spacingMs?: number},
  ): Promise<boolean>;
  /** For how long Slack wants no call of a method; 0 when it takes them. */
  findLimit(workspace: string, method: string, deadline: number): Promise<number>;
  limit(workspace: string, method: string, waitMs: number, deadline: number): Promise<void>;
  /** False when the outcome was not recorded, because another holder has taken over. */
  settle(hold: SlackHold, outcome: SlackOutcome, deadline: number): Promise<boolean>;
}

/** How long a parent message waits for more standups before its count is updated. */
const standardDayDelayMs = 1_000;
const postLifetime = 400 * 24 * 3600;

export function createSlackPosts(
  {call, run}: Pick<Connection, 'call' | 'run'>,
  {dayDelayMs = standardDayDelayMs}: {readonly dayDelayMs?: number} = {},
): SlackPosts {
  function askedKeys(workspace: string, asks: readonly SlackAsk[]) {
    return asks.flatMap(({channel, item}) => [
      slackItemKey(workspace, channel, item),
      workspaceKeys(workspace).slackPending(channel),
    ]);
  }

  /** Asks as the scripts read them. */
  const toldAsks = (asks: readonly SlackAsk[]) =>
    asks.map(({channel, item, make}) => ({
      item: slackItemName(item),
      work: workName({kind: 'post-slack', channel}),
      delay: make === undefined || item.kind === 'day' ? dayDelayMs : 0,
      lifetime: postLifetime,
      // What tells a record of something that is shown, or is to be.
      sign: item.kind === 'digest' ? 'channel' : make === undefined ? 'ts' : 'wanted',
      ...(make !== undefined && {make: item.kind === 'digest' ? {...make, channel} : make}),
    }));

  async function claim(
    {workspace, channel, holder}: SlackHold,
    leaseMs: number,
    deadline: number,
  ): Promise<string[]> {
    const keys = workspaceKeys(workspace);
    return run<string[]>(
      deadline,
      claimScript,
      [keys.slackLease(channel), keys.slackPending(channel), keys.ready()],
      [holder, String(leaseMs), workName({kind: 'post-slack', channel})],
    );
  }

  return {
    async read(workspace, sequence, wish, deadline, asks = []) {
      const keys = workspaceKeys(workspace);
      const wanted = wish === undefined ? [] : [keys.slackPost(wish.drawn), keys.slackPending(wish.channel)];
      const place = wish?.place && {channel: wish.channel, ...wish.place, team: drawnPart(wish.place.team)};
      const args =
        wish === undefined
          ? []
          : [
              wish.drawn,
              workName({kind: 'post-slack', channel: wish.channel}),
              String(wish.want),
              String(postLifetime),
              ...Object.entries(place ?? {}).flat(),
            ];
      return (
        (await run<number>(
          deadline,
          readScript,
          [keys.head(), keys.ready(), ...wanted, ...askedKeys(workspace, asks)],
          [String(sequence), JSON.stringify(toldAsks(asks)), ...args],
        )) === 1
      );
    },
    async ask(workspace, asks, deadline) {
      const told = [workspaceKeys(workspace).ready(), ...askedKeys(workspace, asks)];
      await run(deadline, askScript, told, [JSON.stringify(toldAsks(asks))]);
    },
    async readNotice(workspace, sequence, {notify}, deadline) {
      const keys = workspaceKeys(workspace);
      const wanted = notify.flatMap((person) => [
        keys.slackNotice(person, sequence),
        keys.slackPending(person),
      ]);
      const item = slackItemName({kind: 'notice', sequence});
      const works = notify.map((channel) => workName({kind: 'post-slack', channel}));
      return (
        (await run<number>(
          deadline,
          readNoticeScript,
          [keys.head(), keys.ready(), ...wanted],
          [String(sequence), item, String(lifetimes.events), ...works],
        )) === 1
      );
    },
    async listPlaces(workspace, standups, deadline) {
      const keys = workspaceKeys(workspace);
      // Asked together, the commands go out as one.
      const found = await Promise.all(
        standups.map((drawn) =>
          call<(string | null)[]>(deadline, ['HMGET', keys.slackPost(drawn), 'channel', 'ts', 'permalink']),
        ),
      );
      return found.map(([channel, ts, permalink]) =>
        channel && ts ? {channel_id: channel, message_ts: ts, permalink: permalink ?? null} : undefined,
      );
    },
    async listModes(workspace, standups, deadline) {
      const keys = workspaceKeys(workspace);
      const found = await Promise.all(
        standups.map((drawn) => call<string | null>(deadline, ['HGET', keys.slackPost(drawn), 'mode'])),
      );
      return found.map((mode) => (mode ?? undefined) as SlackPostMode | undefined);
    },
    async findLimit(workspace, method, deadline) {
      return Math.max(
        0,
        await call<number>(deadline, ['PTTL', workspaceKeys(workspace).slackThrottle(method)]),
      );
    },
    async limit(workspace, method, waitMs, deadline) {
      const wait = String(Math.max(1, Math.round(waitMs)));
      await run(deadline, limitScript, [workspaceKeys(workspace).slackThrottle(method)], [wait]);
    },
    async findPlace(workspace, drawn, deadline) {
      const args = ['HMGET', workspaceKeys(workspace).slackPost(drawn), 'team', 'day'];
      const [team, day] = await call<(string | null)[]>(deadline, args);
      return team && day ? {team, day} : undefined;
    },
    async findChannel(workspace, drawn, deadline) {
      return (
        (await call<string | null>(deadline, [
          'HGET',
          workspaceKeys(workspace).slackPost(drawn),
          'channel',
        ])) ?? undefined
      );
    },
    async claim(hold, leaseMs, deadline) {
      const [kind, item = '', asked = ''] = await claim(hold, leaseMs, deadline);
      if (kind === 'due') return {kind, item: parseSlackItem(item), asked};
      return {kind: kind === 'busy' ? 'busy' : 'idle'};
    },
    async release(hold, deadline) {
      return (await claim(hold, 0, deadline))[0] === 'more';
    },
    async renew({workspace, channel, holder}, leaseMs, deadline) {
      const keys = workspaceKeys(workspace);
      const args = [holder, String(leaseMs), workName({kind: 'post-slack', channel})];
      return (await run<number>(deadline, renewScript, [keys.slackLease(channel), keys.ready()], args)) === 1;
    },
    async find(workspace, drawn, deadline) {
      const fields = await readHash(workspaceKeys(workspace).slackPost(drawn), deadline);
      const want = fields.get('want');
      if (want === undefined) return undefined;
      return {
        drawn,
        team: fields.get('team') ?? '',
        day: fields.get('day') ?? '',
        author: fields.get('author') ?? '',
        mode: (fields.get('mode') ?? 'thread') as SlackPostMode,
        want: want === 'deleted' ? want : Number(want),
        posted: Number(fields.get('posted') ?? 0),
        ts: fields.get('ts'),
        rest: partsIn(fields),
        permalink: fields.get('permalink'),
        parent: fields.get('parent'),
        sending: fields.get('sending'),
        sendingPart: Number(fields.get('part') ?? 1),
        failures: Number(fields.get('failures') ?? 0),
        failed: fields.get('failed'),
      };
    },
    async findDay(workspace, channel, team, date, deadline) {
      const keys = workspaceKeys(workspace);
      const [fields, members] = await Promise.all([
        readHash(keys.slackDay(channel, team, date), deadline),
        call<string[]>(deadline, ['HKEYS', keys.teamMembers(team)]),
      ]);
      const of = fields.get('of');
      const authors = [...fields].flatMap(([name, author]) =>
        name.startsWith('by:') ? [[name.slice(3), author] as const] : [],
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
    async findDigest(workspace, team, date, deadline) {
      const fields = await readHash(workspaceKeys(workspace).slackDigest(team, date), deadline);
      if (fields.size === 0) return undefined;
      const ts = fields.get('ts');
      const first = ts === undefined ? [] : [[1, {ts, posted: fields.get('posted') ?? ''}] as const];
      const all = [...first, ...messagesIn(fields)];
      return {
        team,
        date,
        place: fields.get('place') === 'channel' ? 'channel' : 'thread',
        parts: new Map(all.map(([number, part]) => [number, {ts: part.ts, shown: part.posted}])),
        parent: fields.get('parent'),
        sending: fields.get('sending'),
        sendingPart: Number(fields.get('part') ?? 1),
        failures: Number(fields.get('failures') ?? 0),
        failed: fields.get('failed'),
        removed: fields.has('removed'),
      };
    },
    async listDigestChannels(workspace, digests, deadline) {
      const keys = workspaceKeys(workspace);
      const found = await Promise.all(
        digests.map(({team, date}) =>
          call<string | null>(deadline, ['HGET', keys.slackDigest(team, date), 'channel']),
        ),
      );
      return found.map((channel) => channel ?? undefined);
    },
    async findNotice(workspace, channel, sequence, deadline) {
      const fields = await readHash(workspaceKeys(workspace).slackNotice(channel, sequence), deadline);
      if (fields.size === 0) return undefined;
      const failures = Number(fields.get('failures') ?? 0);
      return {ts: fields.get('ts'), sending: fields.get('sending'), failures, shown: fields.get('shown')};
    },
    async begin({workspace, channel, holder}, item, token, parent, leaseMs, deadline, more = {}) {
      const keys = workspaceKeys(workspace);
      const {part, spacingMs = 0} = more;
      const fields = {...(parent !== undefined && {parent}), ...(part !== undefined && {part: String(part)})};
      return (
        (await run<number>(
          deadline,
          beginScript,
          [keys.slackLease(channel), slackItemKey(workspace, channel, item), keys.slackPace(channel)],
          [holder, String(leaseMs), token, String(spacingMs), ...Object.entries(fields).flat()],
        )) === 1
      );
    },
    async settle(
      {workspace, channel, holder, claimed},
      {item, token, set, clear, next, want, forget, success, pauseMs, links, day},
      deadline,
    ) {
      const keys = workspaceKeys(workspace);
      const brief =
        item.kind === 'notice' ||
        item.kind === 'prompt' ||
        item.kind === 'trouble' ||
        (next === 'settled' && want === 'deleted');
      // The day of a standup that has none to change is named all the same: a script declares every key it may touch.
      const dayKey =
        day === undefined
          ? slackItemKey(workspace, channel, item)
          : keys.slackDay(channel, day.team, day.date);
      const operation = {
        holder,
        token,
        member: slackItemName(item),
        ...(claimed && slackItemName(claimed.item) === slackItemName(item) && {asked: claimed.asked}),
        work: workName({kind: 'post-slack', channel}),
        set: Object.fromEntries(Object.entries(set ?? {}).map(([name, value]) => [name, String(value)])),
        clear: clear ?? [],
        lifetime: brief ? lifetimes.events : postLifetime,
        ...(typeof next === 'number' && {delay: Math.round(next)}),
        ...(next === 'more' && {more: true}),
        ...(typeof next === 'object' &&
          ('within' in next ? {within: Math.round(next.within)} : {throttled: true})),
        ...(forget && {forget}),
        ...(success && {success}),
        ...(want !== undefined && {want: String(want)}),
        ...(pauseMs !== undefined && {pause: Math.max(1, Math.round(pauseMs))}),
        ...(links !== undefined && {
          links: {channel, delay: dayDelayMs, member: slackItemName({kind: 'digest', ...links})},
        }),
        ...(day !== undefined &&
          item.kind === 'standup' && {
            day: {
              shows: day.shows,
              ...(day.names && {names: true}),
              author: day.author,
              field: `by:${item.drawn}`,
              lifetime: postLifetime,
              delay: dayDelayMs,
              member: slackItemName({kind: 'day', team: day.team, date: day.date}),
            },
          }),
      };
      const outcome = await run<number>(
        deadline,
        settleScript,
        [
          keys.slackLease(channel),
          slackItemKey(workspace, channel, item),
          keys.slackPending(channel),
          keys.ready(),
          dayKey,
          typeof next === 'object' && 'whenTaken' in next ? keys.slackThrottle(next.whenTaken) : dayKey,
          keys.slackTrouble(channel),
          links === undefined ? dayKey : keys.slackDigest(links.team, links.date),
        ],
        [JSON.stringify(operation)],
      );
      return outcome === 1;
    },
  };

  async function readHash(key: string, deadline: number): Promise<Map<string, string>> {
    const flat = await call<string[]>(deadline, ['HGETALL', key]);
    return new Map(flat.flatMap((name, i) => (i % 2 === 0 ? [[name, flat[i + 1] ?? ''] as const] : [])));
  }
}

/** The messages after the first of something, by their number. */
function messagesIn(
  fields: ReadonlyMap<string, string>,
): (readonly [number, {ts: string; posted: string}])[] {
  return [...fields].flatMap(([name, ts]) => {
    const number = Number(/^ts:(\d+)$/.exec(name)?.[1] ?? 0);
    return number === 0 ? [] : [[number, {ts, posted: fields.get(`posted:${number}`) ?? ''}] as const];
  });
}

function partsIn(fields: ReadonlyMap<string, string>): Map<number, SlackPart> {
  return new Map(messagesIn(fields).map(([number, {ts, posted}]) => [number, {ts, posted: Number(posted)}]));
}

export interface SlackSignatures {
  /** True for a signature that has not been seen within the last 10 minutes. */
  remember(hash: string, deadline: number): Promise<boolean>;
  /** Lets a request that we failed to serve be sent again. */
  forget(hash: string, deadline: number): Promise<void>;
}

const signatureSeconds = 600;

/** Which requests of Slack have been taken already, in any process. */
export function createSlackSignatures({call}: Pick<Connection, 'call'>): SlackSignatures {
  return {
    async remember(hash, deadline) {
      const args = ['SET', globalKeys.slackSignature(hash), '1', 'NX', 'EX', String(signatureSeconds)];
      return (await call<string | null>(deadline, args)) !== null;
    },
    async forget(hash, deadline) {
      await call(deadline, ['DEL', globalKeys.slackSignature(hash)]);
    },
  };
}
