import type {ReactNode} from 'react';
import {Icon} from '../parts/icon.tsx';
import {findStatusColour} from '../parts/status-colour.ts';
import {findStatusIcon} from '../parts/status-mark.tsx';

/** Icon and colour of a kind of absence; text beside the icon gives the meaning. */
export function KindIcon({status}: {readonly status: string}) {
  return (
    <span className="inline-flex min-h-4.5 flex-none items-center" style={{color: findStatusColour(status)}}>
      <Icon name={findStatusIcon(status)} size={16} />
    </span>
  );
}

/** A small line of text after the icon. */
export function KindLine({status, children}: {readonly status: string; readonly children: ReactNode}) {
  return (
    <span className="flex gap-1.5 text-xs text-quiet">
      <KindIcon status={status} />
      <span>{children}</span>
    </span>
  );
}
