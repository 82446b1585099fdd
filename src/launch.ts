// Starts the programs of this project: loads their code, and makes stack traces show source files.
import {readFileSync} from 'node:fs';
import nodeModule, {type SourceMapPayload} from 'node:module';
import {fileURLToPath} from 'node:url';

/**
 * Runs `load`. Its imports are compiled once for all starts of a build, if the folder is writable. If Node is
 * too old to read the code, it prints one sentence and exits.
 */
export async function launchProgram(load: () => Promise<unknown>): Promise<void> {
  requireSupportedNode(process.versions.node);
  useSourceMapsInTraces();
  nodeModule.enableCompileCache(fileURLToPath(new URL('../.cache/compiled/', import.meta.url)));
  await load();
}

const needed = 24;

function requireSupportedNode(version: string): void {
  const major = Number.parseInt(version, 10);
  if (major === needed) return;
  const next =
    major > needed
      ? 'This one is not tested.'
      : 'Install it (https://nodejs.org, or `nvm install`), then run this again.';
  process.stderr.write(`Node ${needed} is needed; this is Node ${version}. ${next}\n`);
  if (major < needed) process.exit(1);
}

/**
 * Makes stack traces show files of src/. A source map is read when a trace first needs it. Node's own option
 * reads all maps at the start, which takes a third more time and 50 MB.
 */
function useSourceMapsInTraces(): void {
  const maps = new Map<string, nodeModule.SourceMap>();
  const nameSource = (whole: string, file: string, line: string, column: string): string => {
    try {
      const address = `${file}.map`;
      const map = maps.get(file) ?? readSourceMap(address);
      maps.set(file, map);
      const origin = map.findOrigin(Number(line), Number(column));
      if (!('fileName' in origin)) return whole;
      return `${fileURLToPath(new URL(origin.fileName, address))}:${origin.lineNumber}:${origin.columnNumber}`;
    } catch {
      return whole;
    }
  };
  Error.prepareStackTrace = (error, frames: readonly {toString: () => string}[]) => {
    const locations = frames.map((frame) =>
      frame.toString().replace(/(file:\S+?\.js):(\d+):(\d+)/, nameSource),
    );
    // The message is built as Node does it, because a thrown value may have no usable `toString`.
    const headline = Error.prototype.toString.call(error);
    return [headline, ...locations].join('\n    at ');
  };
}

function readSourceMap(address: string): nodeModule.SourceMap {
  return new nodeModule.SourceMap(JSON.parse(readFileSync(new URL(address), 'utf8')) as SourceMapPayload);
}
