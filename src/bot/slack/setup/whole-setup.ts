import type {ViewOutput} from '@slack/bolt';
import {isTimezone} from '../../../domain/core/dates.js';
import {errorCodeOf} from '../core/clients.js';
import type {SlackContext, SlackRequest} from '../core/context.js';
import {views} from '../blocks/names.js';
import {presentSetup, readMemo} from './setup-view.js';
import {readTeamForm} from './team-form.js';
import {createZoneSearch} from './zones.js';

const clientMs = 1_000;

/**
 * Replaces the short form with all fields of the setup, and keeps the text that the person has typed. After a
 * failure the short form stays and still works.
 */
export async function showWholeSetup(
  {identities, log, now}: Pick<SlackContext, 'identities' | 'log' | 'now'>,
  {origin, translation}: SlackRequest,
  view: ViewOutput | undefined,
): Promise<void> {
  if (view?.callback_id !== views.setup) return;
  const {zone, channel, ...form} = readTeamForm(view);
  const memo = readMemo(view.private_metadata);
  const data = {
    ...form,
    zone: isTimezone(zone) ? createZoneSearch(now).present(zone) : undefined,
    channel: channel === '' ? undefined : channel,
  };
  try {
    const client = await identities.findClient(origin, performance.now() + clientMs);
    const {id: view_id, hash} = view;
    await client.views.update({
      view_id,
      hash,
      view: presentSetup(translation.texts, data, {...memo, whole: true}),
    });
  } catch (error) {
    log.warn({code: errorCodeOf(error)}, 'could not show the rest of a setup form');
  }
}
