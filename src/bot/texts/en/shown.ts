/** Texts of the menu of a standup. */
export const shown = {
  edit: 'Edit',
  delete: 'Delete',
  title: 'Delete a standup',
  sure: (team: string, day: string) =>
    `Delete your standup for ${team}, ${day}? It disappears from the channel and the report.`,
  sureOf: (name: string, team: string, day: string) =>
    `Delete ${name}’s standup for ${team}, ${day}? It disappears from the channel and the report.`,
  keep: 'Keep it',
  loading: 'One moment …',
  close: 'Close',
  retry: 'Nothing was deleted. Please choose Delete again.',
  changedOf: (name: string) => `Changed ${name}’s standup. Its text:`,
  deletedOf: (name: string) => `Deleted ${name}’s standup. Its text:`,
  notDeleted: (reason: string) => `Nothing was deleted. ${reason}`,
  editing: (name: string) => `You’re editing ${name}’s standup.`,
} as const;
