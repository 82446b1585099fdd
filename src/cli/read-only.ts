import type {Command} from 'commander';
import {notFound} from '../domain/core/errors.js';
import type {WithSession} from './session.js';

/** Adds the commands that make a workspace read-only, and end that. */
export function addReadOnlyCommands(workspace: Command, withSession: WithSession): void {
  workspace
    .command('freeze')
    .argument('<workspace>', 'the slug or id of the workspace')
    .description('make a workspace read-only: people and programs can read, and all background work waits')
    .action((reference: string) =>
      withSession(async ({chooseWorkspace, frozen, print, deadline}) => {
        const {id, slug} = await chooseWorkspace(reference);
        const since = await frozen.freeze(id, deadline());
        if (since === undefined) throw notFound('workspace');
        print(
          `${slug} is read-only since ${new Date(since).toISOString()}. End this with: standup-admin workspace thaw ${slug}\n`,
        );
      }),
    );
  workspace
    .command('thaw')
    .argument('<workspace>', 'the slug or id of the workspace')
    .description('end the read-only state of a workspace: what has waited goes on within seconds')
    .action((reference: string) =>
      withSession(async ({chooseWorkspace, frozen, print, warn, deadline}) => {
        const {id, slug} = await chooseWorkspace(reference);
        const before = await frozen.thaw(id, deadline());
        if (before === 'removing') {
          warn(`${slug} is being removed, so it stays read-only: repeat the removal.\n`);
          return;
        }
        print(before === 'open' ? `${slug} was not read-only\n` : `${slug} works again\n`);
        if (before === 'exported') {
          warn(
            `It was exported in the meantime. If that file is imported elsewhere, both copies go on from here: messages and deliveries go out twice.\n`,
          );
        }
      }),
    );
}
