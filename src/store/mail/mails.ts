import {type Id, type IdSuffix, storedSuffix} from '../../domain/core/ids.js';
import type {PageQuery} from '../../domain/core/lists.js';
import {parseTraceparent} from '../../domain/core/trace-context.js';
import {type Work, workName} from '../../domain/core/work.js';
import type {ClaimedMail, Mail, MailFact, MailState} from '../../domain/mail/mail.js';
import {longestMailDelayMs} from '../../domain/mail/mail-retry.js';
import {claimMailScript, holdMailScript} from '../core/compiled/lua.js';
import {readTimeAt, type RedisConnection} from '../core/connection.js';
import {workspaceKeys} from '../core/keys.js';
import {readPage} from '../core/record-lists.js';

/** The outbox: the mails that commits have queued, and the worker that sends each. */
export type Mails = ReturnType<typeof createMails>;

/** The next mail for a worker: one to send, or one that became uncertain. `idle`: none is due. */
export type MailClaim =
  | {readonly kind: 'claimed'; readonly mail: ClaimedMail}
  | {readonly kind: 'uncertain'; readonly suffix: IdSuffix<'mail'>}
  | {readonly kind: 'idle'};

/** The number of due mails that a worker looks at to find one that no other worker has taken. */
const triedAtOnce = 10;
/** The longest time (ms) for which a mail waits or is held, with some to spare for clocks that differ. */
const longestWaitMs = longestMailDelayMs + 60_000;

