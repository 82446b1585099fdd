// Waits between attempts, as people write them: `10 s, 5 min, 1 h`.

const seconds = {s: 1, min: 60, h: 3_600} as const;
type Unit = keyof typeof seconds;

/** As the service waits unless told otherwise. */
export const usualWaits: readonly number[] = [5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400];

/** Seconds, or the first piece that is no wait; an empty one when nothing is there. */
export function readWaits(text: string): {readonly waits: readonly number[]} | {readonly wrong: string} {
  const waits: number[] = [];
  for (const piece of text.split(/[,;]/).map((one) => one.trim())) {
    const [, amount, unit = 's'] = /^(\d{1,6}) ?(s|min|h)?$/i.exec(piece) ?? [];
    if (amount === undefined) return {wrong: piece};
    waits.push(Number(amount) * seconds[unit.toLowerCase() as Unit]);
  }
  return {waits};
}

export function writeWaits(waits: readonly number[]): string {
  return waits.map(writeWait).join(', ');
}

function writeWait(wait: number): string {
  const unit: Unit = wait % seconds.h === 0 ? 'h' : wait % seconds.min === 0 ? 'min' : 's';
  return `${wait / seconds[unit]} ${unit}`;
}
