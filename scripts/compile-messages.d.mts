export interface Catalogue {
  readonly dashboard: object;
  readonly slack: object;
  readonly mail: object;
}
export function compileMessages(
  catalogues: ReadonlyMap<string, Catalogue>,
): Promise<[file: string, content: string][]>;
