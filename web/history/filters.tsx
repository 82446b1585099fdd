import {useQuery} from '@tanstack/react-query';
import {type ReactNode, useId, useState} from 'react';
import {Button} from '../parts/button.tsx';
import type {StandupFilter} from '../parts/standups/standup-filter.ts';
import {teamsQuery} from '../parts/standups/team-name.tsx';
import {dayOf} from '../words/format.ts';
import {words} from '../words/words.ts';
import {AuthorField} from './author-field.tsx';
import styles from './filters.module.css';
import {SearchField} from './search-field.tsx';

interface FiltersProps {
  readonly filter: StandupFilter;
  /** `replace`: no step of its own in the browser's history. */
  readonly onChange: (filter: StandupFilterChange, replace?: boolean) => void;
}

type StandupFilterChange = StandupFilter;

/** All that standups can be filtered by. On a narrow page all but the words are behind a button. */
export function Filters({filter, onChange}: FiltersProps) {
  const [isOpen, setOpen] = useState(false);
  const fields = useId();
  const {filters} = words.history;
  const set = <Name extends keyof StandupFilter>(name: Name, value: string, replace = false): void => {
    const {[name]: _, ...others} = filter;
    onChange(value === '' ? others : {...others, [name]: value}, replace);
  };
  return (
    <section aria-label={filters.heading} className={styles['filters']}>
      <div className={styles['first']}>
        <SearchField onChange={(q, isContinued) => set('q', q, isContinued)} value={filter.q ?? ''} />
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
        <Choice
          label={filters.source}
          onChange={(source) => set('source', source)}
          options={[['', filters.anySource], ...Object.entries(words.history.sources)]}
          value={filter.source ?? ''}
        />
        <Choice
          label={filters.order}
          onChange={(order) => set('order', order)}
          options={[
            ['', filters.newest],
            ['asc', filters.oldest],
          ]}
          value={filter.order ?? ''}
        />
      </div>
    </section>
  );
}

function TeamField({team, onChange}: {readonly team: string; readonly onChange: (team: string) => void}) {
  const teams = useQuery(teamsQuery).data?.data ?? [];
  const {anyTeam, team: label} = words.history.filters;
  const known = teams.find(({id, slug}) => slug === team || id === team);
  const options = teams
    .map(({slug, name}) => [slug, name] as const)
    .toSorted(([, a], [, b]) => a.localeCompare(b));
  const unknown = team !== '' && known === undefined ? [[team, team] as const] : [];
  return (
    <Choice
      label={label}
      onChange={onChange}
      options={[['', anyTeam], ...unknown, ...options]}
      value={known?.slug ?? team}
    />
  );
}

/** From and to, each or both, or one of the usual spans. */
function Days({filter, onChange}: FiltersProps) {
  const {from: fromLabel, lastDays, spans, thisYear, to: toLabel, wrongOrder} = words.history.filters;
  const {from = '', to = '', ...others} = filter;
  const today = dayOf(Date.now());
  const isWrong = from !== '' && to !== '' && from > to;
  const error = useId();
  const set = (next: {from?: string; to?: string}): void => {
    const {from: first = from, to: last = to} = next;
    onChange({...others, ...(first !== '' && {from: first}), ...(last !== '' && {to: last})});
  };
  const daysAgo = (days: number): string => dayOf(Date.now() - (days - 1) * 86_400_000);
  const usual = [
    [lastDays(7), daysAgo(7)],
    [lastDays(30), daysAgo(30)],
    [thisYear, `${today.slice(0, 4)}-01-01`],
  ] as const;
  return (
    <fieldset className={styles['days']}>
      <legend>{spans}</legend>
      <Field label={fromLabel}>
        {(id) => (
          <input
            aria-describedby={isWrong ? error : undefined}
            aria-invalid={isWrong || undefined}
            id={id}
            max="9999-12-31"
            onChange={({target}) => set({from: target.value})}
            type="date"
            value={from}
          />
        )}
      </Field>
      <Field label={toLabel}>
        {(id) => (
          <input
            aria-describedby={isWrong ? error : undefined}
            aria-invalid={isWrong || undefined}
            id={id}
            max="9999-12-31"
            onChange={({target}) => set({to: target.value})}
            type="date"
            value={to}
          />
        )}
      </Field>
      <div className={styles['usual']}>
        {usual.map(([label, first]) => (
          <Button
            aria-pressed={from === first && to === ''}
            key={label}
            kind="quiet"
            onPress={() => onChange({...others, from: first})}
            size="small"
          >
            {label}
          </Button>
        ))}
      </div>
      <p className={styles['error']} id={error} role="status">
        {isWrong ? wrongOrder : ''}
      </p>
    </fieldset>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [string, string])[];
  readonly onChange: (value: string) => void;
}

function Choice({label, value, options, onChange}: ChoiceProps) {
  return (
    <Field label={label}>
      {(id) => (
        <select id={id} onChange={({target}) => onChange(target.value)} value={value}>
          {options.map(([key, name]) => (
            <option key={key} value={key}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

function Field({label, children}: {readonly label: string; readonly children: (id: string) => ReactNode}) {
  const id = useId();
  return (
    <div className={styles['field']}>
      <label htmlFor={id}>{label}</label>
      {children(id)}
    </div>
  );
}
