import type {Command} from 'commander';
import {parseWire} from '../domain/core/resource.js';
import {limits} from '../domain/core/limits.js';
import {findTextError} from '../domain/core/text.js';
import {firstWorkspaceCommand} from '../domain/workspaces/workspace.js';
import {parsePersonArguments} from './member.js';
import {addMoveCommands} from './move.js';
import {addReadOnlyCommands} from './read-only.js';
import {formatTable} from '../domain/core/table.js';
import type {WithSession} from './session.js';
import {UsageError} from './usage.js';

interface CreateWorkspaceOptions {
  readonly owner?: string;
  readonly ownerName?: string;
}

export function addWorkspaceCommands(program: Command, withSession: WithSession): void {
  const workspace = program.command('workspace').description('create, list and move workspaces');
  workspace
    .command('create')
    .argument('<name>', 'the name of the workspace; the slug is made from it')
    .option(
      '--owner <email>',
      'create the first owner, and print a link that signs them in, once, within 10 minutes',
    )
    .option('--owner-name <name>', 'the name of the owner (default: the part before the @)')
    .description('create a workspace and print its slug; with --owner, print a sign-in link on the next line')
    .action((name: string, {owner, ownerName}: CreateWorkspaceOptions) => {
      const error = findTextError(name, limits.name);
      if (error !== undefined) throw new UsageError(`The name ${error}.`);
      if (owner === undefined && ownerName !== undefined)
        throw new UsageError('--owner-name needs --owner, the e-mail address of the owner.');
      const person = owner === undefined ? undefined : parsePersonArguments(owner, ownerName);
      return withSession(async ({services, print, warn, deadline, call}) => {
        const made = await services.workspaces.createWorkspace(name, deadline());
        print(`${made.slug}\n`);
        if (person === undefined) {
          warn(
            `It has no owner yet. Create one: standup-admin member create EMAIL --role owner --workspace ${made.slug}\n` +
              `Then print a link that signs them in: standup-admin login --workspace ${made.slug}\n`,
          );
          return;
        }
        const operator = call(made);
        const {body} = await services.members.createMember(operator, {...person, role: 'owner'});
        const link = await services.sessions.createSignInLink(operator, {member: parseWire(body).id});
        print(`${parseWire(link.body).url}\n`);
        warn(
          `Open the link within 10 minutes: it signs ${person.email} in as the owner, once. ` +
            `Another one: standup-admin login --member ${person.email} --workspace ${made.slug}\n`,
        );
      });
    });
  workspace
    .command('list')
    .description('list the workspaces')
    .action(() =>
      withSession(async ({services, frozen, print, deadline}) => {
        const all = await services.workspaces.listWorkspaces(deadline());
        const states = await Promise.all(
          all.map(async ({id}) => ((await frozen.isFrozen(id, deadline())) ? 'read-only' : '')),
        );
        print(
          formatTable(
            ['SLUG', 'NAME', 'ID', 'CREATED', 'STATE'],
            all.map((one, i) => [one.slug, one.name, one.id, one.created_at, states[i] ?? '']),
            `There is no workspace yet. Create one: ${firstWorkspaceCommand}`,
          ),
        );
      }),
    );
  addReadOnlyCommands(workspace, withSession);
  addMoveCommands(workspace, withSession);
}
