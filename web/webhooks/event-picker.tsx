import {useId, useState} from 'react';
import {CheckBox} from '../parts/check-box.tsx';
import {Hidden} from '../parts/hidden.tsx';
import {Icon} from '../parts/icon.tsx';
import {words} from '../words/words.ts';
import {eventGroups, typesOf, wholeGroup, withGroup, withType} from './event-types.ts';
import styles from './form.module.css';

/** Whole groups, or single types of them. */
export function EventPicker({
  events,
  onChange,
}: {
  readonly events: readonly string[];
  readonly onChange: (events: readonly string[]) => void;
}) {
  const label = useId();
  return (
    <div aria-labelledby={label} className={styles['within']} role="group">
      <span hidden id={label}>
        {words.webhookChanges.fields.events}
      </span>
      {Object.entries(eventGroups).map(([group, names]) => (
        <Group
          events={events}
          group={group}
          key={group}
          onChange={onChange}
          types={names.map((name) => `${group}.${name}`)}
        />
      ))}
    </div>
  );
}

function Group({
  group,
  types,
  events,
  onChange,
}: {
  readonly group: string;
  readonly types: readonly string[];
  readonly events: readonly string[];
  readonly onChange: (events: readonly string[]) => void;
}) {
  const t = words.webhookChanges;
  const chosen = new Set(typesOf(events));
  const count = types.filter((type) => chosen.has(type)).length;
  const isWhole = events.includes(wholeGroup(group));
  const [isOpen, setOpen] = useState(count > 0 && !isWhole);
  const list = useId();
  const name = t.groups[group] ?? group;
  return (
    <div className={styles['group']}>
      <div className={styles['group-head']}>
        <CheckBox
          isIndeterminate={!isWhole && count > 0}
          isSelected={isWhole}
          label={name}
          onChange={(isWanted) => onChange(withGroup(events, group, isWanted))}
        />
        <button
          aria-controls={list}
          aria-expanded={isOpen}
          className={styles['unfold']}
          onClick={() => setOpen(!isOpen)}
          type="button"
        >
          <Hidden>{t.fields.showTypes(name)}</Hidden>
          {t.fields.chosen(count, types.length)}
          <Icon name="chevron-down" size={16} />
        </button>
      </div>
      <div className={styles['types']} hidden={!isOpen} id={list}>
        {types.map((type) => (
          <CheckBox
            isSelected={chosen.has(type)}
            key={type}
            label={<code>{type}</code>}
            onChange={(isWanted) => onChange(withType(events, type, isWanted))}
          />
        ))}
      </div>
    </div>
  );
}
