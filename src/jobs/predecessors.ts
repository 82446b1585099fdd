import {callDeadline, type JobContext, standardLeaseMs, type WakeHere} from './context.js';

/** The time (ms) without a heartbeat after which a process cannot hold a lease. */
const silentMs = 10_000;
const signOfLifeMs = 2_000;

/**
 * Ends the leases of a killed process at once, if this process is the only worker and runs on the same
 * machine. Otherwise the leases end by themselves within seconds, but a process that is killed every few
 * seconds would never get that far.
 */
export async function takeOverLeases(
  {store: {workers, frozen}, host, holder, log, leaseMs = standardLeaseMs}: JobContext,
  wake: WakeHere,
): Promise<{close: () => Promise<void>}> {
  const join = () => workers.join(holder, host.own ?? '', callDeadline());

  const stopping = new AbortController();
  const before = await findEndOfLeases();
  // The end of old leases is not awaited, because very many workspaces may have work.
  const takingBack = before === undefined ? Promise.resolve() : takeBackLeases(before);
  const timer = setInterval(() => {
    join().catch((error: unknown) => log.debug({reason: String(error)}, 'could not send a heartbeat'));
  }, signOfLifeMs);
  timer.unref();

  /** Returns the instant at which the last lease of ended processes ends; undefined for none. */
  async function findEndOfLeases(): Promise<number | undefined> {
    try {
      const {others, now} = await join();
      const dead = others.filter(({identity}) => host.hasEnded(identity));
      for (const other of dead) await workers.leave(other.holder, callDeadline());
      const isAlone = others.every((other) => dead.includes(other) || other.silentMs > silentMs);
      return isAlone && dead.length > 0 ? now + leaseMs : undefined;
    } catch (error) {
      // The store may be unavailable at any time, which must not end a process that already serves requests.
      log.debug({reason: String(error)}, 'could not check whether a process has ended');
      return undefined;
    }
  }

  async function takeBackLeases(before: number): Promise<void> {
    try {
      for (const workspace of await workers.listWorkspacesDueBefore(before, callDeadline())) {
        if (stopping.signal.aborted) return;
        if (await frozen.isFrozen(workspace, callDeadline())) continue;
        for (const work of await workers.endLeases(workspace, before, callDeadline())) wake(workspace, work);
      }
    } catch (error) {
      log.debug(
        {reason: String(error)},
        'could not release the leases of an ended process; they will expire',
      );
    }
  }

  return {
    async close() {
      clearInterval(timer);
      stopping.abort();
      await takingBack;
      await workers.leave(holder, callDeadline()).catch(() => undefined);
    },
  };
}
