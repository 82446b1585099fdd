import {readdirSync, rmSync} from 'node:fs';
import path from 'node:path';
import {showUnprintable} from '../../../src/domain/core/table.js';
import type {Schema} from '../../client-ts/src/schema.js';
import {need} from './connection.js';
import {CommandError} from './errors.js';
import {findFolders, parseObject, readPrivate, writePrivate} from './files.js';
import {expectAct, recordAct} from './last-act.js';
import type {Outside} from './outside.js';
import type {Session} from './session.js';
import {readSubject} from './token.js';

type Standup = Schema<'ShownStandup'>;

/** A post that is written down before it is sent, until its answer is known. */
export interface KeptPost {
  /** The idempotency key, also in the metadata of the standup. */
  readonly ref: string;
  readonly body: Schema<'NewStandup'>;
  readonly keptAt: number;
  readonly url: string;
  readonly profile: string;
  readonly subject: string | null;
}

const folderOf = (outside: Outside) => path.join(findFolders(outside).state, 'kept');
const fileOf = (outside: Outside, ref: string) => path.join(folderOf(outside), `${ref}.json`);

/** The service remembers a key for 24 hours. An hour is left for clocks that differ. */
const keyLastsMs = 23 * 3_600_000;

export function createPost(session: Session, body: Schema<'NewStandup'>): KeptPost {
  const {outside, url, token, profileName: profile} = session;
  const ref = outside.createId();
  const metadata = {client_ref: ref};
  return {ref, body: {...body, metadata}, keptAt: outside.now(), url, profile, subject: readSubject(token)};
}

/**
 * Sends a post. It is kept before the first try, and removed when the answer is recorded: a process that is
 * killed in between leaves it, and a repeat with its key creates nothing.
 */
export async function sendPost(session: Session, post: KeptPost): Promise<readonly Standup[]> {
  const {outside, client} = session;
  writePrivate(fileOf(outside, post.ref), JSON.stringify(post), outside);
  const restoreAct = expectAct(session);
  let standups: readonly Standup[];
  try {
    const answer = await client.POST('/v1/standups', {
      params: {header: {'Idempotency-Key': post.ref}},
      body: post.body,
    });
    const posted = need(answer);
    standups = 'data' in posted ? posted.data : [posted];
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    if (error.reason !== 'unreachable') restoreAct();
    if (error.reason === 'unreachable' || error.reason === 'signIn') {
      throw new CommandError(
        error.reason,
        `${error.message}\nYour update is kept. To send it later: standup post --retry`,
      );
    }
    removeKept(outside, post.ref);
    throw error;
  }
  try {
    recordAct(session, 'post', standups);
  } catch (error) {
    // It is posted all the same, and must not look refused.
    outside.warn(`The update is posted, but cannot be undone here: ${(error as Error).message}\n`);
  }
  removeKept(outside, post.ref);
  return standups;
}

export function removeKept(outside: Outside, ref: string): void {
  rmSync(fileOf(outside, ref), {force: true});
}

/** Lists the kept posts, the oldest first. A file that cannot be used is named, and does not stop the others. */
export function listKept(outside: Outside): readonly KeptPost[] {
  let names: string[];
  try {
    names = readdirSync(folderOf(outside));
  } catch {
    return [];
  }
  return names
    .flatMap((name) =>
      name.endsWith('.json') ? (readKept(outside, name.slice(0, -'.json'.length)) ?? []) : [],
    )
    .toSorted((one, other) => one.keptAt - other.keptAt);
}

function readKept(outside: Outside, ref: string): KeptPost | undefined {
  const file = fileOf(outside, ref);
  try {
    const text = readPrivate(file, outside);
    if (text === undefined) return undefined;
    const post = parseObject(text, file) as unknown as KeptPost;
    // The name of the file is the key, so that what is sent is also what is removed.
    return post.ref === ref ? post : undefined;
  } catch (error) {
    outside.warn(`${showUnprintable((error as Error).message)}\n`);
    return undefined;
  }
}

/** True if the post was kept for this service and by the holder of this token. */
export function isOwn({url, token}: Session, post: KeptPost): boolean {
  return post.url === url && post.subject === readSubject(token);
}

/**
 * Sends a kept post again, unless it arrived before. The key prevents a double for 24 hours; the reference in
 * the metadata shows an earlier arrival also later.
 */
export async function resendPost(
  session: Session,
  post: KeptPost,
): Promise<{arrived: boolean; standups: readonly Standup[]}> {
  const found = await findArrived(session, post);
  if (found.length > 0) {
    removeKept(session.outside, post.ref);
    return {arrived: true, standups: found};
  }
  return {arrived: false, standups: await sendPost(session, post)};
}

async function findArrived(session: Session, {ref, body, keptAt}: KeptPost): Promise<readonly Standup[]> {
  const {date} = body;
  const team = body.teams ?? (body.team === undefined ? undefined : [body.team]);
  const found: Standup[] = [];
  let cursor: string | undefined;
  do {
    const query = {
      author: 'me',
      limit: 100,
      ...(date && {date}),
      ...(team && {team}),
      ...(cursor && {cursor}),
    };
    const answer = await session.client.GET('/v1/standups', {params: {query}});
    const isFresh = session.outside.now() - keptAt < keyLastsMs;
    // A token that may only write finds nothing. Its key alone prevents a double.
    if (answer.response.status === 403 && isFresh) return [];
    // Nothing arrived for a team that is not there. The post itself gets the reason.
    if ([404, 422].includes(answer.response.status)) return [];
    const page = need(answer);
    found.push(...page.data.filter(({metadata}) => metadata['client_ref'] === ref));
    cursor = found.length === 0 ? (page.next_cursor ?? undefined) : undefined;
  } while (cursor !== undefined);
  return found;
}
