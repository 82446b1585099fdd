import {areShortcutsOn} from './keys.ts';

export function KeyList({keys}: {readonly keys: readonly (readonly [keys: string, what: string])[]}) {
  if (!areShortcutsOn()) return null;
  return (
    <p className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-quiet pointer-coarse:hidden">
      {keys.map(([pressed, what]) => (
        <span key={pressed}>
          {pressed.split(' ').map((key) => (
            <kbd
              className="me-0.5 inline-block min-w-4.5 rounded-sm border border-edge px-1 text-center font-sans"
              key={key}
            >
              {key}
            </kbd>
          ))}{' '}
          {what}
        </span>
      ))}
    </p>
  );
}
