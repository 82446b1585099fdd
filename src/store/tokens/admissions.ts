import {createQuestionBatcher} from '../../domain/core/ask-together.js';
import type {QuotaClaim, QuotaCost, QuotaVerdict} from '../../domain/core/quota.js';
import {admitRequestsScript, checkTokenScript, countFailureScript} from '../core/compiled/lua.js';
import type {RedisConnection} from '../core/connection.js';
import {globalKeys, workspaceKeys} from '../core/keys.js';
import {status} from '../core/lua-constants.js';
import {parseQuotaVerdict, createQuotaArgs} from '../core/quota-script.js';
import type {Id, IdSuffix} from '../../domain/core/ids.js';
import type {Credential} from '../../domain/core/access.js';

/** The caller of a request whose token must be checked. */
export interface Applicant {
  readonly workspace: Id<'workspace'>;
  readonly token: Pick<Credential, 'id'>;
  /** The cost of the request, which is taken from the caller's quota. If it is missing, nothing is taken. */
  readonly quota?: QuotaClaim;
  readonly deadline: number;
}

export interface AdmissionOutcome {
  /** `lost`: the workspace's data is lost, the token may be valid. `over`: the quota is used up. */
  readonly state: 'live' | 'dead' | 'lost' | 'over';
  readonly verdict?: QuotaVerdict | undefined;
}

/** Makes the same checks of the caller as a commit, for requests that make no commit. */
export interface Admissions {
  /** Checks whether a token is valid, and if so takes the request from its caller's quota. */
  admit: (applicant: Applicant) => Promise<AdmissionOutcome>;
  /** Returns the SHA-256 of the secret of a token or an invite, by its id suffix; undefined when invalid. */
  findProof: (
    workspace: Id<'workspace'>,
    suffix: IdSuffix<'access_token' | 'invite'>,
    deadline: number,
  ) => Promise<string | undefined>;
  /** Returns how many invites to an address, given as a keyed hash, were created on a day. */
  countInvites: (
    workspace: Id<'workspace'>,
    address: string,
    day: number,
    deadline: number,
  ) => Promise<number>;
  /** Counts a failed authentication from a hashed address, or another act. Undefined if it cannot write. */
  countFailure: (address: string, cost: QuotaCost, deadline: number) => Promise<QuotaVerdict | undefined>;
}

type AdmissionReply = [code: number, now: number, quota: string];
/** A code, the time, and the quota's state after each accepted request; a refused one's is the last. */
type Replies = [code: number, now: number, ...tallies: string[]];

export function createAdmissions({call, run, clockOf}: RedisConnection): Admissions {
  const admitTogether = createQuestionBatcher<Applicant, AdmissionOutcome>(
    async ({workspace, token, quota}, count, deadline) => {
      const keys = workspaceKeys(workspace);
      const known = [keys.credential(token.id), keys.head()];
      const [code, now, ...tallies] = await (quota === undefined
        ? run<Replies>(deadline, checkTokenScript, known, [])
        : run<Replies>(
            deadline,
            admitRequestsScript,
            [...known, keys.quota(quota.principal)],
            [...createQuotaArgs(quota), String(count)],
          ));
      clockOf(keys.head()).observe(now);
      const last = tallies.length - 1;
      return (n) => {
        const refused = code === status.overQuota && n >= last;
        const state = code === status.overQuota && !refused ? 'live' : findAdmissionState(code);
        return {state, verdict: parseQuotaVerdict(tallies[Math.min(n, last)] ?? '', !refused, now)};
      };
    },
    setImmediate,
  );

  return {
    async findProof(workspace, suffix, deadline) {
      const key = workspaceKeys(workspace).liveToken(suffix);
      return (await call<string | null>(deadline, ['GET', key])) ?? undefined;
    },
    async countInvites(workspace, address, day, deadline) {
      return Number(
        await call<string | null>(deadline, ['GET', workspaceKeys(workspace).invited(address, day)]),
      );
    },
    admit(applicant) {
      const {workspace, token, quota, deadline} = applicant;
      const name =
        quota === undefined
          ? `${workspace} ${token.id}`
          : `${workspace} ${token.id} ${quota.principal} ${quota.isWrite} ${quota.count} ${quota.limits.all} ${quota.limits.writes}`;
      return admitTogether(name, applicant, deadline);
    },
    async countFailure(address, cost, deadline) {
      const keys = [globalKeys.failedAuthentications(address)];
      const [code, now, left] = await run<AdmissionReply>(
        deadline,
        countFailureScript,
        keys,
        createQuotaArgs(cost),
      );
      return parseQuotaVerdict(left, code !== status.overQuota, now);
    },
  };
}

function findAdmissionState(code: number): AdmissionOutcome['state'] {
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
