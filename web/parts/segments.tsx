import type {ReactNode} from 'react';

export function Segments({label, children}: {readonly label: string; readonly children: ReactNode}) {
  return (
    <nav
      aria-label={label}
      className="flex flex-wrap gap-0.5 rounded-lg bg-inset p-[3px] *:inline-flex *:min-h-[calc(var(--spacing-row)-6px)] *:items-center *:rounded-md *:px-3 *:font-medium *:text-quiet *:no-underline *:hover:text-ink *:aria-[current]:bg-card *:aria-[current]:text-ink *:aria-[current]:shadow-[0_0_0_1px_var(--color-edge)] forced-colors:*:aria-[current]:outline-2 forced-colors:*:aria-[current]:outline-[Highlight]"
    >
      {children}
    </nav>
  );
}
