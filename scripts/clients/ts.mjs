import {cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import path from 'node:path';
import {ensureApiClient} from '../api-client.mjs';
import {StopError} from '../console.mjs';
import {cacheFolder, root} from '../paths.mjs';

/** Programs that must be on the machine. */
export const needs = [];
/** Paths of the tests that `--check` runs. */
export const tests = ['test/client/'];

const folder = path.join(root, 'packages', 'client-ts');
const output = path.join(cacheFolder, 'client-ts');
/** The generated types, from the sources and in the package. */
const generated = ['../../../.cache/api-client/schema.js', './generated.js'];

/** Builds the package, ready for `npm pack`. Resolves to its folder and to the command that installs it. */
export async function buildClient() {
  await ensureApiClient();
  const ts = createRequire(path.join(folder, 'package.json'))('typescript');
  const code = {module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022, strict: true};
  const compilers = [
    ['.js', ts.transpileModule, code],
    ['.d.ts', ts.transpileDeclaration, {...code, declaration: true, isolatedDeclarations: true}],
  ];
  rmSync(output, {recursive: true, force: true});
  mkdirSync(output, {recursive: true});
  for (const file of readdirSync(path.join(folder, 'src'))) {
    const source = readFileSync(path.join(folder, 'src', file), 'utf8').replace(...generated);
    const name = path.basename(file, '.ts');
    for (const [ending, compile, compilerOptions] of compilers) {
      const options = {compilerOptions, fileName: file, reportDiagnostics: true};
      const {outputText, diagnostics = []} = compile(source, options);
      const [first] = diagnostics;
      if (first) throw new StopError(`${file}: ${ts.flattenDiagnosticMessageText(first.messageText, '\n')}`);
      writeFileSync(path.join(output, name + ending), outputText);
    }
  }
  cpSync(path.join(cacheFolder, 'api-client', 'schema.d.ts'), path.join(output, 'generated.d.ts'));
  cpSync(path.join(root, 'LICENSE'), path.join(output, 'LICENSE'));
  cpSync(path.join(folder, 'README.md'), path.join(output, 'README.md'));
  writeFileSync(path.join(output, 'package.json'), `${JSON.stringify(describePackage(), null, 2)}\n`);
  return {folder: output, install: `npm install ./${path.relative(process.cwd(), output)}`};
}

function describePackage() {
  const read = (...names) => JSON.parse(readFileSync(path.join(root, ...names, 'package.json'), 'utf8'));
  const {version, license, devDependencies} = read();
  const {private: _, devDependencies: __, ...published} = read('packages', 'client-ts');
  const dependencies = {'openapi-fetch': devDependencies['openapi-fetch']};
  return {...published, version, license, files: ['*.js', '*.d.ts'], dependencies};
}
