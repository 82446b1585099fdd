/** Whether a text is a day that there is, as the API writes it: `2026-11-20`. */
export function isDay(text: string): boolean {
  const instant = Date.parse(`${text}T00:00:00Z`);
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && new Date(instant || 0).toISOString().startsWith(text);
}
