// scripts/: plain .mjs code that runs before packages are installed and sources are built. It uses only
// Node's own modules. Code that the running service needs belongs in src/.

/** A problem that a person can fix. Only its message is shown, without a stack trace. */
export class StopError extends Error {}

/** Writes progress messages to stderr, so that stdout has only the command's output. */
export function say(line) {
  process.stderr.write(`${line}\n`);
}

/**
 * Runs the main function of a script. A StopError is shown as one sentence, with exit code 1. Any other error
 * keeps its stack trace.
 */
export async function runLauncher(launch) {
  try {
    await launch();
  } catch (error) {
    say(error instanceof StopError ? error.message : error.stack);
    process.exit(1);
  }
}
