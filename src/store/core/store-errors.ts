/** A reason why the store is unusable: how its error is recognised, and the sentence for the operator. */
interface StoreError {
  readonly says: RegExp;
  /** Returns the sentence. `where`: the server. `said`: its message, maybe with an internal address. */
  readonly explain: (where: string, said: string) => string;
  /** True if the problem ends by itself, so that a running process waits. */
  readonly passes?: true;
}

/** A script that finds in its midst that its keys have moved. Redis keeps the writes that it has made. */
const halfWay = /Script attempted to (access|execute)/;

export function isBrokenScript(error: unknown): boolean {
  return error instanceof Error && halfWay.test(error.message);
}

const storeErrors: readonly StoreError[] = [
  {
    says: /^(MOVED|ASK|CROSSSLOT) |not allowed in cluster mode/,
    explain: (where) =>
      `${where} is a node of a cluster: write redis+cluster:// in place of redis:// in REDIS_URL.`,
    passes: true,
  },
  {
    says: /^(CLUSTERDOWN|TRYAGAIN) |Too many Cluster redirections/,
    explain: (where) =>
      `${where} serves no keys of this part of the cluster: wait for a new master or for the end of a move, or look at CLUSTER INFO.`,
    passes: true,
  },
  {
    says: halfWay,
    explain: (where) => `${where} stopped a script half-way, because keys moved to another node meanwhile.`,
    passes: true,
  },
  {
    says: /cluster support disabled|^ERR unknown command '?CLUSTER/i,
    explain: (where) =>
      `${where} is not part of a cluster: write redis:// in place of redis+cluster:// in REDIS_URL.`,
  },
  {
    says: /^ERR unknown command '?SENTINEL/i,
    explain: (where) =>
      `${where} is no Sentinel: write redis:// in place of redis+sentinel:// in REDIS_URL, or name the ports of the Sentinels.`,
  },
  {
    says: /^UNKNOWNMASTER/,
    explain: (where) =>
      `${where} watches no master of the name that ends REDIS_URL: look at sentinel monitor in its settings.`,
  },
  {
    says: /^SENTINELAUTH/,
    explain: (where) =>
      `${where} asks for another password than that of the store: set REDIS_SENTINEL_PASSWORD.`,
  },
  {
    says: /^AWAY /,
    explain: (where, said) =>
      `${where} names ${said.slice(5)} as a master, which does not answer: wait for a failover, or look whether it can be reached from here by this address (cluster-announce-ip).`,
    passes: true,
  },
  {
    says: /^NOTMASTER/,
    explain: (where) => `${where} names a master that is none yet: wait for the end of the failover.`,
    passes: true,
  },
  {
    says: /^ERR unknown command '?TIME/i,
    explain: (where) =>
      `${where} is a Sentinel, which keeps no data: write redis+sentinel:// in place of redis:// in REDIS_URL, and end it with the name of the master.`,
  },
  {
    says: /^NOPERM|ACL failure in script/,
    explain: (where, said) =>
      `${where} does not let the user in REDIS_URL ${describeDeniedCommand(said)}: give it ~* &* +@all.`,
  },
  {
    says: /^(WRONGPASS|NOAUTH)|invalid password/,
    explain: (where) => `${where} refuses the user name or password in REDIS_URL.`,
  },
  {
    says: /AUTH <password> called without any password/,
    explain: (where) =>
      `${where} has no password, and REDIS_URL has one: remove it there, or set requirepass in Redis.`,
  },
  {
    says: /^DENIED/,
    explain: (where) =>
      `${where} has no password and takes no calls from other machines: set requirepass in Redis.`,
  },
  {
    says: /^(READONLY|MASTERDOWN|UNBLOCKED)|WAIT cannot be used with replica/,
    explain: (where) => `${where} is a replica and takes no writes: set REDIS_URL to its master.`,
    passes: true,
  },
  {
    says: /^LOADING/,
    explain: (where) => `${where} is still loading its data: wait for it.`,
    passes: true,
  },
  {
    says: /^BUSY /,
    explain: (where) => `${where} is busy with a script: wait for its end.`,
    passes: true,
  },
  {
    says: /^MISCONF/,
    explain: (where) =>
      `${where} cannot write to its disk and takes no writes: look at the free space and the log of Redis.`,
    passes: true,
  },
  {
    says: /^NOREPLICAS/,
    explain: (where) =>
      `${where} takes no writes while it has fewer replicas than min-replicas-to-write: look at the replicas.`,
    passes: true,
  },
  {
    says: /^OOM/,
    explain: (where) => `${where} is full: give it more maxmemory, or make room.`,
    passes: true,
  },
  {
    says: /max number of clients/,
    explain: (where) => `${where} takes no more connections: raise maxclients, or end some.`,
    passes: true,
  },
  {
    says: /DB index is out of range|invalid DB index/,
    explain: (where) =>
      `${where} does not have the database whose number ends REDIS_URL: choose another one.`,
  },
  {
    says: /certificate|altnames/i,
    explain: (where, said) =>
      `${where} has a certificate that cannot be verified (${said}). Name the authority of your own by NODE_EXTRA_CA_CERTS=FILE; REDIS_TLS_VERIFY=false takes any certificate, and so anybody in between.`,
  },
  {
    says: /wrong version number|packet length too long|EPROTO/,
    explain: (where) => `${where} does not speak TLS: write redis:// in place of rediss:// in REDIS_URL.`,
  },
  {
    says: /Unknown RESP type/,
    explain: (where) =>
      `${where} is no Redis, for it answers in another way: is the port in REDIS_URL right?`,
  },
  {
    says: /Socket closed unexpectedly|ECONNRESET/,
    explain: (where) =>
      `${where} closes the connection without an answer. If it wants TLS, write rediss:// in place of redis:// in REDIS_URL.`,
    passes: true,
  },
  {
    says: /ENOTFOUND|EAI_AGAIN/,
    explain: (where) => `${where} cannot be found by its name: is the host in REDIS_URL right?`,
    passes: true,
  },
];

function describeDeniedCommand(said: string): string {
  const [, command] = /the '([^']{1,40})' command/.exec(said) ?? [];
  return command === undefined ? 'do what the service needs' : `run ${command.toUpperCase()}`;
}

/**
 * Returns the sentence for the operator about an error or its cause; undefined for an unknown error. `where`
 * names the server. Without it the sentence contains no address, so that anybody may read it.
 */
export function explainStoreError(error: unknown, where?: string): string | undefined {
  for (const said of listErrorMessages(error)) {
    const storeError = storeErrors.find(({says}) => says.test(said));
    if (storeError !== undefined) return storeError.explain(where ?? 'Redis', said);
  }
  return undefined;
}

/** True if the store cannot work at the moment; false if our command is wrong. */
export function isStoreUnavailableError(error: unknown): boolean {
  return explainStoreError(error) !== undefined;
}

/** True if waiting does not help, because the operator must change something. */
export function needsOperatorAction(error: unknown): boolean {
  return listErrorMessages(error).some((said) =>
    storeErrors.some(({says, passes}) => !passes && says.test(said)),
  );
}

function listErrorMessages(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const several = error instanceof AggregateError ? error.errors.flatMap(listErrorMessages) : [];
  return [error.message, ...several, ...listErrorMessages(error.cause)];
}
