import path from 'node:path';
import {StopError} from './console.mjs';
import {root} from './paths.mjs';

export const webFolder = path.join(root, 'web/texts/compiled');
export const botFolder = path.join(root, 'src/bot/texts/compiled');
export const mailFolder = path.join(root, 'src/mail/texts/compiled');
export const pagesFolder = path.join(root, 'src/pages/texts/compiled');
export const domainFolder = path.join(root, 'src/domain/core/compiled');
/** The import of `createCounts` in compiled messages of the bot, of mails and of pages. */
const ofDomain = '../../../domain/core/counts.js';
const banner = '// Compiled from messages/ by scripts/compile-messages.mjs.\n';

/** Lists each message as `[key, text]`. The last part of a key is a number if the message is in a list. */
export function listMessages(part, at = '') {
  return Object.entries(part).flatMap(([name, inner]) => {
    const key = at === '' ? name : `${at}.${name}`;
    if (typeof inner === 'object' && inner !== null) return listMessages(inner, key);
    return [[key, inner]];
  });
}

/**
 * Returns the TypeScript files as `[path, content]`. `catalogues`: `dashboard`, `slack`, `mail` and `pages` of each
 * language, English first. Throws a StopError that names each wrong message.
 */
export async function compileMessages(catalogues) {
  const {parse, TYPE} = await import('@formatjs/icu-messageformat-parser');
  const parsed = new Map();
  const errors = [];
  for (const [language, catalogue] of catalogues) {
    const messages = new Map();
    for (const [key, text] of listMessages(catalogue)) {
      try {
        const elements = parse(text, {ignoreTag: true});
        requireSupportedFormat(elements, TYPE);
        messages.set(key, elements);
      } catch (error) {
        errors.push(`messages/${language}.json: ${key} is not a message: ${error.message}`);
      }
    }
    parsed.set(language, messages);
  }
  if (errors.length === 0) errors.push(...compareWithEnglish(parsed, TYPE));
  if (errors.length > 0) throw new StopError(errors.join('\n'));

  const all = [...parsed.values()];
  const gaps = new Map(
    [...all[0].keys()].map((key) => [
      key,
      findGaps(
        all.map((messages) => messages.get(key)),
        TYPE,
      ),
    ]),
  );
  const files = [];
  for (const [language, {dashboard, slack, mail, pages}] of catalogues) {
    const write = (part, key) => writePart({language, gaps, TYPE, messages: parsed.get(language)}, part, key);
    const type = language === 'en' ? undefined : './en.js';
    for (const [folder, content] of [
      [botFolder, write(slack, 'slack')],
      [mailFolder, write(mail, 'mail')],
      [pagesFolder, write(pages, 'pages')],
    ])
      files.push([
        path.join(folder, `${language}.ts`),
        writeFile(language, content, {type, counts: ofDomain}),
      ]);
    if (language === 'en') {
      for (const [name, texts] of Object.entries(dashboard)) {
        const file = path.join(webFolder, 'en', `${convertToKebabCase(name)}.ts`);
        const content = write(texts, `dashboard.${name}`);
        files.push([file, writeFile('en', content, {name, counts: '../../counts.ts'})]);
      }
    } else {
      const content = write(dashboard, 'dashboard');
      files.push([
        path.join(webFolder, `${language}.ts`),
        writeFile(language, content, {type: '../en.ts', counts: '../counts.ts'}),
      ]);
    }
  }
  return [...files, ...writeIndexes([...catalogues.keys()])];
}

/** Names that a translator may choose for a gap, and that mean something else in the compiled code. */
const reserved = new Set([
  'case',
  'class',
  'default',
  'delete',
  'do',
  'for',
  'function',
  'if',
  'in',
  'intl',
  'new',
  'this',
  'with',
]);

/** Throws for parts of ICU MessageFormat that `writeText` would compile to something else. */
function requireSupportedFormat(elements, TYPE) {
  for (const {type, value, options = {}, offset, pluralType, style} of elements) {
    if (type === TYPE.literal || type === TYPE.pound) continue;
    if (!/^[a-z]\w*$/i.test(value) || reserved.has(value))
      throw new Error(`{${value}} cannot be the name of a gap`);
    const isKnown = [TYPE.argument, TYPE.number, TYPE.select, TYPE.plural].includes(type);
    if (!isKnown || (style ?? '') !== '' || (offset ?? 0) !== 0 || pluralType === 'ordinal')
      throw new Error(`the format of the gap {${value}} is not supported`);
    if (type === TYPE.select && 'false' in options)
      throw new Error(`the gap {${value}} has the case \`false\`; use \`true\` and \`other\``);
    for (const option of Object.values(options)) requireSupportedFormat(option.value, TYPE);
  }
}

