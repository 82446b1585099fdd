import {
  CalendarCell,
  CalendarGrid,
  CalendarGridBody,
  CalendarGridHeader,
  CalendarHeaderCell,
  Heading,
} from 'react-aria-components';
import {InnerButton} from './field.tsx';

export function CalendarHead() {
  return (
    <div className="mb-1 flex items-center justify-between">
      <InnerButton icon="chevron-left" slot="previous" />
      <Heading className="text-base font-semibold" />
      <InnerButton icon="chevron-right" slot="next" />
    </div>
  );
}

const dayClass = [
  'grid size-9 cursor-pointer place-items-center rounded-lg tabular-nums outline-0 pointer-coarse:min-[380px]:size-11',
  'data-outside-month:hidden data-disabled:cursor-not-allowed data-unavailable:cursor-not-allowed',
  'data-disabled:text-[color-mix(in_srgb,var(--color-quiet),var(--color-card)_35%)]',
  'data-unavailable:text-[color-mix(in_srgb,var(--color-quiet),var(--color-card)_35%)]',
  'data-hovered:not-data-selected:bg-ink/8',
  'data-today:not-data-selected:font-bold data-today:not-data-selected:inset-ring data-today:not-data-selected:inset-ring-accent',
  'data-focus-visible:outline-3 data-focus-visible:-outline-offset-1 data-focus-visible:outline-focus',
  'data-invalid:bg-missed! data-invalid:text-card!',
  'forced-colors:data-selected:bg-[Highlight] forced-colors:data-selected:text-[HighlightText]',
  'forced-colors:data-selected:forced-color-adjust-none',
].join(' ');
const chosenDayClass = 'data-selected:bg-accent data-selected:font-semibold data-selected:text-on-accent';
const rangeDayClass = [
  'data-selected:rounded-none data-selected:bg-[color-mix(in_srgb,var(--color-card),var(--color-accent)_18%)]',
  'data-selection-start:rounded-s-lg data-selection-start:bg-accent data-selection-start:font-semibold',
  'data-selection-end:rounded-e-lg data-selection-end:bg-accent data-selection-end:font-semibold',
  'data-selection-start:text-on-accent data-selection-end:text-on-accent',
].join(' ');

export function CalendarBody({isRange = false}: {readonly isRange?: boolean}) {
  return (
    <CalendarGrid className="border-separate border-spacing-y-0.5" weekdayStyle="short">
      <CalendarGridHeader>
        {(day) => (
          <CalendarHeaderCell className="h-7 w-9 text-xs font-normal text-quiet pointer-coarse:min-[380px]:w-11">
            {day}
          </CalendarHeaderCell>
        )}
      </CalendarGridHeader>
      <CalendarGridBody>
        {(date) => (
          <CalendarCell className={`${dayClass} ${isRange ? rangeDayClass : chosenDayClass}`} date={date} />
        )}
      </CalendarGridBody>
    </CalendarGrid>
  );
}
