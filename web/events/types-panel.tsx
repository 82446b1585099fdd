import {useQuery} from '@tanstack/react-query';
import {useState} from 'react';
import {Button} from '../parts/button.tsx';
import {CheckBox} from '../parts/check-box.tsx';
import {eventTypesQuery} from '../parts/event-types.ts';
import {ProblemNote} from '../parts/problem-note.tsx';
import {Skeleton} from '../parts/skeleton.tsx';
import {TextField} from '../parts/text-field.tsx';
import {texts} from '../texts/texts.ts';
import {matchesPattern} from './filter.ts';
import {toGroupPattern, togglePattern} from './type-choice.ts';

export function TypesPanel({
  chosen,
  onChange,
}: {
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}) {
  const t = texts.events.filters;
  const {data: types, error, refetch} = useQuery(eventTypesQuery);
  const [typed, setTyped] = useState('');
  if (error !== null) return <ProblemNote onRetry={refetch} problem={error} />;
  if (types === undefined) return <Skeleton height={240} />;
  const wanted = typed.trim().toLowerCase();
  const found = types.filter(({type, description}) =>
    `${type} ${description}`.toLowerCase().includes(wanted),
  );
  const groups = [...new Set(found.map(({type}) => toGroupPattern(type)))];
  const all = types.map(({type}) => type);
  return (
    <div className="grid max-h-[min(440px,60dvh)] w-[min(460px,calc(100vw-48px))] gap-4 overflow-y-auto">
      <div className="flex items-end gap-2 *:first:flex-1">
        <TextField label={t.findType} onChange={setTyped} value={typed} />
        {chosen.length > 0 && (
          <Button kind="quiet" onPress={() => onChange([])} size="small">
            {t.clear}
          </Button>
        )}
      </div>
      {groups.length === 0 && <p>{t.noType}</p>}
      {groups.map((group) => {
        const ofGroup = found.filter(({type}) => toGroupPattern(type) === group);
        const isWhole = chosen.includes(group);
        const isPart = !isWhole && chosen.some((one) => toGroupPattern(one) === group);
        return (
          <div aria-label={group} className="grid gap-2 *:not-first:ps-5" key={group} role="group">
            <CheckBox
              isIndeterminate={isPart}
              isSelected={isWhole}
              label={<strong>{t.wholeGroup({group})}</strong>}
              onChange={() => onChange(togglePattern(chosen, group, all))}
            />
            {ofGroup.map(({type, description}) => (
              <CheckBox
                hint={<EventTypeDescription text={description} />}
                isSelected={chosen.some((one) => matchesPattern(one, type))}
                key={type}
                label={<code>{type}</code>}
                onChange={() => onChange(togglePattern(chosen, type, all))}
              />
            ))}
          </div>
        );
      })}
    </div>
  );
}

/** Shows the API's description of an event type: English text with field names in backticks. */
function EventTypeDescription({text}: {readonly text: string}) {
  return (
    <span lang="en">
      {text.split('`').map((part, i) => (i % 2 === 0 ? part : <code key={part}>{part}</code>))}
    </span>
  );
}
