/**
 * Finds the imports in the text of a TypeScript file. A scanner of our own is needed, because TypeScript 7
 * has no compiler API yet. It supports code as our formatter writes it, and JSX without text.
 */
export function scanSource(text) {
  const {code, strings} = maskSource(text);
  return {code, imports: findImports(code, strings)};
}

/**
 * Returns `code`, the text with blanked comments. Each string literal is replaced by `"n"`, where n is its
 * index in `strings`.
 */
function maskSource(text) {
  const strings = [];
  /**
   * A stack with one entry for each surrounding template literal: the number of open braces in its `${…}`.
   */
  const templates = [];
  let code = '';
  let at = 0;
  while (at < text.length) {
    const rest = text.slice(at, at + 2);
    const char = text[at];
    if (rest === '//') at = findEndOf(text, '\n', at) - 1;
    else if (rest === '/*') {
      const end = findEndOf(text, '*/', at + 2);
      code += ` ${keepOnlyNewlines(text.slice(at, end))}`;
      at = end;
    } else if ((char === "'" || char === '"') && !isApostrophe(text, at)) {
      const end = findClosingQuote(text, at);
      code += `"${strings.push(text.slice(at + 1, end)) - 1}"`;
      at = end + 1;
    } else if (char === '`') at = skipTemplate(at + 1);
    else if (char === '}' && templates.at(-1) === 0) {
      templates.pop();
      code += ')';
      at = skipTemplate(at + 1);
    } else if (char === '/' && startsRegExp(code)) {
      code += '0';
      at = findClosingSlash(text, at) + 1;
    } else {
      if (templates.length > 0 && char === '{') templates[templates.length - 1] += 1;
      if (templates.length > 0 && char === '}') templates[templates.length - 1] -= 1;
      code += char;
      at += 1;
    }
  }
  return {code, strings};

  /** Skips the text of a template literal, up to the literal's end or its next `${`. */
  function skipTemplate(from) {
    let position = from;
    while (position < text.length) {
      if (text[position] === '\\') position += 2;
      else if (text[position] === '`') {
        code += '0';
        return position + 1;
      } else if (text.startsWith('${', position)) {
        templates.push(0);
        code += '(';
        return position + 2;
      } else {
        if (text[position] === '\n') code += '\n';
        position += 1;
      }
    }
    return position;
  }
}

function findImports(code, strings) {
  const imports = [];
  const literal = '"(\\d+)"';
  const forms = [
    // `import type …` loads no module. `import {type A} …` still loads one, so a `type` inside braces does
    // not count.
    {
      pattern: new RegExp(
        `\\b(?:import|export)\\b(\\s+type\\b(?!\\s+from\\b)(?!\\s*,))?[^"();=]*?\\bfrom\\s*${literal}`,
        'g',
      ),
      value: 2,
    },
    {pattern: new RegExp(`\\bimport\\s*${literal}`, 'g'), value: 1},
    {pattern: new RegExp(`\\bimport\\s*\\(\\s*${literal}`, 'g'), value: 1},
    {pattern: new RegExp(`\\brequire\\s*\\(\\s*${literal}`, 'g'), value: 1},
  ];
  for (const {pattern, value} of forms) {
    for (const match of code.matchAll(pattern)) {
      const typeOnly = value === 2 && match[1] !== undefined;
      imports.push({
        target: strings[Number(match[value])],
        typeOnly,
        line: findLineNumber(code, match.index),
      });
    }
  }
  for (const match of code.matchAll(/\bimport\s*\(\s*(?!"\d)/g)) {
    imports.push({target: undefined, typeOnly: false, line: findLineNumber(code, match.index)});
  }
  return imports.sort((a, b) => a.line - b.line);
}

/** Returns the number of the line that contains a position in `code`. The first line is 1. */
export function findLineNumber(code, index) {
  return code.slice(0, index).split('\n').length;
}

/** True when a slash begins a regular expression: not after a value, where it divides, and not after `<`. */
function startsRegExp(code) {
  if (code.endsWith('<')) return false;
  const before = code.trimEnd();
  return before === '' || /(?:[^\w)\]}"$]|\b(?:return|typeof|case|in|of|await|void))$/.test(before);
}

function findClosingSlash(text, start) {
  let inClass = false;
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '[') inClass = true;
    else if (text[at] === ']') inClass = false;
    else if (text[at] === '/' && !inClass) return at;
    else if (text[at] === '\n') return start;
  }
  return start;
}

function findClosingQuote(text, start) {
  let at = start + 1;
  while (at < text.length && text[at] !== text[start]) at += text[at] === '\\' ? 2 : 1;
  return at;
}

/** True for an apostrophe in JSX text. A string never begins directly after a letter or digit. */
function isApostrophe(text, at) {
  return /\w/.test(text[at - 1] ?? '');
}

function findEndOf(text, mark, from) {
  const found = text.indexOf(mark, from);
  return found < 0 ? text.length + (mark === '\n' ? 1 : 0) : found + mark.length;
}

function keepOnlyNewlines(text) {
  return text.replace(/[^\n]/g, '');
}
