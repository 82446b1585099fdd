import {describeError, type LogFields} from './log.js';

export type LogLevelName = 'debug' | 'info' | 'warn' | 'error';

/**
 * Formats a log line for a terminal. A request looks like `09:12:03 POST createStandup 201 4 ms`, everything
 * else like `09:12:03 warn message key=value`. The stack of an error follows below.
 */
export function formatLogLine(
  level: LogLevelName,
  at: Date,
  fields: LogFields,
  {message, cause}: {readonly message: string; readonly cause?: unknown},
): string {
  const time = at.toTimeString().slice(0, 8);
  if (message === 'request') {
    const {method, operation, status, code, ms} = fields;
    const refused = code === undefined || code === null ? '' : ` ${code}`;
    return `${time} ${method} ${operation} ${status}${refused} ${Math.round(Number(ms))} ms`;
  }
  const known = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
  const parts = [level === 'info' ? '' : level, message, ...known.map(([name, value]) => `${name}=${value}`)];
  return [`${time} ${parts.filter((part) => part !== '').join(' ')}`, ...listStackLines(cause)].join('\n');
}

function listStackLines(cause: unknown): string[] {
  if (cause === undefined) return [];
  const {type, message, stack, cause: deeper} = describeError(cause);
  const own = [`  ${type}: ${message}`, ...(stack === undefined ? [] : [stack])];
  return deeper === undefined ? own : [...own, `  caused by ${deeper.type}: ${deeper.message}`];
}
