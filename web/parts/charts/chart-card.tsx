import {type ReactNode, useId, useState} from 'react';
import {Card} from '../card.tsx';
import {FiguresTable, type FiguresRow} from './figures-table.tsx';

export interface ChartTable {
  readonly summary: string;
  /** The name of the table, which differs from that of the chart. */
  readonly label: string;
  readonly heads: readonly string[];
  readonly rows: readonly FiguresRow[];
}

/** A chart with its sentence, and the same figures as a table. */
export function ChartCard({
  title,
  sentence,
  children,
  table,
}: {
  readonly title: string;
  readonly sentence: string;
  readonly children?: ReactNode | undefined;
  /** Undefined: the sentence says all. */
  readonly table?: ChartTable | undefined;
}) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  return (
    <Card labelledBy={id}>
      <h3 className="font-semibold" id={id}>
        <bdi>{title}</bdi>
      </h3>
      <p className="text-quiet">{sentence}</p>
      {children !== undefined && <div className="mt-4">{children}</div>}
      {table !== undefined && (
        <details className="mt-3" onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary className="min-h-7 cursor-pointer leading-7 font-medium text-quiet">
            {table.summary}
          </summary>
          {isOpen && (
            <div className="mt-2 grid min-w-0">
              <FiguresTable heads={table.heads} isLabelHidden label={table.label} rows={table.rows} />
            </div>
          )}
        </details>
      )}
    </Card>
  );
}
