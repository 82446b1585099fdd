import type {RequestContext} from '../../domain/core/access.js';
import type {IdSuffix} from '../../domain/core/ids.js';
import type {ServiceContext} from '../core/context.js';
import {createAnswerCounter} from './answer-counts.js';
import {createCommentContents} from './comment-contents.js';
import {createPromptService} from '../prompts/prompts.js';
import type {FindNews} from '../inbox/news.js';
import type {StandupDates} from '../runs/standup-dates.js';
import type {TeamWeeks} from '../runs/team-week.js';
import {createNameablePeopleLister, createStandupContents} from './standup-contents.js';
import {createNoticeFinder, createRecipients} from './notices.js';
import {createReportRights} from './posted-reports.js';
import {createPromptRefreshLister, createRefreshLister, createStandupRefreshFinder} from './refreshes.js';
import {createPublicChannelFinder} from './public-channels.js';
import {createRunContents} from './run-contents.js';

/** Reads the content that a chat shows, its parts that an event changes, and the event's recipients. */
export function createChannelViews(
  context: ServiceContext,
  {
    standupDates,
    weeks,
    findNews,
  }: {
    readonly standupDates: StandupDates;
    readonly weeks: TeamWeeks;
    readonly findNews: FindNews;
  },
) {
  return {
    ...createStandupContents(context),
    ...createCommentContents(context),
    ...createRunContents(context),
    ...createRecipients(context),
    countAnswers: createAnswerCounter(context),
    findWeek: weeks.findWeek,
    mayPostReport: createReportRights(context),
    showsToAll: createPublicChannelFinder(context),
    findNotice: createNoticeFinder(context, {findNews}),
    findPromptContent: createPromptService(context).findContent,
    listNameable: createNameablePeopleLister(context),
    /** True if a day is over in the team's time zone. */
    async isOver(call: RequestContext, suffix: IdSuffix<'team'>, date: string): Promise<boolean> {
      const team = (await context.teams.all(call)).bySuffix(suffix);
      if (team === undefined) return false;
      return date < ((await standupDates.findDates(call, [team], undefined)).get(team.id) ?? '');
    },
    findStandupRefresh: createStandupRefreshFinder(context),
    listRefreshes: createRefreshLister(context),
    listPromptRefreshes: createPromptRefreshLister(context),
  };
}
