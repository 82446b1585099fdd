import {dateInZone, formatMoment, formatTime} from '../texts/format.ts';
import {texts} from '../texts/texts.ts';
import {type StandupDraft, hasInputToKeep} from './draft.ts';
import type {SendState} from './outbox.ts';
import {StatusNote} from './posting-status-note.tsx';
import {LinkButton} from './link-button.tsx';

export function DraftNote({
  draft,
  isFound,
  isKept,
  delivery,
  now,
  onStartOver,
}: {
  readonly draft: StandupDraft;
  readonly isFound: boolean;
  readonly isKept: boolean;
  readonly delivery: SendState | undefined;
  readonly now: number;
  readonly onStartOver: () => void;
}) {
  const {sending, sendingAgain, unknown, draftNotKept, startOver} = texts.write;
  if (delivery?.is === 'sending') return noteOf('clock', 'quiet', sending);
  if (delivery?.is === 'waiting') return noteOf('clock', 'late', sendingAgain);
  if (!isKept) return noteOf('warning', 'late', draftNotKept);
  if (!isFound || !hasInputToKeep(draft)) return null;
  const time = dateInZone(draft.at) === dateInZone(now) ? formatTime(draft.at) : formatMoment(draft.at);
  return (
    <>
      {draft.sent.length > 0 && delivery === undefined && noteOf('clock', 'late', unknown)}
      <p className="flex flex-wrap items-baseline gap-x-3 text-quiet">
        <span>{texts.write.draft({time})}</span>
        <LinkButton onClick={onStartOver}>{startOver}</LinkButton>
      </p>
    </>
  );
}

const noteOf = (icon: 'clock' | 'warning', tone: 'late' | 'quiet', text: string) => (
  <StatusNote icon={icon} tone={tone}>
    {text}
  </StatusNote>
);
