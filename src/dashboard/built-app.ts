// Reads the dashboard as Vite has built it: a manifest, and files whose names contain a hash of their
// content.
import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {extname} from 'node:path';

export interface BuiltApp {
  /** The elements for the page's `<head>` that load the app, in order. */
  readonly loads: readonly string[];
  /** The files by name, without their folder. */
  readonly assets: ReadonlyMap<string, Asset>;
  /** The script of the service worker. Its name has no hash, because browsers look there for a new one. */
  readonly worker: Buffer;
}

export interface Asset {
  readonly type: string;
  /** The content of a file: compressed if the build has done that, and uncompressed. */
  readonly forms: readonly AssetForm[];
}

/** One form of a file. `coding`: its `Content-Encoding`, undefined for the uncompressed form (last). */
export interface AssetForm {
  readonly coding: 'br' | 'gzip' | undefined;
  readonly content: Buffer;
}

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** File endings of compressed forms, the best compression first. */
const packings = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

/**
 * Reads all built files once, about two megabytes. So a new build does not disturb a running service, and
 * slow clients hold no open files. Undefined when web/ is not built.
 */
export function readBuiltApp(folder: URL): BuiltApp | undefined {
  const manifestFile = new URL('.vite/manifest.json', folder);
  if (!existsSync(manifestFile)) return undefined;
  const manifest = JSON.parse(readFileSync(manifestFile, 'utf8')) as BuildManifest;
  return {
    loads: listPreloads(manifest),
    assets: readAssets(new URL('assets/', folder)),
    worker: readFileSync(new URL('worker.js', folder)),
  };
}

/** The parts of Vite's manifest that are used: https://vite.dev/guide/backend-integration */
export type BuildManifest = Readonly<Record<string, ManifestChunk>>;

interface ManifestChunk {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
}

/** Lists what a browser loads early: requests for data, the first paint, then the first screen. */
export function listPreloads(manifest: BuildManifest): string[] {
  const main = [...listRequiredChunks(manifest, 'main.tsx')];
  const [entry, ...imported] = main.map(({file}) => file);
  const today = [...listRequiredChunks(manifest, 'today/page.tsx')].filter((chunk) => !main.includes(chunk));
  const styles = new Set([...main, ...today].flatMap(({css = []}) => css));
  const font = Object.keys(manifest).find((name) => name.endsWith('/inter-latin-wght-normal.woff2'));
  return [
    `<script type="module" async src="${createAssetUrl(manifest['api/boot.ts']?.file)}"></script>`,
    ...[...styles].map((file) => `<link rel="stylesheet" href="${createAssetUrl(file)}">`),
    `<script type="module" src="${createAssetUrl(entry)}"></script>`,
    ...[...imported, ...today.map(({file}) => file)].map(
      (file) => `<link rel="modulepreload" href="${createAssetUrl(file)}">`,
    ),
    ...(font === undefined
      ? []
      : [
          `<link rel="preload" as="font" type="font/woff2" crossorigin href="${createAssetUrl(manifest[font]?.file)}">`,
        ]),
  ];
}

/** Returns a chunk and all chunks that it imports directly or indirectly. */
function listRequiredChunks(
  manifest: BuildManifest,
  name: string,
  seen = new Set<ManifestChunk>(),
): Set<ManifestChunk> {
  const chunk = manifest[name];
  if (chunk === undefined || seen.has(chunk)) return seen;
  seen.add(chunk);
  for (const imported of chunk.imports ?? []) listRequiredChunks(manifest, imported, seen);
  return seen;
}

function createAssetUrl(file = ''): string {
  return `/app/${file}`;
}

function readAssets(folder: URL): Map<string, Asset> {
  const names = new Set(readdirSync(folder));
  const read = (name: string): Buffer => readFileSync(new URL(name, folder));
  const assets = new Map<string, Asset>();
  for (const name of names) {
    const type = types[extname(name)];
    if (type === undefined) continue;
    const packed = packings.filter(([, ending]) => names.has(`${name}${ending}`));
    assets.set(name, {
      type,
      forms: [
        ...packed.map(([coding, ending]) => ({coding, content: read(`${name}${ending}`)})),
        {coding: undefined, content: read(name)},
      ],
    });
  }
  return assets;
}
