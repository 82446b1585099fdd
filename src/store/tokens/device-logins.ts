import {createHmac} from 'node:crypto';
import type {Scope} from '../../domain/core/access.js';
import type {Id, IdSuffix} from '../../domain/core/ids.js';
import {storedId, storedSuffix} from '../../domain/core/ids.js';
import {lifetimes, limits} from '../../domain/core/limits.js';
import type {Cipher} from '../core/cipher.js';
import {
  approveDeviceLoginScript,
  decideDeviceLoginScript,
  pollDeviceLoginScript,
  startDeviceLoginScript,
  tryUserCodeScript,
} from '../core/compiled/lua.js';
import type {RedisConnection} from '../core/connection.js';
import {globalKeys} from '../core/keys.js';

/** A program's request, as the person who decides sees it. */
export interface AskedDeviceLogin {
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** The network address of the program. */
  readonly address: string;
}

/** A login that waits or was decided. `hash` identifies it in further calls. */
export interface FoundDeviceLogin extends AskedDeviceLogin {
  readonly hash: string;
  /** The time of the request, in ms. */
  readonly at: number;
  readonly state: 'pending' | DecidedDeviceLogin['state'];
  /** True if the member who asks has decided. */
  readonly isOwn: boolean;
}

/** The member who decides. */
export interface Decider {
  readonly workspace: Id<'workspace'>;
  readonly member: Id<'member'>;
}

const formatDecider = ({workspace, member}: Decider): string => `${workspace} ${member}`;

/** `approving`: the token with this id suffix may have been committed already. */
export interface DecidedDeviceLogin {
  readonly state: 'denied' | 'approving' | 'approved' | 'gone';
  /** True if this member has decided. */
  readonly isOwn: boolean;
  readonly suffix: IdSuffix<'access_token'>;
}

export type PolledDeviceLogin =
  | {readonly state: 'pending' | 'early' | 'denied' | 'gone'}
  | {
      readonly state: 'approved';
      readonly workspace: Id<'workspace'>;
      readonly token: Id<'access_token'>;
      readonly kid: string;
    };

const minuteMs = 60_000;

/** The announced pause is longer, because requests take different times on their way. */
const leastPauseMs = (lifetimes.deviceLoginPause - 1) * 1_000;

/**
 * Programs that wait for a person to approve their sign-in. They belong to no workspace until then. Redis has
 * their codes only as keyed hashes, and what they ask for encrypted.
 */
export function createDeviceLogins({call, run}: RedisConnection, cipher: Cipher) {
  const key = cipher.derive('device-login');
  const lifetimeMs = String(lifetimes.deviceLogin * 1_000);
  const repeatMs = String(lifetimes.deviceLoginRepeat * 1_000);
  const hashOf = (...parts: readonly string[]): string =>
    createHmac('sha256', key).update(JSON.stringify(parts)).digest('base64url');
  const codeKey = (userCode: string) => globalKeys.deviceUserCode(hashOf('user', userCode));

  return {
    /** Starts a login. A number: the time (ms) until there is room for it. */
    async start(
      {deviceCode, userCode}: {readonly deviceCode: string; readonly userCode: string},
      asked: AskedDeviceLogin,
      deadline: number,
    ): Promise<'started' | 'code-taken' | number> {
      const hash = hashOf('device', deviceCode);
      const encrypted = cipher.encrypt('device-login', hash, JSON.stringify(asked));
      const waitMs = await run<number>(
        deadline,
        startDeviceLoginScript,
        [globalKeys.deviceLogin(hash), codeKey(userCode), globalKeys.deviceLogins()],
        [encrypted, lifetimeMs, String(limits.pendingDeviceLogins), hash],
      );
      if (waitMs === 0) return 'started';
      return waitMs < 0 ? 'code-taken' : waitMs;
    },
    /** Finds a login by a typed code. A number: the time (ms) to wait after too many wrong codes. */
    async find(
      {workspace, member}: Decider,
      userCode: string,
      deadline: number,
    ): Promise<FoundDeviceLogin | undefined | number> {
      const [kind, value] = await run<[kind: string, value: string | number]>(
        deadline,
        tryUserCodeScript,
        [
          codeKey(userCode),
          globalKeys.wrongDeviceCodes(hashOf('member', workspace, member)),
          globalKeys.wrongDeviceCodes(hashOf('workspace', workspace)),
        ],
        [String(minuteMs), String(limits.wrongDeviceCodes), String(limits.wrongDeviceCodesPerWorkspace)],
      );
      if (kind === 'limited') return Number(value);
      if (kind === 'wrong') return undefined;
      const hash = String(value);
      const login = globalKeys.deviceLogin(hash);
      const fields = await call<(string | null)[]>(deadline, ['HMGET', login, 'asked', 'at', 'state', 'by']);
      const [asked, at, state, by] = fields;
      if (typeof asked !== 'string') return undefined;
      const opened = JSON.parse(cipher.decrypt('device-login', hash, asked)) as AskedDeviceLogin;
      return {
        ...opened,
        hash,
        at: Number(at),
        state: state as FoundDeviceLogin['state'],
        isOwn: by === formatDecider({workspace, member}),
      };
    },
    /** Denies a login, or begins to approve it with the id suffix of a token. The first decision stays. */
    async decide(
      hash: string,
      {workspace, member}: Decider,
      suffix: IdSuffix<'access_token'> | undefined,
      deadline: number,
    ): Promise<DecidedDeviceLogin> {
      const [state, by, fixed] = await run<[DecidedDeviceLogin['state'], string, string]>(
        deadline,
        decideDeviceLoginScript,
        [globalKeys.deviceLogin(hash), globalKeys.deviceLogins()],
        [formatDecider({workspace, member}), suffix ?? '', lifetimeMs, repeatMs, hash],
      );
      return {state, isOwn: by === formatDecider({workspace, member}), suffix: storedSuffix(fixed)};
    },
    /** Records the token of a login, so that its program gets it. */
    async approve(hash: string, token: Id<'access_token'>, kid: string, deadline: number): Promise<void> {
      await run(deadline, approveDeviceLoginScript, [globalKeys.deviceLogin(hash)], [token, kid]);
    },
    /** Returns what became of a login, for its program. */
    async poll(deviceCode: string, deadline: number): Promise<PolledDeviceLogin> {
      const [state, by, token, kid] = await run<[PolledDeviceLogin['state'], string, string, string]>(
        deadline,
        pollDeviceLoginScript,
        [globalKeys.deviceLogin(hashOf('device', deviceCode))],
        [lifetimeMs, String(leastPauseMs), repeatMs],
      );
      if (state !== 'approved') return {state};
      return {state, workspace: storedId(by.split(' ')[0] ?? ''), token: storedId(token), kid};
    },
  };
}
