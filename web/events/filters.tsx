import {useNavigate} from '@tanstack/react-router';
import {lazy, Suspense, useId, useState} from 'react';
import {Button} from '../parts/button.tsx';
import {Skeleton} from '../parts/skeleton.tsx';
import {words} from '../words/words.ts';
import styles from './filters.module.css';
import {type EventFilters as Filters, filterNames} from './search.ts';

const loadFields = () => import('./filter-fields.tsx');
const FilterFields = lazy(async () => ({default: (await loadFields()).FilterFields}));

/** Where there is room for them, or one of them is set, they are open. */
const hasRoom = (): boolean => matchMedia('(width >= 900px)').matches;

/** Which events are shown; all of it stands in the address. */
export function EventFilters({filters}: {readonly filters: Filters}) {
  const t = words.events.filters;
  const navigate = useNavigate({from: '/events'});
  const fields = useId();
  const set = filterNames.filter((name) => filters[name] !== undefined).length;
  const [isOpen, setOpen] = useState(() => hasRoom() || set > 0);
  const change = (next: Partial<Filters>): void =>
    void navigate({search: (now) => ({...now, ...next}), resetScroll: false});
  const none = Object.fromEntries(filterNames.map((name) => [name, undefined]));
  return (
    <section aria-label={t.heading} className={styles['filters']}>
      <div className={styles['bar']}>
        <Button aria-controls={fields} aria-expanded={isOpen} icon="filter" onPress={() => setOpen(!isOpen)}>
          {t.show(set)}
        </Button>
        {set > 0 && (
          <Button kind="quiet" onPress={() => change(none)}>
            {t.clear}
          </Button>
        )}
      </div>
      <div hidden={!isOpen} id={fields}>
        {isOpen && (
          <Suspense fallback={<Skeleton height={86} />}>
            <FilterFields filters={filters} onChange={change} />
          </Suspense>
        )}
      </div>
    </section>
  );
}
