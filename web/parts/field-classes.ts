// A module of its own, so that a page with native selects need not load React Aria.

export const fieldClass = 'grid min-w-0 gap-1';
export const labelClass = 'text-sm font-medium';
export const hintClass = 'pt-1 text-xs text-pretty text-quiet';
const boxClass = [
  'min-w-0 items-center rounded-lg border border-edge bg-card text-start text-base font-normal text-ink',
  'transition-[border-color,background-color] [&_[data-placeholder]]:text-quiet hovered:border-ink',
  'focused:border-focus focused:outline-3 focused:outline-offset-0 focused:outline-focus/45',
  'wrong:border-missed off:cursor-not-allowed off:border-line off:bg-inset off:text-quiet',
  'forced-colors:focused:outline-[Highlight]!',
].join(' ');
export const inputClass = `${boxClass} block min-h-row w-full px-3 py-[7px]`;
export const textAreaClass = `${boxClass} field-sizing-content block max-h-[60vh] min-h-15 w-full resize-y px-3 py-[7px]`;
export const selectClass = `${boxClass} flex min-h-row w-full appearance-none py-[7px] ps-3 pe-9 text-ellipsis`;
/** A box that holds an input and buttons. */
export const boxGroupClass = `${boxClass} flex min-h-row ps-3 pe-1 [&>button:first-of-type]:ms-auto`;
/** A check box or radio button with its label. */
export const choiceClass =
  'group flex min-w-0 cursor-pointer items-start gap-2.5 py-1 data-disabled:cursor-not-allowed data-disabled:text-quiet pointer-coarse:py-3';
/** The box or disc of a choice, which shows the state of the element with `choiceClass`. */
export const choiceBoxClass = [
  'my-px grid size-4.5 flex-none place-items-center border-[1.5px] border-edge bg-card text-on-accent',
  'transition-[background-color,border-color]',
  'group-data-hovered:border-ink group-data-invalid:border-missed!',
  'group-data-indeterminate:border-accent group-data-indeterminate:bg-accent',
  'group-data-selected:border-accent group-data-selected:bg-accent',
  'group-data-disabled:border-line! group-data-disabled:bg-inset! group-data-disabled:text-quiet',
  'group-data-focus-visible:outline-3 group-data-focus-visible:outline-offset-2 outline-focus',
  'forced-colors:group-data-indeterminate:border-[Highlight] forced-colors:group-data-selected:border-[Highlight]',
  'forced-colors:group-data-indeterminate:bg-[Highlight] forced-colors:group-data-selected:bg-[Highlight]',
  'forced-colors:group-data-indeterminate:text-[HighlightText] forced-colors:group-data-selected:text-[HighlightText]',
  'forced-colors:group-data-indeterminate:forced-color-adjust-none forced-colors:group-data-selected:forced-color-adjust-none',
].join(' ');
export const errorClass = 'text-xs font-medium text-pretty text-missed';
