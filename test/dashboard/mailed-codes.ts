import type {Mail} from '../../src/domain/mail/mail.js';
import type {TestService, TestWorkspace} from '../support/service.js';
import {until} from '../support/until.js';

const newDeadline = () => performance.now() + 5_000;

/** Lists the mails with codes of a workspace, newest first. */
export async function listCodeMails(
  {core}: Pick<TestService, 'core'>,
  {id}: Pick<TestWorkspace, 'id'>,
): Promise<readonly Mail[]> {
  const {mails} = await core.store.mails.list(id, {limit: 100}, newDeadline());
  return mails.filter(({fact}) => fact.kind === 'sign_in_code');
}

/** Returns the code in the newest of this many mails. A mail is queued after the answer, so this waits for it. */
export async function readMailedCode(
  service: Pick<TestService, 'core'>,
  workspace: Pick<TestWorkspace, 'id'>,
  count: number,
): Promise<string> {
  const [mail] = await until(
    async () => {
      const found = await listCodeMails(service, workspace);
      return found.length >= count ? found : undefined;
    },
    {what: `${count} codes were mailed`},
  );
  return readCodeOfMail(service, workspace, mail);
}

export async function readCodeOfMail(
  {core}: Pick<TestService, 'core'>,
  {id}: Pick<TestWorkspace, 'id'>,
  mail: Mail | undefined,
): Promise<string> {
  if (mail === undefined) throw new Error('There is no mail.');
  const {mails, cipher} = core.store;
  const encrypted = await mails.findSecret(id, mail.suffix, newDeadline());
  if (encrypted === undefined) throw new Error('The mail has no code any more.');
  return cipher.decrypt('mail', mail.suffix, encrypted);
}
