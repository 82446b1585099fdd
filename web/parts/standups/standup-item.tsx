import {Link, useNavigate} from '@tanstack/react-router';
import {useEffect, useId, useRef, useState} from 'react';
import type {ShownStandup} from '../../api/schema.ts';
import {texts} from '../../texts/texts.ts';
import {Badge} from '../badge.tsx';
import {Button} from '../button.tsx';
import {IconButton} from '../icon-button.tsx';
import {Icon} from '../icon.tsx';
import {ProblemNote} from '../problem-note.tsx';
import {StandupCard} from '../standup-card.tsx';
import {copyText} from '../copy-text.ts';
import {dismissRemoval, removeStandup, useRemovals} from './removals.ts';
import {Revisions} from './revisions.tsx';
import {useTeamName} from './team-name.tsx';

interface StandupItemProps {
  readonly standup: ShownStandup;
  readonly isOwn: boolean;
  readonly isOfOne?: boolean;
  /** True if the item takes the focus: it is the first item of a page that the viewer has requested. */
  readonly isFocused?: boolean;
  readonly showsRevisions?: boolean;
  readonly opensThread?: boolean;
}

/** A past standup with its revisions, and the actions for its author. */
export function StandupItem({
  standup,
  isOwn,
  isOfOne,
  isFocused,
  showsRevisions = false,
  opensThread = false,
}: StandupItemProps) {
  const [isOpen, setOpen] = useState(showsRevisions);
  const problem = useRemovals().get(standup.id)?.problem;
  const fold = useId();
  const item = useRef<HTMLLIElement>(null);
  const {author, imported} = standup;
  useEffect(() => {
    if (isFocused === true) item.current?.focus();
  }, [isFocused]);
  return (
    <li className="min-w-0 rounded-lg [&:focus:not(:focus-visible)]:outline-none" ref={item} tabIndex={-1}>
      <StandupCard
        actions={<AuthorActions isOwn={isOwn} standup={standup} />}
        author={{name: author.name, isYou: isOwn}}
        badges={
          <>
            <TeamBadge team={standup.team} />
            {standup.source !== 'dashboard' && <span>{nameOfSource(standup.source)}</span>}
            {standup.edited && (
              <button
                aria-controls={fold}
                aria-expanded={isOpen}
                className="inline-flex min-h-6 cursor-pointer items-center underline underline-offset-3 hover:text-ink pointer-coarse:min-h-11 [&_svg]:transition-[rotate] aria-expanded:[&_svg]:rotate-180"
                onClick={() => setOpen(!isOpen)}
                type="button"
              >
                {texts.parts.edited} <Icon name="chevron-down" size={16} />
              </button>
            )}
          </>
        }
        name={
          author.type === 'member' && isOfOne !== true ? (
            <Link params={{member: author.id}} to="/people/$member">
              <bdi>{author.name}</bdi>
            </Link>
          ) : undefined
        }
        opensThread={opensThread}
        standup={{
          ...standup,
          edited: false,
          // The time of the import says nothing about the day of the standup.
          created_at: imported === null ? standup.created_at : imported.posted_at,
        }}
      >
        <div id={fold}>{isOpen && <Revisions standup={standup} />}</div>
        {problem !== undefined && (
          <div className="mt-4 grid justify-items-start gap-2">
            <ProblemNote problem={problem} onRetry={() => removeStandup(standup)} />
            <Button onPress={() => dismissRemoval(standup.id)} size="small">
              {texts.history.keep}
            </Button>
          </div>
        )}
      </StandupCard>
    </li>
  );
}

function AuthorActions({standup, isOwn}: {readonly standup: ShownStandup; readonly isOwn: boolean}) {
  const {id} = standup;
  const navigate = useNavigate();
  const edit = (): void =>
    void navigate({
      to: '.',
      search: (before: Record<string, unknown>) => ({...before, edit: id}),
      resetScroll: false,
    });
  return (
    <>
      {isOwn && (
        <>
          <IconButton icon="write" label={texts.history.edit} onPress={edit} size="small" />
          <IconButton
            icon="trash"
            label={texts.history.delete}
            onPress={() => removeStandup(standup)}
            size="small"
          />
        </>
      )}
      <IconButton
        icon="link"
        label={texts.history.copyLink}
        onPress={() =>
          void copyText(`${location.origin}/app/history?standup=${id}`, texts.history.linkCopied)
        }
        size="small"
      />
    </>
  );
}

function TeamBadge({team}: {readonly team: string}) {
  const name = useTeamName(team);
  return (
    <Badge>
      <bdi title={name}>{name}</bdi>
    </Badge>
  );
}

export function nameOfSource(source: string): string {
  const known: Readonly<Record<string, string>> = texts.history.sources;
  // Look only at the object's own keys: a source may be any text, even `constructor`.
  return (Object.hasOwn(known, source) ? known[source] : undefined) ?? source;
}
