import type {ViewResponseAction} from '@slack/bolt';
import {plainRefusal} from '../../../domain/core/errors.js';
import type {Answer, Kit} from '../door/kit.js';
import type {Submission} from '../door/listeners.js';
import {explain} from '../door/refusals.js';
import {finishTeam, keepRest, type Rest} from './finish-team.js';
import {findToChange} from './open-settings.js';
import {lookUpPeople} from './people.js';
import {presentSetupSentence, readMemo} from './setup-view.js';
import {lookUpMs} from './submit-setup.js';

/**
 * Adds to a team the people that an earlier setup has left out: again after a failure, or to the team that
 * already had the channel.
 */
export async function addMissing(
  kit: Kit,
  {visit, view, onUnserved}: Submission,
  answer: Answer<ViewResponseAction>,
): Promise<void> {
  const {origin, user, reader} = visit;
  const {words} = reader;
  const {team: reference, users = [], text} = readMemo(view.private_metadata);
  const deadline = kit.visitors.answerBy();
  let rest: Rest;
  try {
    if (reference === undefined) throw plainRefusal('not_found', words.form.teamGone);
    const place = await kit.visitors.findPlace(origin, deadline);
    const call = await kit.visitors.admit(place, user, deadline);
    const known = place.directory.byReference(reference);
    if (known === undefined) throw plainRefusal('not_found', words.form.teamGone);
    const team = await findToChange(kit, call, known, words);
    const add = lookUpPeople(kit, place, users, performance.now() + lookUpMs);
    rest = {
      place,
      call,
      user,
      words,
      viewId: view.id,
      team,
      did: 'changed',
      enters: true,
      add,
      remove: [],
      lead: [],
      unlead: [],
      text,
    };
    await keepRest(kit, rest, deadline);
  } catch (error) {
    const {sentence, unserved} = explain(error, kit.log, kit.drawReference(), words);
    if (unserved) onUnserved();
    return answer({response_action: 'update', view: presentSetupSentence(words, sentence)});
  }
  await answer({response_action: 'update', view: presentSetupSentence(words, words.setup.adding)});
  await finishTeam(kit, rest);
}
