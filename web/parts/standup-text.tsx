import {splitLinks} from './links.ts';
import {HighlightedText} from './highlighted-text.tsx';
import styles from './standup-text.module.css';

/** A person's text as written, with its line breaks; URLs become links whose text is the URL. */
export function StandupText({text}: {readonly text: string}) {
  return (
    <div className={styles['text']} dir="auto">
      {splitLinks(text).map((piece, key) => {
        if (piece.href === undefined) return <HighlightedText key={key} text={piece.text} />;
        return (
          <a dir="ltr" href={piece.href} key={key} rel="noreferrer nofollow ugc" target="_blank">
            <HighlightedText text={piece.text} />
          </a>
        );
      })}
    </div>
  );
}
