import {DateInput, DateSegment} from 'react-aria-components';

const segmentClass = [
  'rounded-sm px-px py-0.5 tabular-nums caret-transparent outline-none',
  '[[role=spinbutton]]:min-w-5 [[role=spinbutton]]:text-center',
  'data-focused:bg-focus data-focused:text-card data-placeholder:not-data-focused:text-quiet',
  'forced-colors:data-focused:bg-[Highlight] forced-colors:data-focused:text-[HighlightText]',
  'forced-colors:data-focused:forced-color-adjust-none',
].join(' ');

/** Input for day, month and year, each typed or changed by arrow keys. */
export function DateSegments({slot}: {readonly slot?: 'start' | 'end' | undefined}) {
  return (
    <DateInput
      className="-my-0.5 inline-flex items-center whitespace-pre"
      {...(slot !== undefined && {slot})}
    >
      {(segment) => <DateSegment className={segmentClass} segment={segment} />}
    </DateInput>
  );
}