export function createMails({call, run, clock}: RedisConnection) {
  const work: Work = {kind: 'send-mail'};

  async function readMail(
    workspace: Id<'workspace'>,
    suffix: IdSuffix<'mail'>,
    deadline: number,
  ): Promise<Mail | undefined> {
    return parseMail(
      suffix,
      await call<string[]>(deadline, ['HGETALL', workspaceKeys(workspace).mail(suffix)]),
    );
  }

  async function readMails(
    workspace: Id<'workspace'>,
    suffixes: readonly IdSuffix<'mail'>[],
    deadline: number,
  ): Promise<Mail[]> {
    const found = await Promise.all(suffixes.map((suffix) => readMail(workspace, suffix, deadline)));
    return found.filter((mail) => mail !== undefined);
  }

  async function hold(
    workspace: Id<'workspace'>,
    {suffix, holder}: ClaimedMail,
    leaseMs: number,
    deadline: number,
    mark: boolean,
  ): Promise<boolean> {
    const keys = workspaceKeys(workspace);
    const held = await run<number>(
      deadline,
      holdMailScript,
      [keys.mail(suffix), keys.mailsDue(), keys.ready()],
      [suffix, holder, String(leaseMs), workName(work), mark ? '1' : '0'],
    );
    return held === 1;
  }

  return {
    find: readMail,
    /** Takes the next due mail for `leaseMs`. */
    async claim(
      workspace: Id<'workspace'>,
      holder: string,
      leaseMs: number,
      deadline: number,
    ): Promise<MailClaim> {
      const keys = workspaceKeys(workspace);
      const now = clock.now();
      const atMost = ['BYSCORE', 'LIMIT', '0', String(triedAtOnce)];
      const listBetween = (from: string, to: string) =>
        call<IdSuffix<'mail'>[]>(deadline, ['ZRANGE', keys.mailsDue(), from, to, ...atMost]);
      const found = await Promise.all([
        listBetween('-inf', String(now)),
        // Times that are impossibly late, from before the clock was set back.
        listBetween(`(${now + longestWaitMs}`, '+inf'),
      ]);
      const due = found.flat();
      for (const suffix of due) {
        const claimed = await run<string[]>(
          deadline,
          claimMailScript,
          [keys.mail(suffix), keys.mailsDue(), keys.ready(), keys.mailSecret(suffix), keys.head()],
          [suffix, holder, String(leaseMs), workName(work), String(longestWaitMs)],
        );
        if (claimed[0] === 'uncertain') return {kind: 'uncertain', suffix};
        const mail = parseMail(suffix, claimed);
        if (mail === undefined) continue;
        return {kind: 'claimed', mail: {...mail, holder, encrypted: claimed.at(-1) || undefined}};
      }
      return {kind: 'idle'};
    },
    /** True while no other worker has taken a mail over. */
    async isHeldBy(
      workspace: Id<'workspace'>,
      {suffix, holder}: ClaimedMail,
      deadline: number,
    ): Promise<boolean> {
      const key = workspaceKeys(workspace).mail(suffix);
      return (await call<string | null>(deadline, ['HGET', key, 'holder'])) === holder;
    },
    /** Extends a lease. Returns false if another worker may have the mail. */
    renew: (workspace: Id<'workspace'>, mail: ClaimedMail, leaseMs: number, deadline: number) =>
      hold(workspace, mail, leaseMs, deadline, false),
    /**
     * Records that the server may have accepted the mail from now on. Returns false if it must not be sent,
     * because another worker may have it or it was deleted.
     */
    mark: (workspace: Id<'workspace'>, mail: ClaimedMail, leaseMs: number, deadline: number) =>
      hold(workspace, mail, leaseMs, deadline, true),
    /** Returns the encrypted secret of a mail, if it still has one. */
    async findSecret(
      workspace: Id<'workspace'>,
      suffix: IdSuffix<'mail'>,
      deadline: number,
    ): Promise<string | undefined> {
      const key = workspaceKeys(workspace).mailSecret(suffix);
      return (await call<string | null>(deadline, ['GET', key])) ?? undefined;
    },
    /** Lists mails, newest first. `past` is the position at which the last page ended. */
    async list(
      workspace: Id<'workspace'>,
      page: PageQuery,
      deadline: number,
    ): Promise<{mails: Mail[]; next: number | undefined}> {
      const key = workspaceKeys(workspace).mails();
      const {entries, next} = await readPage<IdSuffix<'mail'>>(call, key, page, deadline);
      return {mails: await readMails(workspace, entries, deadline), next};
    },
    /** Lists the mails of a member (an id suffix), or those to a hashed address. */
    async listOf(
      workspace: Id<'workspace'>,
      owner: string,
      deadline: number,
    ): Promise<readonly IdSuffix<'mail'>[]> {
      return call<IdSuffix<'mail'>[]>(deadline, ['SMEMBERS', workspaceKeys(workspace).mailsOf(owner)]);
    },
    /** Returns the time (ms) for which the oldest unfinished mail has been due; 0 if none is. */
    async findOldestDue(workspace: Id<'workspace'>, deadline: number): Promise<number> {
      const key = workspaceKeys(workspace).mailsDue();
      const [suffix, at] = await call<string[]>(deadline, ['ZRANGE', key, '0', '0', 'WITHSCORES']);
      if (suffix === undefined) return 0;
      // A code is due before it is queued, so that it comes first.
      const {queuedAt = 0} = (await readMail(workspace, storedSuffix(suffix), deadline)) ?? {};
      const now = await readTimeAt({run}, key, deadline);
      return Math.max(0, now - Math.max(queuedAt, Number(at)));
    },
  };
}

function parseMail(suffix: IdSuffix<'mail'>, flat: readonly string[]): Mail | undefined {
  const fields = new Map<string, string>();
  for (let i = 0; i + 1 < flat.length; i += 2) fields.set(flat[i] ?? '', flat[i + 1] ?? '');
  const [fact, to, state] = ['fact', 'to', 'state'].map((name) => fields.get(name));
  if (fact === undefined || to === undefined || state === undefined) return undefined;
  const [member, code] = [fields.get('member'), fields.get('code')];
  return {
    suffix,
    fact: JSON.parse(fact) as MailFact,
    to,
    member: member === undefined ? undefined : storedSuffix(member),
    state: state as MailState,
    attempts: Number(fields.get('attempts') ?? 0),
    queuedAt: Number(fields.get('at')),
    until: Number(fields.get('until')),
    changedAt: Number(fields.get('changed')),
    code: code === undefined ? undefined : Number(code),
    detail: fields.get('detail'),
    trace: parseTraceparent(fields.get('trace')),
  };
}
