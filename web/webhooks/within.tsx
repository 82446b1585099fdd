import type {ReactNode} from 'react';

/** Fields that belong to the option above them. `label` makes them a group. */
export function Within({
  children,
  label,
}: {
  readonly children: ReactNode;
  readonly label?: string | undefined;
}) {
  return (
    <div
      {...(label !== undefined && {'aria-label': label, role: 'group'})}
      className="ms-2 grid min-w-0 gap-0.5 border-s-2 border-line ps-4.75"
    >
      {children}
    </div>
  );
}
