import type {ViewResponseAction} from '@slack/bolt';
import {parseWire} from '../../../domain/core/resource.js';
import type {Call} from '../../../domain/core/access.js';
import {AppError, notFound} from '../../../domain/core/errors.js';
import type {Team} from '../../../domain/teams/team.js';
import {isolateName} from '../../texts/bidi.js';
import type {RespondOnce, SlackContext} from '../core/context.js';
import type {Submission} from '../core/listeners.js';
import {teamFields} from '../blocks/names.js';
import type {Texts} from '../../texts/translation.js';
import {finishTeamSetup, storeRemainingSetup, type Rest} from './finish-team.js';
import {findRefusedPeople, lookUpPeople} from './people.js';
import {findChangeableTeam} from './open-settings.js';
import {areInTeam, compareLeads} from './leads.js';
import {presentSettings, readSettingsMemo, type SettingsMemo} from './settings-view.js';
import {presentSetupSentence} from './setup-view.js';
import {findTeamWithChannel, lookUpMs, presentSaveError, describeRefusedPeople} from './submit-setup.js';
import {findTeamErrors, presentFieldErrors, readTeamForm, type TeamForm} from './team-form.js';
import {matchesWish, type TeamWish, parseTeamRules} from './team-rules.js';
import {createZoneSearch} from './zones.js';

/**
 * Changes a team by its settings form. If another person has changed the team since the form was opened, the
 * form says so and keeps its content; submitting it again overwrites that change.
 */
export async function submitSettings(
  deps: SlackContext,
  {request, view, onUnserved}: Submission,
  answer: RespondOnce<ViewResponseAction>,
): Promise<void> {
  const {origin, user, translation} = request;
  const {texts} = translation;
  const form = readTeamForm(view);
  const errors = findTeamErrors(form, texts);
  if (Object.keys(errors).length > 0) return answer(presentFieldErrors(errors));
  const deadline = deps.identities.answerBy();
  let rest: Rest;
  try {
    const memo = readSettingsMemo(view.private_metadata);
    if (memo === undefined) throw notFound('team');
    const slackWorkspace = await deps.identities.findSlackWorkspace(origin, deadline);
    const before = slackWorkspace.directory.byReference(memo.team);
    if (before === undefined) throw notFound('team');
    const {add, remove} = compareMembers(form, memo);
    const led = compareLeads(form, memo, remove);
    if (led.hasNoLead)
      return await answer(presentFieldErrors({[teamFields.leads]: texts.leads.errors.noLead}));
    const people = lookUpPeople(deps, slackWorkspace, add, performance.now() + lookUpMs);
    const [call, refused] = await Promise.all([
      deps.identities.admit(slackWorkspace, user, deadline),
      findRefusedPeople(people, deps.timeouts.people),
    ]);
    if (refused.length > 0) {
      const field = form.members === undefined ? teamFields.add : teamFields.members;
      return await answer(presentFieldErrors({[field]: describeRefusedPeople(texts, refused)}));
    }
    if (
      !(await areInTeam(
        deps,
        call,
        memo.team,
        led.lead.filter((id) => !add.includes(id)),
      ))
    )
      return await answer(presentFieldErrors({[teamFields.leads]: texts.leads.errors.notIn}));
    const wished = await parseCurrentRules(deps, call, form, before, texts);
    if ('errors' in wished) return await answer(presentFieldErrors(wished.errors));
    const changed = await saveTeamChanges(deps, call, form, wished.wish, memo);
    if ('newer' in changed)
      return await answer({
        response_action: 'update',
        view: presentConflict(deps, texts, form, memo, changed.newer),
      });
    if ('holder' in changed)
      return await answer(
        presentFieldErrors({
          [teamFields.channel]: texts.setup.errors.channelTaken({team: isolateName(changed.holder.name)}),
        }),
      );
    rest = {
      slackWorkspace,
      call,
      user,
      texts,
      viewId: view.id,
      team: changed.team,
      did: 'changed',
      enters: form.channel !== memo.channel,
      add: people,
      remove,
      lead: led.lead,
      unlead: led.unlead,
      text: undefined,
    };
    await storeRemainingSetup(deps, rest, deadline);
  } catch (error) {
    return answer(presentSaveError(deps, texts, error, onUnserved));
  }
  await answer({response_action: 'update', view: presentSetupSentence(texts, texts.setup.saving)});
  await finishTeamSetup(deps, rest);
}

/**
 * Returns the people that the form adds and removes since it was opened. A person who joined or left
 * meanwhile is not touched.
 */
function compareMembers(
  {members, add, remove}: TeamForm,
  {before = []}: SettingsMemo,
): {add: readonly string[]; remove: readonly string[]} {
  if (members === undefined) return {add: add.filter((id) => !remove.includes(id)), remove};
  return {
    add: members.filter((id) => !before.includes(id)),
    remove: before.filter((id) => !members.includes(id)),
  };
}

/**
 * Parses the form's values for the current team: existing questions keep their keys, and the schedule keeps
 * its start.
 */
async function parseCurrentRules(
  deps: SlackContext,
  call: Call,
  {rules}: TeamForm,
  team: Pick<Team, 'id' | 'name'>,
  texts: Texts,
) {
  return parseTeamRules(rules, await findChangeableTeam(deps, call, team, texts), texts);
}

type SettingsResult = {readonly team: Team} | {readonly newer: Team} | {readonly holder: Team};

/**
 * Saves the changes of a team. `newer`: the team as another person has changed it. A repeated submission
 * finds the wanted state, which counts as changed.
 */
async function saveTeamChanges(
  {services}: SlackContext,
  call: Call,
  {name, zone, channel}: TeamForm,
  rules: TeamWish,
  {team: id, revision}: SettingsMemo,
): Promise<SettingsResult> {
  const wish = {name, timezone: zone, slack_channel_id: channel, ...rules};
  try {
    const {body} = await services.teams.changeTeam(call, id, wish, [revision], 'shown');
    return {team: parseWire(body)};
  } catch (error) {
    const holder = findTeamWithChannel(error, await services.teams.findDirectory(call), channel);
    if (holder !== undefined) return {holder};
    if (!(error instanceof AppError) || error.code !== 'precondition_failed') throw error;
    const team = await services.teams.findTeamToChange(call, id);
    const isDone =
      team.name === name &&
      team.timezone === zone &&
      team.slack_channel_id === channel &&
      matchesWish(team, rules);
    return isDone ? {team} : {newer: team};
  }
}

function presentConflict(deps: SlackContext, texts: Texts, form: TeamForm, memo: SettingsMemo, newer: Team) {
  const zones = createZoneSearch(deps.now);
  const fields = {...form, zone: zones.present(form.zone)};
  const {name, timezone, revision, slack_channel_id: channel} = newer;
  const warning = texts.setup.conflict({name: isolateName(name), zone: timezone});
  return presentSettings(texts, fields, {...memo, revision, channel}, {warning});
}
