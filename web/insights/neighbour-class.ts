/** Look of a link to the run or week before or after. */
export const neighbourClass =
  'grid size-row place-items-center rounded-lg border border-line bg-card text-ink hover:border-edge aria-disabled:bg-transparent aria-disabled:text-quiet aria-disabled:opacity-50';
