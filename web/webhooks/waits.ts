// Waits between attempts in readable form: `10 s, 5 min, 1 h`.

const seconds = {s: 1, min: 60, h: 3_600} as const;
type Unit = keyof typeof seconds;

/** The service's default waits, in seconds. */
export const usualWaits: readonly number[] = [5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400];

/** The waits in seconds, or the first invalid piece; an empty piece when there is none. */
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
