import type {ReactNode} from 'react';

/** A panel on the page. `padding: none` is for lists whose rows reach its edges. */
export function Card({
  children,
  as: Element = 'section',
  padding,
  label,
  labelledBy,
}: {
  readonly children: ReactNode;
  readonly as?: 'section' | 'div' | 'article' | 'li' | undefined;
  readonly padding?: 'none' | undefined;
  readonly label?: string | undefined;
  readonly labelledBy?: string | undefined;
}) {
  return (
    <Element
      aria-label={label}
      aria-labelledby={labelledBy}
      className={`min-w-0 rounded-lg border border-line bg-card ${padding === 'none' ? 'overflow-clip' : 'px-5 py-4 max-sm:px-4 max-sm:py-3'}`}
    >
      {children}
    </Element>
  );
}
