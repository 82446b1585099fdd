import {stripVTControlCharacters} from 'node:util';
import {StopError, say} from '../console.mjs';

/** The counts of a test run. Each part of the run adds its own. */
export function createTotal() {
  return {passed: 0, failed: 0, skipped: 0, files: [], failures: []};
}

/** Runs one static step, and counts it like one test. */
export async function countStep(total, name, run) {
  const startedAt = Date.now();
  try {
    await run();
    total.passed += 1;
    say(`✓ ${name} (${Date.now() - startedAt} ms)`);
  } catch (error) {
    if (!(error instanceof StopError)) throw error;
    total.failed += 1;
    total.failures.push({name, message: error.message});
    say(`✗ ${name}: ${error.message}`);
  }
}

/** Prints the failed tests again at the end, where a reader of the log looks first. */
export function sayWhatFailed({failures}) {
  if (failures.length > 0) say('What failed:');
  for (const {name, message} of failures) {
    const lines = stripVTControlCharacters(message).split('\n').slice(0, 12);
    say([`✗ ${name}`, ...lines.map((line) => `    ${line}`)].join('\n'));
  }
}

/** Prints the slowest test files, and the total time of each folder. */
export function sayWhatIsSlow({files}) {
  const slowest = files.toSorted((a, b) => b.seconds - a.seconds).slice(0, 20);
  say('The slowest files:');
  for (const {name, seconds} of slowest) sayTime(seconds, name);
  const folders = new Map();
  for (const {name, seconds} of files) {
    const [, folder] = name.split('/');
    folders.set(folder, (folders.get(folder) ?? 0) + seconds);
  }
  say('All files of a folder, one after the other:');
  for (const [folder, seconds] of [...folders].toSorted(([, a], [, b]) => b - a)) sayTime(seconds, folder);
}

function sayTime(seconds, name) {
  say(`${seconds.toFixed(1).padStart(7)} s  ${name}`);
}

/** Prints the last line of a test run. */
export function sayTotal({passed, failed, skipped}) {
  process.stdout.write(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`);
}
