import {Link} from '@tanstack/react-router';
import {lazy, Suspense} from 'react';
import type {Blocker, Schema} from '../api/schema.ts';
import {AgeBar} from '../parts/blocker-age.tsx';
import {countDaysOpen, longDays} from '../parts/blocker-days.ts';
import {Button} from '../parts/button.tsx';
import {Icon} from '../parts/icon.tsx';
import {PersonName} from '../parts/person-name.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {Stamp} from '../parts/stamp.tsx';
import {StandupText} from '../parts/standup-text.tsx';
import {dateInZone, formatDay, formatMoment} from '../texts/format.ts';
import {texts} from '../texts/texts.ts';
import type {RejectedBlockerChange} from './changes.ts';
import type {Rights} from './rights.ts';

const EditText = lazy(() => import('./edit-text.tsx').then(({EditText}) => ({default: EditText})));

type RowAction = 'acknowledged' | 'resolved' | 'raised';

interface BlockerRowProps {
  readonly blocker: Blocker;
  readonly me: Schema<'Me'>;
  readonly rights: Rights;
  readonly now: number;
  /** Name of the blocker's team; undefined when the page shows only one team. */
  readonly teamName: string | undefined;
  readonly refused: RejectedBlockerChange | undefined;
  readonly isEditing: boolean;
  readonly onEdit: (isEditing: boolean) => void;
  readonly onBecome: (state: RowAction) => void;
  /** Saves an edited text; resolves to true if the service accepted it. */
  readonly onText: (text: string) => Promise<boolean>;
  readonly onRetry: () => void;
}

export function BlockerRow(props: BlockerRowProps) {
  const {blocker, me, now, teamName, refused, isEditing, onEdit, onText, onRetry} = props;
  const t = texts.blockers;
  const days = countDaysOpen(blocker, now);
  const isResolved = blocker.state === 'resolved';
  return (
    <li
      aria-label={blocker.text}
      className="grid scroll-my-24 grid-cols-[76px_minmax(0,1fr)_auto] items-start gap-x-4 gap-y-1 border-t border-line px-4 py-3.5 first:border-t-0 focus:rounded-lg focus:outline-3 focus:-outline-offset-3 focus:outline-focus max-lg:grid-cols-1 max-lg:px-3"
      data-blocker={blocker.id}
      tabIndex={-1}
    >
      <div
        className="grid gap-1.5 pt-1.5 text-xs text-quiet tabular-nums data-red:font-semibold data-red:text-missed max-lg:grid-cols-[76px_auto] max-lg:items-center max-lg:gap-2.5 max-lg:pt-0 [&_svg]:text-posted"
        data-red={(!isResolved && days >= longDays) || undefined}
      >
        {isResolved ? <Icon name="check" /> : <AgeBar days={days} />}
        <span title={isResolved ? t.took({days}) : t.daysOpen({days})}>{t.days({days})}</span>
      </div>
      <div className="grid min-w-0 gap-1.5">
        {isEditing ? (
          <Suspense fallback={<StandupText text={blocker.text} />}>
            <EditText blocker={blocker} onEnd={() => onEdit(false)} onText={onText} />
          </Suspense>
        ) : (
          <div className="max-w-[72ch] font-[500]">
            <StandupText text={blocker.text} />
          </div>
        )}
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-quiet [&_a]:inline-block [&_a]:min-h-6 [&_a]:py-[3px]">
          <PersonName isYou={blocker.author.id === me.principal.id} name={blocker.author.name} />
          {teamName !== undefined && (
            <Link from="/blockers" search={(now) => ({...now, team: blocker.team})} to="/blockers">
              {teamName}
            </Link>
          )}
          <time dateTime={blocker.created_at} title={formatMoment(blocker.created_at)}>
            {formatDay(dateInZone(blocker.created_at), {weekday: 'short'})}
          </time>
          {blocker.standup !== null && (
            <Link
              aria-label={t.readStandup({name: blocker.author.name})}
              search={{standup: blocker.standup}}
              to="/history"
            >
              {t.fromStandup}
            </Link>
          )}
          <HandledBy blocker={blocker} me={me} />
        </div>
        {refused !== undefined && <ProblemNote onRetry={onRetry} problem={refused.problem} />}
      </div>
      <BlockerActions {...props} />
    </li>
  );
}

function HandledBy({blocker, me}: Pick<BlockerRowProps, 'blocker' | 'me'>) {
  const t = texts.blockers;
  const isResolved = blocker.state === 'resolved';
  const by = isResolved ? blocker.resolved_by : blocker.acknowledged_by;
  const at = isResolved ? blocker.resolved_at : blocker.acknowledged_at;
  if (by === null || at === null) return <span className="text-quiet">{t.unassigned}</span>;
  const isMe = by.id === me.principal.id;
  const name = by.name ?? t.formerMember;
  const said = isResolved
    ? isMe
      ? t.resolvedByYou
      : t.resolvedBy({name})
    : isMe
      ? t.acknowledgedByYou
      : t.acknowledgedBy({name});
  return (
    <span
      className="data-[state=acknowledged]:text-expected data-[state=resolved]:text-posted"
      data-state={blocker.state}
    >
      {said}, <Stamp instant={at} relative />
    </span>
  );
}

function BlockerActions({blocker, rights, isEditing, onEdit, onBecome}: BlockerRowProps) {
  const {actions} = texts.blockers;
  if (isEditing) return null;
  return (
    <div className="flex flex-wrap justify-end gap-2 max-lg:justify-start max-lg:pt-1.5">
      {blocker.state === 'raised' && rights.acknowledge && (
        <Button aria-keyshortcuts="a" onPress={() => onBecome('acknowledged')} size="small">
          {actions.acknowledge}
        </Button>
      )}
      {blocker.state !== 'resolved' && rights.resolve && (
        <Button aria-keyshortcuts="r" icon="check" onPress={() => onBecome('resolved')} size="small">
          {actions.resolve}
        </Button>
      )}
      {blocker.state === 'resolved' && rights.change && (
        <Button aria-keyshortcuts="r" onPress={() => onBecome('raised')} size="small">
          {actions.again}
        </Button>
      )}
      {blocker.state !== 'resolved' && rights.change && (
        <Button aria-keyshortcuts="e" kind="quiet" onPress={() => onEdit(true)} size="small">
          {actions.edit}
        </Button>
      )}
    </div>
  );
}
