import type {SlackDigestPost, SlackItem} from '../../domain/slack/slack-post.js';
import type {Outcome} from '../slack/posting/channel-calls.js';
import {concernsChannel} from '../slack/door/slack-errors.js';
import {type Hold, type Settlement, within} from './channel-work.js';
import type {PostFailuresParts} from './post-failures.js';

type DigestItem = SlackItem & {kind: 'digest'};
type Failure = Exclude<Outcome<never>, {kind: 'done'}>;

/** What becomes of a report when Slack does not do what was wanted: another try, a pause of its channel, or the end, of which people are told. */
export interface DigestFailures {
  /** A call did not do what was wanted. `mark`: what becomes of the mark it was sent under. */
  fail: (
    hold: Hold,
    item: DigestItem,
    post: SlackDigestPost,
    failure: Failure,
    mark?: Pick<Settlement, 'token' | 'clear'>,
  ) => Promise<void>;
  /** Whether one of its messages is there could not be found out. Its mark (`token`) stays, so that what may be there is not posted again. */
  failLookUp: (
    hold: Hold,
    item: DigestItem,
    post: SlackDigestPost,
    failure: Failure,
    token?: string,
  ) => Promise<void>;
}

export function createDigestFailures({
  slackTroubles,
  reportUnshown,
  work,
  log,
}: PostFailuresParts): DigestFailures {
  const {waitAfter, waitToLook, record} = work;

  function warn({workspace, channel}: Hold, {team, date}: DigestItem, code: string, lost: boolean): void {
    log.warn(
      {workspace, channel, team, date, code},
      lost ? 'a report is given up for Slack' : 'a report is not shown in Slack yet',
    );
  }

  /** Noted before its event is made: whoever reads that finds whom to tell what. */
  async function tell(
    {workspace, channel}: Hold,
    item: DigestItem,
    {code, lost, isNew}: {code: string; lost: boolean; isNew: boolean},
  ): Promise<void> {
    const trouble = {team: item.team, code, ...(lost && {lost: item})};
    await slackTroubles.note(workspace, channel, trouble, within());
    if (isNew) await reportUnshown(workspace, item, code);
  }

  return {
    async fail(hold, item, post, failure, mark = {}) {
      if (failure.kind === 'limited')
        return void (await record(hold, item, {...mark, next: {whenTaken: failure.method}}));
      const {kind, code} = failure;
      const refused = kind === 'refused';
      const wait = waitAfter(failure, post.failures);
      const lost = wait === undefined;
      warn(hold, item, code, lost);
      const isNew = lost || post.failed === undefined;
      if (lost || refused) await tell(hold, item, {code, lost, isNew});
      await record(hold, item, {
        ...mark,
        set: {failures: post.failures + 1, ...((lost || refused) && {failed: code})},
        next: wait ?? 'settled',
        ...(refused && concernsChannel(code) && wait !== undefined && {pauseMs: wait}),
      });
    },

    async failLookUp(hold, item, post, failure, token) {
      const mark = token === undefined ? {} : {token};
      const wait = waitToLook(failure, post.failures);
      const failures = post.failures + 1;
      if (wait !== undefined) {
        const next = failure.kind === 'limited' ? {whenTaken: failure.method} : wait;
        const refused = failure.kind === 'refused' ? failure.code : undefined;
        if (refused !== undefined)
          await tell(hold, item, {code: refused, lost: false, isNew: post.failed === undefined});
        const set = {failures, ...(refused !== undefined && {failed: refused})};
        return void (await record(hold, item, {...mark, set, next}));
      }
      const code = 'outcome_unknown';
      warn(hold, item, code, true);
      await tell(hold, item, {code, lost: true, isNew: true});
      await record(hold, item, {...mark, set: {failures, failed: code}, next: 'settled'});
    },
  };
}
