import type {ReactNode} from 'react';

export function ListRow({
  label,
  heading,
  children,
  action,
}: {
  readonly label?: string | undefined;
  readonly heading: ReactNode;
  readonly children: ReactNode;
  readonly action?: ReactNode | undefined;
}) {
  return (
    <li aria-label={label} className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1 py-2">
      <div className="min-w-0 grow basis-60">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-semibold">{heading}</p>
        {children}
      </div>
      {action}
    </li>
  );
}
