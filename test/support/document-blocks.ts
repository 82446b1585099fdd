import {readFileSync} from 'node:fs';

/** Returns the code block of a Markdown file that names `file` in a comment on the block's first line. */
export function findNamedBlock(document: string, file: string): string {
  const named = new RegExp(`^(?://|#) ${file.replaceAll('.', '\\.')}\\b`);
  return findBlock(document, (text) => named.test(text), `named ${file}`);
}

/** Returns the first code block in a language that contains `part`, from a Markdown file. */
export function findBlockContaining(document: string, language: string, part: string): string {
  return findBlock(
    document,
    (text, kind) => kind === language && text.includes(part),
    `of ${language} with ${part}`,
  );
}

function findBlock(
  document: string,
  isWanted: (text: string, language: string) => boolean,
  what: string,
): string {
  const blocks = readFileSync(document, 'utf8').matchAll(/^ *```(\w+)\n([\s\S]*?)^ *```$/gm);
  for (const [, language = '', text = ''] of blocks) if (isWanted(text, language)) return text;
  throw new Error(`${document} has no block ${what}`);
}
