const coloured = ['posted', 'late', 'expected', 'missed', 'away', 'holiday', 'skipped', 'unreachable'];

/** Returns the colour of a status from tokens.css; `quiet` for an unknown status. */
export function findStatusColour(status: string): string {
  return coloured.includes(status) ? `var(--${status})` : 'var(--quiet)';
}
