import type {Command} from 'commander';
import {limits} from '../domain/core/limits.js';
import {textFault} from '../domain/core/text.js';
import {table, type WithSession} from './session.js';
import {UsageError} from './usage.js';

export function addWorkspaceCommands(program: Command, withSession: WithSession): void {
  const workspace = program.command('workspace').description('make and list workspaces');
  workspace
    .command('create')
    .argument('<name>', 'what people call it; the slug is made from it')
    .description('make a workspace and print its slug')
    .action((name: string) => {
      const fault = textFault(name, limits.name);
      if (fault !== undefined) throw new UsageError(`The name ${fault}.`);
      return withSession(async ({services, print, deadline}) => {
        const made = await services.workspaces.createWorkspace(name, deadline());
        print(`${made.slug}\n`);
      });
    });
  workspace
    .command('list')
    .description('list the workspaces')
    .action(() =>
      withSession(async ({services, print, deadline}) => {
        const all = await services.workspaces.listWorkspaces(deadline());
        print(
          table(
            ['SLUG', 'NAME', 'ID', 'CREATED'],
            all.map((one) => [one.slug, one.name, one.id, one.created_at]),
          ),
        );
      }),
    );
}
