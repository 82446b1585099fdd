/** The error for wrong arguments of a command. It is printed as one line, with exit code 2. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

/** A correct command that cannot run here: printed as one line, with exit code 1. */
export class CommandError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CommandError';
  }
}

const units: Readonly<Record<string, number>> = {m: 60, h: 3_600, d: 86_400};

/** Parses a duration such as `30d`, `12h` or `90m` into seconds. Errors: `UsageError`. */
export function parseDuration(text: string): number {
  const [, count, unit] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  const seconds = units[unit ?? ''];
  if (count === undefined || seconds === undefined) {
    throw new UsageError(`"${text}" is not a duration: use 30d, 12h or 90m.`);
  }
  return Number(count) * seconds;
}
