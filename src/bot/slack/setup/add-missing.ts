import type {ViewResponseAction} from '@slack/bolt';
import {plainRefusal} from '../../../domain/core/errors.js';
import type {RespondOnce, BotDeps} from '../core/deps.js';
import type {Submission} from '../core/listeners.js';
import {explain} from '../core/refusals.js';
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
  deps: BotDeps,
  {request, view, onUnserved}: Submission,
  answer: RespondOnce<ViewResponseAction>,
): Promise<void> {
  const {origin, user, translation} = request;
  const {texts} = translation;
  const {team: reference, users = [], text} = readMemo(view.private_metadata);
  const deadline = deps.identities.answerBy();
  let rest: Rest;
  try {
    if (reference === undefined) throw plainRefusal('not_found', texts.form.teamGone);
    const slackWorkspace = await deps.identities.findSlackWorkspace(origin, deadline);
    const call = await deps.identities.admit(slackWorkspace, user, deadline);
    const known = slackWorkspace.directory.byReference(reference);
    if (known === undefined) throw plainRefusal('not_found', texts.form.teamGone);
    const team = await findToChange(deps, call, known, texts);
    const add = lookUpPeople(deps, slackWorkspace, users, performance.now() + lookUpMs);
    rest = {
      slackWorkspace,
      call,
      user,
      texts,
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
    await keepRest(deps, rest, deadline);
  } catch (error) {
    const {sentence, unserved} = explain(error, deps.log, deps.generateReference(), texts);
    if (unserved) onUnserved();
    return answer({response_action: 'update', view: presentSetupSentence(texts, sentence)});
  }
  await answer({response_action: 'update', view: presentSetupSentence(texts, texts.setup.adding)});
  await finishTeam(deps, rest);
}
