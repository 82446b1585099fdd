import type {Command} from 'commander';
import {parseWire} from '../domain/core/resource.js';
import type {WithSession} from './session.js';
import {CommandError} from './usage.js';

export function addLoginCommand(program: Command, withSession: WithSession): void {
  program
    .command('login')
    .option('--member <email|id>', 'the member to sign in (default: the first owner)')
    .option('--workspace <slug>', 'slug or id of the workspace; required only if there are several')
    .description('print a link that signs a member in to the dashboard; it works once, within 10 minutes')
    .action(({member, workspace}: {member?: string; workspace?: string}) =>
      withSession(async ({services, print, chooseWorkspace, call}) => {
        const operator = call(await chooseWorkspace(workspace));
        const person =
          member === undefined
            ? await services.people.findOwner(operator)
            : await services.people.findMember(operator, member);
        if (person === undefined) {
          throw new CommandError(
            'There is no owner yet. Create one: standup-admin member create EMAIL --role owner, or name a member with --member.',
          );
        }
        const {body} = await services.sessions.createSignInLink(operator, {member: person.id});
        const {url} = parseWire(body);
        print(`${url}\n`);
      }),
    );
}
