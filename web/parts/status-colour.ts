const coloured = ['posted', 'late', 'expected', 'missed', 'away', 'holiday', 'skipped', 'unreachable'];

/** Returns the colour of a status from base.css; `quiet` for an unknown status. */
export function findStatusColour(status: string): string {
  return coloured.includes(status) ? `var(--color-${status})` : 'var(--color-quiet)';
}
