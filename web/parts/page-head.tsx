import type {ReactNode} from 'react';
import {useTitle} from './use-title.ts';

/** The page's heading (the only h1), which also sets the window title, and actions for the whole page. */
export function PageHead({
  title,
  sub,
  actions,
}: {
  readonly title: string;
  readonly sub?: ReactNode | undefined;
  readonly actions?: ReactNode | undefined;
}) {
  useTitle(title);
  return (
    <header className="mb-5 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div className="min-w-0 grow basis-60">
        <h1 className="tracking-[-0.015em] text-balance">{title}</h1>
        {sub !== undefined && <div className="text-quiet">{sub}</div>}
      </div>
      {actions !== undefined && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
    </header>
  );
}
