export interface LintResult {
  readonly settings: string;
  /** The hash of each file's text, by path. */
  readonly files: Readonly<Record<string, string>>;
}
export function lint(): Promise<void>;
export function chooseFilesToLint(
  sources: ReadonlyMap<string, string>,
  result: LintResult,
  last?: LintResult,
): string[];
