import {rmSync} from 'node:fs';
import path from 'node:path';
import {findFolders, parseObject, readPrivate, writePrivate} from './files.js';
import type {Session} from './session.js';
import {readSubject} from './token.js';

/** The last thing that this user did with the command, which `undo` takes back. */
export interface LastAct {
  /** `unknown`: a request was sent, and its answer was not recorded. */
  readonly kind: 'post' | 'edit' | 'unknown';
  readonly standups: readonly {readonly id: string; readonly revision: number}[];
  readonly at: number;
  readonly url: string;
  /** The holder of the token. */
  readonly subject: string | null;
}

const fileOf = ({outside}: Session) => path.join(findFolders(outside).state, 'last.json');

export function recordAct(session: Session, kind: LastAct['kind'], standups: LastAct['standups'] = []): void {
  const {outside, url, token} = session;
  const act: LastAct = {
    kind,
    standups: standups.map(({id, revision}) => ({id, revision})),
    at: outside.now(),
    url,
    subject: readSubject(token),
  };
  writePrivate(fileOf(session), JSON.stringify(act), outside);
}

/**
 * Records that a change is about to be sent, so that `undo` never takes back an earlier one if the answer is
 * lost. Returns a function for a refused change, after which the earlier one is the last again.
 */
export function expectAct(session: Session): () => void {
  const file = fileOf(session);
  const earlier = readPrivate(file, session.outside);
  recordAct(session, 'unknown');
  return () => {
    if (earlier === undefined) forgetAct(session);
    else writePrivate(file, earlier, session.outside);
  };
}

/** Returns the last act of the holder of this token at this service. */
export function findLastAct(session: Session): LastAct | undefined {
  const file = fileOf(session);
  const text = readPrivate(file, session.outside);
  if (text === undefined) return undefined;
  const act = parseObject(text, file) as unknown as LastAct;
  return act.url === session.url && act.subject === readSubject(session.token) ? act : undefined;
}

export function forgetAct(session: Session): void {
  rmSync(fileOf(session), {force: true});
}
