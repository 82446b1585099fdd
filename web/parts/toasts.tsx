import {useCallback, useEffect, useRef, useState} from 'react';
import {onSessionEnd} from '../api/session.ts';
import {texts} from '../texts/texts.ts';
import {Button} from './button.tsx';
import {IconButton} from './icon-button.tsx';
import {useStore} from './store.ts';
import {dismissToast, type Toast, toasts} from './toast.ts';

/** Shows all notices. A notice stays while the pointer or focus is on it; F6 moves the focus there. */
export function Toasts() {
  const shown = useStore(toasts);
  const region = useRef<HTMLElement>(null);
  const cameFrom = useRef<Element | null>(null);
  const [isPointed, setPointed] = useState(false);
  const [isFocused, setFocused] = useState(false);
  // Dismisses all notices when the session ends: the next person must not see them or use their *Undo*.
  useEffect(() => onSessionEnd(() => toasts.set([])), []);
  const goBack = useCallback((): void => {
    if (cameFrom.current instanceof HTMLElement) cameFrom.current.focus();
  }, []);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const element = region.current;
      const newest = element?.querySelector<HTMLElement>('li:last-child button');
      if (event.key !== 'F6' || !element || !newest) return;
      event.preventDefault();
      if (element.contains(document.activeElement)) return goBack();
      cameFrom.current = document.activeElement;
      newest.focus();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [goBack]);

  const take = (id: number): void => {
    const isInside = region.current?.contains(document.activeElement) === true;
    dismissToast(id);
    if (isInside) goBack();
    setPointed(false);
    setFocused(false);
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- pointing stops the timer
    <section
      aria-label={texts.parts.notices}
      className="pointer-events-none fixed inset-x-4 bottom-4 z-30 grid justify-items-center"
      onBlur={({currentTarget, relatedTarget}) => setFocused(currentTarget.contains(relatedTarget))}
      onFocus={() => setFocused(true)}
      onKeyDown={({key}) => {
        const newest = shown.at(-1);
        if (key === 'Escape' && newest !== undefined) take(newest.id);
      }}
      onPointerEnter={() => setPointed(true)}
      onPointerLeave={() => setPointed(false)}
      ref={region}
    >
      <ol aria-live="polite" aria-relevant="additions" className="grid w-full max-w-110 gap-2">
        {shown.map((one) => (
          <OneToast isPaused={isPointed || isFocused} key={one.id} onEnd={() => take(one.id)} toast={one} />
        ))}
      </ol>
    </section>
  );
}

/** Inverted colours, to stand out in both themes. */
const inverted =
  '[--color-card:light-dark(#19201c,#e7ede9)] [--color-ink:light-dark(#f1f5f2,#161c19)] [--color-quiet:light-dark(#b4c0b9,#4c5751)] **:focus-visible:outline-offset-0 **:focus-visible:outline-ink';

interface OneToastProps {
  readonly toast: Toast;
  readonly isPaused: boolean;
  readonly onEnd: () => void;
}

function OneToast({toast: {id, text, act, ms}, isPaused, onEnd}: OneToastProps) {
  const left = useRef(ms);
  useEffect(() => {
    if (isPaused) return undefined;
    const since = Date.now();
    const timer = setTimeout(() => dismissToast(id), left.current);
    return () => {
      clearTimeout(timer);
      left.current = Math.max(1_000, left.current - (Date.now() - since));
    };
  }, [isPaused, id]);
  return (
    <li
      className={`pointer-events-auto flex min-h-11 items-center gap-1 rounded-lg border border-transparent bg-card py-1.5 ps-4 pe-2 text-ink shadow-pop transition starting:translate-y-2 starting:opacity-0 ${inverted}`}
    >
      <span className="min-w-0 flex-1 py-1">{text}</span>
      {act !== undefined && (
        <Button
          kind="quiet"
          onPress={() => {
            onEnd();
            act.run();
          }}
          size="small"
        >
          {act.label}
        </Button>
      )}
      <IconButton icon="cross" label={texts.parts.dismiss} onPress={onEnd} size="small" />
    </li>
  );
}
