import {useQuery} from '@tanstack/react-query';
import {Link} from '@tanstack/react-router';
import type {Event} from '../api/schema.ts';
import {ProblemNote} from '../parts/problem-note.tsx';
import {Skeleton} from '../parts/skeleton.tsx';
import {Stamp} from '../parts/stamp.tsx';
import {texts} from '../texts/texts.ts';
import {describeEvent} from './facts.ts';
import {sameSubjectQuery} from './queries.ts';
import {useEventNames} from './use-names.ts';

export function SameSubject({about, event}: {readonly about: string; readonly event: Event}) {
  const t = texts.events.inspector;
  const {data, error, refetch} = useQuery(sameSubjectQuery(about));
  const others = (data?.data ?? []).filter(({id}) => id !== event.id);
  const names = useEventNames(others);
  return (
    <section>
      <h3>{t.about}</h3>
      {error !== null && <ProblemNote onRetry={refetch} problem={error} />}
      {data === undefined && error === null && <Skeleton height={60} />}
      {data !== undefined && others.length === 0 && <p className="text-quiet">{t.none}</p>}
      {others.length > 0 && (
        <ul>
          {others.map((other) => (
            <li key={other.id}>
              <Link
                className="group flex justify-between gap-4 border-t border-line py-1.5 text-inherit no-underline"
                replace
                resetScroll={false}
                search={(now) => ({...now, event: other.id})}
                to="/events"
              >
                <span className="min-w-0 group-hover:underline" dir="auto">
                  {describeEvent(other, names)}
                </span>
                <span className="flex-none text-xs/5 text-quiet">
                  <Stamp instant={other.timestamp} relative />
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
      {others.length > 0 && (
        <Link
          className="mt-2 inline-block min-h-6 font-medium"
          search={{about, event: event.id}}
          to="/events"
        >
          {t.allAbout}
        </Link>
      )}
    </section>
  );
}
