import {Button} from '../parts/button.tsx';
import {Icon} from '../parts/icon.tsx';
import {copyText} from '../parts/copy-text.ts';
import type {StandupListFilter} from '../parts/standups/standup-filter.ts';
import {nameOfSource} from '../parts/standups/standup-item.tsx';
import {useTeamName} from '../parts/standups/team-name.tsx';
import {formatDay} from '../texts/format.ts';
import {texts} from '../texts/texts.ts';
import {useAuthorName} from './author-name.ts';
import {listActiveFilters, removeFilter} from './filter.ts';

interface ActiveFiltersProps {
  readonly filter: StandupListFilter;
  readonly onChange: (filter: StandupListFilter) => void;
}

export function ActiveFilters({filter, onChange}: ActiveFiltersProps) {
  const {active, clear, copy, remove} = texts.history.filters;
  const labels = useFilterLabels(filter);
  const set = listActiveFilters(filter);
  if (set.length === 0) return null;
  return (
    <div className="flex flex-wrap items-center justify-between gap-2">
      <ul aria-label={active} className="flex min-w-0 flex-wrap gap-2">
        {set.map((name) => (
          <li className="max-w-full min-w-0" key={name}>
            <button
              aria-label={remove({filter: labels[name]})}
              className="inline-flex min-h-7 max-w-full cursor-pointer items-center gap-1.5 rounded-[14px] border border-accent/45 bg-[color-mix(in_srgb,var(--color-accent),var(--color-card)_90%)] py-[3px] ps-3 pe-1.5 text-start text-sm/4.5 hover:border-accent pointer-coarse:min-h-11 pointer-coarse:rounded-[22px] [&_svg]:text-quiet"
              onClick={() => onChange(removeFilter(filter, name))}
              type="button"
            >
              <bdi className="truncate">{labels[name]}</bdi>
              <Icon name="cross" size={16} />
            </button>
          </li>
        ))}
      </ul>
      <div className="ms-auto flex flex-wrap gap-1">
        {set.length > 1 && (
          <Button kind="quiet" onPress={() => onChange({})} size="small">
            {clear}
          </Button>
        )}
        <Button
          icon="link"
          kind="quiet"
          onPress={() => void copyText(location.href, texts.history.linkCopied)}
          size="small"
        >
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
