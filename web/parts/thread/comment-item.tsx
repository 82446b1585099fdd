import {lazy, Suspense, useState} from 'react';
import type {Problem} from '../../api/problem.ts';
import type {Comment, Me} from '../../api/schema.ts';
import {dateInZone} from '../../texts/format.ts';
import {texts} from '../../texts/texts.ts';
import {IconButton} from '../icon-button.tsx';
import {Initials} from '../initials.tsx';
import {ProblemNote} from '../problem-note.tsx';
import {managesWorkspace} from '../rights.ts';
import {Stamp} from '../stamp.tsx';
import {StandupText} from '../standup-text.tsx';
import {removeComment} from './comment-removals.ts';

const EditComment = lazy(async () => ({default: (await import('./edit-comment.tsx')).EditComment}));

interface CommentItemProps {
  readonly comment: Comment;
  readonly me: Me;
  /** Why it could not be deleted. */
  readonly problem: Problem | undefined;
}

export function CommentItem({comment, me, problem}: CommentItemProps) {
  const [isEditing, setEditing] = useState(false);
  const {id, author, text, format, edited, slack, created_at: at} = comment;
  const isOwn = author.id === me.principal.id;
  const {comments: say} = texts.thread;
  const body = <StandupText format={format} text={text} />;
  return (
    <li className="flex min-w-0 gap-3 *:first:mt-0.5" data-comment={id}>
      <Initials name={author.name} />
      <div className="grid min-w-0 flex-1 gap-1">
        <div className="flex flex-wrap items-center gap-x-2 text-xs text-quiet">
          <span className="text-sm font-semibold text-ink">
            <bdi>{author.name}</bdi>
            {isOwn && <span className="font-normal text-quiet"> ({texts.parts.you})</span>}
          </span>
          <Stamp date={dateInZone(Date.now())} instant={at} />
          {edited && <span>{texts.parts.edited}</span>}
          {slack !== undefined && <InSlack permalink={slack.permalink} />}
          <span className="ms-auto flex gap-1">
            {isOwn && slack === undefined && !isEditing && (
              <IconButton icon="write" label={say.edit} onPress={() => setEditing(true)} size="small" />
            )}
            {mayDelete(me, comment) && (
              <IconButton
                icon="trash"
                label={nameDeletion(comment, isOwn)}
                onPress={() => removeComment(comment)}
                size="small"
              />
            )}
          </span>
        </div>
        {isEditing ? (
          <Suspense fallback={body}>
            <EditComment comment={comment} onEnd={() => setEditing(false)} />
          </Suspense>
        ) : (
          body
        )}
        {problem !== undefined && <ProblemNote onRetry={() => removeComment(comment)} problem={problem} />}
      </div>
    </li>
  );
}

/** Leads to the reply in Slack that the comment is. It is edited there. */
function InSlack({permalink}: {readonly permalink: string | null}) {
  const {inSlack} = texts.thread.comments;
  if (permalink === null) return <span>{inSlack}</span>;
  return (
    <a className="underline" href={permalink} rel="noreferrer" target="_blank">
      {inSlack}
    </a>
  );
}

function nameDeletion({author, slack}: Comment, isOwn: boolean): string {
  const {comments: say} = texts.thread;
  if (slack !== undefined) return say.deleteHere({name: author.name});
  return isOwn ? say.delete : say.deleteOf({name: author.name});
}

/** The service decides in src/service/comments/comments.ts. */
function mayDelete(me: Me, {author, team_id}: Comment): boolean {
  const isLead = me.teams?.some(({id, role}) => id === team_id && role === 'lead') === true;
  return author.id === me.principal.id || managesWorkspace(me) || isLead;
}
