import {createCache} from '../../domain/core/cache.js';
import {createActor, parseActor, formatActor} from '../../domain/core/actor.js';
import type {Commit, CommitTerms, EventDraft} from '../../domain/commit/commit.js';
import type {LogEntry} from '../../domain/events/event.js';
import {type Id, composeId, suffixWithSequence, provisionalId, storedSuffix} from '../../domain/core/ids.js';

/** Remembers the last event that this process committed in each workspace, to handle it without a read. */
export type HandedEvents = ReturnType<typeof createLastEventCache>;

/** The most workspaces whose last event is remembered. The least recently used is dropped. */
const maxKept = 1_000;

interface HandedEvent {
  readonly terms: CommitTerms;
  readonly event: EventDraft;
  readonly at: number;
  readonly sequence: number;
}

/**
 * Creates the memory of the last event of each workspace. It holds a single event, because a step that
 * handles one event can check that it is in the log. Of several events, some could be from before a restore.
 */
export function createLastEventCache() {
  const kept = createCache<HandedEvent>(maxKept);
  return {
    /** Remembers a commit's last event. `at`: the commit's time (ms). `sequence`: the event's number. */
    note(terms: CommitTerms, {events}: Commit, at: number, sequence: number): void {
      const [event] = events;
      if (event !== undefined && events.length === 1 && hasNoRareFields(event))
        kept.set(terms.workspace, {terms, event, at, sequence});
    },
    /**
     * Returns the event right after a position, but each event only once. Undefined when the event is
     * unknown, or when more events have followed. A caller must check that the event is in the log, because
     * the store may have been restored.
     */
    take(workspace: Id<'workspace'>, after: number): LogEntry | undefined {
      const handed = kept.get(workspace);
      if (handed?.sequence !== after + 1) return undefined;
      kept.delete(workspace);
      return createLogEntry(handed);
    },
  };
}

const provisionalTeam = provisionalId('team', storedSuffix(''));

/** True if the event's log entry contains none of the rare fields. */
function hasNoRareFields({team, since, reminded, reason, acceptedBy}: EventDraft): boolean {
  const isNew = team?.startsWith(provisionalTeam) === true;
  return !isNew && [since, reminded, reason, acceptedBy].every((field) => field === undefined);
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
    ...(terms.trace?.sampled === true && {trace: terms.trace}),
  };
}
