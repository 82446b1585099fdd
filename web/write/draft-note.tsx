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
  if (delivery?.is === 'sending')
    return (
      <StatusNote icon="clock" tone="quiet">
        {sending}
      </StatusNote>
    );
  if (delivery?.is === 'waiting')
    return (
      <StatusNote icon="clock" tone="late">
        {sendingAgain}
      </StatusNote>
    );
  if (!isKept)
    return (
      <StatusNote icon="warning" tone="late">
        {draftNotKept}
      </StatusNote>
    );
  if (!isFound || !hasInputToKeep(draft)) return null;
  const time = dateInZone(draft.at) === dateInZone(now) ? formatTime(draft.at) : formatMoment(draft.at);
  return (
    <>
      {draft.sent.length > 0 && delivery === undefined && (
        <StatusNote icon="clock" tone="late">
          {unknown}
        </StatusNote>
      )}
      <p className="flex flex-wrap items-baseline gap-x-3 text-quiet">
        <span>{texts.write.draft({time})}</span>
        <LinkButton onClick={onStartOver}>{startOver}</LinkButton>
      </p>
    </>
  );
}
