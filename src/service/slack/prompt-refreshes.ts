import type {ServiceContext} from '../core/context.js';
import type {RequestContext} from '../../domain/core/access.js';
import {suffixOf, isId, storedSuffix} from '../../domain/core/ids.js';
import type {LogEntry} from '../../domain/events/event.js';
import {listDatesAround} from '../../domain/prompts/prompt-days.js';
import type {PromptName} from '../../domain/prompts/prompt.js';

/** Lists the reminders that may change after an event. It does no harm to list one that does not change. */
export type ListPromptRefreshes = (call: RequestContext, entry: LogEntry) => Promise<readonly PromptName[]>;

const endings: ReadonlySet<string> = new Set(['run.closed', 'run.missed', 'run.cancelled']);

export function createPromptRefreshLister({
  prompts,
  records,
  zones,
  clock,
}: ServiceContext): ListPromptRefreshes {
  return async ({workspace, deadline}, {type, about, revision}) => {
    if (endings.has(type)) return prompts.listOfRun(workspace, storedSuffix(about), deadline);
    const today = zones.dayIn('UTC', clock.now());
    if (type === 'member.left')
      return prompts.listOf(workspace, storedSuffix(about), listDatesAround([today]), deadline);
    const isStandup = type.startsWith('standup.');
    const isMembership = type === 'team.member_removed' || type === 'team.member_updated';
    if (!isStandup && !isMembership && !type.startsWith('absence.')) return [];
    const before = type === 'standup.updated' ? [revision - 1] : [];
    const suffix = storedSuffix<'standup' | 'team_member' | 'absence'>(about);
    const found = await Promise.all(
      [revision, ...before].map((of) => records.findRevision(workspace, suffix, of, deadline)),
    );
    const member = found
      .map((record) => record && ('author' in record ? record.author : record.member).id)
      .find((id) => id !== undefined);
    if (member === undefined || !isId('member', member)) return [];
    // A day off changes no reminders except today's.
    const days = isStandup
      ? found.flatMap((record) => (record && 'date' in record ? record.date : []))
      : [today];
    return prompts.listOf(workspace, suffixOf(member), listDatesAround(days), deadline);
  };
}
