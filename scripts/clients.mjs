import {readdirSync} from 'node:fs';
import path from 'node:path';
import {StopError, runLauncher, say} from './console.mjs';
import {ensurePackages} from './packages.mjs';
import {findInPath, root} from './paths.mjs';
import {runCommand} from './run-command.mjs';

const folder = path.join(root, 'scripts', 'clients');
/** Each language is a file that exports `needs`, `tests` and `buildClient`: see clients/ts.mjs. */
const languages = readdirSync(folder).map((file) => path.basename(file, '.mjs'));

/**
 * `npm run clients -- LANGUAGE`: builds a client as a package in .cache; without a language, all of them.
 * `--check` also runs its tests against the service; without a language, those of other generators too.
 */
await runLauncher(async () => {
  const args = process.argv.slice(2);
  const check = args.includes('--check');
  const named = args.filter((arg) => arg !== '--check');
  const unknown = named.find((arg) => !languages.includes(arg));
  if (unknown !== undefined)
    throw new StopError(`Unknown: ${unknown}. Usage: npm run clients -- ${languages.join('|')} [--check]`);
  await ensurePackages();
  const all = named.length === 0;
  const files = all ? ['test/clients/'] : [];
  for (const language of all ? languages : named) {
    const {needs, tests, buildClient} = await import(`./clients/${language}.mjs`);
    const lacks = needs.filter((program) => findInPath(program) === undefined);
    if (lacks.length > 0) {
      say(`Skipped ${language}: this machine has no ${lacks.join(', ')}.`);
      continue;
    }
    const built = await buildClient();
    say(`The client is in ${path.relative(process.cwd(), built.folder)}: ${built.install}`);
    files.push(...tests);
  }
  if (!check || files.length === 0) return;
  const test = path.join(root, 'scripts', 'test.mjs');
  process.exitCode = await runCommand(process.execPath, [test, '--runInBand', ...files], {cwd: root});
});
