import {createHash} from 'node:crypto';
import {deadlines} from '../../../domain/core/limits.js';
import type {SlackOrigin} from '../../../domain/slack/slack-installation.js';
import type {OauthInstallations} from '../../../service/slack/oauth-installations.js';
import {listenToEvent} from '../core/listeners.js';
import type {SlackContext} from '../core/context.js';

/** Two events, in any order, tell of a removal. If it is not recorded, the next refused call reveals it. */
export function listenToInstallation(context: SlackContext, installations: OauthInstallations): void {
  listenToEvent(context, 'app_uninstalled', ({body, origin}) => recordUninstall(origin, body));
  listenToEvent(context, 'tokens_revoked', async ({event, body, origin}) => {
    if ((event.tokens.bot ?? []).length > 0) await recordUninstall(origin, body);
  });

  function recordUninstall(
    origin: SlackOrigin,
    {event_id, event_time}: {readonly event_id: string; readonly event_time: number},
  ): Promise<void> {
    const hash = createHash('sha256').update(`slack-event\0${event_id}`).digest('base64url');
    const details = {happenedAt: event_time, idempotency: {hash, fingerprint: hash}};
    return installations.uninstall(origin, details, performance.now() + deadlines.job);
  }
}
