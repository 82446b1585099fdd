import {useId, useState} from 'react';
import {Button} from '../parts/button.tsx';
import {DatePicker} from '../parts/date-picker.tsx';
import {Select} from '../parts/select.tsx';
import type {StandupFilter} from '../parts/standups/standup-filter.ts';
import {dayOf} from '../words/format.ts';
import {words} from '../words/words.ts';
import {AuthorField} from './author-field.tsx';
import styles from './filters.module.css';
import {SearchField} from './search-field.tsx';
import {TeamField} from './team-field.tsx';

interface FiltersProps {
  readonly filter: StandupFilter;
  /** `replace`: no step of its own in the browser's history. */
  readonly onChange: (filter: StandupFilter, replace?: boolean) => void;
}

/** `any` stands for no filter. */
const any = 'any';

/** All that standups can be filtered by. On a narrow page all but the words are behind a button. */
export function Filters({filter, onChange}: FiltersProps) {
  const [isOpen, setOpen] = useState(false);
  const fields = useId();
  const {filters, sources} = words.history;
  const set = <Name extends keyof StandupFilter>(name: Name, value: string, replace = false): void => {
    const {[name]: _, ...others} = filter;
    onChange(value === '' ? others : {...others, [name]: value}, replace);
  };
  return (
    <section aria-label={filters.heading} className={styles['filters']}>
      <div className={styles['first']}>
        <SearchField onChange={(q, isContinued) => set('q', q, isContinued)} value={filter.q ?? ''} />
        <UsualSpans filter={filter} onChange={onChange} />
        <span className={styles['toggle']}>
          <Button aria-controls={fields} aria-expanded={isOpen} icon="filter" onPress={() => setOpen(!isOpen)}>
            {filters.show}
          </Button>
        </span>
      </div>
      <div className={styles['fields']} data-open={isOpen || undefined} id={fields}>
        <TeamField onChange={(team) => set('team', team)} team={filter.team ?? ''} />
        <AuthorField author={filter.author ?? ''} onChange={(author) => set('author', author)} />
        <Days filter={filter} onChange={onChange} />
        <Select
          label={filters.source}
          onChange={(source) => set('source', source === any ? '' : source)}
          options={[
            {id: any, label: filters.anySource},
            ...Object.entries({...unknownSource(filter.source), ...sources}).map(([id, label]) => ({id, label})),
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
    </section>
  );
}

/** More may follow. */
function unknownSource(source: string | undefined): Record<string, string> {
  return source === undefined ? {} : {[source]: source};
}

/** From and to, each or both. */
function Days({filter, onChange}: FiltersProps) {
  const {from: fromLabel, to: toLabel, wrongOrder} = words.history.filters;
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
