import {createCluster, ErrorReply} from '@redis/client';
import calculateSlot from '@redis/client/dist/lib/utils/calculate-slot.js';
import {
  formatServerUrl,
  type RedisAddress,
  type RedisHost,
  showHost,
} from '../../domain/core/redis-address.js';
import {createUnavailableError} from './deadlines.js';
import {
  askServer,
  closeClient,
  connectWithin,
  createClientSettings,
  openClient,
  type RedisClient,
  within,
} from './redis-client.js';

/** A way to the nodes of a store: to one server, to the master that Sentinels name, or to a cluster. */
export interface Wire {
  /** Sends a command to the master that has the key, once: an answer that is lost stays lost. */
  readonly send: (key: string, args: readonly string[], deadline: number) => Promise<unknown>;
  /** Lists the masters that have slots. A command to one goes to exactly this node. */
  readonly masters: () => readonly WireNode[];
  /** Returns the name of the master that has a key. */
  readonly ownerOf: (key: string) => string;
  /** True if other servers are masters now, so that a new wire must be opened. */
  readonly isStale: () => Promise<boolean>;
  readonly close: () => Promise<void>;
}

export interface WireNode {
  /** Host and port. */
  readonly name: string;
  readonly send: (args: readonly string[]) => Promise<unknown>;
}

export interface WireOptions {
  readonly url: string;
  readonly address: RedisAddress;
  readonly tlsVerify: boolean;
  readonly sentinelPassword?: string | undefined;
  readonly onError: (error: Error) => void;
  /** The time limit of the first connection, in ms. */
  readonly connectWithin: number;
}

export function openWire(options: WireOptions): Promise<Wire> {
  if (options.address.kind === 'cluster') return openCluster(options);
  return options.address.kind === 'sentinel' ? openMasterOfSentinels(options) : openSingle(options);
}

async function openSingle(options: WireOptions): Promise<Wire> {
  const client = await openClient(options, options.connectWithin);
  return createWireOfOne(client, options.address.hosts[0], async () => false);
}

function createWireOfOne(client: RedisClient, host: RedisHost | undefined, isStale: Wire['isStale']): Wire {
  const node = {
    name: host === undefined ? '' : showHost(host),
    send: (args: readonly string[]) => client.sendCommand(args),
  };
  return {
    send: (_, args) => client.sendCommand(args),
    masters: () => [node],
    ownerOf: () => node.name,
    isStale,
    close: () => closeClient(client),
  };
}

/** The time (ms) for a Sentinel, or a node of a cluster, to say who is a master. */
const answerMs = 500;

/**
 * Opens the master that the Sentinels name. node-redis' own client for Sentinels is not used: it sends a
 * write again whose answer was lost, and costs several times the processor.
 */
async function openMasterOfSentinels(options: WireOptions): Promise<Wire> {
  const host = await findMaster(options);
  const url = formatServerUrl(options.address, host);
  // After a loss only the Sentinels know whether the server at this address is still the master.
  const client = await openClient({...options, url, reconnects: false}, options.connectWithin);
  try {
    // A Sentinel that was cut off may still name a server that is a replica by now.
    const [role] = (await within(client.sendCommand(['ROLE']), options.connectWithin)) as unknown as [string];
    if (role !== 'master') throw new Error('NOTMASTER');
  } catch (error) {
    client.destroy();
    throw error;
  }
  return createWireOfOne(client, host, async () => {
    if (!client.isOpen) return true;
    const now = await findMaster(options).catch(() => host);
    return showHost(now) !== showHost(host);
  });
}

/**
 * Asks the Sentinels for the address of the master. One that has not heard of a failover names the former master,
 * which may be back: so the one that knows of the last failover counts. Errors: that of the last one.
 */
async function findMaster({address, tlsVerify, sentinelPassword = ''}: WireOptions): Promise<RedisHost> {
  const login = {...address, username: '', password: sentinelPassword, database: 0};

  async function askSentinel(sentinel: RedisHost): Promise<{master: RedisHost; epoch: number}> {
    const server = {url: formatServerUrl(login, sentinel), tlsVerify};
    const [found, facts] = await Promise.all([
      askServer<[string, string] | null>(
        server,
        ['SENTINEL', 'GET-MASTER-ADDR-BY-NAME', address.name],
        answerMs,
      ),
      askServer<string[]>(server, ['SENTINEL', 'MASTER', address.name], answerMs).catch((): string[] => []),
    ]);
    if (found === null) throw new Error('UNKNOWNMASTER');
    const epoch = Number(facts[facts.indexOf('config-epoch') + 1] ?? 0);
    return {master: {host: found[0], port: Number(found[1])}, epoch};
  }

  const answers = await Promise.allSettled(address.hosts.map(askSentinel));
  const found = answers.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const latest = found.toSorted((a, b) => b.epoch - a.epoch)[0];
  if (latest !== undefined) return latest.master;
  const error = answers.flatMap((one): unknown[] => (one.status === 'rejected' ? [one.reason] : [])).at(-1);
  const refused = error instanceof Error && /^(WRONGPASS|NOAUTH)/.test(error.message);
  throw refused ? new Error('SENTINELAUTH', {cause: error}) : error;
}

