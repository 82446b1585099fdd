// Finds the addresses in texts that become links, by the same rule in all channels.

/** The maximum length of a link; a longer address is shown as text. */
const longest = 2_000;

const start = /https?:\/\/[^\s<>"|`]*/iy;

/** Characters that are invisible, reverse the text direction, or look like a slash. */
const disguising =
  /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Surrogate}\p{Z}\p{Variation_Selector}\\\u115f\u1160\u3164\uffa0\u2215\u2044\u29f8\uff0f\u2800]/u;

/** Characters of right-to-left scripts, which change the order in which an address is read. */
const rightToLeft =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}\p{Script=Samaritan}\p{Script=Mandaic}\p{Script=Hanifi_Rohingya}]/u;

/** Host names in ASCII letters, of which none can be mistaken for another, without a user name. */
const host =
  /^(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*\.?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;

const wordCharacter = /[\p{L}\p{N}\p{M}_]/u;

/** Finds the end of an address. A password, letters beyond a to z or invisible characters make it text. */
export function findLinkAt(
  line: string,
  at: number,
): {readonly to: number; readonly isLink: boolean} | undefined {
  if (at > 0 && wordCharacter.test(line[at - 1] ?? '')) return undefined;
  start.lastIndex = at;
  const [whole = ''] = start.exec(line) ?? [];
  if (whole === '') return undefined;
  const url = trimUrlPunctuation(whole);
  return isSafeAddress(url) && !disguising.test(whole)
    ? {to: at + url.length, isLink: true}
    : {to: at + whole.length, isLink: false};
}

/** Characters at which an address in a text ends, as they belong to markup. */
const markup = /[<>"`]/;

/** True if an address leads where a reader expects. */
export function isSafeAddress(url: string): boolean {
  if (url.length > longest || markup.test(url) || disguising.test(url) || rightToLeft.test(url)) return false;
  const [, authority = ''] = /^https?:\/\/([^/?#]*)/i.exec(url) ?? [];
  return authority !== '' && host.test(authority) && URL.canParse(url);
}

const pairs: Readonly<Record<string, string>> = {')': '(', ']': '[', '}': '{'};

/** Removes the sentence's punctuation. A closing bracket stays if the address contains the opening one. */
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
