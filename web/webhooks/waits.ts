// Parses and formats the waits between attempts, such as `10 s, 5 min, 1 h`.

const seconds = {s: 1, min: 60, h: 3_600} as const;
type Unit = keyof typeof seconds;

/** The service's default waits, in seconds. */
export const usualWaits: readonly number[] = [5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400];

/** Parses the waits as seconds. Returns the first invalid piece, which is empty without waits. */
export function parseWaits(text: string): {readonly waits: readonly number[]} | {readonly wrong: string} {
  const waits: number[] = [];
  for (const piece of text.split(/[,;]/).map((one) => one.trim())) {
    const [, amount, unit = 's'] = /^(\d{1,6}) ?(s|min|h)?$/i.exec(piece) ?? [];
    if (amount === undefined) return {wrong: piece};
    waits.push(Number(amount) * seconds[unit.toLowerCase() as Unit]);
  }
  return {waits};
}

export function formatWaits(waits: readonly number[]): string {
  return waits.map(formatWait).join(', ');
}

function formatWait(wait: number): string {
  const unit: Unit = wait % seconds.h === 0 ? 'h' : wait % seconds.min === 0 ? 'min' : 's';
  return `${wait / seconds[unit]} ${unit}`;
}
