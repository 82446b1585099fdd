const coloured = ['posted', 'late', 'expected', 'missed', 'away', 'holiday', 'skipped', 'unreachable'];

export function findStatusColour(status: string): string {
  return coloured.includes(status) ? `var(--color-${status})` : 'var(--color-quiet)';
}
