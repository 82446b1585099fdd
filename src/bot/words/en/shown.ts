/** Words of the menu of a standup. */
export const shown = {
  edit: 'Edit',
  delete: 'Delete',
  title: 'Delete a standup',
  sure: (team: string, day: string) =>
    `Delete your standup for ${team}, ${day}? It goes from the channel and from the report.`,
  sureOf: (name: string, team: string, day: string) =>
    `Delete the standup of ${name} for ${team}, ${day}? It goes from the channel and from the report.`,
  keep: 'Keep it',
  loading: 'One moment …',
  close: 'Close',
  retry: 'The question could not be shown in time. Nothing was deleted: choose Delete once more.',
  changedOf: (name: string) => `Changed the standup of ${name}. Its text:`,
  deletedOf: (name: string) => `Deleted the standup of ${name}. Its text:`,
  notDeleted: (reason: string) => `Nothing was deleted. ${reason}`,
  editing: (name: string) => `You are changing the standup of ${name}.`,
} as const;
