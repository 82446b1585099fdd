import {execFile} from 'node:child_process';
import path from 'node:path';
import {promisify} from 'node:util';

export const packedFolder = path.resolve('.cache/command/package');

/** Packs the command for people as one file. Returns the file. */
export async function packCommand(): Promise<string> {
  await promisify(execFile)(process.execPath, ['scripts/pack-command.mjs']);
  return path.join(packedFolder, 'standup.js');
}
