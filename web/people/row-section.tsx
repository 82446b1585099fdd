import type {ReactNode} from 'react';

export const personRowClass = 'flex min-w-0 items-start gap-3 px-5 py-3 max-sm:px-4';

export function RowSection({title, children}: {readonly title: string; readonly children: ReactNode}) {
  return (
    <section aria-label={title} className="grid w-full min-w-0 gap-2">
      <h2 className="text-base">{title}</h2>
      {children}
    </section>
  );
}
