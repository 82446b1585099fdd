import {useInfiniteQuery} from '@tanstack/react-query';
import {queryClient} from '../../api/queries.ts';
import type {Comment, Me} from '../../api/schema.ts';
import {texts} from '../../texts/texts.ts';
import {Button} from '../button.tsx';
import {ProblemNote} from '../problem-note.tsx';
import {mayUse} from '../rights.ts';
import {Skeleton} from '../skeleton.tsx';
import {CommentItem} from './comment-item.tsx';
import {useCommentRemovals} from './comment-removals.ts';
import {putThread} from './put-thread.ts';
import {type CommentPages, commentsQuery} from './queries.ts';
import {WriteComment} from './write-comment.tsx';

interface CommentsProps {
  /** The id of the standup. */
  readonly standup: string;
  /** The name of the standup's author. */
  readonly author: string;
  /** Whether the standup had no comments when they were opened. */
  readonly isEmpty: boolean;
  readonly me: Me;
}

/** The comments on a standup, the oldest first, and a field for one more. */
export function Comments({standup, author, isEmpty, me}: CommentsProps) {
  const query = useInfiniteQuery(commentsQuery(standup));
  const {data, error, hasNextPage, isFetchingNextPage, fetchNextPage, refetch} = query;
  const removals = useCommentRemovals();
  const {comments: say} = texts.thread;
  const shown = data?.pages
    .flatMap((page) => page.data)
    .filter(({id}) => !removals.has(id) || removals.get(id) !== undefined);

  return (
    <section aria-label={say.of({name: author})} className="grid gap-3 border-t border-line pt-3">
      {shown === undefined && (error === null ? <Skeleton lines={2} /> : null)}
      {shown?.length === 0 && <p className="text-quiet">{say.none}</p>}
      {shown !== undefined && shown.length > 0 && (
        <ol className="grid gap-3">
          {shown.map((comment) => (
            <CommentItem comment={comment} key={comment.id} me={me} problem={removals.get(comment.id)} />
          ))}
        </ol>
      )}
      {error !== null && <ProblemNote onRetry={refetch} problem={error} />}
      {hasNextPage && error === null && (
        <div>
          <Button isPending={isFetchingNextPage} onPress={() => void fetchNextPage()} size="small">
            {say.more}
          </Button>
        </div>
      )}
      {mayUse(me, 'comments:write') && (
        <WriteComment
          isFirst={isEmpty}
          onWritten={(comment) => showWritten(standup, comment)}
          standup={standup}
        />
      )}
    </section>
  );
}

/** Shows a comment of the viewer at once, and counts it. */
function showWritten(standup: string, comment: Comment): void {
  const {queryKey} = commentsQuery(standup);
  queryClient.setQueryData<CommentPages>(queryKey, (known) => {
    if (known === undefined || known.pages.some(({data}) => data.some(({id}) => id === comment.id)))
      return known;
    const last = known.pages.length - 1;
    return {
      ...known,
      pages: known.pages.map((page, i) =>
        i === last && !page.has_more ? {...page, data: [...page.data, comment]} : page,
      ),
    };
  });
  putThread(standup, (now) =>
    now.last_comment_at !== null && now.last_comment_at >= comment.created_at
      ? now
      : {...now, comments: now.comments + 1, last_comment_at: comment.created_at},
  );
}
