import {texts} from '../texts/texts.ts';
import styles from './keys-shown.module.css';

/** `g t`: two keys in sequence. */
export function Keys({of}: {of: string}) {
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
