import type {MappedFile} from '../../packages/import-files/src/map-rows.js';
import {formatNumber} from '../texts/format.ts';
import {texts} from '../texts/texts.ts';
import {Remark} from './step.tsx';

const linesShown = 10;

/** Names the rows of the file that cannot be imported, and what is changed in others. */
export function FileErrors({mapped}: {readonly mapped: MappedFile}) {
  const {people: t} = texts.imports;
  const {errors, cut, withoutZone} = mapped;
  const byReason = Map.groupBy(errors, ({error}) => error);
  return (
    <>
      {errors.length > 0 && (
        <Remark isDanger>
          <p>{t.unread({count: errors.length})}</p>
          <ul className="list-disc ps-5">
            {[...byReason].map(([reason, rows]) => (
              <li key={reason}>
                {t.errors[reason]} ({listLines(rows.map(({line}) => line))})
              </li>
            ))}
          </ul>
        </Remark>
      )}
      {withoutZone > 0 && <p>{t.withoutZone({count: withoutZone})}</p>}
      {cut > 0 && <p>{t.cut({count: cut})}</p>}
    </>
  );
}

/** Formats the numbers of lines: `lines 3, 9 and 14`, or the first of many. */
export function listLines(lines: readonly number[]): string {
  const {people: t} = texts.imports;
  const shown = lines
    .slice(0, linesShown)
    .map((line) => formatNumber(line))
    .join(', ');
  return t.lines({
    count: lines.length,
    lines: lines.length > linesShown ? t.linesMore({lines: shown}) : shown,
  });
}
