import {type ChartColumn, chooseAxisLabels} from './columns.ts';

/** Names a few columns below a chart. Screen readers read them in the table instead. */
export function AxisLabels({columns}: {readonly columns: readonly ChartColumn[]}) {
  const shown = chooseAxisLabels(columns);
  return (
    <span
      aria-hidden="true"
      className={`flex gap-3 text-2xs text-quiet ${shown.length === 1 ? 'justify-center' : 'justify-between'}`}
    >
      {shown.map(({id, label}) => (
        <span key={id}>{label}</span>
      ))}
    </span>
  );
}
