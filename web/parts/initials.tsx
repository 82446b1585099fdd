import styles from './person-name.module.css';

/** A disc with the initials of a name; the disc's tint is derived from the name. */
export function Initials({name, size = 24}: {readonly name: string; readonly size?: 24 | 32 | undefined}) {
  return (
    <span aria-hidden="true" className={styles['disc']} data-size={size} data-tint={chooseTint(name)}>
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

function chooseTint(name: string): number {
  let sum = 0;
  for (const char of name) sum = (sum * 31 + (char.codePointAt(0) ?? 0)) % 6_007;
  return sum % 6;
}
