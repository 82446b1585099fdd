import type {Command} from 'commander';
import {isTimezone} from '../domain/core/dates.js';
import {limits} from '../domain/core/limits.js';
import {isSlug, findTextError} from '../domain/core/text.js';
import {UsageError} from './usage.js';
import {formatTable} from '../domain/core/table.js';
import type {WithSession} from './session.js';

interface CreateTeamOptions {
  readonly name?: string;
  readonly timezone?: string;
  readonly workspace?: string;
}

export function addTeamCommands(program: Command, withSession: WithSession): void {
  const team = program.command('team').description('create and list teams');
  team
    .command('create')
    .argument('<slug>', 'lower-case letters, digits and inner dashes')
    .option('--name <name>', 'the name of the team (default: the slug)')
    .option('--timezone <zone>', 'IANA zone, such as Europe/Berlin (default: UTC)')
    .option('--workspace <slug>', 'slug or id of the workspace; required only if there are several')
    .description('create a team and print its slug')
    .action((slug: string, options: CreateTeamOptions) => {
      requireValidTeam(slug, options);
      return withSession(async ({services, print, chooseWorkspace, call}) => {
        const operator = call(await chooseWorkspace(options.workspace));
        // The owner joins the new team, so that the owner's token can post to it at once.
        const owner = await services.people.findOwner(operator);
        const {name, timezone} = options;
        await services.teams.createTeam(
          {...operator, principal: owner ?? operator.principal},
          {slug, name, timezone},
        );
        print(`${slug}\n`);
      });
    });
  team
    .command('list')
    .option('--workspace <slug>', 'slug or id of the workspace; required only if there are several')
    .description('list the teams')
    .action(({workspace}: {workspace?: string}) =>
      withSession(async ({services, print, chooseWorkspace, call}) => {
        const {teams} = await services.teams.findDirectory(call(await chooseWorkspace(workspace)));
        const rows = teams.map(({slug, name, timezone, slack_channel_id, id}) => [
          slug,
          name,
          timezone,
          slack_channel_id ?? '-',
          id,
        ]);
        print(
          formatTable(
            ['SLUG', 'NAME', 'TIME ZONE', 'SLACK CHANNEL', 'ID'],
            rows,
            'There is no team yet. Create one: standup-admin team create SLUG',
          ),
        );
      }),
    );
}

function requireValidTeam(slug: string, {name, timezone}: CreateTeamOptions): void {
  if (!isSlug(slug, limits.slug)) {
    throw new UsageError(
      `"${slug}" is not a slug: use up to ${limits.slug} lower-case letters, digits and inner dashes.`,
    );
  }
  const error = name === undefined ? undefined : findTextError(name, limits.name);
  if (error !== undefined) throw new UsageError(`--name ${error}.`);
  if (timezone !== undefined && !isTimezone(timezone)) {
    throw new UsageError(`"${timezone}" is not an IANA time zone such as Europe/Berlin.`);
  }
}
