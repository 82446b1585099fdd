/** Longer addresses stay text. */
const longest = 2_000;

const start = /https?:\/\/[^\s<>"|`]*/iy;

/** Characters that are invisible, reverse text, or look like a slash. */
const disguising =
  /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Surrogate}\p{Z}\p{Variation_Selector}\\\u115f\u1160\u3164\uffa0\u2215\u2044\u29f8\uff0f\u2800]/u;

/** Right-to-left scripts, which change the order in which an address is read. */
const rightToLeft =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}\p{Script=Samaritan}\p{Script=Mandaic}\p{Script=Hanifi_Rohingya}]/u;

/**
 * Host names in ASCII letters, so that none looks like another; with a port. No user name comes before it.
 */
const host =
  /^(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*\.?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;

const wordCharacter = /[\p{L}\p{N}\p{M}_]/u;

/**
 * An address that begins here: its end, without the punctuation after it, and whether it is a link. One that
 * could mislead about its target is none: with a name or password before the host, with a host of other
 * letters than a to z, with invisible characters. It stays text as a whole.
 */
export function linkAt(
  line: string,
  at: number,
): {readonly to: number; readonly isLink: boolean} | undefined {
  if (at > 0 && wordCharacter.test(line[at - 1] ?? '')) return undefined;
  start.lastIndex = at;
  const [whole = ''] = start.exec(line) ?? [];
  if (whole === '') return undefined;
  const url = trimUrlPunctuation(whole);
  return isSafe(url) && !disguising.test(whole)
    ? {to: at + url.length, isLink: true}
    : {to: at + whole.length, isLink: false};
}

/** True when an address leads where a person expects. */
export function isSafe(url: string): boolean {
  if (url.length > longest || disguising.test(url) || rightToLeft.test(url)) return false;
  const [, authority = ''] = /^https?:\/\/([^/?#]*)/i.exec(url) ?? [];
  return authority !== '' && host.test(authority) && URL.canParse(url);
}

const pairs: Readonly<Record<string, string>> = {')': '(', ']': '[', '}': '{'};

/**
 * Removes punctuation that ends the sentence, not the address; a bracket belongs to the address if it was
 * opened there.
 */
function trimUrlPunctuation(url: string): string {
  const open = new Map<string, number>();
  for (const char of url) {
    if ('([{'.includes(char)) open.set(char, (open.get(char) ?? 0) + 1);
    const opened = pairs[char];
    if (opened !== undefined) open.set(opened, (open.get(opened) ?? 0) - 1);
  }
  let end = url.length;
  for (; end > 0; end--) {
    const char = url[end - 1] ?? '';
    const opened = pairs[char];
    if (opened !== undefined && (open.get(opened) ?? 0) < 0) open.set(opened, (open.get(opened) ?? 0) + 1);
    else if (!/[.,:;!?'’”»…*_~]/.test(char)) break;
  }
  return url.slice(0, end);
}
