const coloured = ['posted', 'late', 'expected', 'missed', 'away', 'holiday', 'skipped', 'unreachable'];

/** The status's colour in tokens.css; `quiet` for an unknown status. */
export function colourOf(status: string): string {
  return coloured.includes(status) ? `var(--${status})` : 'var(--quiet)';
}
