import {createContext, useContext} from 'react';
import {findSearchMatches} from './standups/find-marks.ts';

/** The search text, which is highlighted in people's texts. */
export const SearchTextContext = createContext('');

export function HighlightedText({text}: {readonly text: string}) {
  const wanted = useContext(SearchTextContext);
  if (wanted === '') return text;
  let from = 0;
  const pieces = findSearchMatches(text, wanted).flatMap(([start, end]) => {
    const before = text.slice(from, start);
    from = end;
    return [
      before,
      <mark
        className="rounded-[3px] bg-mark text-inherit ring ring-mark forced-colors:bg-[Mark] forced-colors:text-[MarkText]"
        key={start}
      >
        {text.slice(start, end)}
      </mark>,
    ];
  });
  return (
    <>
      {pieces}
      {text.slice(from)}
    </>
  );
}
