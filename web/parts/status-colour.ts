const coloured = ['posted', 'late', 'expected', 'missed', 'away', 'holiday', 'skipped', 'unreachable'];

/** The colour of tokens.css; quiet for a status that this page does not know. */
export function colourOf(status: string): string {
  return coloured.includes(status) ? `var(--${status})` : 'var(--quiet)';
}
