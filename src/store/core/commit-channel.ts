import {createReadSharer} from '../../domain/core/share-next.js';
import {createUnavailableError} from './deadlines.js';
import {closeClient, openClient, type RedisClient} from './redis-client.js';

/**
 * The longest time (ms) for which one WAIT blocks its connection. Commits behind it are made only afterwards,
 * so a replica that is away must not hold them until their time is over.
 */
const waitMs = 200;

/** The longest time (ms) for which the end of a channel waits for its commits. */
const closeMs = 2_000;

/** Returns true for an answer that may be given only when replicas have what it says. */
export type MustConfirm = (reply: unknown) => boolean;

/**
 * A connection to one master for commits alone, because WAIT blocks all that follows it. WAIT counts the
 * replicas that have the last write of its own connection, so commits and WAIT must share one.
 */
export interface CommitChannel {
  /**
   * Sends commands, and returns the answer of the last one. Errors: `service_unavailable` if too few replicas
   * have confirmed it in time, or if nothing can tell any more. Then it may be lost by a failover.
   */
  readonly send: (
    commands: readonly (readonly string[])[],
    deadline: number,
    mustConfirm: MustConfirm,
  ) => Promise<unknown>;
  /** False once it is closed, or has lost a connection that is not opened again. */
  readonly isOpen: () => boolean;
  readonly close: () => Promise<void>;
}

/** Opens a channel whose commits `replicas` must confirm. */
export async function openCommitChannel(
  options: Parameters<typeof openClient>[0] & {readonly confirmReplicas: number},
  withinMs: number,
): Promise<CommitChannel> {
  const client = await openClient(options, withinMs);
  const replicas = options.confirmReplicas;
  const shareWait = createReadSharer<number>(Number.POSITIVE_INFINITY, () => performance.now());
  const underWay = new Set<Promise<unknown>>();
  let reconnections = 0;
  client.on('ready', () => (reconnections += 1));

  async function sendAndConfirm(
    commands: readonly (readonly string[])[],
    deadline: number,
    mustConfirm: MustConfirm,
  ): Promise<unknown> {
    const connection = reconnections;
    const reply = await sendAll(client, commands);
    if (!mustConfirm(reply)) return reply;
    for (;;) {
      // One WAIT serves all commits before it. While it is under way, the next ones gather for another.
      const confirmed = await shareWait('', () =>
        client.sendCommand<number>(['WAIT', String(replicas), String(waitMs)]),
      );
      // A new connection has written nothing, so that WAIT would count every replica at once.
      if (reconnections !== connection) throw createUnavailableError('The store was lost meanwhile.');
      if (confirmed >= replicas) return reply;
      if (performance.now() + 2 * waitMs > deadline) {
        throw createUnavailableError(
          'Too few replicas of the store confirm changes. This one may be lost: repeat it with the same Idempotency-Key.',
        );
      }
    }
  }

  return {
    send(...commit) {
      const work = sendAndConfirm(...commit);
      const settled = work.then(
        () => void underWay.delete(settled),
        () => void underWay.delete(settled),
      );
      underWay.add(settled);
      return work;
    },
    isOpen: () => client.isOpen,
    async close() {
      // A commit has a WAIT to send yet, which a closing client refuses.
      await Promise.race([Promise.all(underWay), new Promise((end) => setTimeout(end, closeMs).unref())]);
      await closeClient(client);
    },
  };
}

/** Sends commands together, and returns the answer of the last one. */
async function sendAll(client: RedisClient, commands: readonly (readonly string[])[]): Promise<unknown> {
  const replies = await Promise.all(commands.map((args) => client.sendCommand(args)));
  return replies.at(-1);
}
