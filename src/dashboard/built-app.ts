// The app as Vite has built it: files whose names change with their content, and a manifest of them.
import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {extname} from 'node:path';

export interface BuiltApp {
  /** The elements of the `<head>` that load it, in order. */
  readonly loads: readonly string[];
  /** By name, without a folder. */
  readonly assets: ReadonlyMap<string, Asset>;
}

export interface Asset {
  readonly type: string;
  /** The content as it is, and compressed if the build has made that. */
  readonly forms: readonly AssetForm[];
}

/** `coding`: a value of `Content-Encoding`; undefined for the uncompressed content, which comes last. */
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

/** Best compression first. */
const packings = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

/**
 * Reads the whole build once: some two megabytes. A new build beside a running service takes nothing away
 * from it, and a client that disconnects leaves no open file behind. Undefined when web/ is not built.
 */
export function readBuiltApp(folder: URL): BuiltApp | undefined {
  const manifestFile = new URL('.vite/manifest.json', folder);
  if (!existsSync(manifestFile)) return undefined;
  const manifest = JSON.parse(readFileSync(manifestFile, 'utf8')) as BuildManifest;
  return {loads: listPreloads(manifest), assets: readAssets(new URL('assets/', folder))};
}

/** The part of Vite's manifest that is used: https://vite.dev/guide/backend-integration */
export type BuildManifest = Readonly<Record<string, ManifestChunk>>;

interface ManifestChunk {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
}

/** The early requests first, then everything that the first paint waits for, then the first screen. */
export function listPreloads(manifest: BuildManifest): string[] {
  const main = [...listRequiredChunks(manifest, 'main.tsx')];
  const [entry, ...imported] = main.map(({file}) => file);
  const today = [...listRequiredChunks(manifest, 'today/page.tsx')].filter((chunk) => !main.includes(chunk));
  const styles = new Set([...main, ...today].flatMap(({css = []}) => css));
  const font = Object.keys(manifest).find((name) => name.endsWith('/inter-latin-wght-normal.woff2'));
  return [
    `<script type="module" async src="${assetUrl(manifest['api/boot.ts']?.file)}"></script>`,
    ...[...styles].map((file) => `<link rel="stylesheet" href="${assetUrl(file)}">`),
    `<script type="module" src="${assetUrl(entry)}"></script>`,
    ...[...imported, ...today.map(({file}) => file)].map(
      (file) => `<link rel="modulepreload" href="${assetUrl(file)}">`,
    ),
    ...(font === undefined
      ? []
      : [
          `<link rel="preload" as="font" type="font/woff2" crossorigin href="${assetUrl(manifest[font]?.file)}">`,
        ]),
  ];
}

/** A chunk, and all chunks that it must import before it can run. */
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

function assetUrl(file = ''): string {
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
