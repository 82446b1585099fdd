import {splitLinks} from './links.ts';
import {Marked} from './highlighted-text.tsx';
import styles from './standup-text.module.css';

/** A person's text as written, with its line breaks; URLs become links whose text is the URL. */
export function StandupText({text}: {readonly text: string}) {
  return (
    <div className={styles['text']} dir="auto">
      {splitLinks(text).map((piece, key) => {
        if (piece.href === undefined) return <Marked key={key} text={piece.text} />;
        return (
          <a dir="ltr" href={piece.href} key={key} rel="noreferrer nofollow ugc" target="_blank">
            <Marked text={piece.text} />
          </a>
        );
      })}
    </div>
  );
}
