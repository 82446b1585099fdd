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
import {Within} from './within.tsx';

interface PickerProps {
  readonly events: readonly string[];
  readonly onChange: (events: readonly string[]) => void;
}

export function EventPicker(props: PickerProps) {
  const {data: types, error, refetch} = useQuery(eventTypesQuery);
  if (error !== null) return <ProblemNote onRetry={() => void refetch()} problem={error} />;
  if (types === undefined) return <Skeleton lines={6} />;
  return (
    <Within label={texts.webhookChanges.fields.events}>
      {groupEventTypes(types).map(([group, own]) => (
        <EventTypeGroup {...props} group={group} key={group} types={own} />
      ))}
    </Within>
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
    <div>
      <div className="flex items-center justify-between gap-3 *:first:min-w-0">
        <CheckBox
          isIndeterminate={!isWhole && chosen.size > 0}
          isSelected={isWhole}
          label={name}
          onChange={(isWanted) => onChange(toggleGroup(events, group, isWanted))}
        />
        <button
          aria-controls={list}
          aria-expanded={isOpen}
          className="inline-flex min-h-7 flex-none cursor-pointer items-center gap-1 rounded-md px-2 py-0.5 text-xs text-quiet hover:bg-inset hover:text-ink aria-expanded:[&>svg]:rotate-180"
          onClick={() => setOpen(!isOpen)}
          type="button"
        >
          <Hidden>{t.fields.showTypes({group: name})}</Hidden>
          {t.fields.chosen({chosen: chosen.size, all: types.length})}
          <Icon name="chevron-down" size={16} />
        </button>
      </div>
      <div className="grid gap-x-3 ps-7 pb-1.5 [&_code]:text-sm" hidden={!isOpen} id={list}>
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
