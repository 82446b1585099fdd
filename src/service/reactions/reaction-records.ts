import type {CommitPart, EventDraft} from '../../domain/commit/commit.js';
import {type RemovalMode, type Write} from '../../domain/commit/writes.js';
import {suffixOf} from '../../domain/core/ids.js';
import {findListsWithReaction, type Reaction} from '../../domain/reactions/reaction.js';

export function createRemoveReactionWrite(reaction: Reaction, how: RemovalMode): Write {
  const {id, revision: from, author} = reaction;
  const names = findListsWithReaction(reaction).map(({list}) => list);
  return {do: 'remove', how, id, from, lists: names, names: [author.id]};
}

/** Removes a reaction that its author takes back, or that is erased with its author. */
export function createDeleteReactionWrites(reaction: Reaction, how: RemovalMode): CommitPart {
  const {id, revision, team_id: team} = reaction;
  const event: EventDraft = {type: 'reaction.deleted', about: suffixOf(id), revision, team};
  return {guards: [], writes: [createRemoveReactionWrite(reaction, how)], events: [event]};
}
