import type {EventType} from '../../domain/events/event.js';
import {type BlockerRefreshParts, createBlockerRefreshes} from './blocker-refreshes.js';
import {createDayRefreshes, type DayRefreshParts, followedDays, type ListRefreshes} from './day-refreshes.js';
import {createPeopleRefreshes, type PeopleRefreshParts} from './people-refreshes.js';
import {createRunRefreshes, type RunRefreshParts} from './run-refreshes.js';
import {createWeekRefreshes, type WeekRefreshParts} from './week-refreshes.js';

type RefreshesParts = DayRefreshParts &
  BlockerRefreshParts &
  PeopleRefreshParts &
  RunRefreshParts &
  WeekRefreshParts;
export type RefreshParts = Omit<RefreshesParts, 'days' | 'blockers'>;

export function createRefreshLister(given: RefreshParts): ListRefreshes {
  const days = createDayRefreshes(given);
  const parts = {...given, days};
  const {ofRun, ofStandup} = createRunRefreshes(parts);
  const blockers = createBlockerRefreshes(parts);
  const {ofMembership, ofAbsence, ofLeaver} = createPeopleRefreshes({...parts, blockers});
  const listWeeks = createWeekRefreshes(parts);

  /** Whether a message names missing members depends on the team's current settings. */
  const ofTeam: ListRefreshes = async (workspace, entry) => {
    const team = await days.findTeam(workspace, entry);
    return team === undefined ? [] : days.reportsOfLast(workspace, followedDays, [team]);
  };

  function chooseRefreshLister(type: EventType): ListRefreshes | undefined {
    if (type === 'standup.updated' || type === 'standup.deleted') return ofStandup;
    if (type.startsWith('team.member_')) return ofMembership;
    if (type === 'member.left') return ofLeaver;
    if (type === 'team.updated') return ofTeam;
    const noun = type.slice(0, type.indexOf('.'));
    if (noun === 'run') return type === 'run.reminded' ? undefined : ofRun;
    if (noun === 'absence') return ofAbsence;
    return noun === 'blocker' ? blockers.ofBlocker : undefined;
  }

  return async (workspace, entry) => {
    const listDays = chooseRefreshLister(entry.type);
    const [first, weeks] = await Promise.all([
      listDays?.(workspace, entry) ?? [],
      listWeeks(workspace, entry),
    ]);
    return [...first, ...weeks];
  };
}
