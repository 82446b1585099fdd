import {DatePicker} from '../parts/date-picker.tsx';
import {Select} from '../parts/select.tsx';
import type {StandupListFilter} from '../parts/standups/standup-filter.ts';
import {texts} from '../texts/texts.ts';
import {AuthorField} from './author-field.tsx';
import styles from './filters.module.css';
import {TeamField} from './team-field.tsx';

export interface FiltersProps {
  readonly filter: StandupListFilter;
  /** `replace`: adds no entry to the browser's history. */
  readonly onChange: (filter: StandupListFilter, replace?: boolean) => void;
}

/** `any` means no filter. */
const any = 'any';

/** The filters other than the text. */
export function FilterFields({filter, onChange}: FiltersProps) {
  const {filters, sources} = texts.history;
  const set = (name: 'team' | 'author' | 'source' | 'order', value: string): void => {
    const {[name]: _, ...others} = filter;
    onChange(value === '' ? others : {...others, [name]: value});
  };
  return (
    <div className={styles['fields']}>
      <TeamField onChange={(team) => set('team', team)} team={filter.team ?? ''} />
      <AuthorField author={filter.author ?? ''} onChange={(author) => set('author', author)} />
      <Days filter={filter} onChange={onChange} />
      <Select
        label={filters.source}
        onChange={(source) => set('source', source === any ? '' : source)}
        options={[
          {id: any, label: filters.anySource},
          ...Object.entries({...unknownSource(filter.source), ...sources}).map(([id, label]) => ({
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

/** Adds a source that this page does not know, so that it can be shown. */
function unknownSource(source: string | undefined): Record<string, string> {
  return source === undefined ? {} : {[source]: source};
}

/** The first and the last day; either may be left out. */
function Days({filter, onChange}: FiltersProps) {
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
