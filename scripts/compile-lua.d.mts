export interface LuaFile {
  readonly file: string;
  readonly constants: readonly string[];
}
export function listLuaFiles(folder?: string): string[];
export function readLuaFile(file: string): LuaFile;
export function compileLua(folder?: string): [file: string, code: string][];
