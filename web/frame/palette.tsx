import {useQuery} from '@tanstack/react-query';
import {useNavigate} from '@tanstack/react-router';
import {useId, useRef, useState} from 'react';
import {meQuery} from '../api/queries.ts';
import {isInputMethodKey} from '../parts/keys.ts';
import type {PaletteCommand} from '../parts/palette/command.ts';
import {texts} from '../texts/texts.ts';
import {listFurtherCommands} from './further-commands.ts';
import {ShortcutKeys} from './keys-shown.tsx';
import {matchesTyped} from './matches.ts';
import {Overlay} from './overlay.tsx';
import {useFound} from './use-found.ts';

interface PaletteProps {
  readonly commands: readonly PaletteCommand[];
  readonly onWrite: (team: string) => void;
  readonly onClose: () => void;
}

/** Finds commands, people, teams and standups, and runs or opens the chosen one. */
export function Palette({commands: ofEveryPage, onWrite, onClose}: PaletteProps) {
  const navigate = useNavigate();
  const {data: me} = useQuery(meQuery);
  const further = me === undefined ? [] : listFurtherCommands({me, navigate, write: onWrite});
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const search = useFound(typed, new Set(me?.teams?.map((team) => team.id)));
  const commands = [...ofEveryPage, ...further].filter(({label}) => matchesTyped(label, typed));
  const found = [...commands, ...search.rows];
  const chosen = Math.min(at, found.length - 1);
  const choose = (command: PaletteCommand | undefined): void => {
    if (command === undefined) return;
    onClose();
    command.run();
  };
  const move = (to: number): void => {
    const next = (to + found.length) % Math.max(1, found.length);
    setAt(next);
    list.current?.children[next]?.scrollIntoView({block: 'nearest'});
  };
  return (
    <Overlay title={texts.frame.commands} placement="middle" onClose={onClose}>
      <input
        className="min-h-10 w-full rounded-lg border border-edge bg-page px-3 py-2"
        role="combobox"
        aria-label={texts.palette.placeholder}
        aria-expanded="true"
        aria-controls={id}
        aria-autocomplete="list"
        {...(found.length > 0 && {'aria-activedescendant': `${id}-${chosen}`})}
        placeholder={texts.palette.placeholder}
        autoComplete="off"
        data-first
        value={typed}
        onChange={({target}) => {
          setTyped(target.value);
          setAt(0);
        }}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown') move(chosen + 1);
          else if (event.key === 'ArrowUp') move(chosen - 1);
          else if (event.key === 'Enter' && !isInputMethodKey(event.nativeEvent)) choose(found[chosen]);
          else return;
          event.preventDefault();
        }}
      />
      <div
        ref={list}
        id={id}
        role="listbox"
        aria-label={texts.frame.commands}
        className="flex max-h-105 flex-col overflow-y-auto"
      >
        {found.map((command, index) => (
          <div
            key={`${index < commands.length ? '' : 'found '}${index}`}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen}
            className="flex min-h-row cursor-pointer items-center justify-between gap-3 rounded-md px-3 py-1 aria-selected:bg-inset aria-selected:shadow-[inset_2px_0_0_var(--color-accent)] aria-selected:rtl:shadow-[inset_-2px_0_0_var(--color-accent)] forced-colors:aria-selected:outline-2 forced-colors:aria-selected:outline-[Highlight]"
            onPointerMove={() => setAt(index)}
            onClick={() => choose(command)}
            onKeyDown={({key}) => key === 'Enter' && choose(command)}
          >
            <span className="min-w-0 truncate" dir="auto">
              {command.label}
            </span>
            {command.about !== undefined && (
              <span className="max-w-1/2 flex-none truncate text-xs text-quiet">{command.about}</span>
            )}
            {command.key !== undefined && <ShortcutKeys of={command.key} />}
          </div>
        ))}
      </div>
      <p role="status" className="text-quiet empty:hidden">
        {search.hasFailed
          ? texts.palette.found.failed
          : found.length === 0 && !search.isSearching && texts.palette.none}
      </p>
    </Overlay>
  );
}
