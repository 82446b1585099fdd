import path from 'node:path';
import {packClient} from '../pack-client.mjs';

/** Programs that must be on the machine. */
export const needs = [];
/** Paths of the tests that `--check` runs. */
export const tests = ['test/client/'];

/** Builds the package, ready for `npm pack`. Resolves to its folder and to the command that installs it. */
export async function buildClient() {
  const folder = await packClient();
  return {folder, install: `npm install ./${path.relative(process.cwd(), folder)}`};
}
