import {createHash} from 'node:crypto';
import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import path from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';
import {ensureModules, modulesFolder} from './compile.mjs';
import {cacheFolder, root} from './paths.mjs';

const folder = path.join(root, 'packages', 'client-ts');
const output = path.join(cacheFolder, 'api-client');
const typesFile = path.join(output, 'schema.d.ts');
const stampFile = path.join(output, '.document');

/**
 * Writes the types of packages/client-ts from the OpenAPI document, unless they are up to date. They
 * are large generated files and not committed. Their generator has its own packages, with the compiler that
 * it needs.
 */
export async function ensureApiClient() {
  await ensureModules();
  const document = await readDocument();
  const stamp = createHash('sha256')
    .update(JSON.stringify(document))
    .update(readFileSync(path.join(folder, 'package.json')))
    .update(readFileSync(fileURLToPath(import.meta.url)))
    .digest('hex');
  if (existsSync(typesFile) && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return;
  const {default: generate, astToString} = createRequire(path.join(folder, 'package.json'))(
    'openapi-typescript',
  );
  // A request may leave out a property that has a default, but the generator would require such a property.
  const types = astToString(await generate(document, {silent: true, defaultNonNullable: false}));
  const codes = Object.keys(document['x-problems']).map((code) => `'${code}'`);
  mkdirSync(output, {recursive: true});
  writeFileSync(typesFile, `${types}\nexport type ProblemCode = ${codes.join(' | ')};\n`);
  writeFileSync(stampFile, stamp);
}

async function readDocument() {
  const load = (file) => import(pathToFileURL(path.join(modulesFolder, 'api', file)).href);
  const {createOpenApi} = await load('openapi/openapi.js');
  const {createRoutes} = await load('routes.js');
  return createOpenApi(createRoutes({}), {publicUrl: 'http://localhost:3000', version: 'v1'});
}
