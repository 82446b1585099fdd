import {Icon, type IconName} from '../parts/icon.tsx';
import styles from './kind-icon.module.css';

const glyphs: Readonly<Record<string, IconName>> = {away: 'moon', skipped: 'dash', holiday: 'star'};

/** The icon of an absence's kind, in its colour; the text beside it gives the meaning. */
export function KindIcon({status}: {readonly status: string}) {
  return (
    <span className={styles['glyph']} data-status={status}>
      <Icon name={glyphs[status] ?? 'more'} size={16} />
    </span>
  );
}
