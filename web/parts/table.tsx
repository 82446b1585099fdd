import type {ReactNode} from 'react';
import {
  Cell,
  Column,
  Row,
  type SortDescriptor,
  Table as AriaTable,
  TableBody,
  TableHeader,
} from 'react-aria-components';
import {Icon} from './icon.tsx';
import styles from './table.module.css';

export interface TableColumn<RowOf> {
  readonly id: string;
  readonly label: string;
  readonly cell: (row: RowOf) => ReactNode;
  /** Makes this column the heading of its row; the default is the first column. */
  readonly isRowHeader?: boolean | undefined;
  readonly isSortable?: boolean | undefined;
  /** `end` for a column of numbers. */
  readonly align?: 'end' | undefined;
}

interface TableProps<RowOf> {
  readonly label: string;
  readonly columns: readonly TableColumn<RowOf>[];
  readonly rows: readonly RowOf[];
  readonly idOf: (row: RowOf) => string;
  readonly onRowAction?: ((row: RowOf) => void) | undefined;
  readonly sort?: SortDescriptor | undefined;
  readonly onSort?: ((sort: SortDescriptor) => void) | undefined;
  readonly empty?: ReactNode | undefined;
}

/** A table that scrolls in its own box when it is too wide. */
export function Table<RowOf extends object>({
  label,
  columns,
  rows,
  idOf,
  onRowAction,
  sort,
  onSort,
  empty,
}: TableProps<RowOf>) {
  const head = columns.find(({isRowHeader}) => isRowHeader === true) ?? columns[0];
  const byId = new Map(rows.map((row) => [idOf(row), row]));
  return (
    <div className={styles['box']}>
      <AriaTable
        aria-label={label}
        className={styles['table'] ?? ''}
        {...(sort !== undefined && {sortDescriptor: sort})}
        {...(onSort !== undefined && {onSortChange: onSort})}
        {...(onRowAction !== undefined && {
          onRowAction: (key) => {
            const row = byId.get(String(key));
            if (row !== undefined) onRowAction(row);
          },
        })}
      >
        <TableHeader>
          {columns.map(({id, label: name, isSortable = false, align}) => (
            <Column
              allowsSorting={isSortable}
              className={styles['column'] ?? ''}
              data-align={align}
              id={id}
              isRowHeader={id === head?.id}
              key={id}
            >
              {({sortDirection}) => (
                <>
                  {name}
                  {sortDirection !== undefined && (
                    <span className={styles['sort']} data-direction={sortDirection}>
                      <Icon name="chevron-down" size={16} />
                    </span>
                  )}
                </>
              )}
            </Column>
          ))}
        </TableHeader>
        <TableBody {...(empty !== undefined && {renderEmptyState: () => empty})}>
          {rows.map((row) => (
            <Row className={styles['row'] ?? ''} id={idOf(row)} key={idOf(row)}>
              {columns.map(({id, cell, align}) => (
                <Cell className={styles['cell'] ?? ''} data-align={align} key={id}>
                  {cell(row)}
                </Cell>
              ))}
            </Row>
          ))}
        </TableBody>
      </AriaTable>
    </div>
  );
}
