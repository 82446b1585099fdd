const tints = [
  '[--tint:var(--color-accent)]',
  '[--tint:var(--color-expected)]',
  '[--tint:var(--color-away)]',
  '[--tint:var(--color-unreachable)]',
  '[--tint:var(--color-late)]',
  '[--tint:var(--color-holiday)]',
] as const;
const colours =
  'bg-[color-mix(in_srgb,var(--color-card),var(--tint)_15%)] text-[color-mix(in_srgb,var(--color-ink),var(--tint)_45%)]';
const sizes = {
  24: 'size-6 -my-0.5 text-[10px]',
  32: 'size-8 -my-1.5 text-xs',
  56: 'size-14 -my-1.5 text-[20px] max-sm:size-10 max-sm:text-[15px]',
} as const;

/** A disc with the initials of a name; the disc's tint is derived from the name. */
export function Initials({name, size = 24}: {readonly name: string; readonly size?: 24 | 32 | 56}) {
  return (
    <span
      aria-hidden="true"
      className={`inline-grid flex-none place-items-center self-start rounded-full leading-none font-bold tracking-[0.02em] select-none forced-colors:border ${sizes[size]} ${colours} ${chooseTint(name)}`}
    >
      {initialsOf(name)}
    </span>
  );
}

export function initialsOf(name: string): string {
  const [first, ...more] = name
    .trim()
    .split(/[\s.@_-]+/u)
    .filter((word) => /[\p{L}\p{N}]/u.test(word));
  const letters = [first, more.at(-1)].map((word) => /[\p{L}\p{N}]\p{M}*/u.exec(word ?? '')?.[0] ?? '');
  return letters.join('').toLocaleUpperCase() || '?';
}

function chooseTint(name: string): string | undefined {
  let sum = 0;
  for (const char of name) sum = (sum * 31 + (char.codePointAt(0) ?? 0)) % 6_007;
  return tints[sum % tints.length];
}
