import {parseSync} from '@swc/core';

type SyntaxNode = Readonly<Record<string, unknown>>;

const isNode = (value: unknown): value is SyntaxNode => typeof value === 'object' && value !== null;

/** Matches two words with a space between them. Names, paths, formats and codes contain no such pair. */
const sentence = /\p{L}{2,}[,.:;!?)'’]* +[('‘]?\p{L}/u;

/**
 * Matches text that is not for people: HTML tags, even if cut off at a placeholder, and media types with
 * parameters.
 */
const markup = /<[^<>]*(?:>|$)|^[a-z]+\/[a-z]+;.*$/g;

/** Matches a word beside a placeholder. */
const wordInTemplate = /\p{L}{2,}[^\p{L}]* | \p{L}{2,}/u;

/** Properties whose value Slack shows to people, so that even a single word in them counts as text. */
const shown = new Set(['text', 'label', 'fallback', 'alt_text', 'description', 'hint', 'placeholder']);

/**
 * TypeScript nodes that wrap a value, such as `value as Type`. Any other node whose type begins with `Ts`
 * contains no value.
 */
const wrappers = new Set([
  'TsAsExpression',
  'TsConstAssertion',
  'TsNonNullExpression',
  'TsSatisfiesExpression',
]);

/**
 * Finds the strings of a TypeScript source that a person might read: several words, or a property that Slack
 * shows. Leaves out log lines and the messages of plain errors, which only the log shows.
 */
export function findSentences(source: string): string[] {
  const found: string[] = [];
  collectSentences(parseSync(source, {syntax: 'typescript', target: 'es2022'}), found);
  return found;
}

function collectSentences(node: unknown, found: string[]): void {
  if (Array.isArray(node)) return node.forEach((child) => collectSentences(child, found));
  if (!isNode(node)) return;
  const type = typeof node['type'] === 'string' ? node['type'] : '';
  if (type.startsWith('Ts') && !wrappers.has(type)) return;
  if (type === 'ImportDeclaration' || isLogLine(node) || isPlainError(node)) return;
  if (type === 'KeyValueProperty' && shown.has(nameOf(node['key']))) {
    const value = node['value'] as SyntaxNode;
    if (value['type'] === 'StringLiteral' && /\p{L}/u.test(String(value['value']))) {
      found.push(String(value['value']));
      return;
    }
  }
  if (type === 'StringLiteral' && isSentence(String(node['value']), sentence))
    found.push(String(node['value']));
  if (type === 'TemplateLiteral') {
    const said = (node['quasis'] as SyntaxNode[])
      .map((quasi) => String(quasi['raw']))
      .find((text) => isSentence(text, wordInTemplate));
    if (said !== undefined) found.push(said);
  }
  for (const [name, child] of Object.entries(node))
    if (name !== 'typeAnnotation') collectSentences(child, found);
}

const isSentence = (text: string, pattern: RegExp) => pattern.test(text.replaceAll(markup, ''));

function nameOf(node: unknown): string {
  if (!isNode(node)) return '';
  return typeof node['value'] === 'string' ? node['value'] : nameOf(node['property']);
}

/** True for a call such as `log.warn(…)` or `parts.log.info(…)`. */
function isLogLine(node: SyntaxNode): boolean {
  const callee = node['callee'];
  return (
    node['type'] === 'CallExpression' &&
    isNode(callee) &&
    callee['type'] === 'MemberExpression' &&
    nameOf(callee['object']) === 'log'
  );
}

function isPlainError(node: SyntaxNode): boolean {
  return node['type'] === 'NewExpression' && nameOf(node['callee']) === 'Error';
}
