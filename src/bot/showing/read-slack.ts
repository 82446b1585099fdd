import {type EventType, type LogEntry, tellsReason} from '../../domain/events/event.js';
import {AppError} from '../../domain/core/errors.js';
import {deadlines} from '../../domain/core/limits.js';
import type {Log} from '../../domain/core/log.js';
import type {Meter} from '../../domain/core/meter.js';
import type {SlackWish} from '../../domain/slack/slack-post.js';
import type {Team, TeamDirectory} from '../../domain/teams/team.js';
import type {Perform, Work} from '../../domain/core/work.js';
import {welcomeEvents} from '../slack/welcome/find-welcomes.js';
import type {FindPrompts} from './find-prompts.js';
import type {ListAsks} from './list-asks.js';
import type {ShownStandup} from '../slack/posting/standup-messages.js';
import type {PrincipalId} from '../../domain/core/access.js';
import {type Id, type IdSuffix, storedSuffix} from '../../domain/core/ids.js';
import type {SlackPosts} from '../../store/slack/slack-posts.js';
import type {Prompts} from '../../store/prompts/prompts.js';
import type {EventLog} from '../../store/events/event-log.js';

/** A standup as one of its revisions has it. */
export interface StandupRevision extends ShownStandup {
  readonly team_id: Id<'team'>;
  readonly date: string;
  readonly author: {readonly id: PrincipalId; readonly name: string};
}

/** The standup at one revision; undefined when retention or erasure has taken it. */
export type FindStandup = (
  workspace: Id<'workspace'>,
  drawn: IdSuffix<'standup'>,
  revision: number,
  deadline: number,
) => Promise<StandupRevision | undefined>;

export interface ReadSlackParts {
  readonly posts: Pick<SlackPosts, 'read' | 'ask' | 'readNotice' | 'findChannel'>;
  readonly events: Pick<EventLog, 'findCursor' | 'listAfter' | 'settleReader' | 'noteFailure'>;
  readonly teams: {fresh: (workspace: Id<'workspace'>, deadline: number) => Promise<TeamDirectory>};
  readonly findStandup: FindStandup;
  /**
   * Slack's ids of those who are told of an event about a webhook: who runs the workspace, as far as they
   * are known in Slack.
   */
  readonly findTold: (
    workspace: Id<'workspace'>,
    entry: LogEntry,
    deadline: number,
  ) => Promise<readonly string[]>;
  /** The channel that does not show what one of these events is about. */
  readonly findFailedChannel: (
    workspace: Id<'workspace'>,
    entry: LogEntry,
    deadline: number,
  ) => Promise<string | undefined>;
  readonly slackTroubles: {
    read: (
      workspace: Id<'workspace'>,
      event: LogEntry,
      wish: {readonly channel: string; readonly notify: readonly string[]},
      deadline: number,
    ) => Promise<boolean>;
  };
  /** The reminders that an event may change. */
  readonly findPrompts: FindPrompts;
  readonly prompts: Pick<Prompts, 'ask'>;
  readonly listAsks: ListAsks;
  /** Tells by event that what this one asks for is not shown. */
  readonly reportPassed: (workspace: Id<'workspace'>, entry: LogEntry) => Promise<void>;
  readonly eventMs: number;
  readonly meter: Pick<Meter, 'countUnshown'>;
  readonly log: Log;
  /** Starts the posting of a channel without waiting for the pump. */
  readonly wake: (workspace: Id<'workspace'>, work: Work) => void;
}

const batch = 100;

/** What one script asks for: two keys each. */
const asksAtOnce = 80;

/**
 * How often an event is tried at the least before it is passed over; and where the store was away
 * meanwhile, for so much longer.
 */
const eventTries = 5;
const awayFactor = 30;

/** What those who run a workspace may be told of. */
const told: ReadonlySet<EventType> = new Set(['webhook.failing', 'webhook.disabled', ...welcomeEvents]);

/**
 * Moves a workspace's Slack cursor over the event log: what an event asks a channel to show is noted in the
 * same step that passes the event, so that none is lost or noted twice however often this runs.
 */
