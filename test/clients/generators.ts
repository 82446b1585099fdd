// test/clients/: clients from other generators for the OpenAPI document, compiled, and used against the
// service.
// Not here: the project's own typed client (test/client/).
import {type ExecFileOptions, execFile} from 'node:child_process';
import {createHash} from 'node:crypto';
import {existsSync} from 'node:fs';
import {cp, mkdir, readFile, rm, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {promisify} from 'node:util';
import {cacheFolder, findInPath, root} from '../../scripts/paths.mjs';

const execute = promisify(execFile);

/** Compilers report their errors on stdout. */
async function run(program: string, args: readonly string[], options: ExecFileOptions = {}): Promise<void> {
  try {
    await execute(program, args, {maxBuffer: 2 ** 28, ...options});
  } catch (error) {
    const {message, stdout} = error as Error & {stdout: string};
    throw new Error(`${message}\n${stdout.slice(0, 4_000)}`, {cause: error});
  }
}

/** Folder of all installed and generated files, none of which is committed. */
const folder = path.join(cacheFolder, 'clients');
const inFolder = (...names: string[]) => path.join(folder, ...names);
const calls = path.join(root, 'test', 'clients', 'calls');
const documentFile = inFolder('openapi.json');

export interface Generator {
  readonly name: string;
  readonly version: string;
  /** Programs that must be installed on the machine. */
  readonly needs: readonly string[];
  /** Folder of the client; generated again when the document or the version changes. */
  readonly output: string;
  install(): Promise<void>;
  generate(): Promise<void>;
  /**
   * Throws when the client, or the program that uses it, does not compile. Returns the command of that
   * program.
   */
  compile(): Promise<readonly [program: string, ...args: string[]]>;
}

const jar = inFolder('openapi-generator-cli-7.25.0.jar');

const openApiGenerator = (name: string, options: readonly string[]) => ({
  name: `openapi-generator ${name}`,
  version: '7.25.0',
  async install() {
    if (existsSync(jar)) return;
    const artifact = '-Dartifact=org.openapitools:openapi-generator-cli:7.25.0';
    await run('mvn', ['-q', 'dependency:copy', artifact, `-DoutputDirectory=${folder}`], {cwd: folder});
  },
  async generate() {
    const args = ['-jar', jar, 'generate', '-i', documentFile, '-g', name, '-o', inFolder(name), ...options];
    await run('java', args);
  },
});

/** One environment for all Python code: the generator, and the imports of the clients. */
const python = inFolder('venv', 'bin', 'python');
const pythonPackages = ['openapi-python-client==0.29.1', 'urllib3==2.7.0', 'python-dateutil==2.9.0.post0'];

async function installPython() {
  const stamp = inFolder('venv', '.packages');
  if (existsSync(stamp) && (await readFile(stamp, 'utf8')) === pythonPackages.join()) return;
  await run('python3', ['-m', 'venv', inFolder('venv')]);
  await run(python, ['-m', 'pip', 'install', '-q', ...pythonPackages]);
  await writeFile(stamp, pythonPackages.join());
}

/** Python compiles a module at its import, so all of them are imported. */
async function compilePython(parent: string, module: string, program: string) {
  const script = [
    'import sys, pkgutil, importlib',
    `sys.path.insert(0, ${JSON.stringify(parent)})`,
    `client = importlib.import_module(${JSON.stringify(module)})`,
    'for one in pkgutil.walk_packages(client.__path__, client.__name__ + "."): importlib.import_module(one.name)',
  ].join('\n');
  await run(python, ['-c', script]);
  await cp(path.join(calls, program), path.join(parent, program));
  return [python, path.join(parent, program)] as const;
}

const goModule = inFolder('go');

export const generators: readonly Generator[] = [
  {
    ...openApiGenerator('typescript-fetch', []),
    needs: ['java', 'mvn'],
    output: inFolder('typescript-fetch'),
    async compile() {
      const output = inFolder('typescript-fetch');
      await cp(path.join(calls, 'typescript-fetch.ts.txt'), path.join(output, 'call.ts'));
      const options = '--strict --target es2022 --module esnext --moduleResolution bundler --lib es2022,dom';
      const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
      const nodeTypes = ['--typeRoots', path.join(root, 'node_modules/@types'), '--types', 'node'];
      await run(
        process.execPath,
        [tsc, '--noEmit', '--ignoreConfig', ...options.split(' '), ...nodeTypes, 'call.ts', 'index.ts'],
        {
          cwd: output,
        },
      );
      const {rolldown} = await import('rolldown');
      const bundle = await rolldown({input: path.join(output, 'call.ts'), platform: 'node'});
      await bundle.write({file: path.join(output, 'call.mjs'), format: 'esm'});
      await bundle.close();
      return [process.execPath, path.join(output, 'call.mjs')];
    },
  },
  {
    // Without `webhooks`, which clients do not call: the Python generator writes no types for them.
    ...openApiGenerator('python', ['--global-property', 'models,apis,supportingFiles']),
    needs: ['java', 'mvn', 'python3'],
    output: inFolder('python'),
    async install() {
      await openApiGenerator('python', []).install();
      await installPython();
    },
    compile: () => compilePython(inFolder('python'), 'openapi_client', 'openapi_generator.py'),
  },
  {
    name: 'openapi-python-client',
    version: '0.29.1',
    needs: ['python3'],
    output: inFolder('python-client'),
    install: installPython,
    async generate() {
      await mkdir(inFolder('python-client'), {recursive: true});
      const args = [
        '--path',
        documentFile,
        '--output-path',
        inFolder('python-client', 'standup'),
        '--meta',
        'none',
      ];
      await run(python, ['-m', 'openapi_python_client', 'generate', '--overwrite', ...args]);
    },
    compile: () => compilePython(inFolder('python-client'), 'standup', 'openapi_python_client.py'),
  },
  {
    name: 'oapi-codegen',
    version: '2.8.2',
    needs: ['go'],
    output: inFolder('go', 'standup'),
    async install() {
      if (existsSync(inFolder('bin', 'oapi-codegen'))) return;
      const tool = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2';
      await run('go', ['install', tool], {env: {...process.env, GOBIN: inFolder('bin')}});
    },
    async generate() {
      await mkdir(path.join(goModule, 'standup'), {recursive: true});
      const config = path.join(goModule, 'oapi-codegen.json');
      // Without `skip-prune` it drops schemas that only webhooks refer to, but keeps the references.
      await writeFile(
        config,
        JSON.stringify({
          package: 'standup',
          output: path.join(goModule, 'standup', 'client.go'),
          generate: {models: true, client: true},
          'output-options': {'skip-prune': true},
        }),
      );
      await run(inFolder('bin', 'oapi-codegen'), ['--config', config, documentFile]);
      await writeFile(path.join(goModule, 'go.mod'), 'module example.com/calls\n\ngo 1.24\n');
      await cp(path.join(calls, 'oapi_codegen.go.txt'), path.join(goModule, 'main.go'));
      await run('go', ['get', 'github.com/oapi-codegen/runtime@v1.9.0'], {cwd: goModule});
      await run('go', ['mod', 'tidy'], {cwd: goModule});
    },
    async compile() {
      await cp(path.join(calls, 'oapi_codegen.go.txt'), path.join(goModule, 'main.go'));
      await run('go', ['build', '-o', 'call', '.'], {cwd: goModule});
      return [path.join(goModule, 'call')];
    },
  },
];

/** The programs of a generator that this machine lacks. */
export function lacksOf({needs}: Generator): string[] {
  return needs.filter((program) => findInPath(program) === undefined);
}

/**
 * Generates the client of a document if needed, and compiles it. Returns the command of the program that uses
 * it.
 */
export async function makeClient(generator: Generator, document: string) {
  await mkdir(folder, {recursive: true});
  await writeFile(documentFile, document);
  await generator.install();
  const source = await readFile(path.join(root, 'test', 'clients', 'generators.ts'));
  const stamp = createHash('sha256').update(document).update(source).digest('hex');
  const stampFile = path.join(generator.output, '.stamp');
  if (!existsSync(stampFile) || (await readFile(stampFile, 'utf8')) !== stamp) {
    await rm(generator.output, {recursive: true, force: true});
    await generator.generate();
    await writeFile(stampFile, stamp);
  }
  return generator.compile();
}
