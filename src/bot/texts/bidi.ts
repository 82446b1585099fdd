import {cleanName} from '../../domain/core/clean-name.js';

export {cleanName} from '../../domain/core/clean-name.js';

/** The characters that start and end an isolate, whose direction does not affect the text around it. */
const [isolateStart, isolateEnd] = ['\u2068', '\u2069'];

/** Characters of scripts written from right to left, and the invisible characters that set that direction. */
const rightToLeft =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}\p{Script=Samaritan}\p{Script=Mandaic}\p{Script=Hanifi_Rohingya}\u200f\u061c]/u;

/** Embeddings, overrides and isolates, which change the direction of the text after them. */
const directing = /[\u202a-\u202e\u2066-\u2069]/;

/** Isolates a person's text in ours. Unclosed marks in it are closed, unopened ones removed. */
export function isolateDirection(text: string): string {
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

export function removeIsolates(text: string): string {
  return text.replaceAll(/[\u2068\u2069]/g, '');
}

/** True if a text is one isolate from its first to its last character, without another isolate in it. */
function isIsolated(text: string): boolean {
  return (
    text.startsWith(isolateStart) &&
    text.search(/\u2069/) === text.length - 1 &&
    !directing.test(text.slice(1, -1))
  );
}

export function isolateName(name: string): string {
  return isolateDirection(cleanName(name));
}
