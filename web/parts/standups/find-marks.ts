/** Finds the matches of the search text as pairs of offsets. Ignores case, like the API's `q`. */
export function findSearchMatches(text: string, wanted: string): readonly (readonly [number, number])[] {
  const needle = lowerCaseWithOffsets(wanted.normalize('NFC')).text;
  if (needle === '') return [];
  const {text: folded, origins} = lowerCaseWithOffsets(text);
  const marks: [number, number][] = [];
  for (let at = folded.indexOf(needle); at >= 0; at = folded.indexOf(needle, at + needle.length)) {
    marks.push([origins[at] ?? 0, origins[at + needle.length] ?? text.length]);
  }
  return marks;
}

/** Returns the text in lower case, and for each of its code units the offset of its source character. */
function lowerCaseWithOffsets(text: string): {readonly text: string; readonly origins: readonly number[]} {
  let folded = '';
  const origins: number[] = [];
  let at = 0;
  for (const letter of text) {
    // A Greek sigma at the end of a word has its own lower-case form; here both forms count as the same.
    const lower = letter.toLowerCase().replace('ς', 'σ');
    for (let i = 0; i < lower.length; i += 1) origins.push(at);
    folded += lower;
    at += letter.length;
  }
  origins.push(at);
  return {text: folded, origins};
}
