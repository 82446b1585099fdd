export interface LintResult {
  readonly settings: string;
  /** Hash of each file's text. */
  readonly files: Readonly<Record<string, string>>;
}
export function lint(): Promise<void>;
export function chooseFilesToLint(
  sources: ReadonlyMap<string, string>,
  result: LintResult,
  last?: LintResult,
): string[];
