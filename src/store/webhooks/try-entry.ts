/**
 * The entry of an unfinished delivery in the hash `tries`. Its parts, in this order:
 * - the number of attempts that have begun
 * - the number of failures that count in the retry schedule
 * - the sequence number of the event for this webhook; empty if the delivery never waited in a queue
 * - the id suffix of the team whose deliveries are sent in order; empty for a webhook without order
 * - the id suffix of the replay that created the delivery; empty without a replay
 */
const parts = {begun: '%d+', failed: '%d+', number: '%d*', team: '[^:]*', replay: '.*'} as const;

type EntryPart = keyof typeof parts;

/** The Lua variables that hold the parts of an entry. */
export const entryVariables: Readonly<Record<EntryPart, string>> = {
  begun: 'begun',
  failed: 'failed',
  number: 'number',
  team: 'team',
  replay: 'replay',
};

/** Returns the Lua that reads parts of an entry in their fixed order; nil when the entry is unreadable. */
export function createReadTryEntryLua(
  entry: string,
  wanted: readonly EntryPart[] = Object.keys(parts) as EntryPart[],
): string {
  const pattern = Object.entries(parts).map(([part, one]) =>
    wanted.some((name) => name === part) ? `(${one})` : one,
  );
  return `string.match(${entry}, '^${pattern.join(':')}$')`;
}

/** Returns the Lua that composes an entry from expressions for its parts. */
export function createWriteTryEntryLua({
  begun,
  failed,
  number,
  team,
  replay,
}: Readonly<Record<EntryPart, string>>): string {
  // Texts that follow each other are joined into one.
  return [begun, failed, number, team, replay].join(" .. ':' .. ").replaceAll("' .. '", '');
}

/** Returns the Lua for whether a replay created the delivery that an entry belongs to. */
export function createIsReplayedLua(entry: string): string {
  return `string.sub(${entry}, -1) ~= ':'`;
}

/** Returns the number of started attempts in an entry. Other parts of the entry may be unreadable. */
export function parseBegunAttempts(entry: string): number {
  return Number(entry.split(':', 1)[0]);
}
