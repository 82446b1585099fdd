import {Icon, type IconName} from '../parts/icon.tsx';
import styles from './kind-icon.module.css';

const glyphs: Readonly<Record<string, IconName>> = {away: 'moon', skipped: 'dash', holiday: 'star'};

/** Icon and colour of a kind of absence; text beside the icon gives the meaning. */
export function KindIcon({status}: {readonly status: string}) {
  return (
    <span className={styles['glyph']} data-status={status}>
      <Icon name={glyphs[status] ?? 'more'} size={16} />
    </span>
  );
}
