import type {RequestContext} from '../../domain/core/access.js';
import type {IdSuffix} from '../../domain/core/ids.js';
import type {Team} from '../../domain/teams/team.js';
import type {Zones} from '../../domain/core/zones.js';
import type {PromptService} from '../prompts/prompts.js';
import type {ListRefreshes} from './day-refreshes.js';
import {createFailedChannelFinder} from './failed-channels.js';
import {createNameablePeopleLister, type ListNameable} from './nameable-people.js';
import {createGoneMembers, type GoneMemberParts} from './gone-members.js';
import {createNoticeFinder, type FindNotice, type FindNoticeParts} from './notices.js';
import {
  createPromptRefreshLister,
  type ListPromptRefreshes,
  type PromptRefreshParts,
} from './prompt-refreshes.js';
import {createRecipients, type RecipientParts, type Recipients} from './recipients.js';
import {createRefreshLister, type RefreshParts} from './refreshes.js';
import {createRunContents, type RunContentParts, type RunContents} from './run-contents.js';
import {createStandupContents, type StandupContentParts, type StandupContents} from './standup-contents.js';
import {
  createStandupRefreshFinder,
  type FindStandupRefresh,
  type StandupRefreshParts,
} from './standup-refreshes.js';
import {createWeekFinder, type FindWeek, type FindWeekParts} from './week-contents.js';
import {createWelcomeFinder, type WelcomeParts} from './welcomes.js';

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

type ChannelViewsParts = StandupContentParts &
  StandupRefreshParts &
  RunContentParts &
  FindWeekParts &
  FindNoticeParts &
  RecipientParts &
  RefreshParts &
  PromptRefreshParts &
  WelcomeParts &
  GoneMemberParts;

export interface ChannelViewParts
  extends Omit<ChannelViewsParts, 'calendar' | 'findFailedChannel' | 'findWelcome' | 'goneMembers'> {
  readonly findPromptState: PromptService['findState'];
  /** Returns today's date for a team. */
  readonly findDate: (call: RequestContext, team: Team) => Promise<string>;
  readonly zones: Zones;
}

export function createChannelViews(given: ChannelViewParts): ChannelViews {
  const {teams, findDate, findPromptState} = given;
  const parts = {
    ...given,
    calendar: given.zones,
    findFailedChannel: createFailedChannelFinder(given),
    findWelcome: createWelcomeFinder(given),
    goneMembers: createGoneMembers(given),
  };
  return {
    ...createStandupContents(parts),
    ...createRunContents(parts),
    ...createRecipients(parts),
    findWeek: createWeekFinder(parts),
    findNotice: createNoticeFinder(parts),
    findPromptState,
    listNameable: createNameablePeopleLister(parts),
    async isOver(call, suffix, date) {
      const team = (await teams.fresh(call.workspace, call.deadline)).bySuffix(suffix);
      return team !== undefined && date < (await findDate(call, team));
    },
    findStandupRefresh: createStandupRefreshFinder(parts),
    listRefreshes: createRefreshLister(parts),
    listPromptRefreshes: createPromptRefreshLister(parts),
  };
}
