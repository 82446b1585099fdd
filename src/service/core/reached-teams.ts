import type {RequestContext} from '../../domain/core/access.js';
import {createCache} from '../../domain/core/cache.js';
import {type Id, suffixOf} from '../../domain/core/ids.js';
import type {Visibility} from '../../domain/core/schemas.js';
import {narrowDirectory, type TeamDirectory} from '../../domain/teams/team.js';
import type {Teams} from '../../store/core/directories.js';
import type {Records} from '../../store/core/records.js';
import {findReach, type TeamReader} from './reach.js';

/**
 * The teams of a workspace, as use cases read them. Each use case names its reader: `of` a reader who is
 * shown what is found, or `all` for jobs and for rules that concern every team. This is the one place that
 * decides which teams a reader may see. Resources of other teams are treated like those of deleted teams.
 */
export type ReachedTeams = ReturnType<typeof createReachedTeams>;

/** The largest number of deleted teams whose visibility is remembered, the last used ones. */
const maxDeleted = 5_000;

export function createReachedTeams({teams, records}: {readonly teams: Teams; readonly records: Records}) {
  const all = ({workspace, deadline}: RequestContext): Promise<TeamDirectory> =>
    teams.fresh(workspace, deadline);

  /** Returns those of these teams that a reader may see. Without a private team, nothing is read for that. */
  async function among(directory: TeamDirectory, reader: TeamReader): Promise<TeamDirectory> {
    return directory.hasPrivate ? narrowDirectory(directory, await findReach(records, reader)) : directory;
  }

  /** The visibility of deleted teams, which cannot change. */
  const deleted = createCache<Visibility>(maxDeleted);

  /** Finds what a team is; a deleted one stays what it was at its end. */
  async function findVisibility(
    {workspace, deadline}: RequestContext,
    id: Id<'team'>,
    directory: TeamDirectory,
  ): Promise<Visibility> {
    const known = directory.byReference(id)?.visibility ?? deleted.get(`${workspace} ${id}`);
    if (known !== undefined) return known;
    const last = await records.findLastRevision(workspace, suffixOf(id), deadline);
    // A deleted team of which nothing is kept any more counts as private.
    const visibility = last?.record.visibility ?? 'private';
    // A team that is newer than the directory may still change.
    if (last?.isCurrent !== true) deleted.set(`${workspace} ${id}`, visibility);
    return visibility;
  }

  /** Returns which of these teams are private, also deleted ones. */
  async function listPrivate(
    asked: RequestContext,
    ids: Iterable<Id<'team'>>,
    directory: TeamDirectory,
  ): Promise<ReadonlySet<Id<'team'>>> {
    const distinct = [...new Set(ids)];
    const found = await Promise.all(distinct.map((id) => findVisibility(asked, id, directory)));
    return new Set(distinct.filter((_, i) => found[i] === 'private'));
  }

  /**
   * Returns those of these teams that a person in a chat may see, with the team of the channel in which they act:
   * the chat lets only those act there who read it.
   */
  async function amongIn(
    directory: TeamDirectory,
    reader: TeamReader,
    channel: string | undefined,
  ): Promise<TeamDirectory> {
    if (!directory.hasPrivate) return directory;
    const reach = await findReach(records, reader);
    const here = channel === undefined ? undefined : directory.byChannel(channel);
    if (reach === 'all' || here === undefined) return narrowDirectory(directory, reach);
    return narrowDirectory(directory, new Set([...reach, here.id]));
  }

  return {
    listPrivate,
    /** Returns which of these teams a reader may not see, also deleted ones. Usually nothing else is read. */
    async listHidden(reader: TeamReader, ids: Iterable<Id<'team'>>): Promise<ReadonlySet<Id<'team'>>> {
      const asked = [...ids];
      if (asked.length === 0) return new Set();
      const found = await listPrivate(reader, asked, await all(reader));
      if (found.size === 0) return found;
      const reach = await findReach(records, reader);
      return reach === 'all' ? new Set() : new Set([...found].filter((id) => !reach.has(id)));
    },
    /** Returns the current teams that a reader may see. */
    of: async (reader: TeamReader): Promise<TeamDirectory> => among(await all(reader), reader),
    all,
    among,
    amongIn,
    /** Returns what `all` returns, without waiting, but perhaps of an earlier version; see `peekOf`. */
    peekAll: ({workspace}: RequestContext): TeamDirectory | undefined => teams.peek(workspace),
    /**
     * Returns what `of` returns, but perhaps of an earlier version: the commit or the page that depends on it
     * checks its `version`. Undefined if none is known.
     */
    async peekOf(reader: TeamReader): Promise<TeamDirectory | undefined> {
      const known = teams.peek(reader.workspace);
      return known && among(known, reader);
    },
    /** Returns what `of` returns, at this recent version or a newer one. */
    ofAt: async (reader: TeamReader, version: string): Promise<TeamDirectory> =>
      among(await teams.at(reader.workspace, version, reader.deadline), reader),
  };
}
