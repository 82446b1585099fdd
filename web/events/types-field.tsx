import {useQuery} from '@tanstack/react-query';
import {useId, useRef, useState} from 'react';
import {Button} from '../parts/button.tsx';
import {CheckBox} from '../parts/check-box.tsx';
import {Icon} from '../parts/icon.tsx';
import {Popover} from '../parts/popover.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {Skeleton} from '../parts/skeleton.tsx';
import {TextField} from '../parts/text-field.tsx';
import {words} from '../words/words.ts';
import {fits} from './filter.ts';
import styles from './filters.module.css';
import {eventTypesQuery} from './queries.ts';
import {groupOf, toggle} from './type-choice.ts';

interface TypesProps {
  readonly types: string | undefined;
  readonly onChange: (types: string | undefined) => void;
}

/** Types with what they mean, chosen one by one or by the noun. */
export function TypesField({types, onChange}: TypesProps) {
  const t = words.events.filters;
  const [isOpen, setOpen] = useState(false);
  const trigger = useRef<HTMLButtonElement>(null);
  const label = useId();
  const chosen = types?.split(',') ?? [];
  const shown =
    chosen.length === 0 ? t.allTypes : chosen.length === 1 ? chosen[0] : t.chosenTypes(chosen.length);
  return (
    <div className={styles['types']}>
      <span className={styles['label']} id={label}>
        {t.types}
      </span>
      <button
        aria-expanded={isOpen}
        aria-haspopup="dialog"
        aria-label={`${t.types}: ${shown}`}
        className={styles['trigger']}
        onClick={() => setOpen(!isOpen)}
        ref={trigger}
        type="button"
      >
        <span>{shown}</span>
        <Icon name="chevron-down" size={16} />
      </button>
      <Popover
        isOpen={isOpen}
        label={t.types}
        onClose={() => setOpen(false)}
        placement="bottom start"
        triggerRef={trigger}
      >
        <TypesPanel
          chosen={chosen}
          onChange={(next) => onChange(next.length === 0 ? undefined : next.join(','))}
        />
      </Popover>
    </div>
  );
}

function TypesPanel({
  chosen,
  onChange,
}: {
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}) {
  const t = words.events.filters;
  const {data, error, refetch} = useQuery(eventTypesQuery);
  const [typed, setTyped] = useState('');
  if (error !== null) return <ProblemNote onRetry={refetch} problem={error} />;
  if (data === undefined) return <Skeleton height={240} />;
  const wanted = typed.trim().toLowerCase();
  const found = data.data.filter(({type, description}) =>
    `${type} ${description}`.toLowerCase().includes(wanted),
  );
  const groups = [...new Set(found.map(({type}) => groupOf(type)))];
  const all = data.data.map(({type}) => type);
  return (
    <div className={styles['panel']}>
      <div className={styles['find']}>
        <TextField label={t.findType} onChange={setTyped} value={typed} />
        {chosen.length > 0 && (
          <Button kind="quiet" onPress={() => onChange([])} size="small">
            {t.clear}
          </Button>
        )}
      </div>
      {groups.length === 0 && <p>{t.noType}</p>}
      {groups.map((group) => {
        const ofGroup = found.filter(({type}) => groupOf(type) === group);
        const isWhole = chosen.includes(group);
        const isPart = !isWhole && chosen.some((one) => groupOf(one) === group);
        return (
          <div aria-label={group} className={styles['group']} key={group} role="group">
            <CheckBox
              isIndeterminate={isPart}
              isSelected={isWhole}
              label={<strong>{t.wholeGroup(group)}</strong>}
              onChange={() => onChange(toggle(chosen, group, all))}
            />
            {ofGroup.map(({type, description}) => (
              <CheckBox
                hint={<Description text={description} />}
                isSelected={chosen.some((one) => fits(one, type))}
                key={type}
                label={<code>{type}</code>}
                onChange={() => onChange(toggle(chosen, type, all))}
              />
            ))}
          </div>
        );
      })}
    </div>
  );
}

/** The API writes names of members between backticks, and everything in English. */
function Description({text}: {readonly text: string}) {
  return (
    <span lang="en">
      {text.split('`').map((part, i) => (i % 2 === 0 ? part : <code key={part}>{part}</code>))}
    </span>
  );
}
