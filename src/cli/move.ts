import {readFileSync} from 'node:fs';
import {open, rename, rm} from 'node:fs/promises';
import type {Command} from 'commander';
import type {Session, WithSession} from './session.js';
import {CommandError, UsageError} from './usage.js';

interface PassphraseOption {
  readonly passphraseFile?: string;
}

const passphraseOption = [
  '--passphrase-file <file>',
  'the file with the passphrase that protects the secrets (default: it is asked for)',
] as const;

/** The shortest passphrase. Whoever has the file can try passphrases for years. */
const shortestPassphrase = 12;

/** Adds the commands that move a workspace to another installation. */
export function addMoveCommands(workspace: Command, withSession: WithSession): void {
  workspace
    .command('export')
    .argument('<workspace>', 'the slug or id of a workspace that is read-only')
    .option('--out <file>', 'the file to write (default: stdout)')
    .option(...passphraseOption)
    .description('write everything of a read-only workspace to a file; its secrets are encrypted again')
    .action((reference: string, {out, ...options}: PassphraseOption & {readonly out?: string}) =>
      withSession(async (session) => {
        const chosen = await session.chooseWorkspace(reference);
        const passphrase = await readPassphrase(session, options, true);
        const file = out === undefined ? undefined : await createOutFile(out);
        try {
          const {keys, bytes, sha256} = await session.moves.exportWorkspace({
            workspace: chosen,
            passphrase,
            write: file?.write ?? session.write,
            note: (sentence) => session.warn(`${sentence}\n`),
          });
          await file?.keep();
          session.warn(`Exported ${chosen.slug}: ${keys} keys, ${bytes} bytes. Digest: ${sha256}\n`);
        } finally {
          await file?.discard();
        }
      }),
    );
  workspace
    .command('import')
    .argument('<file>', 'a file of `standup workspace export`')
    .option(...passphraseOption)
    .description('create the workspace of a file here; after an interruption, repeat the command')
    .action((file: string, options: PassphraseOption) =>
      withSession(async (session) => {
        const passphrase = await readPassphrase(session, options, false);
        const readLines = () => readLinesOf(file);
        const imported = await session.moves.importWorkspace({readLines, passphrase});
        const {slug, workspace: id, keys, sha256, tokens} = imported;
        session.print(`Imported ${slug} (${id}): ${keys} keys. Digest: ${sha256}\n`);
        if (tokens > 0) {
          const what = tokens === 1 ? '1 access token was' : `${tokens} access tokens were`;
          session.print(
            `${what} signed by the other installation and must be created again: standup token create --workspace ${slug}\n`,
          );
        }
        session.print(
          `When all is well, remove it from the other installation: standup workspace remove --moved ${slug} --digest ${sha256}\n`,
        );
      }),
    );
  workspace
    .command('remove')
    .requiredOption(
      '--moved <workspace>',
      'the slug or id of a read-only workspace that was imported elsewhere',
    )
    .requiredOption('--digest <digest>', 'the digest that the import has printed')
    .description('delete a workspace that was moved to another installation')
    .action(({moved, digest}: {readonly moved: string; readonly digest: string}) =>
      withSession(async ({chooseWorkspace, moves, print}) => {
        const chosen = await chooseWorkspace(moved);
        const keys = await moves.removeMovedWorkspace(chosen, digest);
        print(`${chosen.slug} is removed: ${keys} keys\n`);
      }),
    );
}

async function readPassphrase(
  {askSecret}: Pick<Session, 'askSecret'>,
  {passphraseFile}: PassphraseOption,
  isNew: boolean,
): Promise<string> {
  const passphrase =
    passphraseFile === undefined ? await askSecret('Passphrase: ') : readText(passphraseFile).trimEnd();
  if (passphrase === undefined)
    throw new UsageError('Without a terminal, name a file with the passphrase: --passphrase-file FILE.');
  if (isNew && passphrase.length < shortestPassphrase)
    throw new UsageError(`The passphrase is too short: use ${shortestPassphrase} characters or more.`);
  if (isNew && passphraseFile === undefined && (await askSecret('The passphrase again: ')) !== passphrase)
    throw new UsageError('The passphrases differ.');
  return passphrase;
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new CommandError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}

async function* readLinesOf(file: string): AsyncGenerator<string> {
  const handle = await open(file).catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`${file} cannot be read (${error.code}).`);
  });
  yield* handle.readLines({encoding: 'utf8'});
}

/** Creates a file that appears under its name only when it is complete. */
async function createOutFile(name: string) {
  const part = `${name}.part`;
  const file = await open(part, 'w', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`${part} cannot be written (${error.code}).`);
  });
  let isOpen = true;
  return {
    write: (text: string): Promise<void> => file.writeFile(text),
    async keep(): Promise<void> {
      await file.sync();
      await file.close();
      isOpen = false;
      await rename(part, name);
    },
    async discard(): Promise<void> {
      if (!isOpen) return;
      await file.close();
      await rm(part, {force: true});
    },
  };
}
