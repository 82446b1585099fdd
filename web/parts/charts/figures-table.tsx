import type {ReactNode} from 'react';

export interface FigureCell {
  readonly content: ReactNode;
  /** `none`: a figure that says that there is nothing; `chart`: no figure, but a small chart. */
  readonly look?: 'none' | 'chart' | undefined;
}

export interface FiguresRow {
  readonly id: string;
  readonly head: ReactNode;
  readonly cells: readonly FigureCell[];
}

const cellClass = 'h-row border-b border-line px-3 py-1 in-[tbody>tr:last-child]:border-b-0';
const firstClass = `${cellClass} sticky start-0 bg-card ps-5 text-start max-sm:ps-4`;
const headClass = 'text-xs/5 font-medium whitespace-nowrap text-quiet';
const alignOf = (cell: FigureCell | undefined): string =>
  cell?.look === 'chart' ? 'text-start' : 'text-end whitespace-nowrap';

/** A table of figures, in the caller's order. A wide table scrolls inside its own box. */
export function FiguresTable({
  label,
  isLabelHidden = false,
  heads: [first, ...heads],
  rows,
}: {
  readonly label: string;
  readonly isLabelHidden?: boolean | undefined;
  /** The headings of the columns; the first is that of the rows' own headings. */
  readonly heads: readonly string[];
  readonly rows: readonly FiguresRow[];
}) {
  return (
    <div
      aria-label={label}
      className="relative min-w-0 overflow-x-auto rounded-lg border border-line bg-card"
      role="region"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolls sideways, also by keyboard
      tabIndex={0}
    >
      <table className="w-full border-collapse">
        <caption
          className={
            isLabelHidden
              ? 'sr-only'
              : 'px-5 pt-4 pb-1 text-start text-[16px]/6 font-semibold max-sm:px-4 max-sm:pt-3'
          }
        >
          {label}
        </caption>
        <thead>
          <tr>
            <th className={`${firstClass} ${headClass}`} scope="col">
              {first}
            </th>
            {heads.map((head, i) => (
              <th
                className={`${cellClass} ${alignOf(rows[0]?.cells[i])} ${headClass}`}
                // oxlint-disable-next-line react/no-array-index-key -- columns never move
                key={i}
                scope="col"
              >
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({id, head, cells}) => (
            <tr key={id}>
              <th className={`${firstClass} min-w-30 font-normal`} scope="row">
                {head}
              </th>
              {cells.map((cell, i) => (
                <td
                  className={`${cellClass} ${alignOf(cell)} ${cell.look === 'none' ? 'text-quiet' : ''}`}
                  // oxlint-disable-next-line react/no-array-index-key -- columns never move
                  key={i}
                >
                  {cell.content}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
