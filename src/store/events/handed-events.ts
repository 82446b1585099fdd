import {LRUCache} from 'lru-cache';
import {actorOf, parseActor, writeActor} from '../../domain/core/actor.js';
import type {Commit, CommitTerms, EventDraft} from '../../domain/commit/commit.js';
import type {LogEntry} from '../../domain/events/event.js';
import {type Id, composeId, sequencedPart, unbornId, storedSuffix} from '../../domain/core/ids.js';

/**
 * The last event that this process has committed in each workspace: who reads the log next need not ask for
 * it.
 */
export interface HandedEvents {
  /** After a commit: its time (ms), and the sequence of its last event. */
  note: (terms: CommitTerms, commit: Commit, at: number, sequence: number) => void;
  /**
   * The event right after a place, once; undefined where it is not known, or more have come since. Like
   * whatever was read a while ago, it may be gone with a store that was set back: who acts on it asks whether
   * it stands.
   */
  take: (workspace: Id<'workspace'>, after: number) => LogEntry | undefined;
}

/** Workspaces whose event is kept, those of last use longest. */
const maxKept = 1_000;

interface Handed {
  readonly terms: CommitTerms;
  readonly event: EventDraft;
  readonly at: number;
  readonly sequence: number;
}

/**
 * Each workspace's last one alone. A step that acts on one event asks of that very event whether it stands;
 * among several, some could be of before the store was set back.
 */
export function createHandedEvents(): HandedEvents {
  const kept = new LRUCache<string, Handed>({max: maxKept});
  return {
    note(terms, {events}, at, sequence) {
      const [event] = events;
      if (event !== undefined && events.length === 1 && isPlain(event))
        kept.set(terms.workspace, {terms, event, at, sequence});
    },
    take(workspace, after) {
      const handed = kept.get(workspace);
      if (handed?.sequence !== after + 1) return undefined;
      kept.delete(workspace);
      return toEntry(handed);
    },
  };
}

const unbornTeam = unbornId('team', storedSuffix(''));

/** One that stands in the log as it was planned, and has nothing that few have. */
function isPlain({team, since, reminded, reason}: EventDraft): boolean {
  const isNew = team?.startsWith(unbornTeam) === true;
  return !isNew && since === undefined && reminded === undefined && reason === undefined;
}

function toEntry({terms, event: {type, about, revision, team}, at, sequence}: Handed): LogEntry {
  const id = composeId('event', at, sequencedPart(about, sequence));
  const acting = actorOf(terms);
  return {
    id,
    sequence,
    type,
    about,
    revision,
    at,
    ...(team !== undefined && {team}),
    // As it is read, so that nothing depends on who has read it.
    ...(acting !== undefined && {actor: parseActor(writeActor(acting))}),
  };
}