export function createReadSlack(parts: ReadSlackParts): Perform<{kind: 'read-slack'}> {
  const {posts, events, teams, findStandup, findTold, listAsks, wake} = parts;
  const within = () => performance.now() + deadlines.job;

  async function wishOf(workspace: Id<'workspace'>, entry: LogEntry): Promise<SlackWish | undefined> {
    const [drawn, revision] = [storedSuffix<'standup'>(entry.about), entry.revision];
    if (entry.type === 'standup.created') {
      const team = await findTeam(workspace, entry);
      const channel = team?.slack_channel_id ?? undefined;
      if (team === undefined || channel === undefined) return undefined;
      const standup = await findStandup(workspace, drawn, revision, within());
      if (standup === undefined) return undefined;
      const {date: day, author} = standup;
      const place = {team: standup.team_id, day, author: author.id, mode: team.slack_post_mode};
      return {channel, drawn, want: revision, place};
    }
    if (entry.type !== 'standup.updated' && entry.type !== 'standup.deleted') return undefined;
    // Where it was first wanted it stays: a standup made before the team had a channel is not dug out by an edit.
    const channel = await posts.findChannel(workspace, drawn, within());
    if (channel === undefined) return undefined;
    return {channel, drawn, want: entry.type === 'standup.deleted' ? 'deleted' : revision};
  }

  async function findTeam(workspace: Id<'workspace'>, {team}: LogEntry): Promise<Team | undefined> {
    return team === undefined ? undefined : (await teams.fresh(workspace, within())).byReference(team);
  }

  /** Answers the people whose reminders have to be looked at. */
  async function askPrompts(workspace: Id<'workspace'>, entry: LogEntry): Promise<readonly string[]> {
    const found = await parts.findPrompts(workspace, entry, within());
    if (found.length > 0) await parts.prompts.ask(workspace, found, within());
    return found.map(({user}) => user);
  }

  /**
   * Passes one event; answers the channels that have work now, or undefined when somebody else was quicker.
   */
  async function pass(workspace: Id<'workspace'>, entry: LogEntry): Promise<readonly string[] | undefined> {
    const notify = told.has(entry.type) ? await findTold(workspace, entry, within()) : [];
    if (tellsReason(entry.type)) {
      const channel = await parts.findFailedChannel(workspace, entry, within());
      const people = channel === undefined ? [] : await findTold(workspace, entry, within());
      if (channel !== undefined && people.length > 0) {
        const passed = await parts.slackTroubles.read(workspace, entry, {channel, notify: people}, within());
        return passed ? people : undefined;
      }
    }
    const [wish, asks] = await Promise.all([wishOf(workspace, entry), listAsks(workspace, entry)]);
    // Asked for ahead of the event, as reminders are, where all of it is too much for the step that passes it.
    let [asked, left] = [0, asks.length];
    for (; left > (notify.length > 0 ? 0 : asksAtOnce); asked += asksAtOnce, left -= asksAtOnce)
      await posts.ask(workspace, asks.slice(asked, asked + asksAtOnce), within());
    if (notify.length > 0) {
      const passed = await posts.readNotice(workspace, entry, {notify}, within());
      return passed ? [...notify, ...asks.map(({channel}) => channel)] : undefined;
    }
    const passed = await posts.read(workspace, entry, wish, within(), asks.slice(asked));
    if (!passed) return undefined;
    return [...(wish === undefined ? [] : [wish.channel]), ...asks.map(({channel}) => channel)];
  }

  /**
   * As `pass`, reminders included. An event on which that fails again and again is passed over, so that
   * those behind it are not lost with it.
   */
  async function passOrSkip(
    workspace: Id<'workspace'>,
    entry: LogEntry,
  ): Promise<readonly string[] | undefined> {
    try {
      // Asked for before the event is passed: who dies in between asks again, and once more does no harm.
      const people = await askPrompts(workspace, entry);
      const channels = await pass(workspace, entry);
      return channels && [...people, ...channels];
    } catch (error) {
      const {sequence, type} = entry;
      const {tries, forMs} = await events.noteFailure(workspace, 'slack', sequence, within());
      const isAway = error instanceof AppError && error.code === 'service_unavailable';
      if (tries < eventTries || forMs < parts.eventMs * (isAway ? awayFactor : 1)) throw error;
      parts.log.error({workspace, event: entry.id, type, tries}, 'an event is passed over for Slack', error);
      parts.meter.countUnshown('event');
      if (!(await posts.read(workspace, entry, undefined, within(), []))) return undefined;
      await parts.reportPassed(workspace, entry).catch(() => undefined);
      return [];
    }
  }

  return async ({workspace, until, signal}) => {
    const woken = new Set<string>();
    try {
      let cursor = await events.findCursor(workspace, 'slack', within());
      while (cursor !== undefined && performance.now() < until && !signal.aborted) {
        const entries = await events.listAfter(workspace, cursor, batch, within());
        if (entries.length === 0) break;
        for (const entry of entries) {
          if (performance.now() >= until || signal.aborted) break;
          const channels = await passOrSkip(workspace, entry);
          if (channels === undefined) return {more: false};
          for (const channel of channels) woken.add(channel);
          cursor = entry.sequence;
        }
      }
      return {more: await events.settleReader(workspace, 'slack', within())};
    } finally {
      for (const channel of woken) wake(workspace, {kind: 'post-slack', channel});
    }
  };
}
