import type {AccessToken} from '../../domain/core/access.js';
import type {Id} from '../../domain/core/ids.js';
import type {Pass} from '../../domain/tokens/session.js';
import type {ServiceContext} from '../core/context.js';
import {isLiveToken} from './token-lines.js';
import {createTokenRecords, isProvenBy} from './token-records.js';

/** A pass whose secret has been checked: its token and workspace. */
export interface VerifiedPass {
  readonly workspace: Id<'workspace'>;
  readonly token: AccessToken;
}

/** Finds the live token of a kind to which a browser's value, a link or the address of a feed belongs. */
export function createPassFinder(context: ServiceContext) {
  const {records, clock, sha256, admissions} = context;
  const tokenRecords = createTokenRecords(context);
  return async function findTokenOfPass(
    {workspace, suffix, secret}: Pass,
    kind: AccessToken['kind'],
    deadline: number,
  ): Promise<VerifiedPass | undefined> {
    const [found, proof] = await Promise.all([
      records.findBySuffix(workspace, suffix, deadline),
      admissions.findProof(workspace, suffix, deadline),
    ]);
    if (found?.object !== 'access_token' || found.kind !== kind || proof === undefined) return undefined;
    if (!isProvenBy(sha256, secret, proof)) return undefined;
    const [one] = await tokenRecords.withUse({workspace, deadline}, [found]);
    return one !== undefined && isLiveToken(one.token, clock, one.used)
      ? {workspace, token: one.token}
      : undefined;
  };
}
