import type {ViewResponseAction} from '@slack/bolt';
import {parseWire} from '../../../domain/core/resource.js';
import type {Call} from '../../../domain/core/access.js';
import {AppError} from '../../../domain/core/errors.js';
import {limits} from '../../../domain/core/limits.js';
import type {Team, TeamDirectory} from '../../../domain/teams/team.js';
import {createSlugFromName} from '../../../domain/core/text.js';
import {isolateName} from '../../texts/bidi.js';
import type {RespondOnce, SlackContext} from '../core/context.js';
import type {Submission} from '../core/listeners.js';
import {teamFields} from '../blocks/names.js';
import {explainError} from '../core/refusals.js';
import {type SlackWorkspace, slackKey} from '../core/slack-identities.js';
import {resolveWithin} from '../core/resolve-within.js';
import type {Texts} from '../../texts/translation.js';
import {finishTeamSetup, storeRemainingSetup, type Rest} from './finish-team.js';
import {findRefusedPeople, isInTeam, lookUpPeople, type SelectedUsers, type SelectedUser} from './people.js';
import {presentSetupSentence, presentTakenChannel, readMemo, type SetupMemo} from './setup-view.js';
import {findTeamErrors, presentFieldErrors, readTeamForm, type TeamForm} from './team-form.js';
import {matchesWish, type TeamWish, parseTeamRules} from './team-rules.js';

/** The time limit (ms) for looking people up, shorter than that for adding them. */
export const lookUpMs = 20_000;

/**
 * Creates a team from its form: saves the team, answers that the rest is in progress, then does the rest. The
 * modal's id identifies the team, so submitting the form again continues with the same team.
 */
export async function submitSetup(
  deps: SlackContext,
  {request, view, onUnserved}: Submission,
  answer: RespondOnce<ViewResponseAction>,
): Promise<void> {
  const {origin, user, translation} = request;
  const {texts} = translation;
  const form = readTeamForm(view);
  const memo = readMemo(view.private_metadata);
  const wished = parseTeamRules(form.rules, undefined, texts);
  const errors = {...findTeamErrors(form, texts), ...('errors' in wished && wished.errors)};
  if (Object.keys(errors).length > 0 || 'errors' in wished) return answer(presentFieldErrors(errors));
  const deadline = deps.identities.answerBy();
  let rest: Rest;
  try {
    const slackWorkspace = await deps.identities.findSlackWorkspace(origin, deadline);
    const others = (form.members ?? []).filter((id) => id !== user.id);
    const people = lookUpPeople(deps, slackWorkspace, others, performance.now() + lookUpMs);
    const [call, refused] = await Promise.all([
      deps.identities.admit(slackWorkspace, user, deadline),
      findRefusedPeople(people, deps.timeouts.people),
    ]);
    if (refused.length > 0)
      return await answer(presentFieldErrors({[teamFields.members]: describeRefusedPeople(texts, refused)}));
    const made = await saveTeam(deps, slackWorkspace, call, view.id, form, wished.wish);
    if ('holder' in made)
      return await answer(await presentTeamWithChannel(deps, texts, call, made.holder, people, memo));
    rest = {
      slackWorkspace,
      call,
      user,
      texts,
      viewId: view.id,
      team: made.team,
      did: 'made',
      enters: true,
      add: people,
      remove: [],
      lead: [],
      unlead: [],
      text: memo.text,
    };
    await storeRemainingSetup(deps, rest, deadline);
  } catch (error) {
    return answer(presentSaveError(deps, texts, error, onUnserved));
  }
  await answer({
    response_action: 'update',
    view: presentSetupSentence(texts, texts.setup.settingUp({team: isolateName(rest.team.name)})),
  });
  await finishTeamSetup(deps, rest);
}

/** Shows why a team was not saved, under the field of its name. */
export function presentSaveError(
  deps: SlackContext,
  texts: Texts,
  error: unknown,
  onUnserved: () => void,
): ViewResponseAction {
  const {sentence, uncertain, unserved} = explainError(deps, error, texts);
  if (unserved) onUnserved();
  return presentFieldErrors({[teamFields.name]: uncertain ? sentence : texts.setup.notSaved({sentence})});
}

