/**
 * The entry in `tries` of a delivery that has not ended, by its id suffix: attempts begun, failures that the
 * schedule counts, its number (empty for one that was never queued), and id suffixes of the team whose order
 * it keeps and of the replay that made it (empty for none).
 */
const parts = {begun: '%d+', failed: '%d+', number: '%d*', team: '[^:]*', replay: '.*'} as const;

type EntryPart = keyof typeof parts;

/** The names of Lua variables for the parts. */
export const entryVariables: Readonly<Record<EntryPart, string>> = {
  begun: 'begun',
  failed: 'failed',
  number: 'number',
  team: 'team',
  replay: 'replay',
};

/** In Lua: these parts of an entry, in the order of all; nil when it cannot be read. */
export function readTryEntryLua(
  entry: string,
  wanted: readonly EntryPart[] = Object.keys(parts) as EntryPart[],
): string {
  const pattern = Object.entries(parts).map(([part, one]) =>
    wanted.some((name) => name === part) ? `(${one})` : one,
  );
  return `string.match(${entry}, '^${pattern.join(':')}$')`;
}

/** In Lua: an entry from these expressions. */
export function writeTryEntryLua({
  begun,
  failed,
  number,
  team,
  replay,
}: Readonly<Record<EntryPart, string>>): string {
  // Adjacent literals are merged.
  return [begun, failed, number, team, replay].join(" .. ':' .. ").replaceAll("' .. '", '');
}

/** In Lua: whether a replay made the delivery of an entry. */
export function isReplayedLua(entry: string): string {
  return `string.sub(${entry}, -1) ~= ':'`;
}

/** The number of attempts begun, as far as the entry can be read. */
export function countBegunAttemptsLua(entry: string): number {
  return Number(entry.split(':', 1)[0]);
}
