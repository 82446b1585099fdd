import {texts} from '../texts/texts.ts';
import styles from './write.module.css';

/** The submit shortcut, in the notation of this platform. */
export function PostKeys() {
  const {apple, other} = texts.write.keys;
  return (
    <span aria-hidden="true" className={styles['keys']}>
      {/Mac|iPhone|iPad/.test(navigator.userAgent) ? apple : other}
    </span>
  );
}