/** Finds keys, gaps and cases that a language lacks, or that English does not have. */
function compareWithEnglish(parsed, TYPE) {
  const [[, english], ...others] = parsed;
  return others.flatMap(([language, messages]) => {
    const file = `messages/${language}.json`;
    const added = [...messages.keys()].filter((key) => !english.has(key));
    return [
      ...added.map((key) => `${file} has ${key}, which messages/en.json does not have.`),
      ...[...english].flatMap(([key, elements]) => {
        if (!messages.has(key)) return [`${file} lacks ${key}.`];
        const [wanted, own] = [elements, messages.get(key)].map((one) => findGaps([one], TYPE));
        const lacking = [...wanted.keys()].filter((gap) => !own.has(gap));
        const unknown = [...own.keys()].filter((gap) => !wanted.has(gap));
        // A translation must choose its text by the same codes as the English message.
        const cases = [...own].flatMap(([gap, uses]) => {
          const codes = listCodes(wanted.get(gap));
          return codes.length === 0 ? [] : listCodes(uses).filter((code) => !codes.includes(code));
        });
        const butEnglish = 'which the English message does not have.';
        return [
          ...lacking.map((gap) => `${file}: ${key} lacks the gap {${gap}}.`),
          ...unknown.map((gap) => `${file}: ${key} has the gap {${gap}}, ${butEnglish}`),
          ...cases.map((name) => `${file}: ${key} has the case \`${name}\`, ${butEnglish}`),
        ];
      }),
    ];
  });
}

/** Lists the cases of a gap that are values of the API or numbers. */
function listCodes(uses = new Set()) {
  return [...uses].filter((use) => !['number', 'true', 'none', 'other'].includes(use));
}

/** Returns the gaps of a message in all its languages, each with its uses. */
function findGaps(translations, TYPE) {
  const gaps = new Map();
  const collect = (elements) => {
    for (const {type, value, options = {}} of elements) {
      if (type === TYPE.literal || type === TYPE.pound) continue;
      const uses = gaps.get(value) ?? new Set();
      gaps.set(value, uses);
      if (type === TYPE.number || type === TYPE.plural) uses.add('number');
      for (const [name, option] of Object.entries(options)) {
        if (type === TYPE.select) uses.add(name);
        collect(option.value);
      }
    }
  };
  translations.forEach(collect);
  return gaps;
}

/** Returns a group, a list or a message as TypeScript. */
function writePart(context, part, key) {
  if (typeof part === 'string') return writeMessage(context, key);
  const entries = Object.entries(part).map(([name, inner]) => [
    name,
    writePart(context, inner, `${key}.${name}`),
  ]);
  if (Array.isArray(part)) return `[${entries.map(([, text]) => text).join(', ')}]`;
  const lines = entries.map(
    ([name, text]) => `${/^[a-z_]\w*$/i.test(name) ? name : JSON.stringify(name)}: ${text},\n`,
  );
  return `{\n${lines.join('')}}`;
}

/**
 * Returns a message as TypeScript. Only English messages declare types; the other languages use the types of
 * the English ones.
 */
function writeMessage({language, gaps, TYPE, messages}, key) {
  const given = gaps.get(key);
  const text = writeText({given, TYPE}, messages.get(key));
  if (given.size === 0) return text;
  const names = `{${[...given.keys()].join(', ')}}`;
  if (language !== 'en') return `(${names}) => ${text}`;
  const types = [...given].map(
    ([name, uses]) => `readonly ${name}${uses.has('none') ? '?' : ''}: ${findGapType(uses)}`,
  );
  return `(${names}: {${types.join('; ')}}) => ${text}`;
}

/** Returns the type of a gap. A gap with plural forms in any language is a number. */
function findGapType(uses) {
  const type = uses.has('number') ? 'number' : uses.has('true') ? 'boolean' : 'Gap';
  return uses.has('none') ? `${type} | null | undefined` : type;
}

