import {createCache} from '../../domain/core/cache.js';
import {createActor, parseActor, formatActor} from '../../domain/core/actor.js';
import type {Commit, CommitTerms, EventDraft} from '../../domain/commit/commit.js';
import type {LogEntry} from '../../domain/events/event.js';
import {type Id, composeId, suffixWithSequence, provisionalId, storedSuffix} from '../../domain/core/ids.js';

/**
 * Keeps the last event that this process has committed in each workspace, so that the next step need not read
 * it.
 */
export interface HandedEvents {
  /**
   * Records the last event of a commit. `at`: the time of the commit (ms). `sequence`: the number of its last
   * event.
   */
  note: (terms: CommitTerms, commit: Commit, at: number, sequence: number) => void;
  /**
   * Returns the event right after a position, only once. Undefined when it is unknown, or when more events
   * have followed. A caller must check that the event is in the log, because the store may have been
   * restored.
   */
  take: (workspace: Id<'workspace'>, after: number) => LogEntry | undefined;
}

/** The number of workspaces with a kept event. The least recently used one is dropped first. */
const maxKept = 1_000;

interface HandedEvent {
  readonly terms: CommitTerms;
  readonly event: EventDraft;
  readonly at: number;
  readonly sequence: number;
}

/**
 * Creates the cache, which keeps only the last event of each workspace. A step that handles one event can
 * check that it is in the log. With several, some could be from before a restore.
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
      return createLogEntry(handed);
    },
  };
}

const provisionalTeam = provisionalId('team', storedSuffix(''));

/** True if the log entry has none of the rare fields, and so equals the planned event. */
function hasNoRareFields({team, since, reminded, reason}: EventDraft): boolean {
  const isNew = team?.startsWith(provisionalTeam) === true;
  return !isNew && since === undefined && reminded === undefined && reason === undefined;
}

function createLogEntry({terms, event: {type, about, revision, team}, at, sequence}: HandedEvent): LogEntry {
  const id = composeId('event', at, suffixWithSequence(about, sequence));
  const acting = createActor(terms);
  return {
    id,
    sequence,
    type,
    about,
    revision,
    at,
    ...(team !== undefined && {team}),
    // The entry has the same form as one that was read from the log.
    ...(acting !== undefined && {actor: parseActor(formatActor(acting))}),
  };
}
