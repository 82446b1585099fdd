import path from 'node:path';
import type {Schema} from '../../client-ts/src/schema.js';
import {type Connection, connect, need} from './connection.js';
import {CommandError} from './errors.js';
import {findFolders, parseObject, readPrivate, writePrivate} from './files.js';
import {readSubject} from './token.js';
import type {Outside} from './outside.js';
import {
  defaultProfile,
  findProjectTeam,
  parseAddress,
  type Profile,
  readProfile,
  readToken,
} from './settings.js';

export interface GlobalOptions {
  readonly profile?: string;
  readonly json?: boolean;
}

/** A signed-in user at one service. */
export interface Session extends Connection {
  readonly outside: Outside;
  readonly profileName: string;
  readonly profile: Profile;
  readonly url: string;
  readonly token: string;
  /** Whether the answer of the API is printed unchanged. */
  readonly json: boolean;
}

/** The address and the token in the environment win. A saved token is used for its own address alone. */
export function openSession(outside: Outside, {profile: given, json = false}: GlobalOptions): Session {
  const profileName = given ?? defaultProfile;
  const profile = readProfile(outside, profileName);
  const {STANDUP_URL: address = profile.url, STANDUP_TOKEN: ownToken} = outside.env;
  const command = given === undefined ? 'standup login' : `standup login --profile ${given}`;
  if (!address) throw new CommandError('signIn', `Sign in first: ${command} https://standup.example.com`);
  const url = parseAddress(address);
  const token = ownToken || readToken(outside, profileName, url);
  if (!token) throw new CommandError('signIn', `Sign in first: ${command} ${url}`);
  return {...connect(outside, {url, token}), outside, profileName, profile, url, token, json};
}

/** Returns the holder of the token. */
export async function findMe({client}: Session): Promise<Schema<'Me'>> {
  return need(await client.GET('/v1/me'));
}

/** The team that a command is for: as given, of the repository, of the profile, or the only one. */
export async function chooseTeam(session: Session, given: string | undefined): Promise<string> {
  const chosen = given ?? findProjectTeam(session.outside) ?? session.profile.team;
  if (chosen !== undefined) return chosen;
  const {teams} = await findMe(session).catch((error: unknown) => {
    const known = readKnownTeam(session);
    if (known !== undefined && isUnreachable(error)) return {teams: [{slug: known}]};
    throw error;
  });
  const [first, ...others] = teams ?? [];
  if (first === undefined) throw new CommandError('usage', 'You are in no team. Name one: --team NAME');
  if (others.length === 0) {
    saveKnownTeam(session, first.slug);
    return first.slug;
  }
  const slugs = (teams ?? []).map(({slug}) => slug).join(', ');
  throw new CommandError('usage', `You are in several teams: ${slugs}. Choose one: --team ${first.slug}`);
}

const isUnreachable = (error: unknown) => error instanceof CommandError && error.reason === 'unreachable';

/** The only team of the user, for updates that are written without a connection. */
const knownTeamFile = ({outside}: Session) => path.join(findFolders(outside).state, 'team.json');

function readKnownTeam(session: Session): string | undefined {
  const file = knownTeamFile(session);
  const text = readPrivate(file, session.outside);
  if (text === undefined) return undefined;
  const {url, subject, team} = parseObject(text, file);
  const isOwn = url === session.url && subject === readSubject(session.token);
  return isOwn && typeof team === 'string' ? team : undefined;
}

function saveKnownTeam(session: Session, team: string): void {
  if (readKnownTeam(session) === team) return;
  const {outside, url, token} = session;
  const known = {url, subject: readSubject(token), team};
  writePrivate(knownTeamFile(session), JSON.stringify(known), outside);
}

/** Returns the calendar day of an instant in a time zone; the zone of the machine if it is not known. */
export function formatDay(instant: number, timeZone?: string | null): string {
  const zone = timeZone ?? undefined;
  return new Intl.DateTimeFormat('sv-SE', {dateStyle: 'short', timeZone: zone}).format(instant);
}

/** Writes the last answer of the API as it came. JSON may escape any character of a text. */
export function printBody({outside, lastBody}: Session): void {
  outside.print(`${escapeUnseen(lastBody())}\n`);
}

/** Characters that are invisible, such as those that move a terminal's cursor. JSON has breaks only between values. */
const unseen = /(?![\n\r\t])[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** Escapes invisible characters in JSON, where they only occur inside texts. */
export function escapeUnseen(json: string): string {
  const escape = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return json.replace(unseen, (found) => found.split('').map(escape).join(''));
}
