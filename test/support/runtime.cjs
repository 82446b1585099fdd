const {readFileSync, existsSync} = require('node:fs');
const path = require('node:path');
const {pathToFileURL} = require('node:url');
const {SourceTextModule, SyntheticModule} = require('node:vm');

const root = path.resolve(__dirname, '../..');
const transformed = {
  isInternalModule: false,
  supportsDynamicImport: true,
  supportsExportNamespaceFrom: true,
  supportsStaticESM: true,
  supportsTopLevelAwait: true,
};

/**
 * Modules that all test files share, since they read the OpenAPI document, whose schemas take 0.3 s to
 * compile. They hold no state of one test file. A change that a test makes for its service is dropped when
 * the service closes.
 */
const shared = new Map(
  ['contract.ts', 'api-document.ts', 'strict-document.ts'].map((name) => [
    path.join(__dirname, name),
    undefined,
  ]),
);

/** Source maps by file, for all test files: an error in a shared module needs the module's source map too. */
const sourceMaps = new Map();

/**
 * Loads test files for Jest. Jest's own runtime evaluates every module of the service again for each test
 * file, which takes half the time of a run. This runtime does so only for files of `test/` that are not
 * `shared`. Node loads everything else once for each worker: packages, and the service's modules that
 * `ensureModules` of scripts/compile.mjs has compiled. That is safe because no module of the service holds
 * state (`test/rules/layers.test.ts`). Module mocks are not supported.
 */
module.exports = class Runtime {
  constructor(config, environment, resolver, transformer, cacheFS) {
    this.environment = environment;
    this.transformer = transformer;
    this.cacheFS = cacheFS;
    this.modules = new Map();
  }

  unstable_shouldLoadAsEsm() {
    return true;
  }

  async unstable_importModule(file) {
    const module = this.testModule(file);
    await module.link((specifier, from) => this.resolve(specifier, from.identifier));
    await module.evaluate();
    return module;
  }

  /**
   * Loads a module below test/, evaluated once for this test file or, if the module is shared, for this
   * worker.
   */
  testModule(file) {
    const known = this.modules.get(file) ?? shared.get(file);
    if (known !== undefined) return known;
    const source = this.cacheFS.get(file) ?? readFileSync(file, 'utf8');
    const {code, sourceMapPath} = this.transformer.transform(file, transformed, source);
    if (sourceMapPath) sourceMaps.set(file, sourceMapPath);
    const module = new SourceTextModule(code, {
      identifier: file,
      initializeImportMeta: (meta) => void Object.assign(meta, {url: pathToFileURL(file).href}),
      importModuleDynamically: (specifier) => this.importFrom(specifier, file),
    });
    (shared.has(file) ? shared : this.modules).set(file, module);
    return module;
  }

  async importFrom(specifier, from) {
    const module = await this.resolve(specifier, from);
    if (module.status === 'unlinked')
      await module.link((name, parent) => this.resolve(name, parent.identifier));
    if (module.status === 'linked') await module.evaluate();
    return module.namespace;
  }

  resolve(specifier, from) {
    if (specifier === '@jest/globals') return this.outside(specifier, async () => this.globals);
    if (!specifier.startsWith('.')) return this.outside(specifier, () => import(specifier));
    const file = path.resolve(path.dirname(from), specifier);
    const source = file.replace(/\.js$/, '.ts');
    if (!file.startsWith(path.join(root, 'src') + path.sep)) {
      // Files of web/ import each other with the ending `.ts`.
      if (source.endsWith('.ts') && existsSync(source)) return this.testModule(source);
      return this.outside(file, () => import(pathToFileURL(file).href));
    }
    const built = path.join(root, '.cache', 'modules', path.relative(path.join(root, 'src'), file));
    return this.outside(built, () => import(pathToFileURL(built).href));
  }

  async outside(name, load) {
    const known = this.modules.get(name);
    if (known !== undefined) return known;
    const exported = await load();
    const again = this.modules.get(name);
    if (again !== undefined) return again;
    const names = Object.keys(exported);
    const module = new SyntheticModule(
      names,
      () => {
        for (const key of names) module.setExport(key, exported[key]);
      },
      {identifier: name},
    );
    this.modules.set(name, module);
    return module;
  }

  /**
   * Loads Jest's own modules. Jest's state belongs to one test file, so the module that holds it is loaded
   * again.
   */
  requireInternalModule(file) {
    delete require.cache[file];
    delete globalThis[Symbol.for('EVENT_HANDLERS')];
    return require(file);
  }

  requireModule(file) {
    return require(file);
  }

  setGlobalsForRuntime(globals) {
    this.globals = globals;
  }

  getSourceMaps() {
    return sourceMaps;
  }

  getAllCoverageInfoCopy() {
    return undefined;
  }

  enterTestCode() {}

  leaveTestCode() {}

  teardown() {
    this.modules.clear();
  }
};
