/**
 * First strong isolate and its end: what stands between has its own direction, and gives none to what stands
 * around it.
 */
const [isolateStart, isolateEnd] = ['\u2068', '\u2069'];

/** Scripts written from right to left, and the marks that say so. */
const rightToLeft =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}\p{Script=Samaritan}\p{Script=Mandaic}\p{Script=Hanifi_Rohingya}\u200f\u061c]/u;

/** Embeddings, overrides and isolates, which turn around what follows them. */
const directing = /[\u202a-\u202e\u2066-\u2069]/;

/**
 * Text of a person among words of ours, so that a direction of its own ends with it. Text without one is left
 * as it is. What it opens and does not close is closed, and what it closes without having opened is left out:
 * it cannot reach our words.
 */
export function isolate(text: string): string {
  if ((!rightToLeft.test(text) && !directing.test(text)) || isIsolated(text)) return text;
  let [open, inside] = [0, ''];
  for (const char of text) {
    if (char === isolateEnd) {
      if (open === 0) continue;
      open--;
    } else if (/[\u2066-\u2068]/.test(char)) open++;
    inside += char;
  }
  return `${isolateStart}${inside}${isolateEnd.repeat(open + 1)}`;
}

/** True for one isolate from end to end, without another in it. */
function isIsolated(text: string): boolean {
  return (
    text.startsWith(isolateStart) &&
    text.search(/\u2069/) === text.length - 1 &&
    !directing.test(text.slice(1, -1))
  );
}

/**
 * Control characters, line and paragraph ends, what turns text around, and what takes no room: nothing of
 * that belongs in a name.
 */
const unfit =
  /[\p{Cc}\p{Surrogate}\u2028\u2029\u202a-\u202e\u2066-\u2069\u00ad\u200b\u2060-\u2064\ufeff\ufff9-\ufffb]+/gu;

/** Joiners, marks of direction and variation selectors: part of a name, but none alone. */
const unseen = /[\s\p{Join_Control}\p{Bidi_Control}\p{Variation_Selector}]/gu;

/**
 * A name as it may stand on one line: what would break the line, or turn what stands behind it around, is a
 * space. Joiners stay, since emoji and some scripts need them.
 */
export function cleanName(name: string): string {
  const clean = name.replaceAll(unfit, ' ').replaceAll(/ {2,}/g, ' ').trim();
  return clean.replaceAll(unseen, '') === '' ? '?' : clean;
}

/** A name among words of ours. */
export function nameInText(name: string): string {
  return isolate(cleanName(name));
}