/** The time (ms) after which a repeated CLUSTERDOWN is answered. A failover takes longer than a request. */
const clusterDownMs = 250;
const longestPauseMs = 80;

async function openCluster(options: WireOptions): Promise<Wire> {
  const {address, tlsVerify, onError} = options;
  const {username, password, tls} = address;
  const cluster = createCluster({
    RESP: 2,
    rootNodes: (await findAnswering(options)).map((socket) => ({socket})),
    defaults: {
      ...createClientSettings({tls, tlsVerify}),
      ...(username !== '' && {username}),
      ...(password !== '' && {password}),
    },
    // Otherwise connecting waits for every node, and so forever while one is down.
    minimizeConnections: true,
    topologyRefreshOnReconnectionAttemptStrategy: 250,
  });
  cluster.on('error', onError).on('node-error', onError);
  await connectWithin(cluster, options.connectWithin);
  const masterOf = (key: string) => cluster.slots[calculateSlot.default(key)]?.master;
  const plain = {timeout: 0};

  /** Sends a command to one node. The first call waits until the node is connected. */
  async function sendOnce(key: string, args: readonly string[], deadline: number): Promise<unknown> {
    const master = masterOf(key);
    if (master === undefined) throw new ErrorReply('CLUSTERDOWN Hash slot not served');
    const client = master.client?.isReady ? master.client : await cluster.nodeClient(master);
    if (performance.now() > deadline) throw createUnavailableError('The store did not answer in time.');
    try {
      return await client.sendCommand(args, plain);
    } catch (error) {
      // Nothing was done. The cluster's own `sendCommand` follows, and learns which node has the slot.
      if (!isErrorReply(error, /^(MOVED|ASK) /)) throw error;
      return cluster.sendCommand(key, false, [...args], plain);
    }
  }

  /** A node names no host if it does not know its own. */
  function isOwnedByAnother([from, , [host, port]]: SlotRange): boolean {
    return Boolean(host) && cluster.slots[from]?.master.address !== `${host}:${port}`;
  }

  return {
    async send(key, args, deadline) {
      let giveUpAt = Number.NaN;
      for (let pauseMs = 5; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
        try {
          return await sendOnce(key, args, deadline);
        } catch (error) {
          // Nothing was done: the slot moves, or its node is away.
          if (!isErrorReply(error, /^(TRYAGAIN|CLUSTERDOWN) /)) throw error;
          const now = performance.now();
          const limit = isErrorReply(error, /^TRYAGAIN /)
            ? deadline
            : Math.min(deadline, now + clusterDownMs);
          giveUpAt = Number.isNaN(giveUpAt) ? limit : Math.min(giveUpAt, limit);
          if (now + pauseMs > giveUpAt) throw error;
          await new Promise((resolve) => setTimeout(resolve, pauseMs));
        }
      }
    },
    masters: () =>
      cluster.masters.map((node) => ({
        name: node.address,
        send: async (args) => (await cluster.nodeClient(node)).sendCommand(args, plain),
      })),
    ownerOf: (key) => masterOf(key)?.address ?? '',
    async isStale() {
      const ready = cluster.masters.flatMap(({client}) => (client?.isReady ? [client] : []));
      const views = await Promise.all(
        ready.map((client) =>
          within(client.sendCommand(['CLUSTER', 'SLOTS'], plain), answerMs).then(
            (slots) => (slots as unknown as SlotRange[]).some(isOwnedByAnother),
            () => undefined,
          ),
        ),
      );
      const [stale, all] = [
        views.filter((view) => view === true),
        views.filter((view) => view !== undefined),
      ];
      // A node that has been cut off still names masters of before.
      return 2 * stale.length > all.length;
    },
    close: () => closeClient(cluster),
  };
}

/** A part of the answer to CLUSTER SLOTS: the slots, then their master, then its replicas. */
type SlotRange = [from: number, to: number, master: [host: string | null, port: number], ...unknown[]];

/**
 * Finds the nodes of the address that answer. node-redis asks one after another without a time limit, and so
 * waits for one that is frozen. Errors: that of the first one.
 */
async function findAnswering({address, tlsVerify}: WireOptions): Promise<RedisHost[]> {
  const asked = await Promise.allSettled(
    address.hosts.map(async (host) => {
      await askServer({url: formatServerUrl(address, host), tlsVerify}, ['CLUSTER', 'INFO'], 2 * answerMs);
      return host;
    }),
  );
  const found = asked.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const [failed] = asked.flatMap((one): unknown[] => (one.status === 'rejected' ? [one.reason] : []));
  if (found.length === 0) throw failed;
  return found;
}

function isErrorReply(error: unknown, says: RegExp): boolean {
  return error instanceof ErrorReply && says.test(error.message);
}
