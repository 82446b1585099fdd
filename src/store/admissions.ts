import type {QuotaClaim, QuotaCost, QuotaVerdict} from '../domain/quota.js';
import {status} from './commit-step.js';
import {type Connection, script} from './connection.js';
import {globalKeys, workspaceKeys} from './keys.js';
import {parseVerdict, quotaArgs, quotaLocals, takeQuota} from './quota-script.js';

/** Who wants to be let in. */
export interface Applicant {
  readonly workspace: string;
  /** Its id, or that of the principal whom a trusted issuer names: what must still exist. */
  readonly token: {readonly id: string};
  /** What the request is to be charged; left out, nothing is. */
  readonly quota?: QuotaClaim;
  readonly deadline: number;
}

export interface AdmissionOutcome {
  /**
   * `lost`: the whole workspace's data is gone, which is not the token's fault. `over`: the token is live,
   * the quota used up.
   */
  readonly state: 'live' | 'dead' | 'lost' | 'over';
  readonly verdict?: QuotaVerdict | undefined;
}

/** The checks that a commit makes on its way, for requests that make none. */
export interface Admissions {
  /** Whether a token may be used, and if so takes the request from its principal's quota. */
  admit(applicant: Applicant): Promise<AdmissionOutcome>;
  /** As it was when the token was allowed; undefined for one that is no longer. */
  findProof(workspace: string, drawn: string, deadline: number): Promise<string | undefined>;
  /**
   * Counts a failed authentication from an address, known here by its hash alone. Undefined where nothing can
   * be written.
   */
  countFailure(address: string, cost: QuotaCost, deadline: number): Promise<QuotaVerdict | undefined>;
}

/**
 * Without the `#!lua` line, which would make Redis refuse the whole script on a full or read-only store:
 * only the count is written, and reading goes on without it.
 */
const clock = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
${quotaLocals}`;

const liveness = `${clock}
if redis.call('EXISTS', KEYS[1]) == 0 then
  return {redis.call('EXISTS', KEYS[2]) == 1 and ${status.tokenDead} or ${status.storeLost}, now, ''}
end`;

const verdict = `return {over and ${status.overQuota} or ${status.committed}, now, quota}`;

const looking = script(`${liveness}\n${verdict}`);
const taking = script(
  `${liveness}${takeQuota(
    (n) => `KEYS[${n + 3}]`,
    (n) => `ARGV[${n + 1}]`,
  )}\n${verdict}`,
);
const counting = script(
  `${clock}${takeQuota(
    (n) => `KEYS[${n + 1}]`,
    (n) => `ARGV[${n + 1}]`,
  )}\n${verdict}`,
);

type Reply = [code: number, now: number, quota: string];

export function createAdmissions({call, run, clock}: Pick<Connection, 'call' | 'run' | 'clock'>): Admissions {
  return {
    async findProof(workspace, drawn, deadline) {
      const key = workspaceKeys(workspace).liveToken(drawn);
      return (await call<string | null>(deadline, ['GET', key])) ?? undefined;
    },
    async admit({workspace, token, quota, deadline}) {
      const keys = workspaceKeys(workspace);
      const known = [keys.credential(token.id), keys.head()];
      const [code, now, left] = await (quota === undefined
        ? run<Reply>(deadline, looking, known, [])
        : run<Reply>(deadline, taking, [...known, keys.quota(quota.principal)], quotaArgs(quota)));
      clock.observe(now);
      return {state: stateOf(code), verdict: parseVerdict(left, code !== status.overQuota, now)};
    },
    async countFailure(address, cost, deadline) {
      const keys = [globalKeys.failedAuthentications(address)];
      const [code, now, left] = await run<Reply>(deadline, counting, keys, quotaArgs(cost));
      return parseVerdict(left, code !== status.overQuota, now);
    },
  };
}

function stateOf(code: number): AdmissionOutcome['state'] {
  switch (code) {
    case status.tokenDead:
      return 'dead';
    case status.storeLost:
      return 'lost';
    case status.overQuota:
      return 'over';
    default:
      return 'live';
  }
}
