import {texts} from '../texts/texts.ts';
import styles from './keys-shown.module.css';

/** Shows a shortcut: one key such as `n`, or two keys in sequence such as `g t`. */
export function ShortcutKeys({of}: {of: string}) {
  const [first = '', second] = of.split(' ');
  return (
    <span className={styles['keys']}>
      <kbd>{first}</kbd>
      {second !== undefined && (
        <>
          <span>{texts.palette.andThen}</span>
          <kbd>{second}</kbd>
        </>
      )}
    </span>
  );
}
