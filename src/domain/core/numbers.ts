/** The error for a number that parsing would change. It completes a sentence about the field. */
export const lostNumberMessage = 'must be a number of up to 15 digits, or it would become another one';

/**
 * True when parsing would change a decimal number: it is too large for a 64-bit float, or a whole number that
 * a float cannot hold. Rounding far behind the decimal point is allowed.
 */
export function losesPrecision(written: string): boolean {
  const value = Number(written);
  if (Number.isNaN(value)) return false;
  return (
    !Number.isFinite(value) ||
    (Number.isInteger(value) && readSignificantDigits(written) !== readSignificantDigits(String(value)))
  );
}

/**
 * Returns the significant digits of a number, without its decimal point. The code looks for zeros only where
 * a series of them starts.
 */
function readSignificantDigits(written: string): string {
  return written
    .replace(/e.*/i, '')
    .replaceAll(/\D/g, '')
    .replaceAll(/^0+|(?<!0)0+$/g, '');
}
