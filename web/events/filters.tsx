import {useNavigate} from '@tanstack/react-router';
import {lazy, Suspense, useId, useState} from 'react';
import {Button} from '../parts/button.tsx';
import {Icon} from '../parts/icon.tsx';
import {Skeleton} from '../parts/skeleton.tsx';
import {formatDay} from '../texts/format.ts';
import {texts} from '../texts/texts.ts';
import {type EventFilters as Filters, filterNames, usualTimes} from './search.ts';
import {useEventNames} from './use-names.ts';

const loadFilterFields = () => import('./filter-fields.tsx');
const FilterFields = lazy(async () => ({default: (await loadFilterFields()).FilterFields}));

export function EventFilters({filters}: {readonly filters: Filters}) {
  const t = texts.events.filters;
  const navigate = useNavigate({from: '/events'});
  const fields = useId();
  const [isOpen, setOpen] = useState(false);
  const change = (next: Partial<Filters>): void =>
    void navigate({search: (now) => ({...now, ...next}), resetScroll: false});
  return (
    <section aria-label={t.heading} className="grid gap-3">
      <div className="flex flex-wrap gap-2">
        <span onFocus={() => void loadFilterFields()} onPointerEnter={() => void loadFilterFields()}>
          <Button
            aria-controls={fields}
            aria-expanded={isOpen}
            icon="filter"
            onPress={() => setOpen(!isOpen)}
          >
            {t.show}
          </Button>
        </span>
        <div aria-label={t.when} className="flex flex-wrap items-center gap-1" role="group">
          {usualTimes.map((time) => (
            <Button
              aria-pressed={filters.last === time}
              key={time}
              kind="quiet"
              onPress={() =>
                change({last: filters.last === time ? undefined : time, from: undefined, to: undefined})
              }
              size="small"
            >
              {t.times[time]}
            </Button>
          ))}
        </div>
      </div>
      <div hidden={!isOpen} id={fields}>
        {isOpen && (
          <Suspense fallback={<Skeleton height={86} />}>
            <FilterFields filters={filters} onChange={change} />
          </Suspense>
        )}
      </div>
      <ActiveFilters filters={filters} onChange={change} />
    </section>
  );
}

interface ActiveProps {
  readonly filters: Filters;
  readonly onChange: (next: Partial<Filters>) => void;
}

function ActiveFilters({filters, onChange}: ActiveProps) {
  const t = texts.events.filters;
  const labelOf = useFilterLabels(filters);
  const set = filterNames.filter((name) => filters[name] !== undefined);
  if (set.length === 0) return null;
  return (
    <ul aria-label={t.active} className="flex flex-wrap items-center gap-2">
      {set.map((name) => (
        <li className="max-w-full min-w-0" key={name}>
          <button
            aria-label={t.remove({what: labelOf(name)})}
            className="inline-flex min-h-7 max-w-full cursor-pointer items-center gap-1.5 rounded-full border border-accent/45 bg-[color-mix(in_srgb,var(--color-accent),var(--color-card)_90%)] py-[3px] ps-3 pe-1.5 text-start text-sm/[18px] hover:border-accent pointer-coarse:min-h-11 [&>svg]:text-quiet"
            onClick={() => onChange({[name]: undefined})}
            type="button"
          >
            <bdi className="truncate">{labelOf(name)}</bdi>
            <Icon name="cross" size={16} />
          </button>
        </li>
      ))}
      <li>
        <Button
          kind="quiet"
          onPress={() => onChange(Object.fromEntries(filterNames.map((name) => [name, undefined])))}
          size="small"
        >
          {t.clear}
        </Button>
      </li>
    </ul>
  );
}

function useFilterLabels(filters: Filters): (name: (typeof filterNames)[number]) => string {
  const t = texts.events;
  const names = useEventNames([]);
  const nameOf = (id: string): string => {
    if (id === 'system') return t.service;
    if (id === 'operator') return t.operator;
    return names.of(id) ?? names.team(id) ?? id;
  };
  return (name) => {
    const value = filters[name] ?? '';
    if (name === 'actor') return t.filters.labels.actor({name: nameOf(value)});
    if (name === 'about') return t.filters.labels.about({what: nameOf(value)});
    if (name === 'from') return t.filters.labels.from({day: formatDay(value)});
    if (name === 'to') return t.filters.labels.to({day: formatDay(value)});
    return filters.last !== undefined && name === 'last' ? t.filters.times[filters.last] : value;
  };
}
