import type {InfiniteData} from '@tanstack/react-query';
import {readPagesQuery} from '../../api/read.ts';
import type {Comment} from '../../api/schema.ts';

/** The comments on a standup, the oldest first. */
export const commentsQuery = (standup: string) =>
  readPagesQuery('listComments', '/v1/comments', {standup, limit: 100});

export type CommentPages = InfiniteData<
  {readonly data: readonly Comment[]; readonly has_more: boolean},
  string | undefined
>;
