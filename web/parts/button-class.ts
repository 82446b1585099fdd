export interface ButtonLook {
  readonly kind?: 'first' | 'plain' | 'quiet' | 'danger' | undefined;
  readonly size?: 'small' | undefined;
}

const base =
  'relative inline-flex max-w-full flex-none cursor-pointer items-center justify-center border text-center leading-5 font-medium no-underline transition-[background-color,border-color,color] off:cursor-not-allowed off:text-quiet';
const off = 'off:border-line off:bg-inset';
const kinds = {
  plain: `border-edge bg-card text-ink hover:bg-[color-mix(in_srgb,var(--color-card),var(--color-ink)_6%)] pressed:bg-[color-mix(in_srgb,var(--color-card),var(--color-ink)_11%)] ${off}`,
  first: `border-accent bg-accent text-on-accent hover:bg-[color-mix(in_srgb,var(--color-accent),var(--color-ink)_12%)] active:bg-[color-mix(in_srgb,var(--color-accent),var(--color-ink)_22%)] forced-colors:not-disabled:border-[Highlight] forced-colors:not-disabled:bg-[Highlight] forced-colors:not-disabled:text-[HighlightText] forced-colors:not-disabled:forced-color-adjust-none ${off}`,
  quiet:
    'border-transparent hover:bg-ink/7 pressed:bg-ink/12 off:border-transparent off:bg-transparent off:opacity-60 forced-colors:border-[ButtonText]',
  danger: `border-[color-mix(in_srgb,var(--color-missed),var(--color-card)_30%)] bg-card text-missed hover:bg-[color-mix(in_srgb,var(--color-card),var(--color-missed)_8%)] active:bg-[color-mix(in_srgb,var(--color-card),var(--color-missed)_15%)] ${off}`,
};
const withText = {
  usual: 'gap-2 px-3.5 py-[5px] [&>svg:first-child:not(:only-child)]:-ms-1',
  small: 'gap-1.5 px-2.5 py-[3px] [&>svg:first-child:not(:only-child)]:-ms-0.5',
};
const onlyIcon = {usual: 'w-row', small: 'w-7'};
const heights = {
  usual: 'min-h-row rounded-lg',
  // On a touch screen, the target is 44 px high, more than the button looks.
  small:
    'min-h-7 rounded-md text-sm/5 pointer-coarse:after:absolute pointer-coarse:after:inset-x-0 pointer-coarse:after:-inset-y-2',
};

/** The look of a button with a text or, with `isIcon`, with an icon alone. */
export function buttonClass({kind = 'plain', size}: ButtonLook, isIcon = false): string {
  const ink = isIcon
    ? 'text-quiet hover:text-ink aria-expanded:text-ink'
    : kind === 'quiet'
      ? 'text-ink'
      : '';
  const shape = (isIcon ? onlyIcon : withText)[size ?? 'usual'];
  return `${base} ${kinds[kind]} ${heights[size ?? 'usual']} ${shape} ${ink}`;
}
