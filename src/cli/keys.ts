import type {Command} from 'commander';
import {table, type WithSession} from './session.js';

export function addKeyCommands(program: Command, withSession: WithSession): void {
  const keys = program.command('keys').description('list and replace the keys that sign access tokens');
  keys
    .command('list')
    .description('list the keys that sign or verify')
    .action(() =>
      withSession(async ({signingKeys, print, deadline}) => {
        const all = await signingKeys.list(deadline());
        const rows = all.map(({kid, since, until}) => [
          kid,
          Number.isFinite(until) ? 'verifies' : 'signs',
          since === 0 ? 'unknown' : new Date(since).toISOString(),
          Number.isFinite(until) ? new Date(until).toISOString() : '',
        ]);
        print(table(['KEY', 'STATE', 'SINCE', 'UNTIL'], rows));
      }),
    );
  keys
    .command('rotate')
    .description('sign new tokens with a new key and print its id; older tokens stay good until they expire')
    .action(() =>
      withSession(async ({signingKeys, print, deadline}) => {
        const {kid} = await signingKeys.rotate(deadline());
        print(`${kid}\n`);
      }),
    );
}
