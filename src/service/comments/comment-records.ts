import {type Comment, findListsWithComment} from '../../domain/comments/comment.js';
import type {CommitPart} from '../../domain/commit/commit.js';
import type {RemovalMode, Write} from '../../domain/commit/writes.js';
import {suffixOf} from '../../domain/core/ids.js';

/** Deletes a comment, with its event. */
export function createDeleteCommentPart(comment: Comment, how?: RemovalMode): CommitPart {
  const {id, revision, team_id: team} = comment;
  return {
    guards: [],
    writes: [createRemoveCommentWrite(comment, how)],
    events: [{type: 'comment.deleted', about: suffixOf(id), revision, team}],
  };
}

export function createRemoveCommentWrite(comment: Comment, how: RemovalMode = 'remove'): Write {
  const {id, revision: from, author} = comment;
  const listed = findListsWithComment(comment).map(({list}) => list);
  return {do: 'remove', how, id, from, lists: listed, names: [author.id]};
}
