import type {Page, PageQuery} from '../../domain/core/lists.js';
import type {Call, Caller} from '../../domain/core/access.js';
import {toInstant} from '../../domain/core/dates.js';
import {notFound} from '../../domain/core/errors.js';
import type {Id} from '../../domain/core/ids.js';
import type {SlackTrouble} from '../../domain/slack/slack-post.js';
import type {Team} from '../../domain/teams/team.js';
import type {ServiceContext} from '../core/context.js';
import {createReadOnlyError} from '../core/admission.js';
import type {Answer} from '../core/answers.js';

/** Delivery problems that keep a channel from showing standups and reports; at most one for each channel. */
export function createSlackTroublesService({slackTroubles, teams, authority, mutate}: ServiceContext) {
  /**
   * Makes everything that waits in a channel due now, and tries again to post the content on which we had
   * given up. Safe to repeat. Errors: `workspace_read_only`.
   */
  async function resume(workspace: Id<'workspace'>, channel: string, deadline: number): Promise<void> {
    if (!(await slackTroubles.resume(workspace, channel, deadline))) throw createReadOnlyError();
  }

  /** Returns the troubles whose teams the caller may see, each with its team; undefined for a deleted team. */
  async function selectReached(caller: Caller, troubles: readonly SlackTrouble[]) {
    const all = await teams.all(caller);
    const seen = await teams.among(all, caller);
    return troubles.flatMap((trouble) => {
      const team = seen.bySuffix(trouble.team);
      return team === undefined && all.bySuffix(trouble.team) !== undefined ? [] : [{trouble, team}];
    });
  }

  async function planRetry(call: Call, channel: string) {
    const {workspace, deadline} = call;
    const found = await slackTroubles.find(workspace, channel, deadline);
    if (found === undefined) throw notFound('Slack trouble');
    const [reached] = await selectReached(call, [found]);
    if (reached === undefined) throw notFound('Slack trouble');
    const {team} = reached;
    const act = 'have it tried again';
    const proof =
      team === undefined
        ? await authority.requireAdmin(call, act)
        : await authority.requireLead(call, team, act);
    // The channel is resumed before the answer is stored: after a crash in between, a repeated request does
    // it again.
    await resume(workspace, channel, deadline);
    const after = (await slackTroubles.find(workspace, channel, deadline)) ?? found;
    const inline = JSON.stringify(presentTrouble(after, team));
    return {
      effect: 'release',
      guards: proof,
      writes: [],
      events: [],
      reply: {kind: 'inline', accepted: true, body: inline},
    } as const;
  }

  return {
    resume,
    /** Tries again for a lead of the team, an owner or an admin. Errors: `forbidden`, `not_found`. */
    retry: (call: Call, channel: string): Promise<Answer> => mutate(call, () => planRetry(call, channel)),
    /** Lists the problems of the last 30 days, latest first; as `Page`. */
    async listTroubles(caller: Caller, query: PageQuery): Promise<Page> {
      const {workspace, deadline} = caller;
      const {channels, next} = await slackTroubles.list(workspace, query, deadline);
      const found = await Promise.all(
        channels.map((channel) => slackTroubles.find(workspace, channel, deadline)),
      );
      const reached = await selectReached(
        caller,
        found.filter((one) => one !== undefined),
      );
      const rows = reached.map(({trouble, team}) => JSON.stringify(presentTrouble(trouble, team)));
      return {rows, next};
    },
  };
}

const states = {open: 'open', solving: 'solving', done: 'solved'} as const;

function presentTrouble(trouble: SlackTrouble, team: Team | undefined) {
  const {channel, state, code, since, tried, lost, shown, reports, held} = trouble;
  const standups = lost.filter(({kind}) => kind === 'standup').length;
  return {
    object: 'slack_trouble',
    id: channel,
    channel_id: channel,
    team: team?.slug ?? null,
    team_id: team?.id ?? null,
    state: states[state],
    reason: state === 'open' ? (code ?? null) : null,
    since: toInstant(since),
    tried_at: toInstant(tried),
    waiting: held,
    shown: {standups: shown, reports},
    given_up: {standups, reports: lost.length - standups},
  };
}