export function describeRefusedPeople(
  {setup: {errors}}: Texts,
  people: readonly Extract<SelectedUser, {name: string}>[],
) {
  const names = (kind: SelectedUser['kind']) =>
    people
      .filter((person) => person.kind === kind)
      .map(({name}) => isolateName(name))
      .join(', ');
  const [bots, guests, strangers, gone] = [names('bot'), names('guest'), names('stranger'), names('gone')];
  return [
    ...(bots === '' ? [] : [errors.bots({names: bots})]),
    ...(guests === '' ? [] : [errors.guests({names: guests})]),
    ...(strangers === '' ? [] : [errors.strangers({names: strangers})]),
    ...(gone === '' ? [] : [errors.gone({names: gone})]),
  ].join(' ');
}

/** Finds the team that has the channel, if a refusal says that another team has it. */
export function findTeamWithChannel(
  error: unknown,
  directory: TeamDirectory,
  channel: string,
): Team | undefined {
  if (!(error instanceof AppError)) return undefined;
  const isTaken = error.context.inputErrors?.some(({pointer}) => pointer === '#/slack_channel_id') === true;
  return isTaken ? directory.byChannel(channel) : undefined;
}

/**
 * Saves the team of this form: creates it, or updates the one created by an earlier attempt. `holder`:
 * another team that has the channel.
 */
async function saveTeam(
  {services, identities}: SlackContext,
  slackWorkspace: SlackWorkspace,
  call: Call,
  viewId: string,
  {name, zone, channel}: TeamForm,
  rules: TeamWish,
): Promise<{readonly team: Team} | {readonly holder: Team}> {
  const wish = {name, timezone: zone, slack_channel_id: channel, ...rules};
  const keyed = {...call, idempotency: slackKey(call, 'setup', viewId, '')};
  let {directory} = slackWorkspace;
  for (let attempt = 1; ; attempt++) {
    try {
      const {body} = await services.teams.createTeam(
        keyed,
        {...wish, slug: chooseUnusedSlug(name, directory)},
        'shown',
      );
      const team = parseWire(body);
      const same =
        team.name === name &&
        team.timezone === zone &&
        team.slack_channel_id === channel &&
        matchesWish(team, rules);
      if (same) return {team};
      const changed = await services.teams.changeTeam(call, team.id, wish, undefined, 'shown');
      return {team: parseWire(changed.body)};
    } catch (error) {
      directory = (await identities.findSlackWorkspace(slackWorkspace.origin, call.deadline)).directory;
      const holder = findTeamWithChannel(error, directory, channel);
      if (holder !== undefined) return {holder};
      // Another person has just given the same slug to another team.
      if (!(error instanceof AppError) || error.code !== 'slug_taken' || attempt === 3) throw error;
    }
  }
}

/** Returns a slug made from the name, with a number if another team has that slug. */
function chooseUnusedSlug(name: string, directory: TeamDirectory): string {
  const base = createSlugFromName(name, limits.slug) ?? 'team';
  for (let n = 1; ; n++) {
    const suffix = n === 1 ? '' : `-${n}`;
    const slug = `${base.slice(0, limits.slug - suffix.length).replace(/-+$/, '')}${suffix}`;
    if (directory.byReference(slug) === undefined) return slug;
  }
}

/**
 * If another team has the channel, presents that team. A person who may change the team can add the chosen
 * people to it. The form stays as it is.
 */
async function presentTeamWithChannel(
  deps: SlackContext,
  texts: Texts,
  call: Call,
  holder: Team,
  people: SelectedUsers,
  {text}: SetupMemo,
): Promise<ViewResponseAction> {
  try {
    await deps.services.teams.findTeamToChange(call, holder.id);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'forbidden') throw error;
    return presentFieldErrors({
      [teamFields.channel]: texts.setup.errors.channelTaken({team: isolateName(holder.name)}),
    });
  }
  const missing = await Promise.all(
    [...people].map(async ([user, found]) => {
      const person = await resolveWithin(found, deps.timeouts.people);
      const isThere = person?.kind === 'member' && (await isInTeam(deps, call, holder, person.id));
      return isThere ? [] : [user];
    }),
  );
  return {response_action: 'push', view: presentTakenChannel(texts, holder, missing.flat(), text)};
}
