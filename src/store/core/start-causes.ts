import {readRedisAddress, showHost} from '../../domain/core/redis-address.js';

/** A reason why a server is unusable: how its error is recognised, and the sentence for the operator. */
interface StartCause {
  readonly says: RegExp;
  /** Returns the sentence. `said`: the message of the server, maybe with an internal address. */
  readonly explain: (server: NamedServer, said: string) => string;
  /** True if the problem ends by itself, so that a running process waits. */
  readonly passes?: true;
}

/** A server as sentences name it: its host and port, and the setting that has its address. */
export interface NamedServer {
  readonly where: string;
  readonly setting: string;
}

/** The server if its address must not be shown, since anybody may read the sentence. */
const unnamed: NamedServer = {where: 'Redis', setting: 'REDIS_URL'};

/** A script that finds in its midst that its keys have moved. Redis keeps the writes that it has made. */
const halfWay = /Script attempted to (access|execute)/;

export function isBrokenScript(error: unknown): boolean {
  return error instanceof Error && halfWay.test(error.message);
}

/** All causes; the first that fits counts. `test/store/core/start-causes.test.ts` brings each about. */
const startCauses = {
  'node of a cluster': {
    says: /^(MOVED|ASK|CROSSSLOT) |not allowed in cluster mode/,
    explain: ({where, setting}) =>
      `${where} is a node of a cluster: write redis+cluster:// in place of redis:// in ${setting}.`,
    passes: true,
  },
  'slot without a node': {
    says: /^(CLUSTERDOWN|TRYAGAIN) |Too many Cluster redirections/,
    explain: ({where}) =>
      `${where} serves no keys of this part of the cluster: wait for a new master or for the end of a move, or look at CLUSTER INFO.`,
    passes: true,
  },
  'half of a script': {
    says: halfWay,
    explain: ({where}) => `${where} stopped a script half-way, because keys moved to another node meanwhile.`,
    passes: true,
  },
  'no cluster': {
    says: /cluster support disabled|^ERR unknown command '?CLUSTER/i,
    explain: ({where, setting}) =>
      `${where} is not part of a cluster: write redis:// in place of redis+cluster:// in ${setting}.`,
  },
  'no Sentinel': {
    says: /^ERR unknown command '?SENTINEL/i,
    explain: ({where, setting}) =>
      `${where} is no Sentinel: write redis:// in place of redis+sentinel:// in ${setting}, or name the ports of the Sentinels.`,
  },
  'unknown master name': {
    says: /^UNKNOWNMASTER/,
    explain: ({where, setting}) =>
      `${where} watches no master of the name that ends ${setting}: look at sentinel monitor in its settings.`,
  },
  'password of the Sentinels': {
    says: /^SENTINELAUTH/,
    explain: ({where}) =>
      `${where} asks for another password than that of the store: set REDIS_SENTINEL_PASSWORD.`,
  },
  'announced address': {
    says: /^AWAY /,
    explain: ({where}, said) =>
      `${where} names ${said.slice(5)} as a master, which does not answer: wait for a failover, or look whether it can be reached from here by this address (cluster-announce-ip).`,
    passes: true,
  },
  'not yet a master': {
    says: /^NOTMASTER/,
    explain: ({where}) => `${where} names a master that is none yet: wait for the end of the failover.`,
    passes: true,
  },
  Sentinel: {
    says: /^ERR unknown command '?TIME/i,
    explain: ({where, setting}) =>
      `${where} is a Sentinel, which keeps no data: write redis+sentinel:// in place of redis:// in ${setting}, and end it with the name of the master.`,
  },
  'denied command': {
    says: /^NOPERM|ACL failure in script/,
    explain: ({where, setting}, said) =>
      `${where} does not let the user in ${setting} ${describeDeniedCommand(said)}: give it the rules of ops/redis/users.acl.`,
  },
  'wrong password': {
    says: /^(WRONGPASS|NOAUTH)|invalid password/,
    explain: ({where, setting}) => `${where} refuses the user name or password in ${setting}: correct them.`,
  },
  'needless password': {
    says: /AUTH <password> called without any password/,
    explain: ({where, setting}) =>
      `${where} has no password, and ${setting} has one: remove it there, or set requirepass in Redis.`,
  },
  'protected mode': {
    says: /^DENIED/,
    explain: ({where}) =>
      `${where} has no password and takes no calls from other machines: set requirepass in Redis.`,
  },
  replica: {
    says: /^(READONLY|MASTERDOWN|UNBLOCKED)|WAIT cannot be used with replica/,
    explain: ({where, setting}) => `${where} is a replica and takes no writes: set ${setting} to its master.`,
    passes: true,
  },
  loading: {
    says: /^LOADING/,
    explain: ({where}) => `${where} is still loading its data: wait for it.`,
    passes: true,
  },
  busy: {
    says: /^BUSY /,
    explain: ({where}) => `${where} is busy with a script: wait for its end.`,
    passes: true,
  },
  'broken disk': {
    says: /^MISCONF/,
    explain: ({where}) =>
      `${where} cannot write to its disk and takes no writes: look at the free space and the log of Redis.`,
    passes: true,
  },
  'few replicas': {
    says: /^NOREPLICAS/,
    explain: ({where}) =>
      `${where} takes no writes while it has fewer replicas than min-replicas-to-write: look at the replicas.`,
    passes: true,
  },
  full: {
    says: /^OOM/,
    explain: ({where}) => `${where} is full: give it more maxmemory, or make room.`,
    passes: true,
  },
  'many connections': {
    says: /max number of clients/,
    explain: ({where}) => `${where} takes no more connections: raise maxclients, or end some.`,
    passes: true,
  },
  'database number': {
    says: /DB index is out of range|invalid DB index/,
    explain: ({where, setting}) =>
      `${where} does not have the database whose number ends ${setting}: choose another one.`,
  },
  certificate: {
    says: /certificate|altnames/i,
    explain: ({where}, said) =>
      `${where} has a certificate that cannot be verified (${said}). Name the authority of your own by NODE_EXTRA_CA_CERTS=FILE; REDIS_TLS_VERIFY=false takes any certificate, and so anybody in between.`,
  },
  'needless TLS': {
    says: /wrong version number|packet length too long|EPROTO/,
    explain: ({where, setting}) =>
      `${where} does not speak TLS: write redis:// in place of rediss:// in ${setting}.`,
  },
  'no Redis': {
    says: /Unknown RESP type/,
    explain: ({where, setting}) =>
      `${where} is no Redis, for it answers in another way: is the port in ${setting} right?`,
  },
  'missing TLS': {
    says: /Socket closed unexpectedly|ECONNRESET/,
    explain: ({where, setting}) =>
      `${where} closes the connection without an answer. If it wants TLS, write rediss:// in place of redis:// in ${setting}.`,
    passes: true,
  },
  'unknown host': {
    says: /ENOTFOUND|EAI_AGAIN/,
    explain: ({where, setting}) => `${where} cannot be found by its name: is the host in ${setting} right?`,
    passes: true,
  },
} as const satisfies Readonly<Record<string, StartCause>>;