/** Returns a text as a template literal. `count`: the number that # stands for. */
function writeText(context, elements, count) {
  const {TYPE} = context;
  const parts = elements.map((element) => {
    const {type, value} = element;
    if (type === TYPE.literal) return value.replaceAll(/[\\`]|\$\{/g, '\\$&');
    if (type === TYPE.argument) return `\${${value}}`;
    if (type === TYPE.number) return `\${intl.number(${value})}`;
    if (type === TYPE.pound) return `\${intl.number(${count})}`;
    if (type === TYPE.select) return `\${${writeSelect(context, element)}}`;
    return `\${${writePlural(context, element)}}`;
  });
  return `\`${parts.join('')}\``;
}

/**
 * Returns a choice between texts. The case `none` is for a missing value: undefined, null or an empty text.
 */
function writeSelect(context, {value, options}) {
  const {other, ...cases} = options;
  const isNumber = context.given.get(value).has('number');
  const condition = (name) => {
    if (name === 'true') return value;
    if (/^\d+$/.test(name)) return `String(${value}) === '${name}'`;
    if (name !== 'none') return `${value} === '${name}'`;
    return isNumber ? `${value} == null` : `${value} == null || ${value} === ''`;
  };
  const write = (option) => writeText(context, option.value);
  const tests = Object.entries(cases).map(([name, option]) => `${condition(name)} ? ${write(option)} : `);
  return `${tests.join('')}${write(other)}`;
}

/**
 * Returns a choice between plural forms. Exact numbers (`=0`) come before the plural forms of the language.
 */
function writePlural(context, {value, options}) {
  const entries = Object.entries(options).map(([name, option]) => [
    name,
    writeText(context, option.value, value),
  ]);
  const exact = entries.filter(([name]) => name.startsWith('='));
  const forms = entries.filter(([name]) => !name.startsWith('='));
  const tests = exact.map(([name, text]) => `${value} === ${name.slice(1)} ? ${text} : `);
  const lines = forms.map(([name, text]) => `${name}: ${text}`);
  const rest = forms.length === 1 ? forms[0][1] : `intl.plural(${value}, {${lines.join(', ')}})`;
  return `${tests.join('')}${rest}`;
}

/**
 * Returns a TypeScript file. `name`: the name of its constant. `type`: the file with the type of the English
 * catalogue, for another language. `counts`: the file that formats its numbers.
 */
function writeFile(language, content, {name = language, type, counts}) {
  const lines = [
    /\bintl\./.test(content) ? `import {createCounts} from '${counts}';` : '',
    /: Gap\b/.test(content) ? `import type {Gap} from '${counts}';` : '',
    type === undefined ? '' : `import type {Texts} from '${type}';`,
    /\bintl\./.test(content) ? `\nconst intl = createCounts('${language}');` : '',
    `\nexport const ${name}${type === undefined ? '' : ': Texts'} = ${content};`,
    type === undefined && name === 'en' ? '\nexport type Texts = typeof en;' : '',
  ];
  return `${banner}${lines.filter((line) => line !== '').join('\n')}\n`;
}

/**
 * Returns files that list the languages: for the bot, mails, pages of the server, and the dashboard, which
 * loads them one by one.
 */
function writeIndexes(languages) {
  const nameOf = (language) => new Intl.DisplayNames([language], {type: 'language'}).of(language);
  const imports = languages.map((language) => `import {${language}} from './${language}.js';\n`);
  const names = languages.map((language) => `  ${language}: '${nameOf(language)}',\n`);
  const loads = languages
    .filter((language) => language !== 'en')
    .map((language) => `  ${language}: async () => (await import('./${language}.ts')).${language},\n`);
  const list = languages.map((language) => `'${language}'`).join(', ');
  return [
    [
      path.join(domainFolder, 'languages.ts'),
      `${banner}/** The languages with texts. */\nexport const languages = [${list}] as const;\n\nexport type Language = (typeof languages)[number];\n`,
    ],
    ...[botFolder, mailFolder, pagesFolder].map((folder) => [
      path.join(folder, 'index.ts'),
      `${banner}${imports.join('')}\nexport const catalogues = {${languages.join(', ')}};\n`,
    ]),
    [
      path.join(webFolder, 'index.ts'),
      `${banner}/** Each language by its own name. */\nexport const languages = {\n${names.join('')}} as const;\n\n/** Loads a language other than English, which the screens contain. */\nexport const loadLanguage = {\n${loads.join('')}};\n`,
    ],
  ];
}

function convertToKebabCase(name) {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
