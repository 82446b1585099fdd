import {cpSync, mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import path from 'node:path';
import {ensureApiClient} from './api-client.mjs';
import {cacheFolder, root} from './paths.mjs';

const folder = path.join(root, 'tools', 'api-client');
const output = path.join(cacheFolder, 'api-client', 'package');

/** Writes the typed client as a package to install or to pack with `npm pack`. Returns its folder. */
export async function packClient() {
  await ensureApiClient();
  const ts = createRequire(path.join(folder, 'package.json'))('typescript');
  const source = readFileSync(path.join(folder, 'client.ts'), 'utf8').replace(
    '../../.cache/api-client/schema.js',
    './schema.js',
  );
  const options = {module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022};
  const {version, license, devDependencies} = JSON.parse(
    readFileSync(path.join(root, 'package.json'), 'utf8'),
  );
  rmSync(output, {recursive: true, force: true});
  mkdirSync(output, {recursive: true});
  const write = (name, text) => writeFileSync(path.join(output, name), text);
  write('client.js', ts.transpileModule(source, {compilerOptions: options}).outputText);
  write('client.d.ts', ts.transpileDeclaration(source, {compilerOptions: options}).outputText);
  cpSync(path.join(cacheFolder, 'api-client', 'schema.d.ts'), path.join(output, 'schema.d.ts'));
  cpSync(path.join(root, 'LICENSE'), path.join(output, 'LICENSE'));
  write(
    'package.json',
    `${JSON.stringify(
      {
        name: 'team-standup-client',
        version,
        description: 'Typed client of the Team Standup Service.',
        license,
        type: 'module',
        exports: {'.': {types: './client.d.ts', default: './client.js'}},
        files: ['client.js', 'client.d.ts', 'schema.d.ts'],
        dependencies: {'openapi-fetch': devDependencies['openapi-fetch']},
      },
      null,
      2,
    )}\n`,
  );
  return output;
}

if (process.argv[1] === import.meta.filename) {
  const written = path.relative(process.cwd(), await packClient());
  process.stdout.write(`The client is in ${written}: npm install ./${written}, or npm pack ./${written}\n`);
}
