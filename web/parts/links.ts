// Finds the URLs in people's text that become links, by the same rule as the Slack app.

/** A piece of a line. With `href` the piece is a link, and its text is the URL. */
export interface TextPiece {
  readonly text: string;
  readonly href?: string | undefined;
}

/** The maximum length of a link; longer URLs stay text. */
const longest = 2_000;

const address = /https?:\/\/[^\s<>"|`]*/giu;

/** Characters that are invisible, change the text direction, or look like a slash. */
const disguising =
  /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Surrogate}\p{Z}\p{Variation_Selector}\\\u115f\u1160\u3164\uffa0\u2215\u2044\u29f8\uff0f\u2800]/u;

/** Characters of right-to-left scripts, which change the order in which a URL is read. */
const rightToLeft =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}\p{Script=Samaritan}\p{Script=Mandaic}\p{Script=Hanifi_Rohingya}]/u;

/** A host of ASCII letters only, so that no other alphabet can imitate a name; without a user name. */
const host =
  /^(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*\.?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;

const endsWithWordCharacter = /[\p{L}\p{N}\p{M}_]$/u;

/** Splits a text into links and plain pieces; joined, the pieces are the text again. */
export function splitLinks(text: string): readonly TextPiece[] {
  const pieces: TextPiece[] = [];
  let from = 0;
  for (const {0: whole, index} of text.matchAll(address)) {
    const url = removeFinalPunctuation(whole);
    if (!isSafeUrl(url) || endsWithWordCharacter.test(text.slice(Math.max(0, index - 2), index))) continue;
    if (index > from) pieces.push({text: text.slice(from, index)});
    pieces.push({text: url, href: url});
    from = index + url.length;
  }
  if (from < text.length) pieces.push({text: text.slice(from)});
  return pieces;
}

const startingHere = new RegExp(address.source, 'iuy');

/** Finds the end of the URL that begins here; one that could deceive is no link. */
export function findAddressAt(
  text: string,
  at: number,
): {readonly to: number; readonly isLink: boolean} | undefined {
  if (endsWithWordCharacter.test(text.slice(Math.max(0, at - 2), at))) return undefined;
  startingHere.lastIndex = at;
  const whole = startingHere.exec(text)?.[0] ?? '';
  if (whole === '') return undefined;
  const url = removeFinalPunctuation(whole);
  const isLink = isSafeUrl(url) && !disguising.test(whole);
  return {to: at + (isLink ? url : whole).length, isLink};
}

/** Characters at which a URL in a text ends, as they belong to markup. */
const markup = /[<>"`]/;

/** Whether a URL leads to the address that it seems to show. */
export function isSafeUrl(url: string): boolean {
  if (url.length > longest || markup.test(url) || disguising.test(url) || rightToLeft.test(url)) return false;
  const authority = /^https?:\/\/([^/?#]*)/i.exec(url)?.[1] ?? '';
  return authority !== '' && host.test(authority) && isUrl(url);
}

function isUrl(text: string): boolean {
  try {
    return new URL(text).protocol.startsWith('http');
  } catch {
    return false;
  }
}

const openedBy: Readonly<Record<string, string>> = {')': '(', ']': '[', '}': '{'};

/** Removes punctuation at the end of a URL; a closing bracket stays if it was opened within the URL. */
function removeFinalPunctuation(url: string): string {
  const open = new Map<string, number>();
  const add = (char: string, amount: number): unknown => open.set(char, (open.get(char) ?? 0) + amount);
  for (const char of url) {
    if ('([{'.includes(char)) add(char, 1);
    const opening = openedBy[char];
    if (opening !== undefined) add(opening, -1);
  }
  let end = url.length;
  for (; end > 0; end--) {
    const char = url[end - 1] ?? '';
    const opening = openedBy[char];
    if (opening !== undefined && (open.get(opening) ?? 0) < 0) add(opening, 1);
    else if (!/[.,:;!?'’”»…*_~]/.test(char)) break;
  }
  return url.slice(0, end);
}
