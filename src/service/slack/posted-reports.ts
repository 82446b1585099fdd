import type {Call, RequestContext} from '../../domain/core/access.js';
import type {IdSuffix} from '../../domain/core/ids.js';
import {limits} from '../../domain/core/limits.js';
import type {SlackCopy} from '../../domain/slack/slack-post.js';
import {isReadIn} from '../../domain/teams/team.js';
import type {ServiceContext} from '../core/context.js';

/** Finds out whether a channel may show a report of a team; false without the team. */
export function createReportRights({teams}: ServiceContext) {
  return async (call: RequestContext, suffix: IdSuffix<'team'>, channel: string): Promise<boolean> => {
    const team = (await teams.all(call)).bySuffix(suffix);
    return team !== undefined && isReadIn(team, channel);
  };
}

/** Reports that people post in channels. The caller has checked that the person may read the team. */
export function createPostedReports(context: ServiceContext) {
  const {slackPosts, mutate} = context;
  const mayPost = createReportRights(context);
  return {
    /**
     * Asks for a report in a channel. One key makes one report, however often it is repeated. Returns why there is
     * none: the channel's readers may not read the team, or the report has been posted often enough.
     */
    async post(
      call: Call,
      item: SlackCopy['item'],
      channel: string,
    ): Promise<'asked' | 'not_readable' | 'enough'> {
      const {workspace, deadline} = call;
      if (!(await mayPost(call, item.team, channel))) return 'not_readable';
      const shown = await slackPosts.listReports(workspace, item.of, [item], deadline);
      const others = shown.filter(({item: one}) => one.kind === 'copy' && one.key !== item.key);
      if (others.length >= limits.copiesPerReport) return 'enough';
      await mutate(call, async () => ({
        effect: 'growth',
        guards: [],
        writes: [{do: 'post-report', channel, item}],
        events: [],
        reply: {kind: 'empty'},
      }));
      return 'asked';
    },
    /** Returns what has become of it: shown, why not, or undefined while that is open. */
    async findOutcome(
      {workspace, deadline}: RequestContext,
      item: SlackCopy['item'],
    ): Promise<'shown' | {readonly refused: string} | undefined> {
      const found = await slackPosts.findCopy(workspace, item, deadline);
      if (found !== undefined && found.parts.size > 0) return 'shown';
      return found?.failed === undefined ? undefined : {refused: found.failed};
    },
  };
}
