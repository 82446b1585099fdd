import type {Records} from '../../store/core/records.js';
import type {Blocker} from '../../domain/blockers/blocker.js';
import {addDays, type Calendar} from '../../domain/core/dates.js';
import type {EventType, LogEntry} from '../../domain/events/event.js';
import {type Id, drawnPart, type IdSuffix, storedSuffix} from '../../domain/core/ids.js';
import {deadlines} from '../../domain/core/limits.js';
import type {Run} from '../../domain/runs/run.js';
import type {SlackAsk} from '../../domain/slack/slack-post.js';
import {isExpected, type Team, type TeamDirectory} from '../../domain/teams/team.js';
import type {PrincipalId} from '../../domain/core/access.js';
import type {SlackPosts} from '../../store/slack/slack-posts.js';

export interface ListAsksParts {
  readonly posts: Pick<SlackPosts, 'findPlace' | 'findChannel' | 'listDigestChannels'>;
  readonly teams: {fresh: (workspace: Id<'workspace'>, deadline: number) => Promise<TeamDirectory>};
  readonly findRevision: Records['findRevision'];
  /** As it is now. */
  readonly findRun: (
    workspace: Id<'workspace'>,
    drawn: IdSuffix<'run'>,
    deadline: number,
  ) => Promise<Run | undefined>;
  readonly findRunOf: (
    workspace: Id<'workspace'>,
    team: IdSuffix<'team'>,
    date: string,
  ) => Promise<Run | undefined>;
  /** Ids of the teams that a member is in. */
  readonly listTeamsOf: (workspace: Id<'workspace'>, member: PrincipalId) => Promise<ReadonlySet<string>>;
  /** The channels that a team has, or has had lately. */
  readonly listChannels: (workspace: Id<'workspace'>, team: Team) => Promise<readonly string[]>;
  /** The blockers of these teams that are not resolved. */
  readonly listOpenBlockers: (
    workspace: Id<'workspace'>,
    teams: readonly Team[],
  ) => Promise<readonly Blocker[]>;
  readonly calendar: Calendar;
  /** The store's clock (ms): which day it is. */
  readonly now: () => number;
}

/** Which messages of days and of standups, and which digests, say something else after an event. */
export type ListAsks = (workspace: Id<'workspace'>, entry: LogEntry) => Promise<readonly SlackAsk[]>;

/** For so many days after its run a digest follows what is entered afterwards about other things than its standups. */
const followedDays = 14;

/** For so many days there may be a digest at all. */
const keptDays = 400;

/** A run may go on for so many days after its date: past midnight, and longer where people go by clocks far behind. */
const openDays = 2;

/** Digests that are looked for together. */
const lookedForAtOnce = 1_000;

/** Runs that are read together, each with all its people. */
const runsAtOnce = 50;

interface DayOfTeam {
  readonly team: IdSuffix<'team'>;
  readonly date: string;
}

interface DigestAsk extends SlackAsk {
  readonly item: DayOfTeam & {readonly kind: 'digest'};
}

