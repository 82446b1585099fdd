import type {ReactNode} from 'react';

export function Hidden({children}: {readonly children: ReactNode}) {
  return <span className="sr-only">{children}</span>;
}
