export type Failure = {file?: string; name: string; message: string};
export type Total = {passed: number; failed: number; skipped: number; files: object[]; failures: Failure[]};

export function rerunFailedFiles(
  total: Total,
  runAlone: (file: string) => Promise<{failed: number}>,
  options?: {env?: Readonly<Record<string, string | undefined>>; list?: string},
): Promise<void>;
