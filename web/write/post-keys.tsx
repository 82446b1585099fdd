import {words} from '../words/words.ts';
import styles from './write.module.css';

/** The submit shortcut, in the notation of this platform. */
export function PostKeys() {
  const {apple, other} = words.write.keys;
  return (
    <span aria-hidden="true" className={styles['keys']}>
      {/Mac|iPhone|iPad/.test(navigator.userAgent) ? apple : other}
    </span>
  );
}
