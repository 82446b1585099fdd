import type {ReactNode} from 'react';
import {Icon, type IconName} from '../parts/icon.tsx';
import {findStatusColour} from '../parts/status-colour.ts';

const glyphs: Readonly<Record<string, IconName>> = {away: 'moon', skipped: 'dash', holiday: 'star'};

/** Icon and colour of a kind of absence; text beside the icon gives the meaning. */
export function KindIcon({status}: {readonly status: string}) {
  return (
    <span className="inline-flex min-h-4.5 flex-none items-center" style={{color: findStatusColour(status)}}>
      <Icon name={glyphs[status] ?? 'more'} size={16} />
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
