/** Members of a log line; never text that a person wrote, and never a secret. */
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** The log as every part sees it; compose-core.ts implements it with `pino`. */
export interface Log {
  debug: (fields: LogFields, message: string) => void;
  info: (fields: LogFields, message: string) => void;
  warn: (fields: LogFields, message: string) => void;
  error: (fields: LogFields, message: string, cause?: unknown) => void;
}

/** An error as a log line shows it. */
export interface LoggedError {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
  readonly stack?: string;
  readonly cause?: LoggedError;
}

const deepestCause = 5;

/**
 * Keeps only what helps to find a bug: libraries attach whole requests, headers and answers to their errors,
 * and the JSON parser quotes the text it could not read.
 */
export function describeError(error: unknown, depth = 0): LoggedError {
  if (!(error instanceof Error))
    return {type: typeof error, message: 'something that is no Error was thrown'};
  const {name, message, stack, cause} = error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  const shown = error instanceof SyntaxError ? 'a text could not be parsed' : message;
  return {
    type: name,
    message: shown,
    ...(code !== undefined && {code}),
    ...(stack !== undefined && {stack: stackFrames(stack)}),
    ...(cause !== undefined && depth < deepestCause && {cause: describeError(cause, depth + 1)}),
  };
}

/** The lines that say where, without those that repeat the message. */
function stackFrames(stack: string): string {
  return stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n');
}

// No pattern scans the same characters twice, however the text was made: a match that has begun is taken to
// its end.
const secrets: readonly [RegExp, string][] = [
  // JSON Web Tokens, ours and others', whole or cut off.
  [/\beyJ[\w-]{8,}(?:\.[\w-]*){0,2}/g, '<token>'],
  // Slack's tokens of all kinds.
  [/\bx(?:ox[a-z]|app)-[\w-]+/g, '<slack-token>'],
  [/\bwhs(?:ec|k)_[\w+/=]+/g, '<webhook-secret>'],
  [/\b(Bearer|Basic) +[\w.~+/=-]{8,}/gi, '$1 <credentials>'],
  [/:\/\/[^\s/@"]*@/g, '://<credentials>@'],
  // Masks Slack's response URLs: anyone who has one can post an answer.
  [/hooks\.slack\.com\/[^\s"]+/g, 'hooks.slack.com/<address>'],
];

/** A part of each pattern. Most texts contain none, and are scanned once instead of once for each pattern. */
const hint = /eyJ|xox|xapp-|whs|bearer|basic|:\/\/|hooks\.slack/i;

/** The last safety net for a log line: masks everything that looks like a secret, wherever it is. */
export function maskSecrets(line: string): string {
  if (!hint.test(line)) return line;
  return secrets.reduce((text, [pattern, shown]) => text.replace(pattern, shown), line);
}
