export const help = [
  '*What you can do here*',
  '• `/standup` and your update: posts it at once, to the team of this channel or to your only team.',
  '• `/standup` alone: opens a form with Yesterday, Today and Blockers.',
  '• `/standup help`: shows this.',
].join('\n');

const reserved = new Set(['today', 'edit', 'skip', 'ooo', 'back', 'web', 'settings']);

/** True for a text that is one word kept for a command of its own, and surely not meant as an update. */
export function isReservedWord(text: string): boolean {
  return reserved.has(text.trim().toLowerCase());
}
