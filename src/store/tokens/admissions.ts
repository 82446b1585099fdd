import {createQuestionBatcher} from '../../domain/core/ask-together.js';
import type {QuotaClaim, QuotaCost, QuotaVerdict} from '../../domain/core/quota.js';
import {status} from '../commit/step.js';
import {type RedisConnection, script} from '../core/connection.js';
import {globalKeys, workspaceKeys} from '../core/keys.js';
import {parseQuotaVerdict, createQuotaArgs, quotaLocals, takeQuota} from '../core/quota-script.js';
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
  /**
   * The result of the check. `lost`: the data of the whole workspace is lost, so the token may still be
   * valid. `over`: the token is valid, but its caller's quota is used up.
   */
  readonly state: 'live' | 'dead' | 'lost' | 'over';
  readonly verdict?: QuotaVerdict | undefined;
}

/** Makes the same checks of the caller as a commit, for requests that make no commit. */
export interface Admissions {
  /** Checks whether a token is valid, and if so takes the request from its caller's quota. */
  admit: (applicant: Applicant) => Promise<AdmissionOutcome>;
  /**
   * Returns the SHA-256 of a token's secret (the token's id suffix); undefined when the token is not valid
   * any more.
   */
  findProof: (
    workspace: Id<'workspace'>,
    suffix: IdSuffix<'access_token'>,
    deadline: number,
  ) => Promise<string | undefined>;
  /**
   * Counts a failed authentication from a network address, which is given as a hash. Undefined when nothing
   * can be written.
   */
  countFailure: (address: string, cost: QuotaCost, deadline: number) => Promise<QuotaVerdict | undefined>;
}

/**
 * The beginning of the scripts. They have no `#!lua` line, because Redis would then refuse the whole script
 * on a full or read-only store. The scripts write nothing but the count, and their reads also work if the
 * count cannot be written.
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

const looking = script(`${liveness}\nreturn {${status.committed}, now}`);
/** Takes several simultaneous requests from a quota one after the other, until one is refused. */
const taking = script(`${liveness}
local reply = {${status.committed}, now}
for _ = 1, tonumber(ARGV[5]) do${takeQuota(
  (n) => `KEYS[${n + 3}]`,
  (n) => `tonumber(ARGV[${n + 1}])`,
)}
  reply[#reply + 1] = quota
  if over then
    reply[1] = ${status.overQuota}
    break
  end
end
return reply`);
const counting = script(
  `${clock}${takeQuota(
    (n) => `KEYS[${n + 1}]`,
    (n) => `tonumber(ARGV[${n + 1}])`,
  )}\n${verdict}`,
);

type AdmissionReply = [code: number, now: number, quota: string];
/**
 * The answer of the script: a code, the time, and the quota's state after each accepted request. If a request
 * was refused, the last state belongs to that request.
 */
type Replies = [code: number, now: number, ...tallies: string[]];

export function createAdmissions({
  call,
  run,
  clock,
}: Pick<RedisConnection, 'call' | 'run' | 'clock'>): Admissions {
  const admitTogether = createQuestionBatcher<Applicant, AdmissionOutcome>(
    async ({workspace, token, quota}, count, deadline) => {
      const keys = workspaceKeys(workspace);
      const known = [keys.credential(token.id), keys.head()];
      const [code, now, ...tallies] = await (quota === undefined
        ? run<Replies>(deadline, looking, known, [])
        : run<Replies>(
            deadline,
            taking,
            [...known, keys.quota(quota.principal)],
            [...createQuotaArgs(quota), String(count)],
          ));
      clock.observe(now);
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
      const [code, now, left] = await run<AdmissionReply>(deadline, counting, keys, createQuotaArgs(cost));
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