export function createListAsks(parts: ListAsksParts): ListAsks {
  const {posts, teams, findRevision, findRun, findRunOf, listTeamsOf, listChannels, listOpenBlockers} = parts;
  const {calendar, now} = parts;
  const within = () => performance.now() + deadlines.job;
  const findTeam = async (workspace: Id<'workspace'>, {team}: LogEntry): Promise<Team | undefined> =>
    team === undefined ? undefined : (await teams.fresh(workspace, within())).byReference(team);

  /** Those of these digests that there are. */
  async function digests(workspace: Id<'workspace'>, days: readonly DayOfTeam[]): Promise<DigestAsk[]> {
    const asks: DigestAsk[] = [];
    for (let start = 0; start < days.length; start += lookedForAtOnce) {
      const named = days.slice(start, start + lookedForAtOnce);
      const channels = await posts.listDigestChannels(workspace, named, within());
      named.forEach(({team, date}, i) => {
        const channel = channels[i];
        if (channel !== undefined) asks.push({channel, item: {kind: 'digest', team, date}});
      });
    }
    return asks;
  }

  /** Those of these digests whose run expected somebody. */
  async function expecting(
    workspace: Id<'workspace'>,
    member: Id<'member'>,
    asks: readonly DigestAsk[],
  ): Promise<DigestAsk[]> {
    const kept: DigestAsk[] = [];
    for (let start = 0; start < asks.length; start += runsAtOnce) {
      const some = asks.slice(start, start + runsAtOnce);
      const runs = await Promise.all(some.map(({item}) => findRunOf(workspace, item.team, item.date)));
      kept.push(...some.filter((_, i) => runs[i]?.participants.some((one) => one.member === member)));
    }
    return kept;
  }

  async function ofRun(workspace: Id<'workspace'>, entry: LogEntry): Promise<SlackAsk[]> {
    const [team, run] = await Promise.all([
      findTeam(workspace, entry),
      findRun(workspace, storedSuffix(entry.about), within()),
    ]);
    if (run === undefined) return [];
    const place = {team: drawnPart(run.team_id), date: run.date};
    const asks: SlackAsk[] = await digests(workspace, entry.type === 'run.opened' ? [] : [place]);
    if (team === undefined) return asks;
    const item = {kind: 'day', ...place} as const;
    const channel = team.slack_channel_id ?? undefined;
    if (entry.type === 'run.opened') {
      // Where standups stand by themselves no message of the day is needed for them.
      const make = team.slack_post_mode === 'channel' ? {} : {make: {wanted: '1'}};
      return channel === undefined ? asks : [...asks, {channel, item, ...make}];
    }
    // The run may have opened in another channel.
    for (const one of await listChannels(workspace, team)) asks.push({channel: one, item});
    if (channel === undefined) return asks;
    if (entry.type === 'run.closed' && team.slack_digest !== 'off' && !closedTooLate(run)) {
      const digest = {kind: 'digest', ...place} as const;
      asks.unshift({channel, item: digest, make: {place: team.slack_digest}});
    }
    return asks;
  }

  async function ofStandup(
    workspace: Id<'workspace'>,
    {type, about, revision}: LogEntry,
  ): Promise<SlackAsk[]> {
    const place = await posts.findPlace(workspace, storedSuffix(about), within());
    if (place === undefined) return [];
    const {team, day} = place;
    const standup =
      type === 'standup.updated'
        ? await findRevision(workspace, storedSuffix<'standup'>(about), revision, within())
        : undefined;
    const dates = new Set([day, standup?.date ?? day]);
    return digests(
      workspace,
      [...dates].map((date) => ({team, date})),
    );
  }

  /** The digests of these teams of the last so many days. */
  const digestsOfLast = (
    workspace: Id<'workspace'>,
    days: number,
    among: readonly Team[],
  ): Promise<SlackAsk[]> =>
    digests(
      workspace,
      among.flatMap((team) => daysOf(team, days, 0)),
    );

  const findRole = (workspace: Id<'workspace'>, {about, revision}: LogEntry, by: number) =>
    findRevision(workspace, storedSuffix<'team_member'>(about), revision + by, within());

  async function ofPlace(workspace: Id<'workspace'>, entry: LogEntry): Promise<SlackAsk[]> {
    const team = await findTeam(workspace, entry);
    if (team === undefined) return [];
    // Days that are not over: of how many people they speak changes with the team.
    const open = dayAsks([team], daysOf(team, openDays, 1));
    const before = entry.type === 'team.member_updated' ? await findRole(workspace, entry, -1) : undefined;
    const now = await findRole(workspace, entry, 0);
    if (before !== undefined && now !== undefined && isExpected(before) === isExpected(now)) return [];
    const left = entry.type === 'team.member_removed' || now?.role === 'observer';
    return left ? [...open, ...(await digestsOfLast(workspace, followedDays, [team]))] : open;
  }

  /** Whether those who are missing are named is a matter of now. */
  async function ofTeam(workspace: Id<'workspace'>, entry: LogEntry): Promise<SlackAsk[]> {
    const team = await findTeam(workspace, entry);
    return team === undefined ? [] : digestsOfLast(workspace, followedDays, [team]);
  }

  /** Days count those who are in the team now; digests, those who were expected, also where they have left since. */
  async function ofAbsence(
    workspace: Id<'workspace'>,
    {type, about, revision}: LogEntry,
  ): Promise<SlackAsk[]> {
    // Of one that was changed, the days count that it had before, too.
    const revisions = type.endsWith('.updated') ? [revision - 1, revision] : [revision];
    const found = await Promise.all(
      revisions.map((number) => findRevision(workspace, storedSuffix<'absence'>(about), number, within())),
    );
    const spans = found.filter((absence) => absence !== undefined);
    const [absence] = spans;
    // Of somebody who is erased nothing is shown any more since they have left, days off included.
    if (absence === undefined) return [];
    const {team_id: only, member} = absence;
    const [directory, own] = await Promise.all([
      teams.fresh(workspace, within()),
      listTeamsOf(workspace, member.id),
    ]);
    const affected = directory.teams.filter(({id}) => only === null || id === only);
    const covered = ({date}: DayOfTeam) =>
      spans.some(({from, until}) => from <= date && (until === null || date <= until));
    const current = affected.filter(({id}) => own.has(id));
    const open = current.flatMap((team) => daysOf(team, openDays, 1).filter(covered));
    const followed = affected.flatMap((team) => daysOf(team, followedDays, 1).filter(covered));
    const shown = await expecting(workspace, member.id, await digests(workspace, followed));
    return [...dayAsks(current, open), ...shown];
  }

  /** All that may name somebody who is gone; of somebody who is erased, as far back as there is anything. */
  async function ofLeaver(workspace: Id<'workspace'>, {about, revision}: LogEntry): Promise<SlackAsk[]> {
    const [directory, member] = await Promise.all([
      teams.fresh(workspace, within()),
      findRevision(workspace, about, revision, within()),
    ]);
    const days = member === undefined ? keptDays : followedDays;
    const asks = await digestsOfLast(workspace, days, directory.teams);
    const open = await listOpenBlockers(workspace, directory.teams);
    const theirs = open.filter(({acknowledged_by: by}) => by !== null && drawnPart(by.id) === about);
    return [...asks, ...(await toldBy(workspace, theirs))];
  }

  /** The messages of the standups that told of these blockers, where there are any. */
  async function toldBy(workspace: Id<'workspace'>, blockers: readonly Blocker[]): Promise<SlackAsk[]> {
    const asks: SlackAsk[] = [];
    for (const drawn of new Set(
      blockers.flatMap(({standup}) => (standup === null ? [] : drawnPart(standup))),
    )) {
      const channel = await posts.findChannel(workspace, drawn, within());
      if (channel !== undefined) asks.push({channel, item: {kind: 'standup', drawn}});
    }
    return asks;
  }

  async function ofBlocker(workspace: Id<'workspace'>, entry: LogEntry): Promise<SlackAsk[]> {
    const [team, blocker] = await Promise.all([
      findTeam(workspace, entry),
      findRevision(workspace, storedSuffix<'blocker'>(entry.about), entry.revision, within()),
    ]);
    if (team === undefined) return [];
    // Erased, it leaves whatever shows it; its standup, which is of the same author, goes by itself.
    if (blocker === undefined) return digestsOfLast(workspace, keptDays, [team]);
    const raised = addDays(blocker.created_at.slice(0, 10), -1);
    const days = daysOf(team, followedDays, 0).filter(({date}) => date >= raised);
    // Whoever has pressed a button looks at that message.
    return [...(await toldBy(workspace, [blocker])), ...(await digests(workspace, days))];
  }

  return async (workspace, entry) => {
    const list = listerOf(entry.type);
    return list === undefined ? [] : list(workspace, entry);
  };

  function listerOf(type: EventType): ListAsks | undefined {
    if (type === 'standup.updated' || type === 'standup.deleted') return ofStandup;
    if (type.startsWith('team.member_')) return ofPlace;
    if (type === 'member.left') return ofLeaver;
    if (type === 'team.updated') return ofTeam;
    const noun = type.slice(0, type.indexOf('.'));
    if (noun === 'run') return type === 'run.reminded' ? undefined : ofRun;
    if (noun === 'absence') return ofAbsence;
    return noun === 'blocker' ? ofBlocker : undefined;
  }

  /** The days of a team from so many before today to so many after. */
  function daysOf(team: Team, before: number, after: number): DayOfTeam[] {
    const today = calendar.dayIn(team.timezone, now());
    return Array.from({length: before + 1 + after}, (_, i) => ({
      team: drawnPart(team.id),
      date: addDays(today, i - before),
    }));
  }
}

/** The messages of these days, where there are any. */
function dayAsks(teams: readonly Team[], days: readonly DayOfTeam[]): SlackAsk[] {
  const channels = new Map(teams.map(({id, slack_channel_id: channel}) => [drawnPart(id), channel]));
  return days.flatMap(({team, date}): SlackAsk[] => {
    const channel = channels.get(team) ?? undefined;
    return channel === undefined ? [] : [{channel, item: {kind: 'day', team, date}}];
  });
}

/** A run that closed when nobody expected it any more, since the service was away, is not told of. */
function closedTooLate({missed_steps}: Run): boolean {
  return missed_steps.some(({step}) => step === 'close');
}
