import {DatePicker} from '../parts/date-picker.tsx';
import {Select} from '../parts/select.tsx';
import type {StandupListFilter} from '../parts/standups/standup-filter.ts';
import {texts} from '../texts/texts.ts';
import {AuthorField} from './author-field.tsx';
import {TeamField} from './team-field.tsx';

export interface FiltersProps {
  readonly filter: StandupListFilter;
  /** Called with the changed filters. `replace`: the browser's history gets no new entry. */
  readonly onChange: (filter: StandupListFilter, replace?: boolean) => void;
}

/** The list value for “no filter”. */
const any = 'any';

export function FilterFields({filter, onChange}: FiltersProps) {
  const {filters, sources} = texts.history;
  const set = (name: 'team' | 'author' | 'source' | 'order', value: string): void => {
    const {[name]: _, ...others} = filter;
    onChange(value === '' ? others : {...others, [name]: value});
  };
  return (
    <div className="grid grid-cols-[repeat(auto-fit,minmax(148px,1fr))] items-start gap-3 rounded-lg border border-line bg-card px-4 pt-3 pb-4">
      <TeamField onChange={(team) => set('team', team)} team={filter.team ?? ''} />
      <AuthorField author={filter.author ?? ''} onChange={(author) => set('author', author)} />
      <DateFields filter={filter} onChange={onChange} />
      <Select
        label={filters.source}
        onChange={(source) => set('source', source === any ? '' : source)}
        options={[
          {id: any, label: filters.anySource},
          ...Object.entries({...buildUnknownSourceOption(filter.source), ...sources}).map(([id, label]) => ({
            id,
            label,
          })),
        ]}
        value={filter.source ?? any}
      />
      <Select
        label={filters.order}
        onChange={(order) => set('order', order === 'asc' ? order : '')}
        options={[
          {id: 'desc', label: filters.newest},
          {id: 'asc', label: filters.oldest},
        ]}
        value={filter.order ?? 'desc'}
      />
    </div>
  );
}

/** An option for a source that this page does not know, so that the filter can show it. */
function buildUnknownSourceOption(source: string | undefined): Record<string, string> {
  return source === undefined ? {} : {[source]: source};
}

function DateFields({filter, onChange}: FiltersProps) {
  const {from: fromLabel, to: toLabel, wrongOrder} = texts.history.filters;
  const {from, to, ...others} = filter;
  const error = from !== undefined && to !== undefined && from > to ? wrongOrder : undefined;
  const set = (first: string | null | undefined, last: string | null | undefined): void =>
    onChange({...others, ...(first && {from: first}), ...(last && {to: last})});
  return (
    <>
      <DatePicker error={error} label={fromLabel} onChange={(first) => set(first, to)} value={from ?? null} />
      <DatePicker error={error} label={toLabel} onChange={(last) => set(from, last)} value={to ?? null} />
    </>
  );
}
