import {existsSync} from 'node:fs';
import path from 'node:path';
import {ensureWebIfPossible} from './compile-web.mjs';
import {ensureBuild, isBuilt} from './compile.mjs';
import {StopError} from './console.mjs';
import {ensurePackages} from './packages.mjs';
import {root} from './paths.mjs';

/**
 * Packages and build, for what runs dist/. A production installation that is built has no devDependencies and
 * gets none. `web`: the dashboard too, as far as there are the tools for it.
 */
export async function ensureRunnable({web = false} = {}) {
  await ensurePackages({withTools: !(isProduction() && isBuilt())});
  await Promise.all([ensureBuild(), web && ensureWebIfPossible()]);
}

/** Reads `.env` unless this is production, where the environment alone counts. What is set already stays. */
export function readEnvFile() {
  const file = path.join(root, '.env');
  if (isProduction() || !existsSync(file)) return;
  try {
    process.loadEnvFile(file);
  } catch (error) {
    throw new StopError(`.env could not be read: ${error.message}`);
  }
}

/** Throws a StopError for a value that nobody can mean: development opens what production keeps shut. */
export function isProduction() {
  const mode = process.env.NODE_ENV || 'development';
  if (modes.includes(mode)) return mode === 'production';
  throw new StopError(`NODE_ENV: must be one of ${modes.join(', ')}; leave it out for development.`);
}

/** As in src/config/environment.ts. */
const modes = ['production', 'development', 'test'];
