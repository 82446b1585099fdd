import {useQuery} from '@tanstack/react-query';
import {useNavigate} from '@tanstack/react-router';
import {useState} from 'react';
import type {Erasure} from '../api/schema.ts';
import {Button} from '../parts/button.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {Skeleton} from '../parts/skeleton.tsx';
import {Stamp} from '../parts/stamp.tsx';
import {formatMoment} from '../texts/format.ts';
import {texts} from '../texts/texts.ts';
import {erasureQuery, erasuresQuery} from './queries.ts';

/** Shows the progress of an erasure started on this page, without the person's name. */
export function FollowedErasure({id}: {readonly id: string}) {
  const t = texts.members.erasure;
  const navigate = useNavigate({from: '/people'});
  const {data, error, refetch} = useQuery(erasureQuery(id));
  return (
    <section
      aria-label={t.title}
      className="grid justify-items-start gap-2 rounded-lg border border-line bg-card p-4"
    >
      {error !== null && <ProblemNote onRetry={refetch} problem={error} />}
      {data === undefined && error === null && <Skeleton lines={2} />}
      {data !== undefined && <ErasureProgress erasure={data} />}
      <Button
        onPress={() => void navigate({search: (now) => ({...now, erasure: undefined}), replace: true})}
        size="small"
      >
        {t.hide}
      </Button>
    </section>
  );
}

function ErasureProgress({erasure}: {readonly erasure: Erasure}) {
  const t = texts.members.erasure;
  const {state, erased, left} = erasure;
  const gone = sumCounts(erased);
  const all = gone + sumCounts(left);
  const known: Readonly<Record<string, string>> = t.states;
  return (
    <>
      <p className="font-semibold" role="status">
        {known[state] ?? state}
      </p>
      <progress
        aria-label={t.title}
        // Chromium draws its own bar, in the accent colour, only if no rule sets the border.
        className="h-2 w-full accent-accent [border:revert]"
        max={Math.max(1, all)}
        value={state === 'done' ? Math.max(1, all) : gone}
      />
      <p>{t.counts({gone, all})}</p>
      <ul className="flex flex-wrap gap-x-4 gap-y-1 text-quiet">
        {Object.entries(t.kinds).map(([kind, say]) => {
          const amount = erased[kind as keyof typeof erased];
          return amount > 0 && <li key={kind}>{say({amount})}</li>;
        })}
      </ul>
    </>
  );
}

export function Erasures() {
  const t = texts.members.erasure;
  const [isOpen, setOpen] = useState(false);
  const {data, error, refetch} = useQuery({...erasuresQuery, enabled: isOpen});
  const known: Readonly<Record<string, string>> = t.states;
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="min-h-8 w-fit cursor-pointer">{t.list}</summary>
      {error !== null && <ProblemNote onRetry={refetch} problem={error} />}
      {isOpen && data === undefined && error === null && <Skeleton lines={2} />}
      {data?.data.length === 0 && <p className="text-sm text-quiet">{t.none}</p>}
      <ul className="mt-2 list-disc ps-5">
        {data?.data.map((erasure) => (
          <li key={erasure.id}>
            <span title={formatMoment(erasure.created_at)}>
              <Stamp instant={erasure.created_at} relative />
            </span>{' '}
            · {known[erasure.state] ?? erasure.state} ·{' '}
            {t.counts({
              gone: sumCounts(erasure.erased),
              all: sumCounts(erasure.erased) + sumCounts(erasure.left),
            })}
          </li>
        ))}
      </ul>
    </details>
  );
}

function sumCounts(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((all, one) => all + one, 0);
}
