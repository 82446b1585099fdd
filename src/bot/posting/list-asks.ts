import type {Absence} from '../../domain/absence.js';
import type {Blocker} from '../../domain/blocker.js';
import {addDays, type Calendar} from '../../domain/dates.js';
import type {EventType, LogEntry} from '../../domain/event.js';
import {drawnPart} from '../../domain/ids.js';
import {deadlines} from '../../domain/limits.js';
import type {Run} from '../../domain/run.js';
import type {SlackAsk} from '../../domain/slack-post.js';
import type {Team, TeamDirectory} from '../../domain/team.js';

export interface ListAsksParts {
  readonly posts: {
    /** Where a standup belongs since its first event. */
    findPlace(
      workspace: string,
      drawn: string,
      deadline: number,
    ): Promise<{readonly team: string; readonly day: string} | undefined>;
    listDigestChannels(
      workspace: string,
      digests: readonly {readonly team: string; readonly date: string}[],
      deadline: number,
    ): Promise<(string | undefined)[]>;
  };
  readonly teams: {fresh(workspace: string, deadline: number): Promise<TeamDirectory>};
  /** A resource at one revision; undefined when retention or erasure has taken it. */
  readonly findRevision: <T>(
    workspace: string,
    drawn: string,
    revision: number,
    deadline: number,
  ) => Promise<T | undefined>;
  /** Ids of the teams that somebody is in. */
  readonly listTeamsOf: (workspace: string, member: string) => Promise<readonly string[]>;
  readonly calendar: Calendar;
  /** The store's clock (ms): which day it is. */
  readonly now: () => number;
}

/** Which messages of days, and which digests, say something else after an event. */
export type ListAsks = (workspace: string, entry: LogEntry) => Promise<readonly SlackAsk[]>;

/** For so many days after its run a digest follows what is entered afterwards about other things than its standups. */
const followedDays = 14;

/** One event asks for no more; the newest go first. */
const asksAtOnce = 80;

interface DayOfTeam {
  readonly team: string;
  readonly date: string;
}

