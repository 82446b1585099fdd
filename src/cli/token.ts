import type {Command} from 'commander';
import {type Scope, scopes} from '../domain/core/access.js';
import {limits} from '../domain/core/limits.js';
import {findTextError} from '../domain/core/text.js';
import {formatTable} from '../domain/core/table.js';
import type {WithSession} from './session.js';
import {parseDuration, UsageError} from './usage.js';

interface CreateTokenOptions {
  readonly name: string;
  readonly scope?: string;
  readonly expires?: string;
  readonly member?: string;
  readonly workspace?: string;
}

const defaultScopes: readonly Scope[] = ['standups:read', 'standups:write'];

export function addTokenCommands(program: Command, withSession: WithSession): void {
  const token = program.command('token').description('create, list and revoke access tokens');
  token
    .command('create')
    .requiredOption('--name <name>', 'the purpose of the token; also the name of its service account')
    .option('--scope <scopes>', `scopes, separated by spaces (default: "${defaultScopes.join(' ')}")`)
    .option('--expires <duration>', 'lifetime, such as 30d, 12h or 90m, at most 366d (default: 90d)')
    .option('--member <email|id>', 'the member that holds the token, instead of a service account')
    .option('--workspace <slug>', 'slug or id of the workspace; required only if there are several')
    .description('create a token and print only the token on stdout')
    .action((options: CreateTokenOptions) => {
      const granted = parseScopes(options.scope);
      const lifetime = options.expires === undefined ? undefined : parseDuration(options.expires);
      const error = findTextError(options.name, limits.name);
      if (error !== undefined) throw new UsageError(`--name ${error}.`);
      return withSession(async ({services, print, chooseWorkspace, call}) => {
        const operator = call(await chooseWorkspace(options.workspace));
        const holder =
          options.member === undefined
            ? await services.people.ensureServiceAccount(operator, options.name)
            : await services.people.findMember(operator, options.member);
        const {value} = await services.tokens.issueToken(operator, {
          name: options.name,
          holder,
          scopes: granted,
          lifetime,
        });
        print(`${value}\n`);
      });
    });
  token
    .command('list')
    .option('--workspace <slug>', 'slug or id of the workspace; required only if there are several')
    .description('list the live tokens, sessions and sign-in links')
    .action(({workspace}: {workspace?: string}) =>
      withSession(async ({services, print, chooseWorkspace, call}) => {
        const live = await services.tokens.listTokens(call(await chooseWorkspace(workspace)));
        const rows = live.map(({id, kind, name, holder, created_by: maker, expires_at, scopes: granted}) => [
          id,
          name,
          `${holder.name} (${holder.type})`,
          maker?.name ?? 'operator',
          expires_at,
          kind,
          granted.join(' '),
        ]);
        const headings = ['ID', 'NAME', 'HOLDER', 'MADE BY', 'EXPIRES', 'KIND', 'SCOPES'];
        print(
          formatTable(
            headings,
            rows,
            'There is no live token. Create one: standup-admin token create --name NAME',
          ),
        );
      }),
    );
  token
    .command('revoke')
    .argument('<id>', 'the id of the token (tok_…); `standup-admin token list` lists them')
    .option('--workspace <slug>', 'slug or id of the workspace; required only if there are several')
    .description('revoke a token at once, with all tokens created with it')
    .action((id: string, {workspace}: {workspace?: string}) =>
      withSession(async ({services, print, chooseWorkspace, call}) => {
        await services.tokens.revokeToken(call(await chooseWorkspace(workspace)), id);
        print(`revoked ${id}\n`);
      }),
    );
}

function parseScopes(text: string | undefined): readonly Scope[] {
  if (text === undefined) return defaultScopes;
  const named = text.split(/[\s,]+/).filter((name) => name !== '');
  const unknown = named.filter((name) => !(scopes as readonly string[]).includes(name));
  if (unknown.length > 0) {
    throw new UsageError(`"${unknown.join(' ')}" is not a scope. Scopes: ${scopes.join(' ')}.`);
  }
  if (named.length === 0) throw new UsageError('--scope names no scope.');
  return scopes.filter((scope) => named.includes(scope));
}
