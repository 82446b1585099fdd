/** What is wrong with a number that would become another one, as the end of a sentence that begins with its name. */
export const lostFault = 'must be a number of up to 15 digits, or it would become another one';

/**
 * Whether a decimal number becomes another one when it is read: one that is too large or too small for a
 * double, or a whole one between those that a double holds. Rounding far behind the point is nothing lost.
 */
export function isLost(written: string): boolean {
  const value = Number(written);
  if (Number.isNaN(value)) return false;
  return (
    !Number.isFinite(value) || (Number.isInteger(value) && digitsOf(written) !== digitsOf(String(value)))
  );
}

/** The digits that count, wherever the point stands. A search for zeros begins at the first of a run alone. */
function digitsOf(written: string): string {
  return written
    .replace(/e.*/i, '')
    .replaceAll(/\D/g, '')
    .replaceAll(/^0+|(?<!0)0+$/g, '');
}
