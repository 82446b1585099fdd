import type {ReactNode} from 'react';

/** A small remark below a field or above a form. */
export function Hint({children}: {readonly children: ReactNode}) {
  return <p className="text-xs text-pretty text-quiet">{children}</p>;
}
