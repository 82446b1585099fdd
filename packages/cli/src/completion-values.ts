import {rmSync} from 'node:fs';
import path from 'node:path';
import {need} from './connection.js';
import {findFolders, parseObject, readPrivate, writePrivate} from './files.js';
import type {Outside} from './outside.js';
import {findMe, openSession, type Session} from './session.js';
import {defaultProfile} from './settings.js';
import {line} from './show.js';
import {readSubject} from './token.js';

/** Something to complete a word with. The note is shown beside it, where the shell can do so. */
export interface Value {
  readonly value: string;
  readonly note?: string;
}

/** The values of a service, which one request after another would be too slow for. */
export interface KnownValues {
  readonly teams: readonly Value[];
  readonly blockers: readonly Value[];
}

const none: KnownValues = {teams: [], blockers: []};
const oldestMs = 3_600_000;
/** The pause between two requests for new values. */
const askAgainMs = 60_000;
/** Bounds of the file, whatever a service sends: values of a kind, and characters of each. */
const most = {values: 100, value: 80, note: 60};
/** The most teams that one list of blockers may name. */
const teamsAtOnce = 10;

interface Kept {
  readonly url: string;
  readonly subject: string | null;
  /** When values were asked for. */
  readonly askedAt: number;
  /** When they came. */
  readonly at: number;
  readonly values: KnownValues;
}

const fileOf = (outside: Outside, profile: string) =>
  path.join(findFolders(outside).state, `completion-${encodeURIComponent(profile)}.json`);

/** A file that cannot be used counts as none, and is replaced. */
function readKept(session: Session): Kept | undefined {
  const {outside, url, token, profileName} = session;
  try {
    const file = fileOf(outside, profileName);
    const kept = parseObject(readPrivate(file, outside) ?? '{}', file) as unknown as Kept;
    return kept.url === url && kept.subject === readSubject(token) ? kept : undefined;
  } catch {
    return undefined;
  }
}

function keep(session: Session, {askedAt, at, values}: Omit<Kept, 'url' | 'subject'>): void {
  const {outside, url, token, profileName} = session;
  const kept: Kept = {url, subject: readSubject(token), askedAt, at, values};
  writePrivate(fileOf(outside, profileName), JSON.stringify(kept), outside);
}

/**
 * Returns the kept values if they are at most an hour old. Sends nothing: a process in the background fetches
 * new ones for the next time.
 */
export async function findKnownValues(outside: Outside, profile: string | undefined): Promise<KnownValues> {
  try {
    const session = openSession(outside, profile === undefined ? {} : {profile});
    const now = outside.now();
    const isSince = (instant: number | undefined, ms: number) =>
      instant !== undefined && instant <= now && now - instant < ms;
    const {askedAt, at = 0, values = none} = readKept(session) ?? {};
    if (!isSince(askedAt, askAgainMs)) {
      keep(session, {askedAt: now, at, values});
      const named = profile === undefined ? [] : ['--profile', profile];
      await outside.run('standup', ['refresh-completion', ...named], {inBackground: true});
    }
    return isSince(at, oldestMs) ? values : none;
  } catch {
    return none;
  }
}

/** Fetches the values that `findKnownValues` returns. */
export async function refreshKnownValues(session: Session): Promise<void> {
  const {client, outside, profileName: profile} = session;
  const askedAt = outside.now();
  const {teams: own} = await findMe(session);
  const teams = choose((own ?? []).map(({slug, name}) => [slug, name]));
  const team = teams.slice(0, teamsAtOnce).map(({value}) => value);
  const query = {team, state: 'open' as const, limit: most.values};
  const {data} = team.length === 0 ? {data: []} : need(await client.GET('/v1/blockers', {params: {query}}));
  const blockers = choose(data.map(({id, text}) => [id, text]));
  // Throws if the person has signed out in the meantime.
  openSession(outside, {profile});
  keep(session, {askedAt, at: outside.now(), values: {teams, blockers}});
}

const choose = (found: readonly (readonly [value: string, note: string])[]): readonly Value[] =>
  found
    .filter(([value]) => value.length <= most.value)
    .slice(0, most.values)
    .map(([value, note]) => ({value, note: line(note.slice(0, most.note).replaceAll(/\s+/g, ' '))}));

export function forgetKnownValues(outside: Outside, profile = defaultProfile): void {
  rmSync(fileOf(outside, profile), {force: true});
}
