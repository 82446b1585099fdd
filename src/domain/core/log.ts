/** The fields of a log line. They never contain text that a person wrote, or a secret. */
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** The log that all parts of the service use. compose-core.ts implements it with `pino`. */
export interface Log {
  debug: (fields: LogFields, message: string) => void;
  info: (fields: LogFields, message: string) => void;
  warn: (fields: LogFields, message: string) => void;
  error: (fields: LogFields, message: string, cause?: unknown) => void;
}

export interface LoggedError {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
  readonly stack?: string;
  readonly cause?: LoggedError;
}

const deepestCause = 5;

/**
 * Keeps only the parts of an error that help to find a bug. Libraries attach whole requests and answers to
 * errors, and the JSON parser quotes its input.
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
    ...(stack !== undefined && {stack: listStackFrames(stack)}),
    ...(cause !== undefined && depth < deepestCause && {cause: describeError(cause, depth + 1)}),
  };
}

/** Returns the lines of a stack that show positions in code, without the lines of the message. */
function listStackFrames(stack: string): string {
  return stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n');
}

// The patterns of secrets. None scans the same characters twice for any input: a match that has begun is
// taken to its end.
const secrets: readonly [RegExp, string][] = [
  // JSON Web Tokens, complete or cut off.
  [/\beyJ[\w-]{8,}(?:\.[\w-]*){0,2}/g, '<token>'],
  // All kinds of Slack tokens.
  [/\bx(?:ox[a-z]|app)-[\w-]+/g, '<slack-token>'],
  [/\bwhs(?:ec|k)_[\w+/=]+/g, '<webhook-secret>'],
  [/\b(Bearer|Basic) +[\w.~+/=-]{8,}/gi, '$1 <credentials>'],
  [/:\/\/[^\s/@"]*@/g, '://<credentials>@'],
  // Slack's response URLs, because anybody who has one can post an answer to Slack.
  [/hooks\.slack\.com\/[^\s"]+/g, 'hooks.slack.com/<address>'],
];

/** Matches a part of each secret pattern. Most texts match nothing, and are then scanned only once. */
const hint = /eyJ|xox|xapp-|whs|bearer|basic|:\/\/|hooks\.slack/i;

/** Masks everything in a log line that looks like a secret, as a last protection. */
export function maskSecrets(line: string): string {
  if (!hint.test(line)) return line;
  return secrets.reduce((text, [pattern, shown]) => text.replace(pattern, shown), line);
}
