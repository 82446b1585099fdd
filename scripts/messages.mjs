import {existsSync, mkdirSync, readFileSync, renameSync, rmSync, watch, writeFileSync} from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {botFolder, compileMessages, domainFolder, webFolder} from './compile-messages.mjs';
import {StopError} from './console.mjs';
import {hashFiles, listFiles} from './files.mjs';
import {cacheFolder, root} from './paths.mjs';

// Compiles messages/<language>.json, in ICU MessageFormat, into TypeScript for the dashboard and the bot. A
// message without gaps becomes a string; one with gaps becomes a function that takes an object. No parser runs
// in a browser, and each screen loads only its own English messages.

const messagesFolder = path.join(root, 'messages');
const stampFile = path.join(cacheFolder, 'messages');

/** Compiles the messages, unless the compiled files were already made from exactly these messages. */
export async function ensureMessages() {
  const stamp = hashFiles(listMessageFiles());
  const findOutputs = () => [webFolder, botFolder, domainFolder].filter(existsSync).flatMap(listFiles);
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp + hashFiles(findOutputs())) return;
  const files = new Map(await compileMessages(readCatalogues()));
  const newFile = path.join(cacheFolder, `messages-${process.pid}`);
  mkdirSync(cacheFolder, {recursive: true});
  for (const [file, content] of files) {
    if (existsSync(file) && readFileSync(file, 'utf8') === content) continue;
    mkdirSync(path.dirname(file), {recursive: true});
    // Another process may read the file at any time.
    writeFileSync(newFile, content);
    renameSync(newFile, file);
  }
  for (const file of findOutputs()) if (!files.has(file)) rmSync(file, {force: true});
  writeFileSync(stampFile, stamp + hashFiles(findOutputs()));
}

/** Compiles the messages again whenever one of them changes, for as long as the process has other work. */
export function watchMessages(say) {
  watch(messagesFolder, {persistent: false}, () => {
    ensureMessages().catch((error) => say(error.message));
  });
}

/** The files from which the compiled messages are made. */
export function listMessageFiles() {
  const compiler = path.join(root, 'scripts', 'compile-messages.mjs');
  return [...listCatalogueFiles(), fileURLToPath(import.meta.url), compiler];
}

/** Lists the files of src/ or web/, without the files that are generated from messages. */
export function listSourceFiles(folder) {
  return listFiles(folder).filter((file) => !file.includes(`${path.sep}compiled${path.sep}`));
}

/** Other files, such as those of an editor, are ignored. */
function listCatalogueFiles() {
  return listFiles(messagesFolder).filter((file) => /^[a-z]{2,3}\.json$/.test(path.basename(file)));
}

/** The messages by language, English first. */
export function readCatalogues() {
  const catalogues = new Map([['en', {}]]);
  for (const file of listCatalogueFiles()) {
    try {
      catalogues.set(path.basename(file, '.json'), JSON.parse(readFileSync(file, 'utf8')));
    } catch (error) {
      throw new StopError(`messages/${path.basename(file)} is not JSON: ${error.message}`);
    }
  }
  return catalogues;
}
