import {useQuery} from '@tanstack/react-query';
import {Link} from '@tanstack/react-router';
import {ProblemNote} from '../parts/problem-note.tsx';
import {Skeleton} from '../parts/skeleton.tsx';
import {Stamp} from '../parts/stamp.tsx';
import {texts} from '../texts/texts.ts';
import {describeEvent} from './facts.ts';
import type {Event} from './filter.ts';
import styles from './inspector.module.css';
import {sameSubjectQuery} from './queries.ts';
import {useEventNames} from './use-names.ts';

/** Lists the latest events about the same object. */
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
      {data !== undefined && others.length === 0 && <p className={styles['none']}>{t.none}</p>}
      {others.length > 0 && (
        <ul className={styles['same']}>
          {others.map((other) => (
            <li key={other.id}>
              <Link replace resetScroll={false} search={(now) => ({...now, event: other.id})} to="/events">
                <span dir="auto">{describeEvent(other, names)}</span>
                <span className={styles['ago']}>
                  <Stamp instant={other.timestamp} relative />
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
      {others.length > 0 && (
        <Link className={styles['all']} search={{about, event: event.id}} to="/events">
          {t.allAbout}
        </Link>
      )}
    </section>
  );
}
