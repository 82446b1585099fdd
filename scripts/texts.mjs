/**
 * Lists the texts of a catalogue of messages as `[key, text]`. A gap in a text is written as the name of its
 * parameter: `posted by {name}`.
 */
export function listTexts(catalogue, prefix = '') {
  return Object.entries(catalogue).flatMap(([name, entry]) => {
    const key = prefix === '' ? name : `${prefix}.${name}`;
    if (typeof entry === 'string') return [[key, entry]];
    if (typeof entry === 'function') return [[key, fillIn(entry)]];
    return typeof entry === 'object' && entry !== null ? listTexts(entry, key) : [];
  });
}

/** Calls a function of a catalogue with the names of its parameters. */
function fillIn(text) {
  const names = /^(?:function \w+)?\(?([^)=]*)/.exec(text.toString())?.[1] ?? '';
  const parameters = names.split(',').map((name) => placeholder(name.replaceAll(/[{}\s]/g, '') || '…'));
  const filled = text(...parameters);
  return typeof filled === 'string' ? filled : listTexts(filled).join(' ');
}

/** A placeholder for any parameter: a text, a number, a list, or an object with any members. */
function placeholder(name) {
  const text = `{${name}}`;
  const known = {
    [Symbol.toPrimitive]: (hint) => (hint === 'number' ? 2 : text),
    [Symbol.iterator]: () => [text][Symbol.iterator](),
    toString: () => text,
    toLocaleString: () => text,
    toLowerCase: () => text,
    map: (change) => [change(placeholder(name))],
    slice: () => [text],
    join: () => text,
    length: 1,
  };
  return new Proxy(known, {get: (object, member) => object[member] ?? placeholder(String(member))});
}
