import {lazy, Suspense, useId, useState} from 'react';
import {Button} from '../parts/button.tsx';
import {Skeleton} from '../parts/skeleton.tsx';
import {dayOf} from '../words/format.ts';
import {words} from '../words/words.ts';
import type {FiltersProps} from './filter-fields.tsx';
import styles from './filters.module.css';
import {SearchField} from './search-field.tsx';

const loadFields = () => import('./filter-fields.tsx');
const FilterFields = lazy(async () => ({default: (await loadFields()).FilterFields}));

/** The text and the usual time spans; the other filters open at a press. */
export function Filters({filter, onChange}: FiltersProps) {
  const [isOpen, setOpen] = useState(false);
  const fields = useId();
  const {filters} = words.history;
  const search = (q: string, isContinued: boolean): void => {
    const {q: _, ...others} = filter;
    onChange(q === '' ? others : {...others, q}, isContinued);
  };
  return (
    <section aria-label={filters.heading} className={styles['filters']}>
      <div className={styles['first']}>
        <SearchField onChange={search} value={filter.q ?? ''} />
        <UsualSpans filter={filter} onChange={onChange} />
        <span onFocus={() => void loadFields()} onPointerEnter={() => void loadFields()}>
          <Button
            aria-controls={fields}
            aria-expanded={isOpen}
            icon="filter"
            onPress={() => setOpen(!isOpen)}
          >
            {filters.show}
          </Button>
        </span>
      </div>
      <div hidden={!isOpen} id={fields}>
        {isOpen && (
          <Suspense fallback={<Skeleton height={60} />}>
            <FilterFields filter={filter} onChange={onChange} />
          </Suspense>
        )}
      </div>
    </section>
  );
}

function UsualSpans({filter, onChange}: FiltersProps) {
  const {lastDays, spans, thisYear} = words.history.filters;
  const {from, to, ...others} = filter;
  const daysAgo = (days: number): string => dayOf(Date.now() - (days - 1) * 86_400_000);
  const usual = [
    [lastDays(7), daysAgo(7)],
    [lastDays(30), daysAgo(30)],
    [thisYear, `${dayOf(Date.now()).slice(0, 4)}-01-01`],
  ] as const;
  return (
    <div aria-label={spans} className={styles['usual']} role="group">
      {usual.map(([label, first]) => (
        <Button
          aria-pressed={from === first && to === undefined}
          key={label}
          kind="quiet"
          onPress={() => onChange({...others, from: first})}
          size="small"
        >
          {label}
        </Button>
      ))}
    </div>
  );
}
