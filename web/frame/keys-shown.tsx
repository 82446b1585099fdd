import {texts} from '../texts/texts.ts';

const keyClass = 'min-w-5.5 rounded-sm border border-line bg-page px-1.5 text-center font-sans text-ink';

/** Shows a shortcut: one key such as `n`, or two keys in sequence such as `g t`. */
export function ShortcutKeys({of}: {of: string}) {
  const [first = '', second] = of.split(' ');
  return (
    <span className="inline-flex flex-none items-center gap-1 text-xs text-quiet">
      <kbd className={keyClass}>{first}</kbd>
      {second !== undefined && (
        <>
          <span>{texts.palette.andThen}</span>
          <kbd className={keyClass}>{second}</kbd>
        </>
      )}
    </span>
  );
}
