import type {Command} from 'commander';
import type {ListedProcess, WithSession} from './session.js';
import {CommandError} from './usage.js';

/** Adds the command that raises the format of the data. */
export function addDataCommands(program: Command, withSession: WithSession): void {
  program
    .command('data')
    .description('manage the format of the data')
    .command('upgrade')
    .description(
      'let the service write the newest data format of this version, once all processes read it; afterwards versions that do not read it no longer start',
    )
    .action(() =>
      withSession(async ({data: {found, newest, raise}, print, deadline}) => {
        if (found === newest) {
          print(`The data already has format ${found}, the newest of this version.\n`);
          return;
        }
        const tooOld = await raise(deadline());
        if (tooOld.length > 0) {
          throw new CommandError(
            `These processes do not read format ${newest}: ${tooOld.map(showProcess).join(', ')}. Replace them by this version, then repeat the command. Nothing was changed.`,
          );
        }
        print(`The data now has format ${newest}. Versions that do not read it no longer start.\n`);
      }),
    );
}

/** Shows where a process runs, and its version. */
export function showProcess({location, version}: ListedProcess): string {
  return version === undefined ? `${location} (an older version)` : `${location} (version ${version})`;
}
