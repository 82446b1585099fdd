import {existsSync, mkdirSync, readFileSync, renameSync, rmSync, watch, writeFileSync} from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {compileLua, listLuaFiles, luaFolder} from './compile-lua.mjs';
import {
  botFolder,
  compileMessages,
  domainFolder,
  mailFolder,
  pagesFolder,
  webFolder,
} from './compile-messages.mjs';
import {StopError} from './console.mjs';
import {hashFiles, listFiles} from './files.mjs';
import {cacheFolder, root} from './paths.mjs';

// Compiles messages/<language>.json, in ICU MessageFormat, into TypeScript for the dashboard, the bot, mails and pages,
// and the Lua files of the store into one module. A message without gaps becomes a string; one with gaps becomes a
// function that takes an object. No parser runs in a browser, and each screen loads only its own English
// messages.

const messagesFolder = path.join(root, 'messages');
const luaCompiler = path.join(root, 'scripts', 'compile-lua.mjs');
const stampFile = path.join(cacheFolder, 'generated');

/** Compiles messages and Lua, unless the compiled files were already made from exactly these inputs. */
export async function ensureGenerated() {
  const stamp = hashFiles([...listMessageFiles(), ...listLuaFiles(), luaCompiler]);
  const folders = [webFolder, botFolder, mailFolder, pagesFolder, domainFolder, luaFolder];
  const findOutputs = () => folders.filter(existsSync).flatMap(listFiles);
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp + hashFiles(findOutputs())) return;
  const files = new Map([...(await compileMessages(readCatalogues())), ...compileLua()]);
  const newFile = path.join(cacheFolder, `generated-${process.pid}`);
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

/** Compiles messages and Lua again at each change, for as long as the process has other work. */
export function watchGenerated(say) {
  const compile = () => void ensureGenerated().catch((error) => say(error.message));
  watch(messagesFolder, {persistent: false}, compile);
  watch(path.dirname(path.dirname(luaFolder)), {persistent: false, recursive: true}, (_, name) => {
    if (name?.endsWith('.lua')) compile();
  });
}

/** The files from which the compiled messages are made. */
export function listMessageFiles() {
  const compiler = path.join(root, 'scripts', 'compile-messages.mjs');
  return [...listCatalogueFiles(), fileURLToPath(import.meta.url), compiler];
}

/** Lists the files of src/ or web/, without generated files. */
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
