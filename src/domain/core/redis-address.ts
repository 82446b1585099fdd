/** A host and port of a Redis server or a Sentinel. */
export interface RedisHost {
  readonly host: string;
  readonly port: number;
}

/**
 * The store of REDIS_URL. `single`: one server, or a name that leads to one. `sentinel`: the hosts are
 * Sentinels, which know the master by `name`. `cluster`: the hosts are some nodes of a Redis Cluster.
 */
export interface RedisAddress {
  readonly kind: 'single' | 'sentinel' | 'cluster';
  readonly hosts: readonly RedisHost[];
  readonly tls: boolean;
  readonly username: string;
  readonly password: string;
  /** The name of the master; empty unless Sentinels are asked. */
  readonly name: string;
  readonly database: number;
}

const form = /^redis(s)?(?:\+(cluster|sentinel))?:\/\/(?:([^@/?#]*)@)?([^@/?#]+)(?:\/([^?#]*))?$/;

/** Why an address cannot be read, as a sentence that shows nothing of it. */
export interface UnreadableAddress {
  readonly problem: string;
}

const generalProblem =
  'must be an address like redis://:PASSWORD@HOST:6379/0 (rediss:// for TLS), redis+cluster://HOST:6379,HOST:6379 or redis+sentinel://HOST:26379,HOST:26379/NAME, with special characters of the password percent-encoded (@ is %40, / is %2F, # is %23)';

/**
 * Reads an address of Redis. `URL` refuses several hosts, so each is read alone. A password must not contain
 * URL delimiters, which would end it too early.
 */
export function readRedisAddress(text: string): RedisAddress | UnreadableAddress {
  const [, tls, kind = 'single', login = '', list = '', path = ''] = form.exec(text) ?? [];
  const hosts = list.split(',').map((host) => readHost(host, kind === 'sentinel' ? 26_379 : 6_379));
  const [, username, password] = /^([^:]*):?(.*)$/.exec(login)?.map(decode) ?? [];
  if (username === undefined || password === undefined) return {problem: generalProblem};
  if (!hosts.every((host) => host !== undefined)) return {problem: generalProblem};
  const shared = {hosts, tls: tls !== undefined, username, password};
  if (kind === 'cluster') {
    if (path !== '') return {problem: 'must not end in a database number, for a cluster has only one'};
    return {...shared, kind, name: '', database: 0};
  }
  if (kind === 'sentinel') {
    const [, name, database = '0'] = /^([\w.-]+)(?:\/(\d+))?$/.exec(path) ?? [];
    if (name === undefined) {
      return {problem: 'must end in the name of the master that the Sentinels watch, like /mymaster'};
    }
    return {...shared, kind, name, database: Number(database)};
  }
  if (hosts.length > 1 || !/^\d*$/.test(path)) return {problem: generalProblem};
  return {...shared, kind: 'single', name: '', database: Number(path)};
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Reads `host` or `host:port`. An IPv6 address stands in brackets, which only the address shows. */
function readHost(text: string, defaultPort: number): RedisHost | undefined {
  const url = URL.parse(`redis://${text}`);
  if (url === null || url.hostname === '' || url.port === '0' || url.pathname !== '') return undefined;
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? defaultPort : Number(url.port),
  };
}

/** Returns `host:port`, the only part of an address that may be printed. */
export function showHost({host, port}: RedisHost): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Returns the address of one server with the login, TLS and database of an address. It contains secrets. */
export function formatServerUrl(address: RedisAddress, server: RedisHost): string {
  const {tls, username, password, database} = address;
  const login =
    username || password ? `${encodeURIComponent(username)}:${encodeURIComponent(password)}@` : '';
  return `redis${tls ? 's' : ''}://${login}${showHost(server)}/${database}`;
}
