import type {Call, PrincipalId} from '../../domain/core/access.js';
import {isId, storedSuffix, suffixOf, type IdSuffix} from '../../domain/core/ids.js';
import type {RemovalMode, Write} from '../../domain/commit/writes.js';
import type {ErasedCounts} from '../../domain/members/erasure.js';
import {limits} from '../../domain/core/limits.js';
import {lists, parseSlackUserEntry} from '../../domain/core/lists.js';
import {parseWire} from '../../domain/core/resource.js';
import type {ServiceContext} from '../core/context.js';
import {type Removal, makeRemovalCommit, planRemovals} from '../core/clear-up.js';
import {listActions, type OfPerson} from '../core/kind-rules.js';

/**
 * Clears a limited part of the data of a member who has left, by the rules in service/kinds.ts. An erasure
 * also removes every revision that names the member, and their Slack ids. The same commits record the
 * progress of the erasure (id suffix). Returns true if more data is left, `later` if the work must wait. Safe
 * to run at any time, even twice at once.
 */
export type ForgetMember = ReturnType<typeof createMemberDataRemover>;

/** The number of removed resources erased at once; each has two keys. */
const erasedAtOnce = 90;
/** The number of mails erased at once; each has six keys. */
const mailsAtOnce = 30;
/** The number of webhooks whose stored responses are erased at once; each has three keys. */
const webhooksAtOnce = 90;

/**
 * Creates the function that clears a member's data. The order matters, since each step needs data that later
 * steps delete:
 * - data that is cleared whenever a member leaves;
 * - data that is cleared only for an erasure;
 * - resources removed earlier, and the member's Slack ids;
 * - drafts, mails, and responses of webhook receivers;
 * - the append-only file, which contains every change.
 */
export function createMemberDataRemover({
  mutate,
  records,
  slackPeople,
  mails,
  appendOnlyFile,
  kinds,
}: ServiceContext) {
  const steps = listActions(kinds, 'person').flat();
  const [leaving, erasing] = [
    steps.filter((step) => !step.onlyErased),
    steps.filter((step) => step.onlyErased),
  ];

  /** Clears some rows of one list of the member's data. Returns false if the list is empty. */
  async function clearRows(call: Call, member: PrincipalId, step: OfPerson, how: RemovalMode, note: Note) {
    const list = step.list(member);
    if ((await records.count(call.workspace, list, call.deadline)) === 0) return false;
    let found = 0;
    await mutate(call, async () => {
      const cleared = await planRemovals(records, call, {list}, (row) => step.clear(row, how));
      found = cleared.length;
      return makeRemovalCommit([...cleared, note({[step.counted]: found})]);
    });
    return found > 0;
  }

  /**
   * Erases everything of the member that was removed earlier, and everything stored under their Slack ids.
   * Returns false if there is nothing.
   */
  async function eraseRemoved(call: Call, member: PrincipalId, note: Note): Promise<boolean> {
    const {workspace, deadline} = call;
    const list = lists.removedOf(member);
    const found = await records.listEntries(workspace, list, erasedAtOnce, deadline);
    if (found.length === 0) return false;
    const writes: Write[] = [];
    for (const entry of found) {
      const slackUser = parseSlackUserEntry(entry);
      if (slackUser === undefined) writes.push({do: 'erase-revisions', suffix: entry});
      else if (await slackPeople.forget(workspace, slackUser, deadline)) continue;
      writes.push({do: 'relist', suffix: entry, from: list, to: null});
    }
    const gone = writes.filter((write) => write.do === 'relist').length;
    if (gone > 0) await mutate(call, async () => makeRemovalCommit([{writes}, note({traces: gone})]));
    return true;
  }

  /**
   * Deletes drafts that the removal has left, as that of an earlier release does, and an inbox to which something
   * was added at the same moment.
   */
  async function forgetDraftsAndInbox(call: Call, member: PrincipalId): Promise<void> {
    if (!isId('member', member)) return;
    const writes: Write[] = [
      {do: 'drop-drafts', member, of: 'all'},
      {do: 'drop-inbox', member},
      {do: 'drop-slack-status', member},
    ];
    await mutate(call, async () => makeRemovalCommit([{writes}]));
  }

  /** Erases the mails of the member, of which one more may be sent while this runs. */
  async function forgetMails(call: Call, member: PrincipalId, note: Note): Promise<void> {
    const of = storedSuffix<'member'>(suffixOf(member));
    const found = await mails.listOf(call.workspace, of, call.deadline);
    for (let from = 0; from < found.length; from += mailsAtOnce) {
      const writes = found
        .slice(from, from + mailsAtOnce)
        .map((suffix) => ({do: 'erase-mail', suffix, member: of}) as const);
      await mutate(call, async () => makeRemovalCommit([{writes}, note({})]));
    }
  }

  /** Erases stored responses of webhook receivers, since a response may repeat the content that was sent. */
  async function forgetResponses(call: Call, note: Note): Promise<void> {
    const {rows} = await records.list(
      call.workspace,
      {list: lists.webhooks(), limit: limits.webhooksPerWorkspace},
      call.deadline,
    );
    for (let from = 0; from < rows.length; from += webhooksAtOnce) {
      const writes = rows.slice(from, from + webhooksAtOnce).map(({json}) => {
        const {id} = parseWire(json);
        return {do: 'forget-responses', webhook: suffixOf(id)} as const;
      });
      await mutate(call, async () => makeRemovalCommit([{writes}, note({})]));
    }
  }

  const forgetSome: ForgetMember = async (call, member, erase, erasure) => {
    const note: Note = (erased, state = 'running') => ({
      writes: erasure === undefined ? [] : [{do: 'note-erasure', erasure, state, erased}],
    });
    for (const step of erase ? [...leaving, ...erasing] : leaving)
      if (await clearRows(call, member, step, erase ? 'erase' : 'remove', note)) return true;
    if (!erase) return false;
    if (await eraseRemoved(call, member, note)) return true;
    await forgetDraftsAndInbox(call, member);
    await forgetMails(call, member, note);
    await forgetResponses(call, note);
    // Until the file is rewritten, data that is deleted from memory is still on the disk.
    if ((await appendOnlyFile.rewrite(call.deadline)) === 'busy') return 'later';
    if (erasure !== undefined) await mutate(call, async () => makeRemovalCommit([note({}, 'done')]));
    return false;
  };

  return async function forgetMember(
    call: Call,
    member: PrincipalId,
    erase: boolean,
    erasure?: IdSuffix<'erasure'>,
  ): Promise<boolean | 'later'> {
    try {
      return await forgetSome(call, member, erase, erasure);
    } catch (error) {
      if (erasure !== undefined) {
        const writes = [{do: 'note-erasure', erasure, state: 'failed', erased: {}}] as const;
        // If recording this failure fails too, the next attempt records the state.
        await mutate(call, async () => makeRemovalCommit([{writes}])).catch(() => undefined);
      }
      throw error;
    }
  };
}

type Note = (erased: Partial<ErasedCounts>, state?: 'running' | 'done') => Removal;
