/**
 * Lists the texts of a catalogue of messages as pairs `[key, text]`. A parameter is shown by its name:
 * `posted by {name}`.
 */
export function listTexts(catalogue, prefix = '') {
  return Object.entries(catalogue).flatMap(([name, entry]) => {
    const key = prefix === '' ? name : `${prefix}.${name}`;
    if (typeof entry === 'string') return [[key, entry]];
    if (typeof entry === 'function') return [[key, fillIn(entry)]];
    return typeof entry === 'object' && entry !== null ? listTexts(entry, key) : [];
  });
}

/** Calls a message function with the names of its parameters as the values. */
function fillIn(text) {
  const names = /^(?:function \w+)?\(?([^)=]*)/.exec(text.toString())?.[1] ?? '';
  const parameters = names.split(',').map((name) => placeholder(name.replaceAll(/[{}\s]/g, '') || '…'));
  const filled = text(...parameters);
  return typeof filled === 'string' ? filled : listTexts(filled).join(' ');
}

/** Creates a value that can stand for any parameter: a text, a number, a list, or an object. */
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
