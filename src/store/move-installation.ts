import {createHash, randomBytes} from 'node:crypto';
import {AppError} from '../domain/core/errors.js';
import {newJobDeadline} from './core/deadlines.js';
import {adoptInstallationScript} from './core/compiled/lua.js';
import type {Cipher} from './core/cipher.js';
import type {RedisCommands} from './core/connection.js';
import {dataFormat} from './core/installation.js';
import {globalKeys} from './core/keys.js';
import {encryptedHashes} from './encrypted-values.js';
import {createFileCipher, decryptsCheck, encryptCheck} from './workspace-file.js';

const form = 'standup-installation/1';

/** The id of the installation and the keys that sign, which make access tokens valid. */
interface InstallationFile {
  readonly form: typeof form;
  readonly installation: string;
  readonly data_format: number;
  readonly salt: string;
  readonly check: string;
  /** The fields of the hash of signing keys with their values, flat. */
  readonly signing_keys: readonly string[];
}

interface InstallationParts {
  readonly connection: RedisCommands;
  readonly cipher: Cipher;
}

/** Returns the text of a file with the installation's id and signing keys, protected by a passphrase. */
export async function exportInstallation(
  {connection: {call}, cipher}: InstallationParts,
  installation: string,
  passphrase: string,
): Promise<string> {
  const salt = randomBytes(16).toString('base64url');
  const fileCipher = await createFileCipher(passphrase, salt);
  const stored = await call<string[]>(newJobDeadline(), ['HGETALL', globalKeys.signingKeys()]);
  const content: InstallationFile = {
    form,
    installation,
    data_format: dataFormat,
    salt,
    check: encryptCheck(fileCipher),
    signing_keys: reencryptKeys(stored, cipher, fileCipher),
  };
  const text = JSON.stringify(content);
  return `${text}\n${hashText(text)}\n`;
}

/**
 * Gives this installation the id and the signing keys of another one, so that its access tokens are valid
 * here. It may be repeated. Processes read both when they start. Errors: `validation_failed` for a file that
 * cannot be used, or if this installation has workspaces already.
 */
export async function importInstallation(
  {connection: {call, run}, cipher}: InstallationParts,
  text: string,
  passphrase: string,
): Promise<void> {
  const [content = '', digest] = text.split('\n');
  if (!content.includes(form) || digest !== hashText(content))
    throw createFileError('installation.json was changed or damaged, or is no such file.');
  const file = JSON.parse(content) as InstallationFile;
  if (file.data_format !== dataFormat)
    throw createFileError(
      `The export has data format ${file.data_format}, and this version knows only ${dataFormat}.`,
    );
  const fileCipher = await createFileCipher(passphrase, file.salt);
  if (!decryptsCheck(fileCipher, file.check))
    throw createFileError('The passphrase does not open this export.');
  const key = globalKeys.installation();
  if ((await call<string | null>(newJobDeadline(), ['HGET', key, 'id'])) === file.installation) return;
  const adopted = await run<number>(
    newJobDeadline(),
    adoptInstallationScript,
    [key, globalKeys.signingKeys(), globalKeys.workspaces()],
    [file.installation, ...reencryptKeys(file.signing_keys, fileCipher, cipher)],
  );
  if (adopted === 1) return;
  throw createFileError('This installation has workspaces already. Import single files without --all.');
}

function reencryptKeys(flat: readonly string[], from: Cipher, to: Cipher): string[] {
  const encryption = encryptedHashes.find(({purpose}) => purpose === 'signing-key');
  return flat.map((value, i) => {
    const name = flat[i - 1] ?? '';
    if (i % 2 === 0) return value;
    const next = encryption?.translate({workspace: '', name, value}, (context, encrypted) =>
      to.encrypt('signing-key', context, from.decrypt('signing-key', context, encrypted)),
    );
    return next ?? value;
  });
}

function hashText(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function createFileError(sentence: string): AppError {
  return new AppError('validation_failed', `${sentence} Nothing was written.`);
}
