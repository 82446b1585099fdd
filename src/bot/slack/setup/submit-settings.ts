import type {ViewResponseAction} from '@slack/bolt';
import {parseWire} from '../../../domain/core/resource.js';
import type {Call} from '../../../domain/core/access.js';
import {AppError, notFound} from '../../../domain/core/errors.js';
import type {Team} from '../../../domain/teams/team.js';
import {nameInText} from '../../words/bidi.js';
import type {Answer, Kit} from '../door/kit.js';
import type {Submission} from '../door/listeners.js';
import {teamFields} from '../blocks/names.js';
import type {Words} from '../../words/words.js';
import {finishTeam, keepRest, type Rest} from './finish-team.js';
import {findRefused, lookUpPeople} from './people.js';
import {findToChange} from './open-settings.js';
import {areInTeam, compareLeads} from './leads.js';
import {presentSettings, readSettingsMemo, type SettingsMemo} from './settings-view.js';
import {presentSetupSentence} from './setup-view.js';
import {holderOf, lookUpMs, presentUnsaved, refusedSentence} from './submit-setup.js';
import {findTeamFaults, presentFaults, readTeamForm, type TeamForm} from './team-form.js';
import {isAsWished, type TeamWish, wishOf} from './team-rules.js';
import {createZones} from './zones.js';

/**
 * Changes a team as its settings say, unless another person has changed it since they were opened: then the
 * form says so and keeps its content, and submitting it again overwrites.
 */
export async function submitSettings(
  kit: Kit,
  {visit, view, onUnserved}: Submission,
  answer: Answer<ViewResponseAction>,
): Promise<void> {
  const {origin, user, reader} = visit;
  const {words} = reader;
  const form = readTeamForm(view);
  const faults = findTeamFaults(form, words);
  if (Object.keys(faults).length > 0) return answer(presentFaults(faults));
  const deadline = kit.visitors.answerBy();
  let rest: Rest;
  try {
    const memo = readSettingsMemo(view.private_metadata);
    if (memo === undefined) throw notFound('team');
    const place = await kit.visitors.findPlace(origin, deadline);
    const before = place.directory.byReference(memo.team);
    if (before === undefined) throw notFound('team');
    const {add, remove} = compare(form, memo);
    const led = compareLeads(form, memo, remove);
    if (led.isNobody) return await answer(presentFaults({[teamFields.leads]: words.leads.faults.nobody}));
    const people = lookUpPeople(kit, place, add, performance.now() + lookUpMs);
    const [call, refused] = await Promise.all([
      kit.visitors.admit(place, user, deadline),
      findRefused(people, kit.patience.people),
    ]);
    if (refused.length > 0) {
      const field = form.members === undefined ? teamFields.add : teamFields.members;
      return await answer(presentFaults({[field]: refusedSentence(words, refused)}));
    }
    if (
      !(await areInTeam(
        kit,
        call,
        memo.team,
        led.lead.filter((id) => !add.includes(id)),
      ))
    )
      return await answer(presentFaults({[teamFields.leads]: words.leads.faults.notIn}));
    const wished = await findWish(kit, call, form, before, words);
    if ('faults' in wished) return await answer(presentFaults(wished.faults));
    const changed = await change(kit, call, form, wished.wish, memo);
    if ('newer' in changed)
      return await answer({
        response_action: 'update',
        view: presentConflict(kit, words, form, memo, changed.newer),
      });
    if ('holder' in changed)
      return await answer(
        presentFaults({
          [teamFields.channel]: words.setup.faults.channelTaken(nameInText(changed.holder.name)),
        }),
      );
    rest = {
      place,
      call,
      user,
      words,
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
    await keepRest(kit, rest, deadline);
  } catch (error) {
    return answer(presentUnsaved(kit, words, error, onUnserved));
  }
  await answer({response_action: 'update', view: presentSetupSentence(words, words.setup.saving)});
  await finishTeam(kit, rest);
}

/**
 * The people that the form adds and removes, compared with its opening: a person who joined or left since is
 * not touched.
 */
function compare(
  {members, add, remove}: TeamForm,
  {before = []}: SettingsMemo,
): {add: readonly string[]; remove: readonly string[]} {
  if (members === undefined) return {add: add.filter((id) => !remove.includes(id)), remove};
  return {
    add: members.filter((id) => !before.includes(id)),
    remove: before.filter((id) => !members.includes(id)),
  };
}

/** The form's values for the current team: its questions keep their keys, its schedule keeps its start. */
async function findWish(
  kit: Kit,
  call: Call,
  {rules}: TeamForm,
  team: Pick<Team, 'id' | 'name'>,
  words: Words,
) {
  return wishOf(rules, await findToChange(kit, call, team, words), words);
}

type Changed = {readonly team: Team} | {readonly newer: Team} | {readonly holder: Team};

/**
 * `newer`: the team with another person's changes since. A repeat finds the wanted state, which counts as
 * changed.
 */
async function change(
  {services}: Kit,
  call: Call,
  {name, zone, channel}: TeamForm,
  rules: TeamWish,
  {team: id, revision}: SettingsMemo,
): Promise<Changed> {
  const wish = {name, timezone: zone, slack_channel_id: channel, ...rules};
  try {
    const {body} = await services.teams.changeTeam(call, id, wish, [revision], 'shown');
    return {team: parseWire(body)};
  } catch (error) {
    const holder = holderOf(error, await services.teams.findDirectory(call), channel);
    if (holder !== undefined) return {holder};
    if (!(error instanceof AppError) || error.code !== 'precondition_failed') throw error;
    const team = await services.teams.findTeamToChange(call, id);
    const isDone =
      team.name === name &&
      team.timezone === zone &&
      team.slack_channel_id === channel &&
      isAsWished(team, rules);
    return isDone ? {team} : {newer: team};
  }
}

function presentConflict(kit: Kit, words: Words, form: TeamForm, memo: SettingsMemo, newer: Team) {
  const zones = createZones(kit.now);
  const fields = {...form, zone: zones.present(form.zone)};
  const {name, timezone, revision, slack_channel_id: channel} = newer;
  const warning = words.setup.conflict(nameInText(name), timezone);
  return presentSettings(words, fields, {...memo, revision, channel}, {warning});
}
