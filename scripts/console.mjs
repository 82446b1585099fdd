// scripts/: what must run before the packages are installed and the source is built; plain .mjs, Node's own modules only.
// Not here: anything the running service needs (that is src/).
import {readFileSync} from 'node:fs';
import path from 'node:path';
import {root} from './paths.mjs';

/** A problem a person can act on: shown as its message alone, without a stack trace. */
export class StopError extends Error {}

/** Progress goes to stderr, so that stdout carries only what a command answers. */
export function say(line) {
  process.stderr.write(`${line}\n`);
}

/** Runs a launcher; a StopError becomes one clear sentence and exit code 1, anything else keeps its trace. */
export async function runLauncher(launch) {
  try {
    checkNodeVersion();
    await launch();
  } catch (error) {
    say(error instanceof StopError ? error.message : error.stack);
    process.exit(1);
  }
}

/** Throws a StopError when this Node is older than package.json's `engines`. */
export function checkNodeVersion(version = process.versions.node) {
  const {engines} = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const [major, minor] = engines.node.match(/\d+/g).map(Number);
  const [ownMajor, ownMinor] = version.split('.').map(Number);
  if (ownMajor > major || (ownMajor === major && ownMinor >= minor)) return;
  throw new StopError(`Node ${major}.${minor} or newer is needed; this is Node ${version}.`);
}
