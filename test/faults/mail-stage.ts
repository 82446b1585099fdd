import {composeId, type IdSuffix} from '../../src/domain/core/ids.js';
import type {Mail} from '../../src/domain/mail/mail.js';
import {globalKeys} from '../../src/store/core/keys.js';
import {findMail, queueInviteMails} from '../support/queued-mails.js';
import {startService, type TestWorkspace} from '../support/service.js';
import {type ServiceProcess, startServiceProcess} from '../support/service-process.js';
import {startSmtp, type TestSmtp} from '../support/smtp.js';
import {startTestStore, type TestStore} from '../support/test-store.js';
import {until} from '../support/until.js';

export interface QueuedMail {
  readonly workspace: TestWorkspace;
  readonly suffix: IdSuffix<'mail'>;
}

export interface MailStage {
  readonly store: TestStore;
  readonly smtp: TestSmtp;
  /** Two processes that only do background work. */
  readonly workers: readonly [ServiceProcess, ServiceProcess];
  /** All mails that were queued. */
  readonly queued: readonly QueuedMail[];
  queue(count: number): Promise<void>;
  /** Returns the mails with their Message-IDs. */
  list(): Promise<{mail: Mail; messageId: string}[]>;
  /** Releases the scheduler's lease of a dead process, as if it had expired. */
  releaseScheduler(): Promise<void>;
  close(): Promise<void>;
}

/** The length of a lease (ms), short because a frozen process keeps its mail for this time. */
export const mailLeaseMs = 1_500;

/** A workspace is asked for so many mails at most, since invites have a limit for each day. */
const perWorkspace = 50;

/** Starts a store, two workers, and a mail server. */
export async function setMailStage(): Promise<MailStage> {
  const closings: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    for (let next = closings.pop(); next !== undefined; next = closings.pop()) await next();
  };
  try {
    const store = await startTestStore();
    closings.push(() => store.stop());
    const smtp = await startSmtp({slowMs: 5});
    closings.push(() => smtp.close());
    const web = await startService({redisUrl: store.url, env: {...store.env, ROLES: 'web'}});
    closings.push(() => web.close());
    const env = {
      ...store.env,
      ROLES: 'worker',
      SMTP_URL: smtp.url,
      MAIL_FROM: 'Standup <standup@example.com>',
    };
    const composed = {mailLeaseMs, schedulerIntervalMs: 100};
    const start = async (): Promise<ServiceProcess> => {
      const worker = await startServiceProcess({redisUrl: store.url, env, armable: true, composed});
      closings.push(() => worker.kill());
      return worker;
    };
    const workers = [await start(), await start()] as const;
    const workspaces: TestWorkspace[] = [];
    const queued: QueuedMail[] = [];
    return {
      store,
      smtp,
      workers,
      queued,
      async queue(count) {
        for (let i = 0; i < count; i++) {
          // Two workspaces get mails in turn, so that a process sends several at once.
          const at = 2 * Math.floor(queued.length / (2 * perWorkspace)) + (queued.length % 2);
          const workspace = (workspaces[at] ??= await web.addWorkspace());
          const [suffix] = await queueInviteMails(workspace, [`person${queued.length}@example.com`]);
          if (suffix !== undefined) queued.push({workspace, suffix});
        }
      },
      list: () =>
        Promise.all(
          queued.map(async ({workspace, suffix}) => {
            const mail = await until(() => findMail(workspace, suffix).catch(() => undefined), {
              what: 'the store answers',
            });
            return {mail, messageId: `<${composeId('mail', mail.queuedAt, suffix)}@example.com>`};
          }),
        ),
      async releaseScheduler() {
        const key = globalKeys.scheduler();
        await store.send(key, [['DEL', key]]);
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
