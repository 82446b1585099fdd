import type {Command} from 'commander';
import {limits} from '../domain/core/limits.js';
import {parseWire} from '../domain/core/resource.js';
import {eventPatterns} from '../domain/events/event.js';
import {formatTable} from '../domain/core/table.js';
import type {WithSession} from './session.js';
import {UsageError} from './usage.js';
import {listenForDeliveries} from './webhook-listen.js';
import {triggerable, triggers} from './webhook-trigger.js';

interface ListenOptions {
  readonly port: string;
  readonly events?: string;
  readonly forward?: string;
  readonly workspace?: string;
  readonly json?: true;
}

interface TriggerOptions {
  readonly team?: string;
  readonly webhook?: string;
  readonly workspace?: string;
}

export function addWebhookCommands(program: Command, withSession: WithSession): void {
  const webhook = program.command('webhook').description('test webhooks while you build a receiver');
  webhook
    .command('listen')
    .requiredOption('--port <number>', 'the port to listen on, on 127.0.0.1; 0 chooses a free one')
    .option('--events <types>', 'event types, groups (standup.*) or *, separated by spaces (default: "*")')
    .option('--forward <url>', 'forward each request to this URL, unchanged, and return its response')
    .option('--workspace <slug>', 'slug or id of the workspace; required only if there are several')
    .option('--json', 'print each delivery as one line of JSON, with the headers and the body')
    .description('create a webhook while this command runs; verify and print what it receives')
    .action((options: ListenOptions) => {
      const wanted = {
        port: parsePort(options.port),
        events: parseEvents(options.events),
        forward: options.forward === undefined ? undefined : parseForwardUrl(options.forward),
        json: options.json === true,
      };
      if (wanted.forward !== undefined && isListenerAddress(wanted.forward, wanted.port))
        throw new UsageError('--forward leads back to --port: name the port of your own program.');
      return withSession(async (session) =>
        listenForDeliveries(session, (await session.chooseWorkspace(options.workspace)).id, wanted),
      );
    });
  webhook
    .command('trigger')
    .argument('<types...>', triggerable.join(', '))
    .option('--team <slug>', 'for standup.*: slug or id of the team (default: one of the teams)')
    .option('--webhook <id>', 'for webhook.test: id of the webhook (default: all enabled ones)')
    .option('--workspace <slug>', 'slug or id of the workspace; required only if there are several')
    .description(
      'trigger real events, one after the other; the running service sends each within about a second',
    )
    .action((types: readonly string[], options: TriggerOptions) => {
      const runs = types.map(findTrigger);
      return withSession(async (session) => {
        const {id} = await session.chooseWorkspace(options.workspace);
        const {team, webhook: hook} = options;
        for (const run of runs) await run({session, workspace: id, team, webhook: hook});
      });
    });
  webhook
    .command('list')
    .option('--workspace <slug>', 'slug or id of the workspace; required only if there are several')
    .description('list the webhooks with their state and waiting deliveries')
    .action(({workspace}: {workspace?: string}) =>
      withSession(async ({services, print, chooseWorkspace, call}) => {
        const {id: chosen} = await chooseWorkspace(workspace);
        const {rows} = await services.webhooks.listWebhooks(call({id: chosen}), {
          limit: limits.webhooksPerWorkspace,
        });
        const lines = rows
          .map((json) => parseWire(json))
          .map(async ({id, url, events, enabled, disabled_reason}) => {
            const {breaker, backlog} = await services.webhookHealth.findHealth(call({id: chosen}), id);
            const state = enabled ? 'enabled' : `disabled (${disabled_reason ?? 'user'})`;
            return [id, state, breaker.state, String(backlog.pending), events.join(' '), url];
          });
        const headings = ['ID', 'STATE', 'BREAKER', 'WAITING', 'EVENTS', 'URL'];
        print(formatTable(headings, await Promise.all(lines), 'There is no webhook.'));
      }),
    );
  webhook
    .command('try')
    .argument('<id>', 'the id of the webhook; `standup-admin webhook list` lists them')
    .option('--workspace <slug>', 'slug or id of the workspace; required only if there are several')
    .description(
      'send the waiting deliveries of a repaired receiver now, after a probe if its breaker is open',
    )
    .action((id: string, {workspace}: {workspace?: string}) =>
      withSession(async ({services, print, chooseWorkspace, call}) => {
        const {id: chosen} = await chooseWorkspace(workspace);
        const {backlog, breaker} = await services.webhookHealth.findHealth(call({id: chosen}), id);
        await services.webhookHealth.tryWebhook(call({id: chosen}), id);
        const first = breaker.state === 'open' ? ', after a probe' : '';
        print(
          backlog.pending === 0
            ? `nothing waits for ${id}\n`
            : `${backlog.pending} waiting for ${id}: sent now${first}\n`,
        );
      }),
    );
}

function findTrigger(type: string) {
  if (Object.hasOwn(triggers, type)) return triggers[type as keyof typeof triggers];
  throw new UsageError(`"${type}" cannot be triggered. Types: ${triggerable.join(', ')}.`);
}

function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  // Only ports to which the service sends webhooks are accepted.
  if (port === 0 || port === 80 || port === 443 || (port >= 1024 && port <= 65_535)) return port;
  throw new UsageError(`"${text}" is not a port to listen on: choose 1024 to 65535, or 0 for a free one.`);
}

function parseEvents(text = '*'): string[] {
  const named = text.split(/[\s,]+/).filter((name) => name !== '');
  const unknown = named.filter((name) => !eventPatterns.includes(name));
  if (unknown.length > 0) {
    throw new UsageError(`"${unknown.join(' ')}" is not an event type. Types: ${eventPatterns.join(' ')}.`);
  }
  if (named.length === 0) throw new UsageError('--events names no event type.');
  return named;
}

/** True for the listener's own address, since forwarding a request there would never end. */
function isListenerAddress({hostname, port, protocol}: URL, listening: number): boolean {
  const isHere = hostname === 'localhost' || hostname.startsWith('127.');
  return isHere && Number(port || (protocol === 'https:' ? 443 : 80)) === listening;
}

function parseForwardUrl(text: string): URL {
  const url = URL.parse(text);
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw new UsageError(`"${text}" is not a URL to forward to, such as http://127.0.0.1:5000/hooks.`);
}
