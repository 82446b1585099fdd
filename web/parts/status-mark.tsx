import {texts} from '../texts/texts.ts';
import {Hidden} from './hidden.tsx';
import {Icon, type IconName} from './icon.tsx';
import {findStatusColour} from './status-colour.ts';

const glyphs: Readonly<Record<string, IconName>> = {
  posted: 'check',
  late: 'clock',
  expected: 'circle',
  missed: 'cross',
  away: 'moon',
  holiday: 'star',
  skipped: 'dash',
  unreachable: 'alert',
  not_expected: 'dash',
};

/** Returns the name of a status; an unknown status is returned unchanged. */
export function findStatusName(status: string): string {
  const known: Readonly<Record<string, string>> = texts.status;
  return known[status] ?? status.replaceAll('_', ' ');
}

/** Returns the icon of a status; three dots for an unknown status. */
export function findStatusIcon(status: string): IconName {
  return glyphs[status] ?? 'more';
}

export const markClass = 'inline-flex items-center gap-1.5 font-medium';

/** An icon on a disc in the text's colour. */
export function Glyph({icon}: {readonly icon: IconName}) {
  return (
    <span className="inline-grid size-5 flex-none place-items-center rounded-full bg-current/13 *:size-3.5 forced-colors:border">
      <Icon name={icon} size={16} />
    </span>
  );
}

/** Shows an icon in the status's colour, with the name beside it (`hasText`) or as its title. */
export function StatusMark({
  status,
  hasText = false,
}: {
  readonly status: string;
  readonly hasText?: boolean | undefined;
}) {
  const name = findStatusName(status);
  return (
    <span className={markClass} style={{color: findStatusColour(status)}} {...(!hasText && {title: name})}>
      <Glyph icon={findStatusIcon(status)} />
      {hasText ? <span>{name}</span> : <Hidden>{name}</Hidden>}
    </span>
  );
}
