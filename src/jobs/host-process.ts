import {readFileSync, readlinkSync} from 'node:fs';

/** The processes of this machine, as the operating system reports them. */
export type HostProcesses = ReturnType<typeof readHostProcesses>;

interface Stat {
  readonly pid: string;
  /** The process's start, in ticks since the machine's start. */
  readonly startedAt: string;
  readonly isDead: boolean;
}

/** Reads /proc of Linux. An identity is `<boot> <namespace of process numbers> <number> <start>`. */
export function readHostProcesses() {
  const machine = readMachineIdentity();
  const self = machine === undefined ? undefined : readProcessStat('self');
  return {
    /**
     * The identity of this process. It differs from that of a later process with the same number. Undefined if
     * the system does not report it.
     */
    own: machine && self && `${machine} ${self.pid} ${self.startedAt}`,
    /** True when the process ran on this machine and has ended; false if it runs or is unknown. */
    hasEnded(identity: string): boolean {
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
 * Reads /proc/PID/stat; undefined when there is no such process. The name in parentheses may contain any
 * characters. Errors: other failures to read the file.
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
