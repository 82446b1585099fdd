import type {ReactNode} from 'react';
import {Icon, type IconName} from './icon.tsx';

/** Shown when a page or section has no content: the next step, and a button for it. */
export function Empty({
  title,
  text,
  icon,
  action,
}: {
  readonly title: string;
  readonly text: ReactNode;
  readonly icon?: IconName | undefined;
  readonly action?: ReactNode | undefined;
}) {
  return (
    <div className="grid justify-items-center gap-1 px-5 py-10 text-center">
      {icon !== undefined && (
        <span className="mb-2 grid size-12 place-items-center rounded-full bg-inset text-quiet">
          <Icon name={icon} size={24} />
        </span>
      )}
      <h2 className="text-balance">{title}</h2>
      <p className="max-w-[44ch] text-pretty text-quiet">{text}</p>
      {action !== undefined && <div className="mt-3 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  );
}
