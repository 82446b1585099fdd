import {createHash} from 'node:crypto';
import {deadlines} from '../../../domain/core/limits.js';
import type {OauthInstallations} from '../../../service/slack/oauth-installations.js';
import {type Kit, originOf} from '../door/kit.js';

type Envelope = Parameters<typeof originOf>[0] & {readonly event_id: string; readonly event_time: number};

/**
 * The bot was uninstalled, or its token revoked: Slack tells both of one leaving, in any order, perhaps more than once. Bolt has answered
 * by then, so what cannot be recorded now is found out by the next call that Slack refuses.
 */
export function listenToInstallation({bolt, answering}: Kit, installations: OauthInstallations): void {
  bolt.event('app_uninstalled', ({body}) => end(body));
  bolt.event('tokens_revoked', async ({event, body}) => {
    if ((event.tokens.bot ?? []).length > 0) await end(body);
  });

  async function end(body: Envelope): Promise<void> {
    const noAnswer = async () => undefined;
    await answering(noAnswer, undefined, () => {
      const hash = createHash('sha256').update(`slack-event\0${body.event_id}`).digest('base64url');
      return installations.uninstall(
        originOf(body),
        {happenedAt: body.event_time, idempotency: {hash, fingerprint: hash}},
        performance.now() + deadlines.job,
      );
    });
  }
}
