import {useRef} from 'react';
import {newKey} from '../../api/new-key.ts';
import type {Comment} from '../../api/schema.ts';
import {send} from '../../api/send.ts';
import {texts} from '../../texts/texts.ts';
import {useAction} from '../use-action.ts';
import {useDraft} from '../use-draft.ts';
import {CommentField} from './comment-field.tsx';

/** Writes a comment on a standup (id). `isFirst`: there is no other comment, so the field has the focus. */
export function WriteComment({
  standup,
  isFirst,
  onWritten,
}: {
  readonly standup: string;
  readonly isFirst: boolean;
  readonly onWritten: (comment: Comment) => void;
}) {
  const [text, setText, drop] = useDraft(`comment:${standup}`, '');
  const focuses = useRef(isFirst && text === '');
  /** The idempotency key of a text: sent twice, it is written once. */
  const sent = useRef({text: '', key: ''});
  const {comments: say} = texts.thread;
  const {run, isPending, problem} = useAction(async () => {
    if (sent.current.text !== text) sent.current = {text, key: newKey()};
    const body = {standup, text, format: 'markdown'} as const;
    onWritten(await send('post', '/v1/comments', {body, key: sent.current.key}));
    sent.current = {text: '', key: ''};
    setText('');
    drop();
  });
  return (
    <CommentField
      isFocused={focuses.current}
      isPending={isPending}
      label={say.write}
      onSubmit={run}
      onText={setText}
      problem={problem}
      submit={say.send}
      text={text}
    />
  );
}
