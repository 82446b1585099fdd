import {createCache} from '../../domain/core/cache.js';
import {actorOf, parseActor, formatActor} from '../../domain/core/actor.js';
import type {Commit, CommitTerms, EventDraft} from '../../domain/commit/commit.js';
import type {LogEntry} from '../../domain/events/event.js';
import {type Id, composeId, suffixWithSequence, provisionalId, storedSuffix} from '../../domain/core/ids.js';

/**
 * Caches the last event that this process has committed in each workspace, so the next consumer need not read
 * it.
 */
export interface HandedEvents {
  /** After a commit: its time (ms), and the sequence of its last event. */
  note: (terms: CommitTerms, commit: Commit, at: number, sequence: number) => void;
  /**
   * The event right after a position, once; undefined when it is unknown, or more have followed. Like any
   * earlier read, it may be gone after the store was restored to an earlier state: a caller that acts on it
   * checks that it is in the log.
   */
  take: (workspace: Id<'workspace'>, after: number) => LogEntry | undefined;
}

/** The number of workspaces whose event is cached, the least recently used dropped first. */
const maxKept = 1_000;

interface HandedEvent {
  readonly terms: CommitTerms;
  readonly event: EventDraft;
  readonly at: number;
  readonly sequence: number;
}

/**
 * Only each workspace's last event. A step that acts on one event checks whether that event is in the log;
 * among several, some could be from before the store was restored.
 */
export function createLastEventCache(): HandedEvents {
  const kept = createCache<HandedEvent>(maxKept);
  return {
    note(terms, {events}, at, sequence) {
      const [event] = events;
      if (event !== undefined && events.length === 1 && hasNoRareFields(event))
        kept.set(terms.workspace, {terms, event, at, sequence});
    },
    take(workspace, after) {
      const handed = kept.get(workspace);
      if (handed?.sequence !== after + 1) return undefined;
      kept.delete(workspace);
      return toLogEntry(handed);
    },
  };
}

const provisionalTeam = provisionalId('team', storedSuffix(''));

/** Whether the log entry equals the planned event, without any rare fields. */
function hasNoRareFields({team, since, reminded, reason}: EventDraft): boolean {
  const isNew = team?.startsWith(provisionalTeam) === true;
  return !isNew && since === undefined && reminded === undefined && reason === undefined;
}

function toLogEntry({terms, event: {type, about, revision, team}, at, sequence}: HandedEvent): LogEntry {
  const id = composeId('event', at, suffixWithSequence(about, sequence));
  const acting = actorOf(terms);
  return {
    id,
    sequence,
    type,
    about,
    revision,
    at,
    ...(team !== undefined && {team}),
    // In the form of a read entry, so that it does not matter who has read it.
    ...(acting !== undefined && {actor: parseActor(formatActor(acting))}),
  };
}
