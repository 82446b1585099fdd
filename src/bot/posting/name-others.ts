import {type Id, drawnPart} from '../../domain/core/ids.js';
import type {Another, Standup} from '../../domain/standups/standup.js';
import type {ShownStandup} from './standup-messages.js';
import type {Records} from '../../store/core/records.js';

/** Gives a standup the names that those now have who posted or changed it for its author. */
export function createNameOthers(records: Pick<Records, 'findByDrawn'>) {
  return async function nameOthers<
    S extends ShownStandup & Partial<Pick<Standup, 'posted_by' | 'edited_by'>>,
  >(workspace: Id<'workspace'>, standup: S, deadline: number): Promise<S> {
    const nameOf = async (one: Another | null | undefined): Promise<string | null | undefined> => {
      if (!one) return undefined;
      return (await records.findByDrawn(workspace, drawnPart(one.id), deadline))?.name ?? null;
    };
    const [poster, editor] = await Promise.all([nameOf(standup.posted_by), nameOf(standup.edited_by)]);
    return {...standup, poster, editor};
  };
}
