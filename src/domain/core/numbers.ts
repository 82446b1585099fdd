/** The error of a number that parsing would change, as the end of a sentence that begins with its name. */
export const lostNumberMessage = 'must be a number of up to 15 digits, or it would become another one';

/**
 * True when parsing changes a decimal number: one too large for a 64-bit float, or a whole number between two
 * that it can hold. Rounding far behind the decimal point loses nothing.
 */
export function losesPrecision(written: string): boolean {
  const value = Number(written);
  if (Number.isNaN(value)) return false;
  return (
    !Number.isFinite(value) || (Number.isInteger(value) && digitsOf(written) !== digitsOf(String(value)))
  );
}

/**
 * The significant digits, wherever the decimal point is. The search for zeros starts only at the first of a
 * run.
 */
function digitsOf(written: string): string {
  return written
    .replace(/e.*/i, '')
    .replaceAll(/\D/g, '')
    .replaceAll(/^0+|(?<!0)0+$/g, '');
}
