import type {RequestContext} from '../../domain/core/access.js';
import {findTimeToAsk} from '../../domain/blockers/still-blocked.js';
import {addDays, countDaysBetween} from '../../domain/core/dates.js';
import type {IdSuffix} from '../../domain/core/ids.js';
import {lists} from '../../domain/core/lists.js';
import {
  findFirstMoment,
  type Prompt,
  type PromptState,
  type StillBlocked,
} from '../../domain/prompts/prompt.js';
import {listRecords} from '../core/paging.js';
import type {ServiceContext} from '../core/context.js';

/** The number of the member's latest blockers that are looked at, and how many one reminder asks about. */
const [maxRead, maxAsked] = [100, 3];

/**
 * Finds the open blockers about which a reminder asks its member. Nothing is stored for it: each blocker has
 * instants counted from its last change, and the first reminder sent after one of them asks. So what a reminder
 * asks stays the same all day, and a weekend delays it.
 */
export function createStillBlockedFinder({records, teams, prompts, zones}: ServiceContext) {
  /** Returns the first moments (ms) of the reminders that were sent on the days before this one. */
  async function listEarlier(
    {workspace, deadline}: RequestContext,
    member: IdSuffix<'member'>,
    from: string,
    before: string,
  ): Promise<number[]> {
    const days = Array.from({length: Math.max(0, countDaysBetween(from, before))}, (_, i) =>
      addDays(from, i),
    );
    const found = await Promise.all(days.map((date) => prompts.find(workspace, member, date, deadline)));
    return found.flatMap((prompt) => (prompt?.ts === undefined ? [] : findFirstMoment(prompt)));
  }

  return async function findStillBlocked(
    asked: RequestContext,
    prompt: Pick<Prompt, 'member' | 'date' | 'moments' | 'notBefore'>,
    {member: id, timezone}: Pick<PromptState, 'member' | 'timezone'>,
  ): Promise<readonly StillBlocked[]> {
    const now = findFirstMoment(prompt);
    const own = await listRecords(records, asked, {list: lists.blockersOf(id), limit: maxRead});
    const due = own.flatMap((blocker) => {
      const at = blocker.author.id === id ? findTimeToAsk(blocker, now) : undefined;
      return at === undefined ? [] : [{...blocker, at}];
    });
    if (due.length === 0) return [];
    const first = Math.min(...due.map(({at}) => at));
    const [directory, earlier] = await Promise.all([
      teams.of({...asked, principal: {type: 'member', id}, scopes: new Set()}),
      listEarlier(asked, prompt.member, addDays(zones.dayIn('UTC', first), -1), prompt.date),
    ]);
    return due
      .filter(({at}) => !earlier.some((sent) => sent >= at))
      .flatMap(({id: blocker, text, team_id, created_at}) => {
        const team = directory.byReference(team_id);
        const since = zones.dayIn(timezone, Date.parse(created_at));
        return team === undefined ? [] : [{blocker, text, team: team.name, since}];
      })
      .slice(0, maxAsked);
  };
}
