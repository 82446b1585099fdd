import {gzipSync} from 'node:zlib';

type AssetKind = 'js' | 'css';

export interface Weights {
  /** The compressed size of the files of one kind, in bytes. */
  weigh(paths: readonly string[], kind: AssetKind): Promise<number>;
  /** Scripts and styles of the frame, and also those of the board, which the page preloads. */
  namedFiles(): Promise<{first: string[]; board: string[]}>;
}

/** Measures the dashboard files that a service serves. */
export function createWeights(origin: string): Weights {
  const packed = new Map<string, Promise<number>>();

  const asset = async (path: string): Promise<string> =>
    (await fetch(`${origin}${path}`, {headers: {'accept-encoding': 'identity'}})).text();

  function weightOf(path: string): Promise<number> {
    const known = packed.get(path) ?? asset(path).then((text) => gzipSync(text).length);
    packed.set(path, known);
    return known;
  }

  async function weigh(paths: readonly string[], kind: AssetKind): Promise<number> {
    const weights = await Promise.all(paths.filter((path) => path.endsWith(`.${kind}`)).map(weightOf));
    return weights.reduce((sum, bytes) => sum + bytes, 0);
  }

  /** These files, and the files that they import statically. */
  async function withImports(files: Iterable<string>): Promise<string[]> {
    const all = new Set(files);
    for (const file of all) {
      if (!file.endsWith('.js')) continue;
      const imports = (await asset(file)).matchAll(
        /(?:^|[;}\s])import(?:[^"'()]*?from)?\s*["']\.\/([^"']+)["']/g,
      );
      for (const [, name] of imports) all.add(`/app/assets/${name}`);
    }
    return [...all];
  }

  async function namedFiles(): Promise<{first: string[]; board: string[]}> {
    const page = await asset('/app/');
    const named = (tags: RegExp) => [...page.matchAll(tags)].map(([, file = '']) => file);
    const first = named(/<(?:script|link rel="stylesheet")[^>]*(?:src|href)="(\/app\/assets\/[^"]+)"/g);
    const board = named(/(?:src|href)="(\/app\/assets\/[^"]+\.(?:js|css))"/g);
    return {first: await withImports(first), board: await withImports(board)};
  }

  return {weigh, namedFiles};
}
