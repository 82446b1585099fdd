import {readFileSync} from 'node:fs';
import {mkdir, open, readdir, rename, rm} from 'node:fs/promises';
import path from 'node:path';
import type {Command} from 'commander';
import {limits} from '../domain/core/limits.js';
import {createSlugFromName} from '../domain/core/text.js';
import type {Workspace} from '../domain/workspaces/workspace.js';
import type {Session, WithSession} from './session.js';
import {CommandError, UsageError} from './usage.js';

interface PassphraseOption {
  readonly passphraseFile?: string;
}

interface ExportOptions extends PassphraseOption {
  readonly all?: true;
  readonly out?: string;
}

interface ImportOptions extends PassphraseOption {
  readonly all?: true;
  readonly slug?: string;
}

const passphraseOption = [
  '--passphrase-file <file>',
  'the file with the passphrase that protects the secrets (default: it is asked for)',
] as const;

/** The shortest passphrase. The holder of a file can try passphrases for years. */
const shortestPassphrase = 12;

/** The file that makes a folder a complete export of an installation. It is written last. */
const installationFile = 'installation.json';

/** Adds the commands that move a workspace to another installation. */
export function addMoveCommands(workspace: Command, withSession: WithSession): void {
  workspace
    .command('export')
    .argument('[workspace]', 'the slug or id of a workspace that is read-only')
    .option('--all', 'export all workspaces and the keys of access tokens, for an empty installation')
    .option('--out <file>', 'the file to write (default: stdout); with --all a folder')
    .option(...passphraseOption)
    .description('write everything of a read-only workspace to a file; its secrets are encrypted again')
    .action((reference: string | undefined, options: ExportOptions) => {
      const {all = false, out} = options;
      if (all === (reference !== undefined)) throw new UsageError('Name one workspace, or use --all.');
      if (all && out === undefined) throw new UsageError('--all needs a folder: --out FOLDER.');
      return withSession(async (session) => {
        const chosen = all
          ? await listReadOnlyWorkspaces(session)
          : [await session.chooseWorkspace(reference)];
        const passphrase = await readPassphrase(session, options, true);
        if (!all || out === undefined) return exportOne(session, chosen[0] as Workspace, passphrase, out);
        await mkdir(out, {recursive: true, mode: 0o700});
        for (const one of chosen)
          await exportOne(session, one, passphrase, path.join(out, `${one.slug}.ndjson`));
        const installation = await session.moves.exportInstallation(passphrase);
        const file = await createOutFile(path.join(out, installationFile));
        await file.write(installation);
        await file.keep();
      });
    });
  workspace
    .command('import')
    .argument('<file>', 'a file of `standup-admin workspace export`; with --all its folder')
    .option('--all', 'import the folder of `export --all` into an installation without workspaces')
    .option('--slug <slug>', 'another slug than that of the file, if another workspace here has it')
    .option(...passphraseOption)
    .description('create the workspace of a file here; after an interruption, repeat the command')
    .action((file: string, options: ImportOptions) => {
      const {slug, all = false} = options;
      if (all && slug !== undefined) throw new UsageError('--slug is for one workspace, without --all.');
      if (slug !== undefined && createSlugFromName(slug, limits.slug) !== slug) {
        throw new UsageError(
          `--slug: use small letters, digits and single hyphens, at most ${limits.slug} characters.`,
        );
      }
      return withSession(async (session) => {
        if (!all) {
          const passphrase = await readPassphrase(session, options, false);
          const present = await importOne(session, file, {passphrase, slug, isForeign: true});
          if (present !== undefined) throw new CommandError(present);
          return;
        }
        const installation = readText(path.join(file, installationFile));
        const passphrase = await readPassphrase(session, options, false);
        await session.moves.importInstallation(installation, passphrase);
        const names = (await readdir(file)).filter((name) => name.endsWith('.ndjson')).toSorted();
        for (const name of names) {
          const present = await importOne(session, path.join(file, name), {passphrase, isForeign: false});
          // An earlier command has imported it.
          if (present !== undefined) session.print(`${present}\n`);
        }
        session.print('Access tokens work here, too. Restart the processes that run already.\n');
      });
    });
  workspace
    .command('remove')
    .requiredOption(
      '--moved <workspace>',
      'the slug or id of a read-only workspace that was imported elsewhere',
    )
    .requiredOption('--digest <digest>', 'the digest that the import has printed')
    .description('delete a workspace that was moved to another installation')
    .action(({moved, digest}: {readonly moved: string; readonly digest: string}) =>
      withSession(async ({moves, print}) => {
        const {slug, keys} = await moves.removeMovedWorkspace(moved, digest);
        print(`${slug} is removed: ${keys} keys\n`);
      }),
    );
}

async function listReadOnlyWorkspaces({services, frozen, deadline}: Session): Promise<Workspace[]> {
  const all = await services.workspaces.listWorkspaces(deadline());
  const states = await Promise.all(all.map(({id}) => frozen.isFrozen(id, deadline())));
  const open = all.filter((_, i) => states[i] === false).map(({slug}) => slug);
  if (open.length === 0) return all;
  throw new CommandError(
    `Not read-only: ${open.join(', ')}. First, for each: standup-admin workspace freeze SLUG`,
  );
}

async function exportOne(
  session: Session,
  workspace: Workspace,
  passphrase: string,
  out: string | undefined,
): Promise<void> {
  const file = out === undefined ? undefined : await createOutFile(out);
  try {
    const {keys, bytes, sha256} = await session.moves.exportWorkspace({
      workspace,
      passphrase,
      write: file?.write ?? session.write,
      note: (sentence) => session.warn(`${sentence}\n`),
    });
    await file?.keep();
    session.warn(`Exported ${workspace.slug}: ${keys} keys, ${bytes} bytes. Digest: ${sha256}\n`);
  } finally {
    await file?.discard();
  }
}

/**
 * Imports a file. Returns a sentence if its workspace is here already. `isForeign`: another installation has
 * signed the workspace's access tokens.
 */
async function importOne(
  {moves, print}: Session,
  file: string,
  {
    passphrase,
    slug: wanted,
    isForeign,
  }: {readonly passphrase: string; readonly slug?: string | undefined; readonly isForeign: boolean},
): Promise<string | undefined> {
  const readLines = () => readLinesOf(file);
  const result = await moves.importWorkspace({readLines, passphrase, slug: wanted});
  if (result.kind === 'present')
    return `The workspace ${result.workspace} is here already. Nothing was written.`;
  const {slug, slugBefore, workspace: id, keys, sha256, tokens} = result;
  print(`Imported ${slug} (${id}): ${keys} keys. Digest: ${sha256}\n`);
  if (isForeign && tokens > 0) {
    const what = tokens === 1 ? '1 access token was' : `${tokens} access tokens were`;
    print(
      `${what} signed by the other installation and must be created again: standup-admin token create --workspace ${slug}\n`,
    );
  }
  print(
    `When all is well, remove it from the other installation: standup-admin workspace remove --moved ${slugBefore} --digest ${sha256}\n`,
  );
  return undefined;
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

/** Reads lines that end in a line feed. Node's `readline` also ends them at U+2028, which people may type. */
async function* readLinesOf(file: string): AsyncGenerator<string> {
  const handle = await open(file).catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`${file} cannot be read (${error.code}).`);
  });
  try {
    let rest = '';
    for await (const chunk of handle.createReadStream({encoding: 'utf8', autoClose: false})) {
      const lines = (rest + String(chunk)).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
    if (rest !== '') yield rest;
  } finally {
    await handle.close();
  }
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
