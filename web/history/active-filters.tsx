import {Button} from '../parts/button.tsx';
import {Icon} from '../parts/icon.tsx';
import {copyText} from '../parts/standups/copy-text.ts';
import type {StandupListFilter} from '../parts/standups/standup-filter.ts';
import {nameOfSource} from '../parts/standups/standup-item.tsx';
import {useTeamName} from '../parts/standups/team-name.tsx';
import {formatDay} from '../texts/format.ts';
import {texts} from '../texts/texts.ts';
import styles from './active-filters.module.css';
import {useAuthorName} from './author-name.ts';
import {listActiveFilters, removeFilter} from './filter.ts';

interface ActiveFiltersProps {
  readonly filter: StandupListFilter;
  readonly onChange: (filter: StandupListFilter) => void;
}

/** The active filters, each with a button that removes it. */
export function ActiveFilters({filter, onChange}: ActiveFiltersProps) {
  const {active, clear, copy, remove} = texts.history.filters;
  const labels = useFilterLabels(filter);
  const set = listActiveFilters(filter);
  if (set.length === 0) return null;
  return (
    <div className={styles['bar']}>
      <ul aria-label={active} className={styles['chips']}>
        {set.map((name) => (
          <li key={name}>
            <button
              aria-label={remove({filter: labels[name]})}
              className={styles['chip']}
              onClick={() => onChange(removeFilter(filter, name))}
              type="button"
            >
              <bdi className={styles['label']}>{labels[name]}</bdi>
              <Icon name="cross" size={16} />
            </button>
          </li>
        ))}
      </ul>
      <div className={styles['actions']}>
        {set.length > 1 && (
          <Button kind="quiet" onPress={() => onChange({})} size="small">
            {clear}
          </Button>
        )}
        <Button icon="link" kind="quiet" onPress={() => void copyText(location.href)} size="small">
          {copy}
        </Button>
      </div>
    </div>
  );
}

function useFilterLabels({team = '', author = '', from, to, source = '', q = ''}: StandupListFilter) {
  const {labels} = texts.history.filters;
  const teamName = useTeamName(team);
  const authorName = useAuthorName(author);
  return {
    q: labels.q({text: q}),
    team: labels.team({team: teamName}),
    author: labels.author({author: authorName}),
    from: from === undefined ? '' : labels.from({day: formatDay(from)}),
    to: to === undefined ? '' : labels.to({day: formatDay(to)}),
    source: labels.source({source: nameOfSource(source)}),
    order: labels.order,
  };
}
