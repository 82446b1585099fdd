/**
 * Finds e-mail addresses in pasted text: separated by commas, semicolons, spaces or lines, alone or as
 * `Grace Hopper <grace@example.com>`. The service decides which are valid, so a wrong one is kept.
 */
export function parseAddresses(text: string): readonly string[] {
  const found = text.split(/[,;\r\n]+/).flatMap((part) => {
    const inside = /<([^<>]*)>/.exec(part)?.[1];
    return (inside ?? part).trim().split(/\s+/);
  });
  return [...new Set(found.filter((address) => address !== ''))];
}
