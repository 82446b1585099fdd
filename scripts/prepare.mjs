import {existsSync} from 'node:fs';
import path from 'node:path';
import {ensureWebBuiltIfPossible} from './compile-web.mjs';
import {ensureBuild, isBuilt} from './compile.mjs';
import {StopError} from './console.mjs';
import {ensurePackages} from './packages.mjs';
import {root} from './paths.mjs';

/**
 * Installs packages and builds dist/ before a run. A built production installation needs no devDependencies
 * and gets none. `web`: also builds the dashboard, if its build tools are installed.
 */
export async function ensureRunnable({web = false} = {}) {
  await ensurePackages({withTools: !(isProduction() && isBuilt())});
  await Promise.all([ensureBuild(), web && ensureWebBuiltIfPossible()]);
}

/**
 * Reads `.env` except in production, where only the environment counts. Variables that are already set stay.
 */
export function readEnvFile() {
  const file = path.join(root, '.env');
  if (isProduction() || !existsSync(file)) return;
  try {
    process.loadEnvFile(file);
  } catch (error) {
    throw new StopError(`.env could not be read: ${error.message}`);
  }
}

/** Throws a StopError for an unknown NODE_ENV, because development allows access that production denies. */
export function isProduction() {
  const mode = process.env.NODE_ENV || 'development';
  if (modes.includes(mode)) return mode === 'production';
  throw new StopError(`NODE_ENV: must be one of ${modes.join(', ')}; leave it out for development.`);
}

/** The accepted values of NODE_ENV, as in src/config/environment.ts. */
const modes = ['production', 'development', 'test'];
