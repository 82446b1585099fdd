import type {ViewResponseAction} from '@slack/bolt';
import {refusalForPeople} from '../../../domain/core/errors.js';
import type {RespondOnce, SlackContext} from '../core/context.js';
import type {Submission} from '../core/listeners.js';
import {explainError} from '../core/refusals.js';
import {finishTeamSetup, storeRemainingSetup, type Rest} from './finish-team.js';
import {findChangeableTeam} from './open-settings.js';
import {lookUpPeople} from './people.js';
import {presentSetupSentence, readMemo} from './setup-view.js';
import {lookUpMs} from './submit-setup.js';

/**
 * Adds to a team the people that an earlier setup left out: after a failure, or because the channel already
 * had this team.
 */
export async function addMissingPeople(
  deps: SlackContext,
  {request, view, onUnserved}: Submission,
  answer: RespondOnce<ViewResponseAction>,
): Promise<void> {
  const {origin, user, translation} = request;
  const {texts} = translation;
  const {team: reference, users = [], text} = readMemo(view.private_metadata);
  const deadline = deps.identities.answerBy();
  let rest: Rest;
  try {
    if (reference === undefined) throw refusalForPeople('not_found', texts.form.teamGone);
    const slackWorkspace = await deps.identities.findSlackWorkspace(origin, deadline);
    const call = await deps.identities.admit(slackWorkspace, user, deadline);
    const known = slackWorkspace.directory.byReference(reference);
    if (known === undefined) throw refusalForPeople('not_found', texts.form.teamGone);
    const team = await findChangeableTeam(deps, call, known, texts);
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
    await storeRemainingSetup(deps, rest, deadline);
  } catch (error) {
    const {sentence, unserved} = explainError(deps, error, texts);
    if (unserved) onUnserved();
    return answer({response_action: 'update', view: presentSetupSentence(texts, sentence)});
  }
  await answer({response_action: 'update', view: presentSetupSentence(texts, texts.setup.adding)});
  await finishTeamSetup(deps, rest);
}
