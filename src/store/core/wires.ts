import {ClientClosedError, createCluster, ErrorReply} from '@redis/client';
import calculateSlot from '@redis/client/dist/lib/utils/calculate-slot.js';
import {
  formatServerUrl,
  type RedisAddress,
  type RedisHost,
  showHost,
} from '../../domain/core/redis-address.js';
import {type CommitChannel, type MustConfirm, openCommitChannel} from './commit-channel.js';
import {createUnavailableError} from './deadlines.js';
import {isLoading} from './start-causes.js';
import {
  askServer,
  closeClient,
  connectWithin,
  createClientSettings,
  openClient,
  within,
} from './redis-client.js';

/** A way to the nodes of a store: to one server, to the master that Sentinels name, or to a cluster. */
export interface Wire {
  /**
   * Sends a command to the master that has the key, once: an answer that is lost stays lost. With
   * `mustConfirm` it is a commit, which replicas must confirm if the settings say so.
   */
  readonly send: (
    key: string,
    args: readonly string[],
    deadline: number,
    mustConfirm?: MustConfirm,
  ) => Promise<unknown>;
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
  /** The number of replicas that must confirm a commit; 0 for none. */
  readonly confirmReplicas: number;
}

export function openWire(options: WireOptions): Promise<Wire> {
  if (options.address.kind === 'cluster') return openCluster(options);
  if (options.address.kind === 'sentinel') return openMasterOfSentinels(options);
  return openWireOfOne(options, options.address.hosts[0], {isStale: async () => false});
}

