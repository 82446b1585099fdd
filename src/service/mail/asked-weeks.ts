import {emptyCommit} from '../../domain/commit/commit.js';
import type {Call, RequestContext} from '../../domain/core/access.js';
import {type Id, isId, suffixOf} from '../../domain/core/ids.js';
import type {IdSuffix} from '../../domain/core/ids.js';
import {type MailFact, mailOfFact} from '../../domain/mail/mail.js';
import type {Member} from '../../domain/workspaces/workspace.js';
import {createFactMailWrites, limitNotices} from '../core/queue-mail.js';
import type {ServiceContext} from '../core/context.js';

/** The time (ms) for which a mail that a person asked for is sent. */
const mailMs = 24 * 3_600_000;

/** Returns the address to which mails go; null without one, or if a mail server has refused it. */
function findReachableAddress({email, email_status: status}: Member): string | null {
  return status === 'refused' ? null : email;
}

/** Mails the summary of a week to the member who asks for it, and to no one else. */
export function createAskedWeeks(context: ServiceContext) {
  const {mail, mails, mutate, records, sha256, clock} = context;
  return {
    /** Returns the address to which the mail would go; null if mail is off or cannot reach the member. */
    async findAddress({workspace, deadline}: RequestContext, id: Id<'member'>): Promise<string | null> {
      if (mail === undefined) return null;
      const member = await records.find(workspace, id, deadline);
      return member === undefined ? null : findReachableAddress(member);
    },
    /**
     * Asks for the mail. One key makes one mail, however often it is repeated. Returns its address, or why there is
     * none.
     */
    async ask(
      call: Call,
      {team, monday, key}: {readonly team: IdSuffix<'team'>; readonly monday: string; readonly key: string},
    ): Promise<{readonly to: string} | 'unreachable' | 'enough'> {
      const {principal, workspace, deadline} = call;
      const fact: MailFact = {kind: 'week', team, monday, asked: key};
      let found: {readonly to: string} | 'unreachable' | 'enough' = 'unreachable';
      await mutate(call, async () => {
        found = 'unreachable';
        const member = isId('member', principal.id)
          ? await records.find(workspace, principal.id, deadline)
          : undefined;
        const to = mail === undefined || member === undefined ? null : findReachableAddress(member);
        if (member === undefined || to === null) return emptyCommit;
        found = {to};
        const known = mailOfFact(sha256, fact, suffixOf(member.id));
        if ((await mails.find(workspace, known, deadline)) !== undefined) return emptyCommit;
        const until = clock.now() + mailMs;
        const asked = createFactMailWrites(context, {fact, to, member: member.id, until});
        const writes = await limitNotices(context, call, {kind: 'asked_week', about: to}, asked);
        if (writes.length === 0) found = 'enough';
        return {
          effect: 'growth',
          // Nothing is queued to an address that the member has changed since.
          guards: [{check: 'revision', id: member.id, revision: member.revision}],
          writes,
          events: [],
          reply: {kind: 'empty'},
        };
      });
      return found;
    },
  };
}
