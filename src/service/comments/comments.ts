import type {Comment, CommentChange, NewComment} from '../../domain/comments/comment.js';
import type {Call, Caller} from '../../domain/core/access.js';
import type {Page} from '../../domain/core/lists.js';
import type {WireJson} from '../../domain/core/resource.js';
import type {Answer} from '../core/answers.js';
import type {ServiceContext} from '../core/context.js';
import {resolveAuthor} from '../core/member-references.js';
import type {Precondition} from '../core/precondition.js';
import {type CommentQuery, createCommentLister} from './comment-list.js';
import {createCommentPlans} from './comment-plans.js';

/** Operations on the comments of standups. */
export type Comments = ReturnType<typeof createComments>;

export function createComments(context: ServiceContext) {
  const {mutate, records} = context;
  const {requireComment, planCreate, planChange, planDelete} = createCommentPlans(context);
  const listComments = createCommentLister(context);

  return {
    /**
     * Comments on a standup. Everyone who reads the standup may. Errors: `validation_failed` for an unknown
     * standup, `limit_reached`.
     */
    createComment: (call: Call, input: NewComment): Promise<Answer<Comment>> =>
      mutate(call, () => planCreate(call, input)),
    /**
     * Edits a comment of the caller. A change without effect makes no revision and no event. Errors:
     * `not_found`, `forbidden` for everyone else, `edit_in_slack`, `precondition_failed`.
     */
    editComment: (
      call: Call,
      id: string,
      change: CommentChange,
      expected?: Precondition,
    ): Promise<Answer<Comment>> => mutate(call, () => planChange(call, id, change, {expected})),
    /**
     * Deletes a comment of the caller. Leads of the team, owners and admins may delete all. Errors:
     * `not_found`, `forbidden`, `precondition_failed`.
     */
    deleteComment: (call: Call, id: string, expected?: Precondition): Promise<Answer<void>> =>
      mutate(call, () => planDelete(call, id, expected)),
    findComment: async (access: Caller, id: string): Promise<Comment> =>
      (await requireComment(access, id)).comment,
    /** Lists comments: of a standup the oldest first, else the newest. Errors: `team_not_found`. */
    async listComments(access: Caller, query: CommentQuery): Promise<Page<WireJson<Comment>>> {
      const author = await resolveAuthor(records, access, query.author);
      return listComments(access, {...query, author});
    },
  };
}
