import {parseWire} from '../../domain/core/resource.js';
import {type Id, drawnPart} from '../../domain/core/ids.js';
import {lists, sequenceOfPlace} from '../../domain/core/lists.js';
import type {ToldBlocker} from '../blockers/told-blockers.js';
import {within} from './channel-work.js';
import type {StandupRevision} from './read-slack.js';
import type {Records} from '../../store/core/records.js';

/** The blockers that a standup has told of, as they are now, in the order in which they were raised. */
export type FindBlockers = (workspace: Id<'workspace'>, standup: StandupRevision) => Promise<ToldBlocker[]>;

export interface FindBlockersParts {
  readonly records: Pick<Records, 'list' | 'findPlace' | 'findByDrawn'>;
}

/** The author's blockers that are looked at, from those raised with the standup on: one that an edit raises comes later. */
const looksAt = 200;

export function createFindBlockers({records}: FindBlockersParts): FindBlockers {
  return async (workspace, {id, author}) => {
    const place = await records.findPlace(
      workspace,
      lists.standupsOfAuthor(author.id),
      drawnPart(id),
      within(),
    );
    if (place === undefined) return [];
    const from = sequenceOfPlace(place);
    const query = {list: lists.blockersOf(author.id), limit: looksAt, from, upward: true};
    const {rows} = await records.list(workspace, query, within());
    const told = rows.map(({json}) => parseWire(json)).filter(({standup}) => standup === id);
    return Promise.all(
      told.map(async (blocker): Promise<ToldBlocker> => {
        const {id: own, text, state, acknowledged_by: by} = blocker;
        if (state !== 'acknowledged' || by === null) return {id: own, text, state, by: null};
        // Who is gone has no name any more.
        const actor = await records.findByDrawn(workspace, drawnPart(by.id), within());
        return {id: own, text, state, by: actor?.name ?? null};
      }),
    );
  };
}
