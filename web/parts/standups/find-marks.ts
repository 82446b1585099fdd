/** Where a text has the wanted words, as pairs of offsets; whatever the case, as the API's `q` finds them. */
export function findMarks(text: string, wanted: string): readonly (readonly [number, number])[] {
  const needle = fold(wanted.normalize('NFC')).text;
  if (needle === '') return [];
  const {text: folded, origins} = fold(text);
  const marks: [number, number][] = [];
  for (let at = folded.indexOf(needle); at >= 0; at = folded.indexOf(needle, at + needle.length)) {
    marks.push([origins[at] ?? 0, origins[at + needle.length] ?? text.length]);
  }
  return marks;
}

/** In lower case, and for each unit of it the offset of the letter that it comes from. */
function fold(text: string): {readonly text: string; readonly origins: readonly number[]} {
  let folded = '';
  const origins: number[] = [];
  let at = 0;
  for (const letter of text) {
    // Lower case of a whole word has another sigma at its end.
    const lower = letter.toLowerCase().replace('ς', 'σ');
    for (let i = 0; i < lower.length; i += 1) origins.push(at);
    folded += lower;
    at += letter.length;
  }
  origins.push(at);
  return {text: folded, origins};
}
