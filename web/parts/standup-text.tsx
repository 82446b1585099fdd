import {lazy, Suspense} from 'react';
import {splitLinks} from './links.ts';
import {HighlightedText} from './highlighted-text.tsx';

const FormattedText = lazy(async () => ({
  default: (await import('./formatted-text.tsx')).FormattedText,
}));

/** Matches what may be formatting. Other texts need no parser. */
const mark = /[*_~`[\\>&]|^[ \t]*(?:[-+]|\d+[.)])(?:\s|$)/m;

/** A person's text: formatted, or as written with its line breaks. URLs become links. */
export function StandupText({text, format}: {readonly text: string; readonly format?: string | undefined}) {
  if (format !== 'markdown' || !mark.test(text)) return <PlainText text={text} />;
  return (
    <Suspense fallback={<PlainText text={text} />}>
      <FormattedText text={text} />
    </Suspense>
  );
}

function PlainText({text}: {readonly text: string}) {
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
