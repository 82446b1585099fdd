import {readFileSync} from 'node:fs';
import type {Command} from 'commander';
import {findTextError} from '../domain/core/text.js';
import {CommandError, UsageError} from './usage.js';

interface ManifestOptions {
  readonly url?: string;
  readonly socket?: boolean;
  readonly name?: string;
}

/**
 * The parts of Slack's app manifest that the command changes.
 * Source: https://docs.slack.dev/reference/app-manifest
 */
interface SlackManifest {
  display_information: {name: string};
  features: {bot_user: {display_name: string}; slash_commands: {url?: string}[]};
  oauth_config: {redirect_urls?: string[]; scopes: {user?: string[]}};
  settings: {
    event_subscriptions: {request_url?: string};
    interactivity: {request_url?: string; message_menu_options_url?: string};
    org_deploy_enabled: boolean;
    socket_mode_enabled: boolean;
  };
}

/** The text in the committed manifest that is replaced by the address of the service. */
const placeholder = 'https://YOUR-HOST';
/** Slack's limit for the name of an app. */
const longestName = 35;

export function addSlackCommands(program: Command, print: (text: string) => void): void {
  const slack = program.command('slack').description('set up the Slack app');
  slack
    .command('manifest')
    .option('--url <url>', 'the address where Slack reaches the service, such as https://standup.example.com')
    .option('--socket', 'use Socket Mode, without an address, for development')
    .option(
      '--name <name>',
      `the name of the app in Slack, up to ${longestName} characters (default: Standup)`,
    )
    .description('print the manifest to paste when you create the app at api.slack.com/apps')
    .action((options: ManifestOptions) => print(`${JSON.stringify(createManifest(options), null, 2)}\n`));
}

/**
 * Creates the app manifest. Errors: `UsageError` without an address, `CommandError` for an address that Slack
 * would not accept.
 */
function createManifest({url, socket = false, name}: ManifestOptions): SlackManifest {
  if (url === undefined && !socket) {
    throw new UsageError(
      'Set the address where Slack reaches the service with --url, such as --url https://standup.example.com, or use --socket.',
    );
  }
  const origin = url === undefined ? placeholder : readOrigin(url);
  const shownName = name === undefined ? undefined : parseAppName(name);
  const manifest = JSON.parse(readTemplate().replaceAll(placeholder, origin)) as SlackManifest;
  if (shownName !== undefined) renameApp(manifest, shownName);
  if (socket) switchManifestToSocketMode(manifest);
  return manifest;
}

/** Reads the manifest template beside package.json. The relative path is right both in src/ and in dist/. */
function readTemplate(): string {
  return readFileSync(new URL('../../slack-manifest.json', import.meta.url), 'utf8');
}

function readOrigin(text: string): string {
  const url = URL.parse(text);
  if (url?.protocol === 'http:') {
    throw new CommandError(
      `--url must be https, as Slack sends nothing to ${text}; on a machine that it cannot reach use --socket.`,
    );
  }
  if (url?.protocol !== 'https:' || url.href !== `${url.origin}/`) {
    throw new CommandError(
      `--url must be an address like https://standup.example.com, without a path; "${text}" is not.`,
    );
  }
  return url.origin;
}

function parseAppName(text: string): string {
  const name = text.trim();
  const error = findTextError(name, longestName);
  if (error !== undefined) throw new CommandError(`--name ${error}.`);
  return name;
}

function renameApp(manifest: SlackManifest, name: string): void {
  manifest.display_information.name = name;
  manifest.features.bot_user.display_name = name;
}

/** Changes the manifest for Socket Mode, which serves one Slack workspace, by its token. */
function switchManifestToSocketMode({features, oauth_config, settings}: SlackManifest): void {
  for (const command of features.slash_commands) delete command.url;
  delete oauth_config.redirect_urls;
  delete oauth_config.scopes.user;
  delete settings.event_subscriptions.request_url;
  delete settings.interactivity.request_url;
  delete settings.interactivity.message_menu_options_url;
  settings.org_deploy_enabled = false;
  settings.socket_mode_enabled = true;
}
