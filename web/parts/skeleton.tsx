import {texts} from '../texts/texts.ts';
import {Hidden} from './hidden.tsx';

const bar =
  'animate-breathe bg-inset motion-reduce:animate-none forced-colors:border forced-colors:border-[GrayText]';

/** Placeholder for content that is being loaded: some lines of text, or a block. */
export function Skeleton({
  lines,
  height,
}: {
  readonly lines?: number | undefined;
  readonly height?: number | undefined;
}) {
  return (
    <div aria-busy="true" className="grid gap-2">
      <Hidden>{texts.parts.loading}</Hidden>
      {height !== undefined && <div className={`rounded-lg ${bar}`} style={{blockSize: height}} />}
      {Array.from({length: lines ?? 0}, (_, line) => (
        // The last line is shorter, as in a paragraph.
        <div
          className={`my-1 h-3 rounded-sm ${bar}`}
          key={line}
          style={{inlineSize: `${widthOf(line, lines ?? 0)}%`}}
        />
      ))}
    </div>
  );
}

function widthOf(line: number, lines: number): number {
  return line === lines - 1 ? 58 : ([96, 88, 100, 92][line % 4] ?? 100);
}
