import {words} from '../words/words.ts';
import styles from './write.module.css';

/** The keys that hand it in, as they are called here. */
export function PostKeys() {
  const {apple, other} = words.write.keys;
  return (
    <span aria-hidden="true" className={styles['keys']}>
      {/Mac|iPhone|iPad/.test(navigator.userAgent) ? apple : other}
    </span>
  );
}
