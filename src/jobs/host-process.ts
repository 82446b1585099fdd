import {readFileSync, readlinkSync} from 'node:fs';

/** The processes of this machine, as far as the system reports them. */
export interface HostProcesses {
  /**
   * Distinguishes this process from every other one, also from a later one with the same number; undefined if
   * the system does not report it.
   */
  readonly own: string | undefined;
  /**
   * True when that process ran on this machine and has ended; false when it runs, or this machine cannot
   * know.
   */
  hasEnded: (identity: string) => boolean;
}

interface Stat {
  readonly pid: string;
  /** Its start time, in ticks since the machine's start. */
  readonly startedAt: string;
  readonly isDead: boolean;
}

/** Reads Linux' /proc. An identity is `<boot> <namespace of process numbers> <number> <start>`. */
export function readHostProcesses(): HostProcesses {
  const machine = readMachineIdentity();
  const self = machine === undefined ? undefined : readProcessStat('self');
  return {
    own: machine && self && `${machine} ${self.pid} ${self.startedAt}`,
    hasEnded(identity) {
      const [, there, pid = '', startedAt] = /^(\S+ \S+) (\d+) (\d+)$/.exec(identity) ?? [];
      if (machine === undefined || there !== machine) return false;
      try {
        const found = readProcessStat(pid);
        return found === undefined || found.isDead || found.startedAt !== startedAt;
      } catch {
        return false;
      }
    },
  };
}

function readMachineIdentity(): string | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return undefined;
  }
}

/**
 * Undefined: there is no such process. The name, in parentheses, may contain anything. Errors: any other
 * failure to read it.
 */
function readProcessStat(pid: string): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const [state = '', startedAt = ''] = [fields[0], fields[19]];
    return {pid: text.slice(0, text.indexOf(' ')), startedAt, isDead: 'ZX'.includes(state)};
  } catch (error) {
    const {code} = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ESRCH') return undefined;
    throw error;
  }
}
