import {useId, useRef, useState} from 'react';
import {Icon} from '../parts/icon.tsx';
import {Popover} from '../parts/popover.tsx';
import {texts} from '../texts/texts.ts';
import {TypesPanel} from './types-panel.tsx';

interface TypesProps {
  readonly types: string | undefined;
  readonly onChange: (types: string | undefined) => void;
}

/** Field that chooses event types, one by one or by group, with a description of each. */
export function TypesField({types, onChange}: TypesProps) {
  const t = texts.events.filters;
  const [isOpen, setOpen] = useState(false);
  const trigger = useRef<HTMLButtonElement>(null);
  const label = useId();
  const chosen = types?.split(',') ?? [];
  const shown =
    chosen.length === 0
      ? t.allTypes
      : chosen.length === 1
        ? chosen[0]
        : t.chosenTypes({count: chosen.length});
  return (
    <div className="grid min-w-0 gap-1">
      <span className="text-sm font-medium" id={label}>
        {t.types}
      </span>
      <button
        aria-expanded={isOpen}
        aria-haspopup="dialog"
        aria-label={`${t.types}: ${shown}`}
        className="flex min-h-row min-w-0 cursor-pointer items-center justify-between gap-2 rounded-md border border-edge bg-card ps-3 pe-2.5 text-start"
        onClick={() => setOpen(!isOpen)}
        ref={trigger}
        type="button"
      >
        <span className="truncate">{shown}</span>
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
