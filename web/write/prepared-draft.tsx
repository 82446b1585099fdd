import {useQuery} from '@tanstack/react-query';
import {lazy, Suspense} from 'react';
import type {InsertDraft} from './insert-draft.ts';
import {preparedDraftQuery} from './queries.ts';

const DraftOffer = lazy(async () => ({default: (await import('./draft-offer.tsx')).DraftOffer}));

/** Offers what programs have prepared for this team and day, above an empty form. */
export function PreparedDraft({
  team,
  date,
  onInsert,
}: {
  readonly team: string;
  readonly date: string;
  readonly onInsert: (insertDraft: InsertDraft) => void;
}) {
  const {data: draft, refetch} = useQuery(preparedDraftQuery(team, date));
  if (draft === undefined || draft.parts.length === 0) return null;
  return (
    <Suspense>
      <DraftOffer date={date} onDiscard={refetch} onInsert={onInsert} parts={draft.parts} team={team} />
    </Suspense>
  );
}
