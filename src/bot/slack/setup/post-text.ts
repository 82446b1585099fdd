import type {ModalView} from '@slack/types';
import {notFound} from '../../../domain/core/errors.js';
import {plainly, tell} from '../blocks/reach.js';
import type {Kit, Visit} from '../door/kit.js';
import {errorCodeOf} from '../door/clients.js';
import {explainForTeam} from '../form/form-dates.js';
import {explain} from '../door/refusals.js';
import {slackKey} from '../door/visitors.js';
import {presentText} from './setup-view.js';

export interface WaitingText {
  readonly team: string | undefined;
  readonly text: string;
  /** The modal with the pressed button: pressed twice, it posts once. */
  readonly viewId: string;
}

/**
 * Posts the update that had to wait for its team, and says so in the modal; after a failure the text and the
 * button stay.
 */
export async function postText(kit: Kit, visit: Visit, waiting: WaitingText): Promise<void> {
  const deadline = kit.visitors.answerBy();
  const view = await post(kit, visit, waiting, deadline);
  try {
    const client = await kit.visitors.findClient(visit.origin, kit.visitors.answerBy());
    await client.views.update({view_id: waiting.viewId, view});
  } catch (error) {
    kit.log.warn({code: errorCodeOf(error)}, 'what became of a text could not be shown');
  }
}

async function post(
  {visitors, services, log, drawReference, refreshHome}: Kit,
  {origin, user, reader}: Visit,
  {team: reference, text, viewId}: WaitingText,
  deadline: number,
): Promise<ModalView> {
  const {words} = reader;
  try {
    const place = await visitors.findPlace(origin, deadline);
    const call = await visitors.admit(place, user, deadline);
    const team = reference === undefined ? undefined : place.directory.byReference(reference);
    if (team === undefined) throw notFound('team');
    const idempotency = slackKey(call, 'setup-text', viewId, text);
    const input = {team: team.slug, update: text, source: 'slack'} as const;
    await services.standups.postStandup({...call, idempotency}, input).catch((error: unknown) => {
      throw explainForTeam(error, reader, place.directory);
    });
    refreshHome(origin, user);
    return presentText(
      words,
      tell(({where}) => words.setup.posted(where(team))),
      {text},
    );
  } catch (error) {
    const {sentence, uncertain} = explain(error, log, drawReference(), words);
    return presentText(words, plainly(uncertain ? sentence : words.setup.notPosted(sentence)), {
      text,
      again: reference,
    });
  }
}
