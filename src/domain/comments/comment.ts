import {z} from 'zod';
import {principal} from '../core/access.js';
import {limits} from '../core/limits.js';
import {type Listing, lists} from '../core/lists.js';
import {textFormats} from '../core/markdown.js';
import {id, type Infer, oneOf, resource, text} from '../core/schemas.js';
import {standupSchema} from '../standups/standup.js';

const {team, team_id: teamId, source} = standupSchema.shape;

/** Missing in plain comments, as in plain standups. */
const formatShown = standupSchema.shape.format.meta({
  description: 'The notation of `text`: `markdown`. Left out for plain text. More values may be added.',
});

export const commentSchema = resource('comment', {
  format: formatShown,
  standup: id('standup').meta({description: 'The standup that it is on.'}),
  team,
  team_id: teamId,
  author: principal,
  text: z.string(),
  source: source.meta({
    description:
      'The interface that the comment was written with: `api`, `mcp`, `dashboard`, `cli` or `slack`. More values may be added.',
  }),
  slack: z
    .object({
      channel_id: z.string(),
      message_ts: z.string().meta({description: "Slack's id of the message in its channel."}),
      permalink: z.string().nullable().meta({description: 'The link to the message. Null if it is unknown.'}),
    })
    .optional()
    .meta({
      description:
        'The reply in Slack that the comment is. It is edited there. Left out for comments that were not typed in Slack.',
    }),
  edited: z.boolean().meta({description: 'Whether its text was changed after it was written.'}),
}).meta({id: 'Comment', description: 'An answer to a standup, in its thread.'});

const format = oneOf(textFormats).optional();

export const newCommentSchema = z
  .strictObject({
    standup: id('standup').meta({description: 'The standup to comment on.'}),
    text: text(limits.comment).meta({examples: ['On it: the queue was full.']}),
    format: format.meta({
      description: 'The notation of `text`: `plain`, or `markdown`, a subset of CommonMark.',
      default: 'plain',
    }),
  })
  .meta({id: 'NewComment', description: 'The fields of a new comment.'});

export const commentChangeSchema = z
  .strictObject({
    text: text(limits.comment).optional(),
    format: format.meta({description: 'The notation of `text`. If left out, it stays as it is.'}),
  })
  .meta({id: 'CommentChange', description: 'Changes to a comment, as a JSON merge patch.'});

/** An answer to a standup. The comments of a standup are its thread. */
export type Comment = Infer<typeof commentSchema>;

export type NewComment = Infer<typeof newCommentSchema>;

export type CommentChange = Infer<typeof commentChangeSchema>;

export function findListsWithComment({
  standup,
  team_id: of,
  author,
}: Pick<Comment, 'standup' | 'team_id' | 'author'>): Listing[] {
  return [
    {list: lists.commentsOf(standup)},
    {list: lists.commentsOfTeam(of)},
    {list: lists.commentsBy(author.id)},
    {list: lists.comments()},
  ];
}
