import type {ViewResponseAction} from '@slack/bolt';
import {AppError, notFound} from '../../../domain/core/errors.js';
import {parseWire} from '../../../domain/core/resource.js';
import type {Team} from '../../../domain/teams/team.js';
import {isolateName} from '../../texts/bidi.js';
import {presentFieldErrors} from '../blocks/inputs.js';
import {createZoneSearch} from '../blocks/zones.js';
import type {SlackContext, RespondOnce} from '../core/context.js';
import type {Submission} from '../core/listeners.js';
import {findChangeableTeam, type SavedTeam, saveThenFinish} from './save-team.js';
import {presentSettings, readMemo} from './setup-view.js';
import {findTeamWithChannel, presentChannelTaken} from './submit-setup.js';
import {matchesWish, parseTeamForm, readTeamFields, readTeamForm} from './team-form.js';

/**
 * Changes a team by its settings form. If another person has changed the team since the form was opened, the
 * form says so and keeps its content; submitting it again overwrites that change. A repeated submission finds
 * the wanted state, which counts as saved.
 */
export async function submitSettings(
  deps: SlackContext,
  submission: Submission,
  answer: RespondOnce<ViewResponseAction>,
): Promise<void> {
  const {request, view} = submission;
  const {texts} = request.translation;
  const {teams} = deps.services;
  const form = readTeamForm(view);
  const memo = readMemo(view.private_metadata);
  await saveThenFinish(deps, submission, answer, async ({directory}, call) => {
    const known = memo.team === undefined ? undefined : directory.byReference(memo.team);
    if (known === undefined || memo.revision === undefined) throw notFound('team');
    const before = await findChangeableTeam(deps, call, known, texts);
    const parsed = parseTeamForm(form, before, texts);
    if ('errors' in parsed) return presentFieldErrors(parsed.errors);
    const enters = form.channel !== memo.channel;
    const saved = (team: Team): SavedTeam => ({
      team,
      did: 'changed',
      enters,
      add: [],
      text: undefined,
    });
    if (matchesWish(before, parsed.wish)) return saved(before);
    try {
      const {body} = await teams.changeTeam(call, known.id, parsed.wish, [memo.revision], 'shown');
      return saved(parseWire(body));
    } catch (error) {
      const holder = findTeamWithChannel(error, await teams.findDirectory(call), form.channel);
      if (holder !== undefined) return presentChannelTaken(texts, holder);
      if (!(error instanceof AppError) || error.code !== 'precondition_failed') throw error;
      const newer = await teams.findTeamToChange(call, known.id);
      const again = parseTeamForm(form, newer, texts);
      if ('wish' in again && matchesWish(newer, again.wish)) return saved(newer);
      const {name, timezone: zone, revision, slack_channel_id: channel} = newer;
      const data = {
        ...readTeamFields(newer, texts),
        ...form,
        members: undefined,
        zone: createZoneSearch(deps.now).present(form.zone),
      };
      const now = {...memo, team: known.id, revision, channel: channel ?? undefined};
      const warning = texts.setup.conflict({name: isolateName(name), zone});
      return {response_action: 'update', view: presentSettings(texts, data, now, warning)};
    }
  });
}
