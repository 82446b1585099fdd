import {Argument, type Command, Option} from 'commander';
import {parseWire} from '../domain/core/resource.js';
import {limits} from '../domain/core/limits.js';
import {isEmailAddress, findTextError} from '../domain/core/text.js';
import {type Member, type MemberRole, memberRoles} from '../domain/workspaces/workspace.js';
import {formatTable} from '../domain/core/table.js';
import type {Session, WithSession} from './session.js';
import {UsageError} from './usage.js';

interface CreateMemberOptions {
  readonly name?: string;
  readonly role: MemberRole;
  readonly workspace?: string;
}

interface InWorkspace {
  readonly workspace?: string;
}

export function addMemberCommands(program: Command, withSession: WithSession): void {
  const member = program
    .command('member')
    .description('add, list, promote and remove the members of a workspace');
  member
    .command('create')
    .argument('<email>', 'the e-mail address of the member')
    .option('--name <name>', 'the name of the member (default: the part before the @)')
    .addOption(new Option('--role <role>', 'the role').choices(memberRoles).default('member'))
    .option('--workspace <slug>', 'slug or id of the workspace; required only if there are several')
    .description(
      'add a member and print their id; `standup-admin login --member EMAIL` prints a link for them',
    )
    .action((email: string, {name, role, workspace}: CreateMemberOptions) => {
      const person = parsePersonArguments(email, name);
      return withSession(async ({services, print, chooseWorkspace, call}) => {
        const operator = call(await chooseWorkspace(workspace));
        const {body} = await services.members.createMember(operator, {...person, role});
        print(`${parseWire(body).id}\n`);
      });
    });
  member
    .command('list')
    .option('--workspace <slug>', 'slug or id of the workspace; required only if there are several')
    .description('list the members of a workspace')
    .action(({workspace}: InWorkspace) =>
      withSession(async (session) => {
        const rows: string[][] = [];
        for await (const {name, email, role, slack_user_id: slackUser, id} of readAllMembers(
          session,
          workspace,
        ))
          rows.push([name, email ?? '-', role, slackUser ?? '-', id]);
        session.print(
          formatTable(
            ['NAME', 'E-MAIL', 'ROLE', 'SLACK USER', 'ID'],
            rows,
            'There is no member yet. Add one: standup-admin member create EMAIL',
          ),
        );
      }),
    );
  member
    .command('role')
    .argument('<member>', 'e-mail address, id or Slack user')
    .addArgument(new Argument('<role>', 'the new role').choices(memberRoles))
    .option('--workspace <slug>', 'slug or id of the workspace; required only if there are several')
    .description('change the role of a member')
    .action((reference: string, role: MemberRole, {workspace}: InWorkspace) =>
      withSession(async ({services, print, chooseWorkspace, call}) => {
        const operator = call(await chooseWorkspace(workspace));
        const {id} = await services.people.findMember(operator, reference);
        await services.members.changeMember(operator, id, {role});
        print(`${id} ${role}\n`);
      }),
    );
  member
    .command('remove')
    .argument('<member>', 'e-mail address, id or Slack user')
    .option('--workspace <slug>', 'slug or id of the workspace; required only if there are several')
    .description('remove a member at once, with their tokens and sessions; their standups are kept')
    .action((reference: string, {workspace}: InWorkspace) =>
      withSession(async ({services, print, chooseWorkspace, call}) => {
        const operator = call(await chooseWorkspace(workspace));
        const {id} = await services.people.findMember(operator, reference);
        await services.members.deleteMember(operator, id, {erase: false});
        print(`removed ${id}\n`);
      }),
    );
}

/** Reads all members, newest first, page by page. */
async function* readAllMembers(
  {services, chooseWorkspace, call}: Session,
  workspace: string | undefined,
): AsyncGenerator<Member> {
  const chosen = await chooseWorkspace(workspace);
  let past: number | undefined;
  do {
    const page = await services.members.listMembers(call(chosen), {limit: limits.pageMax, past});
    yield* page.rows.map(parseWire);
    past = page.next;
  } while (past !== undefined);
}

/** Reads a person's email address and name from the arguments. Errors: `UsageError`. */
export function parsePersonArguments(
  email: string,
  name = email.split('@')[0] ?? '',
): {name: string; email: string} {
  if (!isEmailAddress(email))
    throw new UsageError(`"${email}" is not an e-mail address such as ada@example.com.`);
  const error = findTextError(name, limits.name);
  if (error !== undefined) throw new UsageError(`The name of the person ${error}.`);
  return {name: name.trim(), email};
}
