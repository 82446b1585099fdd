import {lazy, Suspense, useId, useState} from 'react';
import {Button} from '../parts/button.tsx';
import {Skeleton} from '../parts/skeleton.tsx';
import {texts} from '../texts/texts.ts';
import {findPresetStartDates, setStartDate, setSearchText} from './filter.ts';
import type {FiltersProps} from './filter-fields.tsx';
import {SearchField} from './search-field.tsx';

const loadFilterFields = () => import('./filter-fields.tsx');
const FilterFields = lazy(async () => ({default: (await loadFilterFields()).FilterFields}));

export function Filters({filter, onChange}: FiltersProps) {
  const [isOpen, setOpen] = useState(false);
  const fields = useId();
  const {filters} = texts.history;
  const search = (q: string, isContinued: boolean): void => onChange(setSearchText(filter, q), isContinued);
  return (
    <section aria-label={filters.heading} className="grid gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <SearchField onChange={search} value={filter.q ?? ''} />
        <PresetSpans filter={filter} onChange={onChange} />
        <span onFocus={() => void loadFilterFields()} onPointerEnter={() => void loadFilterFields()}>
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

function PresetSpans({filter, onChange}: FiltersProps) {
  const {lastDays, spans, thisYear} = texts.history.filters;
  const {from, to} = filter;
  const {week, month, year} = findPresetStartDates(Date.now());
  const usual = [
    [lastDays({days: 7}), week],
    [lastDays({days: 30}), month],
    [thisYear, year],
  ] as const;
  return (
    <div
      aria-label={spans}
      className="flex flex-wrap items-center gap-1 max-sm:order-1 max-sm:-mx-2.5 max-sm:basis-full"
      role="group"
    >
      {usual.map(([label, first]) => (
        <Button
          aria-pressed={from === first && to === undefined}
          key={label}
          kind="quiet"
          onPress={() => onChange(setStartDate(filter, first))}
          size="small"
        >
          {label}
        </Button>
      ))}
    </div>
  );
}
