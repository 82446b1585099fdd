import {splitLinks} from './links.ts';
import {HighlightedText} from './highlighted-text.tsx';

/** A person's text as written, with its line breaks; URLs become links whose text is the URL. */
export function StandupText({text}: {readonly text: string}) {
  return (
    <div className="w-fit max-w-[min(72ch,100%)] whitespace-pre-wrap [unicode-bidi:plaintext]" dir="auto">
      {splitLinks(text).map((piece, key) => {
        if (piece.href === undefined) return <HighlightedText key={key} text={piece.text} />;
        return (
          <a
            className="decoration-1 underline-offset-3 [unicode-bidi:isolate]"
            dir="ltr"
            href={piece.href}
            key={key}
            rel="noreferrer nofollow ugc"
            target="_blank"
          >
            <HighlightedText text={piece.text} />
          </a>
        );
      })}
    </div>
  );
}
