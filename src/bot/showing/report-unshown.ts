import type {Call} from '../../domain/core/access.js';
import type {LogEntry} from '../../domain/events/event.js';
import {type Id, drawnPart, type IdSuffix} from '../../domain/core/ids.js';
import type {Run} from '../../domain/runs/run.js';
import type {Team} from '../../domain/teams/team.js';
import type {SlackFailures, Unshown} from '../../service/slack/slack-failures.js';
import {slackKey} from '../slack/door/visitors.js';
import type {ReportUnshown} from './post-failures.js';

export interface ReportUnshownParts {
  readonly findRun: (
    workspace: Id<'workspace'>,
    team: IdSuffix<'team'>,
    date: string,
  ) => Promise<Run | undefined>;
  /** By the drawn half of its id. */
  readonly findTeam: (workspace: Id<'workspace'>, drawn: IdSuffix<'team'>) => Promise<Team | undefined>;
  readonly jobCall: (workspace: Id<'workspace'>) => Call;
  readonly slackFailures: SlackFailures;
}

/**
 * Tells by event, once for each revision, what Slack does not show: since Slack refuses it, or since we
 * fail on it ourselves.
 */
export function createReportUnshown({findRun, findTeam, jobCall, slackFailures}: ReportUnshownParts): {
  readonly reportUnshown: ReportUnshown;
  readonly reportPassed: (workspace: Id<'workspace'>, entry: LogEntry) => Promise<void>;
} {
  async function report(workspace: Id<'workspace'>, unshown: Unshown): Promise<void> {
    const call = jobCall(workspace);
    const idempotency = slackKey(call, 'failure', `${unshown.drawn}/${unshown.revision}`, '');
    await slackFailures.reportUnshown({...call, idempotency}, unshown);
  }

  return {
    async reportUnshown(workspace, unshown, reason) {
      const about =
        unshown.kind === 'standup' ? unshown : await findRun(workspace, unshown.team, unshown.date);
      if (about === undefined) return;
      const drawn = 'drawn' in about ? about.drawn : drawnPart(about.id);
      const what = unshown.kind === 'standup' ? 'standup' : 'run';
      // Subscriptions name teams by their whole id, which is known as long as the team.
      const team = (await findTeam(workspace, unshown.team))?.id;
      await report(workspace, {what, drawn, revision: about.revision, team, reason});
    },
    /** An event that was passed over: what it asks for is shown by nobody. */
    async reportPassed(workspace, {type, about: drawn, revision, team}) {
      const told = {drawn, revision, team, reason: 'internal_error'};
      if (type === 'run.closed') await report(workspace, {what: 'run', ...told});
      if (type === 'standup.created' || type === 'standup.updated')
        await report(workspace, {what: 'standup', ...told});
    },
  };
}
