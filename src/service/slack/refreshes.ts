import type {EventType} from '../../domain/events/event.js';
import type {ServiceContext} from '../core/context.js';
import {createBlockerRefreshes} from './blocker-refreshes.js';
import {createDayRefreshes, followedDays, type ListRefreshes} from './day-refreshes.js';
import {createPeopleRefreshes} from './people-refreshes.js';
import {createRunRefreshes} from './run-refreshes.js';
import {createWeekRefreshes} from './week-refreshes.js';

export function createRefreshLister(context: ServiceContext): ListRefreshes {
  const days = createDayRefreshes(context);
  const {ofRun, ofStandup} = createRunRefreshes(context);
  const blockers = createBlockerRefreshes(context);
  const {ofMembership, ofAbsence, ofLeaver} = createPeopleRefreshes(context);
  const listWeeks = createWeekRefreshes(context);

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
