import {execFileSync, spawn} from 'node:child_process';
import {createHash} from 'node:crypto';
import {existsSync} from 'node:fs';
import {cp, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {root} from '../support/service-process.js';

/** A built version of the service. */
export interface Build {
  /** The folder that contains `dist/`. */
  readonly folder: string;
  /** The commit and its subject, or what was changed. */
  readonly name: string;
}

/** A change of one file of the source. `from` must be in it. */
export interface PlantedChange {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** The files from which `dist/` is built, and those that build it. */
const inputs = ['src', 'messages', 'scripts', 'package.json', 'package-lock.json', 'tsconfig.json'];
const builds = path.join(root, '.cache', 'builds');
/** The number of builds that are compared with this one: many commits change only comments. */
const mostCompared = 12;
const mostKept = 4;
/** The files whose content depends on all others of a build. */
const entries = ['main.js', 'cli.js', 'compose.js', 'compose-core.js'];

function git(...args: string[]): string {
  return execFileSync('git', args, {cwd: root, encoding: 'utf8', maxBuffer: 1e8, stdio: 'pipe'}).trim();
}

/**
 * Lists the commits with which this build may be compared, newest first: the one that VERSIONS_BASE names, or
 * the earlier ones of this branch whose source differs. Returns a reason if there are none.
 */
export function listEarlierCommits(): {commits: readonly string[]} | {missing: string} {
  const base = process.env['VERSIONS_BASE'];
  try {
    if (base) return {commits: [git('rev-parse', '--verify', `${base}^{commit}`)]};
    const sources = ['src', 'messages', 'package-lock.json'];
    const isChanged = git('status', '--porcelain', '--', ...sources) !== '';
    const changing = git('log', '--first-parent', `-${mostCompared}`, '--format=%H', '--', ...sources);
    const before = git('rev-list', '--no-walk=unsorted', '--parents', ...changing.split('\n'))
      .split('\n')
      .flatMap((line) => line.split(' ').slice(1, 2));
    const commits = isChanged ? [git('rev-parse', 'HEAD'), ...before] : before;
    return commits.length > 0 ? {commits} : {missing: 'the clone has no history: fetch it whole'};
  } catch (error) {
    if (base) throw error;
    return {missing: 'this is no clone of the repository'};
  }
}

/** Builds the newest of the commits whose build differs from that of this source tree. */
export async function buildEarlier(commits: readonly string[]): Promise<Build> {
  const own = await computeDigest(root);
  for (const commit of commits) {
    const folder = await buildOnce(commit, async (into) => {
      const given = git('ls-tree', '--name-only', commit).split('\n');
      const packed = path.join(into, 'source.tar');
      git('archive', '-o', packed, commit, ...inputs.filter((name) => given.includes(name)));
      execFileSync('tar', ['-xf', packed, '-C', into]);
      await rm(packed);
    });
    if ((await computeDigest(folder)) !== own)
      return {folder, name: git('log', '-1', '--format=%h %s', commit)};
  }
  throw new Error(
    `The builds of the last ${commits.length} commits are the same as this one: name another by VERSIONS_BASE.`,
  );
}

/** Builds this source tree with changes. */
export async function buildPlanted(name: string, changes: readonly PlantedChange[]): Promise<Build> {
  const key = createHash('sha256')
    .update(JSON.stringify(changes))
    .update(await computeDigest(root));
  const folder = await buildOnce(`planted-${key.digest('hex').slice(0, 40)}`, async (into) => {
    for (const input of inputs) await cp(path.join(root, input), path.join(into, input), {recursive: true});
    for (const {file, from, to} of changes) {
      const text = await readFile(path.join(into, file), 'utf8');
      if (text.split(from).length !== 2) throw new Error(`${file} has no place, or several, for: ${from}`);
      await writeFile(
        path.join(into, file),
        text.replace(from, () => to),
      );
    }
  });
  return {folder, name};
}

/** Builds what `fill` puts into a folder, unless that was done before. Keeps a few builds. */
async function buildOnce(name: string, fill: (into: string) => Promise<void>): Promise<string> {
  const folder = path.join(builds, name);
  if (existsSync(folder)) return folder;
  await mkdir(builds, {recursive: true});
  const old = (await readdir(builds)).filter((one) => one !== name);
  for (const one of old.slice(0, Math.max(0, old.length - mostKept)))
    await rm(path.join(builds, one), {recursive: true, force: true});
  const into = await mkdtemp(path.join(builds, 'new-'));
  await fill(into);
  await symlink(path.join(root, 'node_modules'), path.join(into, 'node_modules'));
  const script = "const {ensureBuild} = await import('./scripts/compile.mjs'); await ensureBuild();";
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {cwd: into, stdio: 'pipe'});
  let said = '';
  for (const output of [child.stdout, child.stderr])
    output.setEncoding('utf8').on('data', (text: string) => (said += text));
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`${name} cannot be built: ${said}`);
  await rename(into, folder);
  return folder;
}

/** Digests a build. Each file names those that it loads by a digest of their content. */
async function computeDigest(folder: string): Promise<string> {
  const hash = createHash('sha256');
  for (const entry of entries) hash.update(await readFile(path.join(folder, 'dist', entry)));
  return hash.digest('hex');
}
