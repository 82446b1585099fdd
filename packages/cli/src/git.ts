import {CommandError} from './errors.js';
import type {Outside} from './outside.js';

/** The longest text of a standup. */
const longest = 4_000;
/** More commits than a person makes between two standups. */
const mostCommits = 500;

/**
 * Runs git with its arguments as they are, without a shell. The variables of git are left out, and so are
 * programs that a repository can name: it may be someone else's.
 */
async function git(
  {env, run}: Outside,
  folder: string,
  args: readonly string[],
): Promise<string | undefined> {
  const own = Object.entries(env).filter(([name]) => !name.toUpperCase().startsWith('GIT_'));
  const {code, stdout} = await run(
    'git',
    ['--no-pager', '-c', 'core.fsmonitor=false', '-c', 'log.showSignature=false', ...args],
    {
      cwd: folder,
      env: {
        ...Object.fromEntries(own),
        GIT_TERMINAL_PROMPT: '0',
        GIT_OPTIONAL_LOCKS: '0',
        GIT_NO_LAZY_FETCH: '1',
        // Git before 2.39.4 fetches what is missing anyway, by a program that the repository names.
        GIT_ALLOW_PROTOCOL: '',
      },
    },
  );
  if (code === 127) throw new CommandError('refused', 'git was not found.');
  return code === 0 ? stdout : undefined;
}

/**
 * Lists the subjects of the user's own commits since an instant, the oldest first and each once. `folders`
 * without a repository are left out, but the first one must have one.
 */
export async function draftFromCommits(
  outside: Outside,
  folders: readonly string[],
  since: Date,
): Promise<string> {
  const subjects = new Set<string>();
  for (const [index, folder] of folders.entries()) {
    const email = (await git(outside, folder, ['config', '--get', 'user.email']))?.trim();
    if (!email) {
      if (index > 0) continue;
      throw new CommandError('refused', `${folder} is in no git repository with a \`user.email\`.`);
    }
    const listed = await git(outside, folder, [
      'log',
      '--branches',
      '--fixed-strings',
      `--author=<${email}>`,
      '--no-merges',
      `--since=${since.toISOString()}`,
      `--max-count=${mostCommits}`,
      '--format=%s',
      '--no-show-signature',
      '--no-notes',
      '--no-patch',
      '--reverse',
      'HEAD',
      '--',
    ]);
    if (listed === undefined) {
      if (index > 0) continue;
      throw new CommandError('refused', `git cannot list the commits in ${folder}.`);
    }
    for (const subject of listed.split('\n')) {
      const text = cleanSubject(subject);
      if (text !== '') subjects.add(text);
    }
  }
  const lines: string[] = [];
  let length = 0;
  for (const subject of subjects) {
    length += subject.length + 3;
    if (length > longest) break;
    lines.push(`- ${subject}`);
  }
  return lines.join('\n');
}

/** Removes control characters, and characters that reorder a line. */
const cleanSubject = (subject: string): string =>
  subject.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '').trim();
