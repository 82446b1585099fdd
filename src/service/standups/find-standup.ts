import type {Caller, Reader} from '../../domain/core/access.js';
import {notFound} from '../../domain/core/errors.js';
import {drawnPart, isId, type Id} from '../../domain/core/ids.js';
import type {SlackPlace} from '../../domain/slack/slack-post.js';
import {type Standup} from '../../domain/standups/standup.js';
import type {Team} from '../../domain/teams/team.js';
import type {SlackPlaces} from './slack-places.js';
import type {Teams} from '../../store/core/directories.js';
import type {Records} from '../../store/core/records.js';

export interface FindParts {
  readonly records: Pick<Records, 'find'>;
  readonly teams: Pick<Teams, 'fresh'>;
  readonly slackPosts: SlackPlaces;
}

/** A standup with its team, and the version of the teams from which it was read. */
export interface Found {
  readonly standup: Standup;
  readonly team: Team;
  readonly version: string;
}

/** Finds a standup and the data that belongs to it. */
export interface StandupFinder {
  /**
   * A standup of a deleted team counts as gone, even while the job that removes it is still running. Errors:
   * `not_found`.
   */
  requireStandup: (access: Caller, id: string) => Promise<Found>;
  /** The standup's message in Slack. */
  findPlace: (access: Reader, id: Id<'standup'>) => Promise<SlackPlace | null>;
}

export function createStandupFinder({records, teams, slackPosts}: FindParts): StandupFinder {
  return {
    async requireStandup({workspace, deadline}: Caller, id: string): Promise<Found> {
      if (!isId('standup', id)) throw notFound('standup');
      const [standup, directory] = await Promise.all([
        records.find(workspace, id, deadline),
        teams.fresh(workspace, deadline),
      ]);
      const team = standup && directory.byReference(standup.team_id);
      if (standup === undefined || team === undefined) throw notFound('standup');
      return {standup, team, version: directory.version};
    },
    async findPlace({workspace, deadline}: Reader, id: Id<'standup'>): Promise<SlackPlace | null> {
      const [place] = await slackPosts.listPlaces(workspace, [drawnPart(id)], deadline);
      return place ?? null;
    },
  };
}
