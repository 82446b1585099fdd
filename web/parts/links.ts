// Which addresses in the text of people become links. The rule of the Slack app, held here for the browser.

/** A piece of a line; `href` when it is a link, whose words are its address. */
export interface TextPiece {
  readonly text: string;
  readonly href?: string | undefined;
}

/** Longer addresses stay text. */
const longest = 2_000;

const address = /https?:\/\/[^\s<>"|`]*/giu;

/** Everything that is not seen, turns text around, or is told from a slash by hardly anybody. */
const disguising =
  /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Surrogate}\p{Z}\p{Variation_Selector}\\\u115f\u1160\u3164\uffa0\u2215\u2044\u29f8\uff0f\u2800]/u;

/** Scripts from right to left change the order in which an address is read. */
const rightToLeft =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}\p{Script=Samaritan}\p{Script=Mandaic}\p{Script=Hanifi_Rohingya}]/u;

/** Letters of one alphabet only, so that no name looks like another; nobody's name stands before it. */
const host =
  /^(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*\.?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;

const wordBefore = /[\p{L}\p{N}\p{M}_]$/u;

/** A text with its links found. Put together, the pieces are the text again. */
export function splitLinks(text: string): readonly TextPiece[] {
  const pieces: TextPiece[] = [];
  let from = 0;
  for (const {0: whole, index} of text.matchAll(address)) {
    const url = withoutPunctuation(whole);
    if (!isSafe(url) || wordBefore.test(text.slice(Math.max(0, index - 2), index))) continue;
    if (index > from) pieces.push({text: text.slice(from, index)});
    pieces.push({text: url, href: url});
    from = index + url.length;
  }
  if (from < text.length) pieces.push({text: text.slice(from)});
  return pieces;
}

/** Whether an address leads where a reader thinks. */
export function isSafe(url: string): boolean {
  if (url.length > longest || disguising.test(url) || rightToLeft.test(url)) return false;
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

/** Without what ends the sentence; a bracket belongs to the address when it was opened there. */
function withoutPunctuation(url: string): string {
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
