import {queryClient} from '../../api/queries.ts';
import type {Comment} from '../../api/schema.ts';
import {send} from '../../api/send.ts';
import {texts} from '../../texts/texts.ts';
import {Button} from '../button.tsx';
import {useAction} from '../use-action.ts';
import {useDraft} from '../use-draft.ts';
import {CommentField} from './comment-field.tsx';
import {type CommentPages, commentsQuery} from './queries.ts';

/** Edits a comment of the viewer, unless it has changed since it was shown. */
export function EditComment({comment, onEnd}: {readonly comment: Comment; readonly onEnd: () => void}) {
  const {id, revision} = comment;
  const [text, setText, drop] = useDraft(`comment:${id}`, comment.text);
  const {comments: say} = texts.thread;
  const end = (): void => {
    drop();
    onEnd();
  };
  const {run, isPending, problem} = useAction(async () => {
    if (text !== comment.text) {
      putComment(await send('patch', '/v1/comments/{comment}', {comment: id, revision, body: {text}}));
    }
    end();
  });
  return (
    <CommentField
      isFocused
      isPending={isPending}
      label={say.editText}
      onEscape={end}
      onSubmit={run}
      onText={setText}
      problem={problem}
      submit={say.save}
      text={text}
    >
      <Button kind="quiet" onPress={end} size="small">
        {texts.parts.cancel}
      </Button>
    </CommentField>
  );
}

function putComment(comment: Comment): void {
  queryClient.setQueryData<CommentPages>(commentsQuery(comment.standup).queryKey, (known) => {
    if (known === undefined) return known;
    const put = (one: Comment): Comment => (one.id === comment.id ? comment : one);
    return {...known, pages: known.pages.map((page) => ({...page, data: page.data.map(put)}))};
  });
}
