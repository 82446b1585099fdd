import type {ReactNode} from 'react';

export function Hint({children}: {readonly children: ReactNode}) {
  return <p className="text-xs text-pretty text-quiet">{children}</p>;
}
