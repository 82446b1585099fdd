import {createHash, createHmac} from 'node:crypto';
import type {RequestContext} from '../../domain/core/access.js';
import type {IdSuffix} from '../../domain/core/ids.js';
import type {KeyedHash} from '../../domain/imports/import.js';
import type {ServiceContext} from '../core/context.js';

/**
 * Creates the function that finds the hash of a workspace's imports. Its key belongs to the workspace, and not
 * to SECRET_KEY: a new SECRET_KEY, or a move, would let every row be imported again.
 */
export function createHashFinder({imports}: Pick<ServiceContext, 'imports'>) {
  return async function findHash({workspace, deadline}: RequestContext): Promise<KeyedHash> {
    const key = Buffer.from((await imports.findKey(workspace, deadline)) ?? '', 'base64url');
    return (...parts) => createHmac('sha256', key).update(JSON.stringify(parts)).digest();
  };
}

/** Returns the form in which an import (its id suffix) stores a person: it says neither a name nor an address. */
export function hashPerson(of: IdSuffix<'import'>, person: string): string {
  return createHash('sha256')
    .update(JSON.stringify([of, person]))
    .digest('base64url')
    .slice(0, 22);
}
