import {createHash} from 'node:crypto';
import type {Call} from '../../domain/core/access.js';
import {suffixOf, type Id, type IdSuffix} from '../../domain/core/ids.js';
import type {EventType, LogEntry} from '../../domain/events/event.js';
import type {SlackItem} from '../../domain/slack/slack-post.js';
import type {ServiceContext} from '../core/context.js';
import {findRunOn} from '../runs/run-looks.js';

/** A standup, or the report of a run, that Slack does not show. */
export type UnshownItem =
  | {
      readonly kind: 'standup';
      readonly suffix: IdSuffix<'standup'>;
      readonly revision: number;
      readonly team: IdSuffix<'team'>;
    }
  | (SlackItem & {readonly kind: 'digest'});

const failureEvents = {standup: 'slack.post_failed', run: 'slack.report_failed'} as const;

/** The types of events that are reported if they are skipped, each with the kind of its subject. */
const passed: Partial<Record<EventType, keyof typeof failureEvents>> = {
  'standup.created': 'standup',
  'standup.updated': 'standup',
  'run.closed': 'run',
};

interface PostFailure {
  readonly about: IdSuffix;
  readonly revision: number;
  /** The id of the team to which the content belongs; undefined if the team is deleted. */
  readonly team: Id<'team'> | undefined;
  readonly reason: string;
}

/** Emits an event about content that Slack does not show, once for each revision of the content. */
export function createSlackFailures({mutate, records, teams}: ServiceContext) {
  async function recordFailure(
    call: Call,
    what: keyof typeof failureEvents,
    {team, ...failure}: PostFailure,
  ): Promise<void> {
    const event = {type: failureEvents[what], ...failure, ...(team !== undefined && {team})} as const;
    const digest = (text: string) => createHash('sha256').update(text).digest('base64url');
    const name = `${call.principal.id}\0slack-failure\0${failure.about}/${failure.revision}`;
    const idempotency = {hash: digest(name), fingerprint: digest('')};
    await mutate({...call, idempotency}, async () => ({
      effect: 'release',
      guards: [],
      writes: [],
      events: [event],
      reply: {kind: 'empty'},
    }));
  }

  return {
    /** Reports content that is not shown. `reason`: Slack's error code, or ours if Slack gave none. */
    async reportUnshown(call: Call, unshown: UnshownItem, reason: string): Promise<void> {
      // Webhooks select teams by their full id, which is known only while the team exists.
      const team = (await teams.all(call)).bySuffix(unshown.team)?.id;
      if (unshown.kind === 'standup') {
        const {suffix: about, revision} = unshown;
        return recordFailure(call, 'standup', {about, revision, team, reason});
      }
      const run = await findRunOn(records, call, unshown.team, unshown.date);
      if (run === undefined) return;
      await recordFailure(call, 'run', {about: suffixOf(run.id), revision: run.revision, team, reason});
    },
    /** Reports that an event was skipped, so its content is shown nowhere. */
    async reportPassed(call: Call, {type, about, revision, team}: LogEntry): Promise<void> {
      const what = passed[type];
      if (what !== undefined)
        await recordFailure(call, what, {about, revision, team, reason: 'internal_error'});
    },
  };
}
