import type {ReactNode} from 'react';

/** A remark with a bar at its start, which is red for a problem. */
export function Note({
  children,
  isDanger = false,
  role,
}: {
  readonly children: ReactNode;
  readonly isDanger?: boolean | undefined;
  readonly role?: 'status' | undefined;
}) {
  return (
    <div
      className="border-s-3 border-edge bg-inset px-3 py-2.5 data-danger:border-missed"
      data-danger={isDanger || undefined}
      role={role}
    >
      {children}
    </div>
  );
}
