import {texts} from '../texts/texts.ts';
import {Initials} from './initials.tsx';
import styles from './person-name.module.css';

/** A member's name; a long one wraps instead of stretching its row. */
export function PersonName({
  name,
  isYou = false,
}: {
  readonly name: string;
  readonly isYou?: boolean | undefined;
}) {
  return (
    <span className={styles['person']}>
      <Initials name={name} />
      <span className={styles['name']}>
        <bdi>{name}</bdi>
        {isYou && <span className={styles['you']}> ({texts.parts.you})</span>}
      </span>
    </span>
  );
}
