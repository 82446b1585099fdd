import {dayOf, formatMoment, formatTime} from '../words/format.ts';
import {words} from '../words/words.ts';
import {type Draft, isWorthKeeping} from './draft.ts';
import type {Delivery} from './outbox.ts';
import {Note} from './standing-note.tsx';
import styles from './write.module.css';

/** Says whether the draft is kept, and how far its delivery is. */
export function DraftNote({
  draft,
  isFound,
  isKept,
  delivery,
  now,
  onStartOver,
}: {
  readonly draft: Draft;
  readonly isFound: boolean;
  readonly isKept: boolean;
  readonly delivery: Delivery | undefined;
  readonly now: number;
  readonly onStartOver: () => void;
}) {
  const {sending, sendingAgain, unknown, draftNotKept, startOver} = words.write;
  if (delivery?.is === 'sending')
    return (
      <Note icon="clock" tone="quiet">
        {sending}
      </Note>
    );
  if (delivery?.is === 'waiting')
    return (
      <Note icon="clock" tone="late">
        {sendingAgain}
      </Note>
    );
  if (!isKept)
    return (
      <Note icon="warning" tone="late">
        {draftNotKept}
      </Note>
    );
  if (!isFound || !isWorthKeeping(draft)) return null;
  const time = dayOf(draft.at) === dayOf(now) ? formatTime(draft.at) : formatMoment(draft.at);
  return (
    <>
      {draft.sent.length > 0 && delivery === undefined && (
        <Note icon="clock" tone="late">
          {unknown}
        </Note>
      )}
      <p className={`${styles['quiet']} ${styles['line']}`}>
        <span>{words.write.draft(time)}</span>
        <button className={styles['link']} onClick={onStartOver} type="button">
          {startOver}
        </button>
      </p>
    </>
  );
}
