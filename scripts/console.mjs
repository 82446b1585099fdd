// scripts/: code that runs before the packages are installed and the source is built; plain .mjs, Node's own
// modules only. Not here: anything the running service needs (that is src/).

/** A problem that a person can fix: shown as its message alone, without a stack trace. */
export class StopError extends Error {}

/** Writes progress to stderr, so that stdout has only the command's output. */
export function say(line) {
  process.stderr.write(`${line}\n`);
}

/**
 * Runs a launcher; a StopError becomes one clear sentence and exit code 1, any other error keeps its trace.
 */
export async function runLauncher(launch) {
  try {
    await launch();
  } catch (error) {
    say(error instanceof StopError ? error.message : error.stack);
    process.exit(1);
  }
}
