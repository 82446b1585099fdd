import {statSync} from 'node:fs';
import path from 'node:path';
import {CommandError} from './errors.js';
import {findFolders, parseObject, readIfPresent, readPrivate, writePrivate} from './files.js';
import type {Outside} from './outside.js';

/** A place to sign in to, in config.json. */
export interface Profile {
  readonly url?: string;
  /** The team for commands without one. */
  readonly team?: string;
  /** Further repositories for `post --from git`. */
  readonly repositories?: readonly string[];
}

export const defaultProfile = 'default';

const configFile = (outside: Outside) => path.join(findFolders(outside).config, 'config.json');
const credentialsFile = (outside: Outside) => path.join(findFolders(outside).config, 'credentials.json');

function readProfiles(outside: Outside): Readonly<Record<string, Profile>> {
  const file = configFile(outside);
  const text = readIfPresent(file);
  if (text === undefined) return {};
  const {profiles = {}} = parseObject(text, file);
  if (typeof profiles !== 'object' || profiles === null)
    throw new CommandError('usage', `${file} has no profiles.`);
  return profiles as Readonly<Record<string, Profile>>;
}

export function readProfile(outside: Outside, name: string): Profile {
  const profiles = readProfiles(outside);
  const {url, team, repositories} = Object.hasOwn(profiles, name) ? (profiles[name] ?? {}) : {};
  const isTextOrNone = (value: unknown) => value === undefined || typeof value === 'string';
  const areTexts = Array.isArray(repositories) && repositories.every((one) => typeof one === 'string');
  if (!isTextOrNone(url) || !isTextOrNone(team) || (repositories !== undefined && !areTexts)) {
    throw new CommandError('usage', `The profile ${name} in ${configFile(outside)} is not valid.`);
  }
  return {...(url && {url}), ...(team && {team}), ...(repositories && {repositories})};
}

export const listProfiles = (outside: Outside): readonly string[] => Object.keys(readProfiles(outside));

export function saveProfile(outside: Outside, name: string, profile: Profile): void {
  const profiles = {...readProfiles(outside), [name]: profile};
  writePrivate(configFile(outside), `${JSON.stringify({profiles}, null, 2)}\n`, outside);
}

/** A token belongs to a profile and an address: it is never sent to another one. */
const account = (profile: string, url: string) => `${profile}@${url}`;

function readTokens(outside: Outside): Record<string, unknown> {
  const file = credentialsFile(outside);
  const advice = 'Delete it, revoke its token in the dashboard, and run `standup login`.';
  const text = readPrivate(file, outside, advice);
  return text === undefined ? {} : {...parseObject(text, file)};
}

export function readToken(outside: Outside, profile: string, url: string): string | undefined {
  const tokens = readTokens(outside);
  const name = account(profile, url);
  const token = Object.hasOwn(tokens, name) ? tokens[name] : undefined;
  return typeof token === 'string' ? token : undefined;
}

/** Saves a token, or removes it if it is undefined. */
export function saveToken(outside: Outside, profile: string, url: string, token: string | undefined): void {
  const tokens = {...readTokens(outside), [account(profile, url)]: token};
  writePrivate(credentialsFile(outside), `${JSON.stringify(tokens, null, 2)}\n`, outside);
}

/** Returns the address of a service without its last slash. */
export function parseAddress(given: string): string {
  const text = /^[a-z]+:\/\//i.test(given) ? given : `https://${given}`;
  const url = URL.parse(text);
  if (
    url === null ||
    !['http:', 'https:'].includes(url.protocol) ||
    url.username !== '' ||
    url.password !== ''
  ) {
    throw new CommandError('usage', `${given} is not an address, such as https://standup.example.com.`);
  }
  return (url.origin + url.pathname).replace(/\/+$/, '');
}

/** True if the address is encrypted, or on this machine. */
export function isPrivateAddress(address: string): boolean {
  const {protocol, hostname} = new URL(address);
  return protocol === 'https:' || /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}

const projectFile = '.standup.json';
const longestTeam = 80;
const largestProjectFile = 10_000;

/** A folder, a pipe or a device of this name is not read: it could hold the command up. */
function isSmallFile(file: string): boolean {
  const found = statSync(file, {throwIfNoEntry: false});
  return found !== undefined && found.isFile() && found.size <= largestProjectFile;
}

/**
 * Returns the team in the `.standup.json` of this folder, or of the nearest folder above. Such a file comes
 * with a repository, so it may only name a team: an address in it could ask for the user's token.
 */
export function findProjectTeam({cwd}: Outside): string | undefined {
  for (let folder = cwd; ; folder = path.dirname(folder)) {
    const file = path.join(folder, projectFile);
    const text = isSmallFile(file) ? readIfPresent(file) : undefined;
    if (text !== undefined) {
      const {team, ...others} = parseObject(text, file);
      const [other] = Object.keys(others);
      if (other !== undefined) {
        throw new CommandError(
          'usage',
          `${file} may only name a \`team\`. Remove \`${other.slice(0, 40)}\` from it.`,
        );
      }
      if (typeof team !== 'string' || team === '' || team.length > longestTeam) {
        throw new CommandError('usage', `\`team\` in ${file} is not the name of a team.`);
      }
      return team;
    }
    if (path.dirname(folder) === folder) return undefined;
  }
}