/** Opens the wire to one server. `check`: what the server must say before anything is sent to it. */
async function openWireOfOne(
  options: WireOptions & {readonly reconnects?: boolean},
  host: RedisHost | undefined,
  {check, isStale}: {check?: (call: WireNode['send']) => Promise<void>; isStale: Wire['isStale']},
): Promise<Wire> {
  const client = await openClient(options, options.connectWithin);
  const node = {
    name: host === undefined ? '' : showHost(host),
    send: (args: readonly string[]): Promise<unknown> => client.sendCommand(args),
  };
  let commits: CommitChannel | undefined;
  try {
    await check?.(node.send);
    if (options.confirmReplicas > 0) commits = await openCommitChannel(options, options.connectWithin);
  } catch (error) {
    client.destroy();
    throw error;
  }
  return {
    send: (_, args, deadline, mustConfirm) =>
      commits === undefined || mustConfirm === undefined
        ? client.sendCommand(args)
        : commits.send([args], deadline, mustConfirm),
    masters: () => [node],
    ownerOf: () => node.name,
    isStale: async () => !client.isOpen || commits?.isOpen() === false || isStale(),
    async close() {
      await Promise.all([closeClient(client), commits?.close()]);
    },
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
  return openWireOfOne({...options, url, reconnects: false}, host, {
    async check(call) {
      // A Sentinel that was cut off may still name a server that is a replica by now.
      const [role] = (await within(call(['ROLE']), options.connectWithin)) as [string];
      if (role !== 'master') throw new Error('NOTMASTER');
    },
    async isStale() {
      const now = await findMaster(options).catch(() => host);
      return showHost(now) !== showHost(host);
    },
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

/**
 * Creates a client of a cluster. node-redis generates a class with all commands for options whose JSON differs
 * from that of the last client. This blocks the process for 0.1 s, so the nodes are hidden in the JSON.
 */
export function createClusterClient(
  {address: {username, password, tls}, tlsVerify}: Pick<WireOptions, 'address' | 'tlsVerify'>,
  nodes: readonly RedisHost[],
) {
  const rootNodes = nodes.map((socket) => ({socket}));
  return createCluster({
    RESP: 2,
    rootNodes: Object.assign(rootNodes, {toJSON: () => 'nodes'}),
    defaults: {
      ...createClientSettings({tls, tlsVerify}),
      ...(username !== '' && {username}),
      ...(password !== '' && {password}),
    },
    // Otherwise connecting waits for every node, and so forever while one is down.
    minimizeConnections: true,
    topologyRefreshOnReconnectionAttemptStrategy: 250,
  });
}

async function openCluster(options: WireOptions): Promise<Wire> {
  const {address, onError} = options;
  const cluster = createClusterClient(options, await findAnswering(options));
  cluster.on('error', onError).on('node-error', onError);
  await connectWithin(cluster, options.connectWithin);
  const masterOf = (key: string) => cluster.slots[calculateSlot.default(key)]?.master;
  const plain = {timeout: 0};
  const channels = new Map<string, Promise<CommitChannel>>();
  let isClosed = false;

  /** Returns the channel to a node, which is opened at the first call. */
  async function openChannelTo(host: RedisHost): Promise<CommitChannel> {
    const name = showHost(host);
    const known = channels.get(name);
    if (known !== undefined) return known;
    const url = formatServerUrl(address, host);
    const opened = openCommitChannel({...options, url}, 2_000);
    channels.set(name, opened);
    opened.catch(() => channels.delete(name));
    return opened;
  }

  /**
   * Sends a commit to one node. The cluster's own `sendCommand` cannot follow a redirection here: which
   * connection has made the write would be unknown, and it takes WAIT for a command to all nodes.
   */
  async function commitOnce(
    key: string,
    args: readonly string[],
    deadline: number,
    mustConfirm: MustConfirm,
  ): Promise<unknown> {
    const master = masterOf(key);
    if (master === undefined) throw new ErrorReply('CLUSTERDOWN Hash slot not served');
    const channel = await openChannelTo(master);
    if (performance.now() > deadline) throw createUnavailableError('The store did not answer in time.');
    try {
      return await channel.send([args], deadline, mustConfirm);
    } catch (error) {
      // Reading the key makes the cluster learn which node has the slot, for the next try.
      if (isErrorReply(error, /^MOVED /)) await cluster.sendCommand(key, false, ['EXISTS', key], plain);
      const asked = isErrorReply(error, /^ASK /) && /^ASK \d+ (.*):(\d+)$/.exec(error.message);
      if (!asked) throw error;
      const [, host = '', port] = asked;
      const next = await openChannelTo({host: host || master.host, port: Number(port)});
      return next.send([['ASKING'], args], deadline, mustConfirm);
    }
  }

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

  /** Connects to the masters that answer soon. Otherwise the first command to each of them would wait for that. */
  async function connectToMasters(): Promise<void> {
    await Promise.allSettled(
      cluster.masters.map((master) =>
        within(
          Promise.all([
            cluster.nodeClient(master),
            options.confirmReplicas > 0 ? openChannelTo(master) : undefined,
          ]),
          answerMs,
        ),
      ),
    );
  }

  /** A node names no host if it does not know its own. */
  function isOwnedByAnother([from, , [host, port]]: SlotRange): boolean {
    return Boolean(host) && cluster.slots[from]?.master.address !== `${host}:${port}`;
  }

  await connectToMasters();
  return {
    async send(key, args, deadline, mustConfirm) {
      const isCommit = mustConfirm !== undefined && options.confirmReplicas > 0;
      let giveUpAt = Number.NaN;
      for (let pauseMs = 5; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
        try {
          return await (isCommit
            ? commitOnce(key, args, deadline, mustConfirm)
            : sendOnce(key, args, deadline));
        } catch (error) {
          // Nothing was sent: the cluster left that node while it connected. A commit may wait for replicas by then.
          const isUnsent = !isCommit && !isClosed && error instanceof ClientClosedError;
          // Nothing was done: the slot moves or has moved, or its node is away.
          if (!isUnsent && !isErrorReply(error, /^(TRYAGAIN|CLUSTERDOWN|MOVED) /)) throw error;
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
    async close() {
      isClosed = true;
      const opened = await Promise.allSettled(channels.values());
      const all = opened.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      await Promise.all([closeClient(cluster), ...all.map((channel) => channel.close())]);
    },
  };
}

/** A part of the answer to CLUSTER SLOTS: the slots, then their master, then its replicas. */
type SlotRange = [from: number, to: number, master: [host: string | null, port: number], ...unknown[]];

/**
 * Finds the nodes of the address that answer. node-redis asks one after another without a time limit, and so
 * waits for one that is frozen. Errors: that of one that loads its file, else that of the first one.
 */
async function findAnswering({address, tlsVerify}: WireOptions): Promise<RedisHost[]> {
  const asked = await Promise.allSettled(
    address.hosts.map(async (host) => {
      await askServer({url: formatServerUrl(address, host), tlsVerify}, ['CLUSTER', 'INFO'], 2 * answerMs);
      return host;
    }),
  );
  const found = asked.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const failed = asked.flatMap((one): unknown[] => (one.status === 'rejected' ? [one.reason] : []));
  if (found.length === 0) throw failed.find(isLoading) ?? failed[0];
  return found;
}

function isErrorReply(error: unknown, says: RegExp): error is ErrorReply {
  return error instanceof ErrorReply && says.test(error.message);
}
