import {useQuery} from '@tanstack/react-query';
import {useId, useState} from 'react';
import {CheckBox} from '../parts/check-box.tsx';
import {type EventTypeInfo, eventTypesQuery} from '../parts/event-types.ts';
import {Hidden} from '../parts/hidden.tsx';
import {Icon} from '../parts/icon.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {Skeleton} from '../parts/skeleton.tsx';
import {findText, texts} from '../texts/texts.ts';
import {groupEventTypes, findMatchingTypes, toggleGroup, toggleType} from './event-patterns.ts';
import styles from './form.module.css';

interface PickerProps {
  readonly events: readonly string[];
  readonly onChange: (events: readonly string[]) => void;
}

/** Chooses whole groups of event types, or single types. */
export function EventPicker(props: PickerProps) {
  const {data: types, error, refetch} = useQuery(eventTypesQuery);
  if (error !== null) return <ProblemNote onRetry={() => void refetch()} problem={error} />;
  if (types === undefined) return <Skeleton lines={6} />;
  return (
    <div aria-label={texts.webhookChanges.fields.events} className={styles['within']} role="group">
      {groupEventTypes(types).map(([group, own]) => (
        <EventTypeGroup {...props} group={group} key={group} types={own} />
      ))}
    </div>
  );
}

function EventTypeGroup({
  group,
  types,
  events,
  onChange,
}: PickerProps & {readonly group: string; readonly types: readonly EventTypeInfo[]}) {
  const t = texts.webhookChanges;
  const chosen = new Set(findMatchingTypes(events, types));
  const isWhole = events.includes(group);
  const [isOpen, setOpen] = useState(chosen.size > 0 && !isWhole);
  const list = useId();
  const name = findText(t.groups, group.slice(0, -2)) ?? group;
  return (
    <div className={styles['group']}>
      <div className={styles['group-head']}>
        <CheckBox
          isIndeterminate={!isWhole && chosen.size > 0}
          isSelected={isWhole}
          label={name}
          onChange={(isWanted) => onChange(toggleGroup(events, group, isWanted))}
        />
        <button
          aria-controls={list}
          aria-expanded={isOpen}
          className={styles['unfold']}
          onClick={() => setOpen(!isOpen)}
          type="button"
        >
          <Hidden>{t.fields.showTypes({group: name})}</Hidden>
          {t.fields.chosen({chosen: chosen.size, all: types.length})}
          <Icon name="chevron-down" size={16} />
        </button>
      </div>
      <div className={styles['types']} hidden={!isOpen} id={list}>
        {types.map((one) => (
          <CheckBox
            hint={<span lang="en">{one.description}</span>}
            isSelected={chosen.has(one.type)}
            key={one.type}
            label={<code>{one.type}</code>}
            onChange={(isWanted) => onChange(toggleType(events, one, isWanted, types))}
          />
        ))}
      </div>
    </div>
  );
}
