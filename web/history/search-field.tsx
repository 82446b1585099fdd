import {useEffect, useId, useRef, useState} from 'react';
import {Hidden} from '../parts/hidden.tsx';
import {Icon} from '../parts/icon.tsx';
import {IconButton} from '../parts/icon-button.tsx';
import {isInputMethodKey} from '../parts/keys.ts';
import {texts} from '../texts/texts.ts';

/** The pause in typing after which the search starts, in ms. */
const pause = 300;

interface SearchFieldProps {
  readonly value: string;
  /** `isContinued`: the same search is still being typed, so the browser's history gets no new entry. */
  readonly onChange: (value: string, isContinued: boolean) => void;
}

export function SearchField({value, onChange}: SearchFieldProps) {
  const [typed, setTyped] = useState(value);
  const isContinued = useRef(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  // Shows a search text that was set elsewhere: by removing a filter, or by the Back button.
  useEffect(() => setTyped(value), [value]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const look = (text: string): void => {
    clearTimeout(timer.current);
    const next = text.trim();
    if (next === value) return;
    onChange(next, isContinued.current);
    isContinued.current = true;
  };
  return (
    <search className="relative flex min-h-row min-w-0 grow basis-70 items-center gap-1 rounded-lg border border-edge bg-card ps-2.5 pe-1 focus-within:outline-3 focus-within:outline-offset-2 focus-within:outline-focus max-sm:basis-35">
      <label className="inline-flex text-quiet" htmlFor={id}>
        <Hidden>{texts.history.filters.q}</Hidden>
        <Icon name="search" />
      </label>
      <input
        autoComplete="off"
        className="min-h-[calc(var(--spacing-row)-2px)] min-w-0 flex-1 px-1 outline-none"
        data-search=""
        enterKeyHint="search"
        id={id}
        maxLength={100}
        onBlur={() => {
          look(typed);
          isContinued.current = false;
        }}
        onChange={({target}) => {
          setTyped(target.value);
          clearTimeout(timer.current);
          timer.current = setTimeout(look, pause, target.value);
        }}
        onKeyDown={({key, nativeEvent}) => {
          if (key === 'Enter' && !isInputMethodKey(nativeEvent)) look(typed);
          if (key !== 'Escape') return;
          if (typed === '') field.current?.blur();
          setTyped('');
          look('');
        }}
        placeholder={texts.history.filters.q}
        ref={field}
        type="text"
        value={typed}
      />
      {typed !== '' && (
        <IconButton
          icon="cross"
          label={texts.fields.clear}
          onPress={() => {
            setTyped('');
            look('');
            field.current?.focus();
          }}
          size="small"
        />
      )}
    </search>
  );
}
