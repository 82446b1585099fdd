import {useState} from 'react';
import {DatePicker} from '../parts/date-picker.tsx';
import {Select} from '../parts/select.tsx';
import {texts} from '../texts/texts.ts';
import {type EventFilters, usualTimes} from './search.ts';
import {AboutField, ActorField} from './subject-fields.tsx';
import {TypesField} from './types-field.tsx';

interface FilterFieldsProps {
  readonly filters: EventFilters;
  readonly onChange: (next: Partial<EventFilters>) => void;
}

export function FilterFields({filters, onChange}: FilterFieldsProps) {
  return (
    <div className="grid grid-cols-[repeat(auto-fit,minmax(180px,1fr))] items-start gap-3 rounded-lg border border-line bg-card px-4 pt-3 pb-4">
      <TypesField onChange={(types) => onChange({types})} types={filters.types} />
      <TimeFields filters={filters} onChange={onChange} />
      <ActorField onChange={(actor) => onChange({actor})} value={filters.actor} />
      <AboutField onChange={(about) => onChange({about})} value={filters.about} />
    </div>
  );
}

function TimeFields({filters: {last, from, to}, onChange}: FilterFieldsProps) {
  const t = texts.events.filters;
  const [isByDays, setByDays] = useState(from !== undefined || to !== undefined);
  const error = from !== undefined && to !== undefined && from > to ? t.wrongOrder : undefined;
  const ids = ['any', ...usualTimes, 'days'] as const;
  return (
    <>
      <Select
        label={t.when}
        onChange={(chosen) => {
          setByDays(chosen === 'days');
          const usual = usualTimes.find((one) => one === chosen);
          onChange({last: usual, from: undefined, to: undefined});
        }}
        options={ids.map((id) => ({id, label: t.times[id]}))}
        value={last ?? (isByDays ? 'days' : 'any')}
      />
      {isByDays && last === undefined && (
        <>
          <DatePicker
            error={error}
            label={t.from}
            onChange={(day) => onChange({from: day ?? undefined})}
            value={from ?? null}
          />
          <DatePicker
            error={error}
            label={t.to}
            onChange={(day) => onChange({to: day ?? undefined})}
            value={to ?? null}
          />
        </>
      )}
    </>
  );
}
