import type {ReactNode} from 'react';

/** A small label beside a name or time. `tone` is a status and sets the colour. */
export function Badge({children, tone}: {readonly children: ReactNode; readonly tone?: string | undefined}) {
  return (
    <span
      className="inline-flex max-w-full items-center gap-1 whitespace-nowrap [&>bdi]:truncate rounded-[9px] bg-current/11 px-1.75 text-xs font-medium text-quiet forced-colors:outline"
      {...(tone !== undefined && {style: {color: `var(--color-${tone})`}})}
    >
      {children}
    </span>
  );
}
