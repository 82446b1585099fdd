import {LRUCache} from 'lru-cache';
import {type LogEntry, renderEvent, showsPrevious} from '../../domain/events/event.js';
import {lifetimes} from '../../domain/core/limits.js';
import {
  formatReferenceName,
  listReferencesOfRun,
  renderRunWithReport,
  removeDuplicateReferences,
} from '../../domain/runs/report-references.js';
import type {WireJson} from '../../domain/core/resource.js';
import {createUnavailableError} from '../core/deadlines.js';
import type {Records} from '../core/records.js';
import {type RevisionRef, parseRevisionNumber} from '../core/revisions.js';
import type {Id} from '../../domain/core/ids.js';

/** The size of the cache for the JSON of recent events. One text serves every webhook that gets the event. */
const cachedBytes = 32 * 1024 * 1024;

/** An event and its resource, which were read in one step. */
export interface ReadEvent {
  readonly entry: LogEntry;
  readonly latest?: WireJson;
}

/** Returns the JSON of each event, which is always exactly the same. */
type Render<T> = (workspace: Id<'workspace'>, events: readonly T[], deadline: number) => Promise<string[]>;

export interface EventBodies {
  readonly render: Render<LogEntry>;
  /** Renders events whose data has been read already, and reads only what is missing. */
  readonly renderRead: Render<ReadEvent>;
  /**
   * Reads the resources of these events in one step, and caches the events that need nothing else.
   * `unchanged` resolves to true if the log was still the same one.
   */
  prepare: (
    workspace: Id<'workspace'>,
    entries: readonly LogEntry[],
    unchanged: Promise<boolean>,
    deadline: number,
  ) => Promise<void>;
}

/** Creates the renderer of events. `findEntries` returns the log entries of events, by their numbers. */
export function createEventBodies(
  findEntries: (
    workspace: Id<'workspace'>,
    sequences: readonly number[],
    deadline: number,
  ) => Promise<LogEntry[]>,
  records: Pick<Records, 'findRevisions' | 'findLatest'>,
): EventBodies {
  const rendered = new LRUCache<string, string>({
    maxSize: cachedBytes,
    ttl: lifetimes.renderedBody * 1_000,
    sizeCalculation: (body) => body.length + 200,
  });

  /** Checks after reading that the log is still the same: a restored store may have other events. */
  async function requireUnchangedLog(
    workspace: Id<'workspace'>,
    entries: readonly LogEntry[],
    deadline: number,
  ): Promise<void> {
    const sequences = entries.map(({sequence}) => sequence);
    const existing = new Set((await findEntries(workspace, sequences, deadline)).map(({id}) => id));
    if (entries.every(({id}) => existing.has(id))) return;
    throw createUnavailableError('The log has changed while it was read.');
  }

  /** Reads all revisions to which the runs in these events refer. */
  async function resolveRunReferences(
    workspace: Id<'workspace'>,
    found: (WireJson | undefined)[],
    deadline: number,
  ): Promise<(WireJson | undefined)[]> {
    const references = removeDuplicateReferences(
      found.flatMap((json) => (json === undefined ? [] : listReferencesOfRun(json))),
    );
    if (references.length === 0)
      return found.map((json) => json && renderRunWithReport(json, () => undefined));
    const revisions = await records.findRevisions(workspace, references, deadline);
    const byName = new Map(references.map((reference, i) => [formatReferenceName(reference), revisions[i]]));
    return found.map(
      (json) => json && renderRunWithReport(json, (reference) => byName.get(formatReferenceName(reference))),
    );
  }

  async function renderEntries(
    workspace: Id<'workspace'>,
    wanted: readonly LogEntry[],
    deadline: number,
  ): Promise<string[]> {
    // Cached texts are taken before the first wait, because they may be removed a moment later.
    const known = wanted.map(({id}) => rendered.get(id));
    const missing = wanted.filter((_, i) => known[i] === undefined);
    if (missing.length === 0) return known.map((body) => body ?? '');
    const wantedRevisions = missing.flatMap(listShownRevisions);
    const found = await resolveRunReferences(
      workspace,
      await records.findRevisions(workspace, wantedRevisions, deadline),
      deadline,
    );
    await requireUnchangedLog(workspace, missing, deadline);
    let next = 0;
    const bodies = missing.map((entry) => {
      const [data, before] = found.slice(next, (next += listShownRevisions(entry).length));
      const body = renderEvent(workspace, entry, data, before);
      if (data !== undefined) rendered.set(entry.id, body);
      return body;
    });
    let read = 0;
    return known.map((body) => body ?? bodies[read++] ?? '');
  }

  /** Renders an event that shows a whole unchanged resource, as most do; undefined for any other event. */
  function renderEntry(workspace: Id<'workspace'>, {entry, latest}: ReadEvent): string | undefined {
    const isWhole =
      latest !== undefined &&
      !showsPrevious(entry.type) &&
      parseRevisionNumber(latest) === entry.revision &&
      listReferencesOfRun(latest).length === 0;
    if (!isWhole) return undefined;
    const body = renderEvent(
      workspace,
      entry,
      renderRunWithReport(latest, () => undefined),
    );
    rendered.set(entry.id, body);
    return body;
  }

  return {
    render: renderEntries,
    async renderRead(workspace, events, deadline) {
      const known = events.map((event) => rendered.get(event.entry.id) ?? renderEntry(workspace, event));
      const missing = events.flatMap(({entry}, i) => (known[i] === undefined ? [entry] : []));
      const bodies = missing.length === 0 ? [] : await renderEntries(workspace, missing, deadline);
      let read = 0;
      return known.map((body) => body ?? bodies[read++] ?? '');
    },
    async prepare(workspace, entries, unchanged, deadline) {
      const missing = entries.filter(({id, type}) => !showsPrevious(type) && !rendered.has(id));
      const asked =
        missing.length === 0
          ? []
          : records.findLatest(
              workspace,
              missing.map(({about}) => about),
              deadline,
            );
      const [found, isUnchanged] = await Promise.all([asked, unchanged]);
      if (!isUnchanged) return;
      missing.forEach((entry, i) => {
        const latest = found[i];
        if (latest !== undefined) renderEntry(workspace, {entry, latest});
      });
    },
  };
}

/** Returns the revisions that an event's JSON shows: the current one and, for a change, the one before. */
function listShownRevisions({type, about, revision}: LogEntry): RevisionRef[] {
  const refs = [{suffix: about, revision}];
  return showsPrevious(type) ? [...refs, {suffix: about, revision: revision - 1}] : refs;
}
