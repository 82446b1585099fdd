import type {RequestContext} from '../../domain/core/access.js';
import type {IdSuffix} from '../../domain/core/ids.js';
import type {ServiceContext} from '../core/context.js';
import {createPromptService, type PromptService} from '../prompts/prompts.js';
import type {StandupDates} from '../runs/standup-dates.js';
import type {ListRefreshes} from './day-refreshes.js';
import {
  createNameablePeopleLister,
  type ListNameable,
  createStandupContents,
  type StandupContents,
} from './standup-contents.js';
import {createNoticeFinder, type FindNotice, createRecipients, type Recipients} from './notices.js';
import {
  createPromptRefreshLister,
  type ListPromptRefreshes,
  createRefreshLister,
  createStandupRefreshFinder,
  type FindStandupRefresh,
} from './refreshes.js';
import {createRunContents, type RunContents, createWeekFinder, type FindWeek} from './run-contents.js';

/**
 * Functions that read the content which a chat shows, the parts of it that an event changes, and the
 * recipients of the event.
 */
export interface ChannelViews extends StandupContents, RunContents, Recipients {
  readonly findWeek: FindWeek;
  readonly findNotice: FindNotice;
  readonly findPromptState: PromptService['findState'];
  readonly listNameable: ListNameable;
  /** True if a day is over in the team's time zone. */
  isOver: (call: RequestContext, team: IdSuffix<'team'>, date: string) => Promise<boolean>;
  readonly findStandupRefresh: FindStandupRefresh;
  readonly listRefreshes: ListRefreshes;
  readonly listPromptRefreshes: ListPromptRefreshes;
}

export function createChannelViews(
  context: ServiceContext,
  {standupDates}: {readonly standupDates: StandupDates},
): ChannelViews {
  return {
    ...createStandupContents(context),
    ...createRunContents(context),
    ...createRecipients(context),
    findWeek: createWeekFinder(context),
    findNotice: createNoticeFinder(context),
    findPromptState: createPromptService(context).findState,
    listNameable: createNameablePeopleLister(context),
    async isOver(call, suffix, date) {
      const team = (await context.teams.fresh(call.workspace, call.deadline)).bySuffix(suffix);
      if (team === undefined) return false;
      return date < ((await standupDates.findDates(call, [team], undefined)).get(team.id) ?? '');
    },
    findStandupRefresh: createStandupRefreshFinder(context),
    listRefreshes: createRefreshLister(context),
    listPromptRefreshes: createPromptRefreshLister(context),
  };
}
