import {type IdSuffix, suffixOf} from '../../src/domain/core/ids.js';
import type {Mail} from '../../src/domain/mail/mail.js';
import {mailOfInvite} from '../../src/domain/mail/mail.js';
import type {TestWorkspace} from './service.js';

const hourMs = 3_600_000;

/** Invites people by the API, and queues the mail of each invite. Returns the id suffixes of the mails. */
export async function queueInviteMails(
  {core: {store}, id, request}: TestWorkspace,
  addresses: readonly string[],
  {until = store.clock.now() + hourMs}: {readonly until?: number} = {},
): Promise<IdSuffix<'mail'>[]> {
  const body = {emails: addresses, teams: [{team_id: 'platform'}]};
  const made = await request('POST', '/v1/invites', {body});
  if (made.status !== 201) throw new Error(`no invite was made: ${made.text}`);
  const suffixes: IdSuffix<'mail'>[] = [];
  for (const {id: invite, email} of made.body.data) {
    const suffix = mailOfInvite(suffixOf<'invite'>(invite));
    const encrypted = store.cipher.encrypt('mail', suffix, 'secret');
    const mail = {do: 'queue-mail', suffix, fact: {kind: 'invite'}, to: email, encrypted, until} as const;
    await store.commits.run(
      {workspace: id, deadline: newDeadline()},
      {guards: [], writes: [mail], events: [], reply: {kind: 'empty'}},
    );
    suffixes.push(suffix);
  }
  return suffixes;
}

export async function findMail(
  {core: {store}, id}: Pick<TestWorkspace, 'core' | 'id'>,
  suffix: IdSuffix<'mail'>,
): Promise<Mail> {
  const mail = await store.mails.find(id, suffix, newDeadline());
  if (mail === undefined) throw new Error(`the mail ${suffix} is gone`);
  return mail;
}

function newDeadline(): number {
  return performance.now() + 5_000;
}
