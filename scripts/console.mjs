// scripts/: what must run before the packages are installed and the source is built; plain .mjs, Node's own modules only.
// Not here: anything the running service needs (that is src/).

/** A problem a person can act on: shown as its message alone, without a stack trace. */
export class StopError extends Error {}

/** Progress goes to stderr, so that stdout carries only what a command answers. */
export function say(line) {
  process.stderr.write(`${line}\n`);
}

/** Runs a launcher; a StopError becomes one clear sentence and exit code 1, anything else keeps its trace. */
export async function runLauncher(launch) {
  try {
    await launch();
  } catch (error) {
    say(error instanceof StopError ? error.message : error.stack);
    process.exit(1);
  }
}
