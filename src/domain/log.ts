/** Members of a log line; never what a person wrote, and never a secret. */
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** The log as every part sees it; `pino` stands behind it in compose.ts. */
export interface Log {
  debug(fields: LogFields, message: string): void;
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string, cause?: unknown): void;
}