export type StartCauseName = keyof typeof startCauses;

const inOrder: readonly StartCause[] = Object.values(startCauses);

function describeDeniedCommand(said: string): string {
  const [, command] = /the '([^']{1,40})' command/.exec(said) ?? [];
  return command === undefined
    ? 'do what the service needs'
    : `run ${command.replace('|', ' ').toUpperCase()}`;
}

/**
 * Returns the sentence for the operator about an error or its cause; undefined for an unknown error. Without
 * `server` the sentence contains no address, so that anybody may read it.
 */
export function explainStoreError(error: unknown, server: NamedServer = unnamed): string | undefined {
  for (const said of listErrorMessages(error)) {
    const found = inOrder.find(({says}) => says.test(said));
    if (found !== undefined) return found.explain(server, said);
  }
  return undefined;
}

/** A Redis without TLS waits for more data, because it takes the handshake for an incomplete line. */
const withTls = ' If it does not speak TLS, write redis:// in place of rediss://.';

/** Names the servers of an address by host and port, without the rest of it. */
export function nameServers(url: string): string {
  const address = readRedisAddress(url);
  return 'problem' in address ? 'Redis' : `Redis at ${address.hosts.map(showHost).join(', ')}`;
}

/** Explains why a server could not be opened, without the password in its URL. */
export function explainOpeningError(error: unknown, url: string, setting: string): string {
  const message = error instanceof Error ? error.message : String(error);
  const address = readRedisAddress(url);
  if ('problem' in address) return message;
  const where = nameServers(url);
  return (
    explainStoreError(error, {where, setting}) ??
    `${where} cannot be reached (${message || 'no answer'}). Is it running, and is ${setting} right?${address.tls ? withTls : ''}`
  );
}

/** True if the store cannot work at the moment; false if our command is wrong. */
export function isStoreUnavailableError(error: unknown): boolean {
  return explainStoreError(error) !== undefined;
}

/** True if waiting does not help, because the operator must change something. */
export function needsOperatorAction(error: unknown): boolean {
  return listErrorMessages(error).some((said) =>
    inOrder.some(({says, passes}) => !passes && says.test(said)),
  );
}

/** True if Redis reads its file. It refuses commands until it has all data. */
export function isLoading(error: unknown): boolean {
  return listErrorMessages(error).some((said) => startCauses.loading.says.test(said));
}

/** True if a cluster has no master for a slot, as for some seconds after its servers have loaded their files. */
export function isClusterDown(error: unknown): boolean {
  return listErrorMessages(error).some((said) => said.startsWith('CLUSTERDOWN '));
}

function listErrorMessages(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const several = error instanceof AggregateError ? error.errors.flatMap(listErrorMessages) : [];
  return [error.message, ...several, ...listErrorMessages(error.cause)];
}
