import type {Command} from 'commander';
import {AppError} from '../domain/core/errors.js';
import {formatTable} from '../domain/core/table.js';
import type {WithSession} from './session.js';

export function addKeyCommands(program: Command, withSession: WithSession): void {
  const keys = program.command('keys').description('list and replace the keys that sign access tokens');
  keys
    .command('list')
    .description('list the keys that sign or verify access tokens')
    .action(() =>
      withSession(async ({signingKeys, print, deadline}) => {
        const all = await signingKeys.list(deadline());
        const rows = all.map(({kid, since, until}) => [
          kid,
          Number.isFinite(until) ? 'verifies' : 'signs',
          new Date(since).toISOString(),
          Number.isFinite(until) ? new Date(until).toISOString() : '',
        ]);
        print(formatTable(['KEY', 'STATE', 'SINCE', 'UNTIL'], rows));
      }),
    );
  keys
    .command('rotate')
    .description('sign new tokens with a new key and print its id; older tokens stay valid until they expire')
    .action(() =>
      withSession(async ({signingKeys, print, deadline}) => {
        const {kid} = await signingKeys.rotate(deadline());
        print(`${kid}\n`);
      }),
    );
  keys
    .command('drop')
    .argument('<key>', 'id of the key; `standup-admin keys list` lists them')
    .description('delete a leaked key: every token that it has signed is rejected from then on')
    .action((kid: string) =>
      withSession(async ({signingKeys, print, deadline}) => {
        if (!(await signingKeys.drop(kid, deadline())))
          throw new AppError('not_found', 'There is no such key. To list the keys: standup-admin keys list');
        print(`${kid}\n`);
      }),
    );
  keys
    .command('reencrypt')
    .description(
      'encrypt everything again after a change of SECRET_KEY, so that SECRET_KEY_PREVIOUS is no longer needed',
    )
    .action(() =>
      withSession(async ({reencrypt, print}) => {
        const {rewritten, unreadable} = await reencrypt();
        if (unreadable > 0) {
          const what = unreadable === 1 ? 'One secret opens' : `${unreadable} secrets open`;
          throw new AppError(
            'store_lost',
            `${what} neither with SECRET_KEY nor with SECRET_KEY_PREVIOUS: keep both, and find the key between them.`,
          );
        }
        print(`${rewritten} encrypted again; SECRET_KEY_PREVIOUS is no longer needed\n`);
      }),
    );
}
