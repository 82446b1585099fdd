import {HighlightedText} from './highlighted-text.tsx';
import {type FormattedPiece, readFormattedText} from './formatted-pieces.ts';
import {Mention} from './mention.tsx';

/** A text in Markdown. Its elements are made here, and never from strings of HTML. */
export function FormattedText({text}: {readonly text: string}) {
  return (
    <div className="grid w-fit max-w-[min(72ch,100%)] gap-2 wrap-anywhere">
      <Pieces pieces={readFormattedText(text)} />
    </div>
  );
}

function Pieces({pieces}: {readonly pieces: readonly FormattedPiece[]}) {
  // The pieces of a text never move: another text makes other ones.
  return pieces.map((piece, index) =>
    typeof piece === 'string' ? (
      <HighlightedText key={index} text={piece} />
    ) : (
      <Piece key={index} {...piece} />
    ),
  );
}

function Piece({tag: Tag, children, href, id = '', start}: Exclude<FormattedPiece, string>) {
  const inside = <Pieces pieces={children} />;
  switch (Tag) {
    case 'p':
      return (
        <p className="whitespace-pre-wrap [unicode-bidi:plaintext]" dir="auto">
          {inside}
        </p>
      );
    case 'blockquote':
      return <blockquote className="grid gap-2 border-s-3 border-line ps-3">{inside}</blockquote>;
    case 'ul':
      return <ul className="list-disc ps-5">{inside}</ul>;
    case 'ol':
      return (
        <ol className="list-decimal ps-7" start={start}>
          {inside}
        </ol>
      );
    case 'pre':
      return (
        <pre className="overflow-x-auto rounded-lg border border-line p-2 whitespace-pre-wrap" dir="ltr">
          <code>{inside}</code>
        </pre>
      );
    case 'code':
      return (
        <code className="rounded-[3px] border border-line px-1" dir="ltr">
          {inside}
        </code>
      );
    case 'mention':
      return <Mention id={id}>{inside}</Mention>;
    case 'a':
      return (
        <a
          className="decoration-1 underline-offset-3 [unicode-bidi:isolate]"
          href={href}
          rel="noreferrer nofollow ugc"
          target="_blank"
        >
          {inside}
        </a>
      );
    default:
      return <Tag>{inside}</Tag>;
  }
}