export function createListAsks(parts: ListAsksParts): ListAsks {
  const {posts, teams, findRevision, listTeamsOf, calendar, now} = parts;
  const within = () => performance.now() + deadlines.job;
  const findTeam = async (workspace: string, {team}: LogEntry): Promise<Team | undefined> =>
    team === undefined ? undefined : (await teams.fresh(workspace, within())).byReference(team);
  const todayOf = ({timezone}: Team) => calendar.dayIn(timezone, now());

  /** Those of these digests that there are. */
  async function digests(workspace: string, days: readonly DayOfTeam[]): Promise<SlackAsk[]> {
    if (days.length === 0) return [];
    const named = days.map(({team, date}) => ({team: drawnPart(team), date}));
    const channels = await posts.listDigestChannels(workspace, named, within());
    return named.flatMap(({team, date}, i): SlackAsk[] => {
      const channel = channels[i];
      return channel === undefined ? [] : [{channel, item: {kind: 'digest', team, date}}];
    });
  }

  async function ofRun(workspace: string, entry: LogEntry): Promise<SlackAsk[]> {
    const [team, run] = await Promise.all([
      findTeam(workspace, entry),
      findRevision<Run>(workspace, entry.about, entry.revision, within()),
    ]);
    if (run === undefined) return [];
    const place = {team: drawnPart(run.team_id), date: run.date};
    const asks = await digests(workspace, entry.type === 'run.opened' ? [] : [place]);
    const channel = team?.slack_channel_id ?? undefined;
    if (team === undefined || channel === undefined) return asks;
    const day = {channel, item: {kind: 'day', ...place}} as const;
    // Where standups stand by themselves no message of the day is needed for them.
    const opens = entry.type === 'run.opened' && team.slack_post_mode !== 'channel';
    asks.push(opens ? {...day, make: {wanted: '1'}} : day);
    if (entry.type === 'run.closed' && team.slack_digest !== 'off' && !closedTooLate(run)) {
      const item = {kind: 'digest', ...place} as const;
      asks.unshift({channel, item, make: {place: team.slack_digest}});
    }
    return asks;
  }

  async function ofStandup(workspace: string, {type, about, revision}: LogEntry): Promise<SlackAsk[]> {
    const place = await posts.findPlace(workspace, about, within());
    if (place === undefined) return [];
    const {team, day} = place;
    const standup =
      type === 'standup.updated'
        ? await findRevision<{date: string}>(workspace, about, revision, within())
        : undefined;
    const dates = new Set([day, standup?.date ?? day]);
    return digests(
      workspace,
      [...dates].map((date) => ({team, date})),
    );
  }

  /** Days that are not over: of how many people they speak changes with the team. */
  async function ofPlace(workspace: string, entry: LogEntry): Promise<SlackAsk[]> {
    const team = await findTeam(workspace, entry);
    if (team === undefined) return [];
    const today = todayOf(team);
    const left =
      entry.type === 'team.member_removed' ? daysBetween(addDays(today, -followedDays), today) : [];
    return [
      ...dayAsks(team, [today, addDays(today, 1)]),
      ...(await digests(
        workspace,
        left.map((date) => ({team: team.id, date})),
      )),
    ];
  }

  async function ofAbsence(workspace: string, {type, about, revision}: LogEntry): Promise<SlackAsk[]> {
    // Of one that was changed, the days count that it had before, too.
    const revisions = type.endsWith('.updated') ? [revision - 1, revision] : [revision];
    const found = await Promise.all(
      revisions.map((number) => findRevision<Absence>(workspace, about, number, within())),
    );
    const spans = found.filter((absence) => absence !== undefined);
    const [absence] = spans;
    // Of somebody who is erased nothing says any more when they were away.
    if (absence === undefined) return ofAnybody(workspace);
    const ids =
      absence.team_id === null ? await listTeamsOf(workspace, absence.member.id) : [absence.team_id];
    const directory = await teams.fresh(workspace, within());
    const affected = ids.flatMap((id) => {
      const team = directory.byReference(id);
      if (team === undefined) return [];
      const today = todayOf(team);
      const dates = daysBetween(addDays(today, -followedDays), addDays(today, 1)).filter((date) =>
        spans.some(({from, until}) => from <= date && (until === null || date <= until)),
      );
      return [{team, dates, today}];
    });
    return [
      ...affected.flatMap(({team, dates, today}) =>
        dayAsks(
          team,
          dates.filter((date) => date >= addDays(today, -1)),
        ),
      ),
      ...(await digests(
        workspace,
        affected
          .flatMap(({team, dates}) => dates.map((date) => ({team: team.id, date})))
          .toSorted((a, b) => (a.date < b.date ? 1 : -1)),
      )),
    ];
  }

  /** All that may say something of somebody who is gone. */
  async function ofAnybody(workspace: string): Promise<SlackAsk[]> {
    const {teams: all} = await teams.fresh(workspace, within());
    const days = all.flatMap((team) => {
      const today = todayOf(team);
      return daysBetween(addDays(today, -followedDays), today).map((date) => ({team: team.id, date}));
    });
    return digests(
      workspace,
      days.toSorted((a, b) => (a.date < b.date ? 1 : -1)),
    );
  }

  async function ofBlocker(workspace: string, entry: LogEntry): Promise<SlackAsk[]> {
    const [team, blocker] = await Promise.all([
      findTeam(workspace, entry),
      findRevision<Blocker>(workspace, entry.about, entry.revision, within()),
    ]);
    if (team === undefined) return [];
    const today = todayOf(team);
    const first = addDays(today, -followedDays);
    const raised = blocker === undefined ? first : addDays(blocker.created_at.slice(0, 10), -1);
    return digests(
      workspace,
      daysBetween(raised > first ? raised : first, today).map((date) => ({team: team.id, date})),
    );
  }

  return async (workspace, entry) => {
    const list = listerOf(entry.type);
    return list === undefined ? [] : (await list(workspace, entry)).slice(0, asksAtOnce);
  };

  function listerOf(type: EventType): ListAsks | undefined {
    if (type === 'standup.updated' || type === 'standup.deleted') return ofStandup;
    if (type === 'team.member_added' || type === 'team.member_removed') return ofPlace;
    if (type === 'member.left') return ofAnybody;
    const noun = type.slice(0, type.indexOf('.'));
    if (noun === 'run') return type === 'run.reminded' ? undefined : ofRun;
    if (noun === 'absence') return ofAbsence;
    return noun === 'blocker' ? ofBlocker : undefined;
  }

  /** The messages of these days, where there are any. */
  function dayAsks(team: Team, dates: readonly string[]): SlackAsk[] {
    const {slack_channel_id: channel} = team;
    if (channel === null) return [];
    return dates.map((date) => ({channel, item: {kind: 'day', team: drawnPart(team.id), date}}));
  }
}

/** A run that closed when nobody expected it any more, since the service was away, is not told of. */
function closedTooLate({missed_steps}: Run): boolean {
  return missed_steps.some(({step}) => step === 'close');
}

function daysBetween(first: string, last: string): string[] {
  const days: string[] = [];
  for (let date = last; date >= first; date = addDays(date, -1)) days.push(date);
  return days;
}
