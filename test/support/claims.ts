import type {Id, IdSuffix} from '../../src/domain/core/ids.js';
import {standardLeaseMs} from '../../src/jobs/context.js';
import type {ClaimOutcome, ClaimRequest} from '../../src/store/webhooks/claims.js';
import type {Deliveries} from '../../src/store/webhooks/deliveries.js';

/** What a test asks for one webhook. By default it records nothing, and claims up to 16 deliveries. */
export type OneClaim = Partial<Omit<ClaimRequest, 'webhook'>> & {readonly leaseMs?: number};

/** Records results and claims deliveries of one webhook, as a worker does. */
export async function recordAndClaimOne(
  deliveries: Pick<Deliveries, 'recordAndClaim'>,
  workspace: Id<'workspace'>,
  webhook: IdSuffix<'webhook'>,
  {leaseMs = standardLeaseMs, ...request}: OneClaim = {},
): Promise<ClaimOutcome> {
  const asked = {webhook, results: [], concurrency: 16, ...request};
  const [outcome] = await deliveries.recordAndClaim(workspace, [asked], leaseMs, performance.now() + 5_000);
  if (outcome === undefined) throw new Error('the script gave no outcome');
  return outcome;
}
