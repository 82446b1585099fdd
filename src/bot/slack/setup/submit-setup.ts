import type {ViewResponseAction} from '@slack/bolt';
import {parseWire} from '../../../domain/core/resource.js';
import type {Call} from '../../../domain/core/access.js';
import {AppError} from '../../../domain/core/errors.js';
import {limits} from '../../../domain/core/limits.js';
import type {Team, TeamDirectory} from '../../../domain/teams/team.js';
import {slugFrom} from '../../../domain/core/text.js';
import {nameInText} from '../../words/bidi.js';
import type {Answer, Kit} from '../door/kit.js';
import type {Submission} from '../door/listeners.js';
import {teamFields} from '../blocks/names.js';
import {explain} from '../door/refusals.js';
import {type Place, slackKey, soon} from '../door/visitors.js';
import type {Words} from '../../words/words.js';
import {finishTeam, keepRest, type Rest} from './finish-team.js';
import {findRefused, isInTeam, lookUpPeople, type People, type Person} from './people.js';
import {presentSetupSentence, presentTaken, readMemo, type SetupMemo} from './setup-view.js';
import {findTeamFaults, presentFaults, readTeamForm, type TeamForm} from './team-form.js';
import {isAsWished, type TeamWish, wishOf} from './team-rules.js';

/** Shorter than the time for adding them. */
export const lookUpMs = 20_000;

/**
 * Creates a team from its form: saves it first, then answers that the rest is in progress, and does it. The
 * view's id identifies the team, so submitting the form again goes on with the same one.
 */
export async function submitSetup(
  kit: Kit,
  {visit, view, onUnserved}: Submission,
  answer: Answer<ViewResponseAction>,
): Promise<void> {
  const {origin, user, reader} = visit;
  const {words} = reader;
  const form = readTeamForm(view);
  const memo = readMemo(view.private_metadata);
  const wished = wishOf(form.rules, undefined, words);
  const faults = {...findTeamFaults(form, words), ...('faults' in wished && wished.faults)};
  if (Object.keys(faults).length > 0 || 'faults' in wished) return answer(presentFaults(faults));
  const deadline = kit.visitors.answerBy();
  let rest: Rest;
  try {
    const place = await kit.visitors.findPlace(origin, deadline);
    const others = (form.members ?? []).filter((id) => id !== user.id);
    const people = lookUpPeople(kit, place, others, performance.now() + lookUpMs);
    const [call, refused] = await Promise.all([
      kit.visitors.admit(place, user, deadline),
      findRefused(people, kit.patience.people),
    ]);
    if (refused.length > 0)
      return await answer(presentFaults({[teamFields.members]: refusedSentence(words, refused)}));
    const made = await saveTeam(kit, place, call, view.id, form, wished.wish);
    if ('holder' in made)
      return await answer(await presentHolder(kit, words, call, made.holder, people, memo));
    rest = {
      place,
      call,
      user,
      words,
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
    await keepRest(kit, rest, deadline);
  } catch (error) {
    return answer(presentUnsaved(kit, words, error, onUnserved));
  }
  await answer({
    response_action: 'update',
    view: presentSetupSentence(words, words.setup.settingUp(nameInText(rest.team.name))),
  });
  await finishTeam(kit, rest);
}

/** Shows the reason under its field. */
export function presentUnsaved(
  kit: Kit,
  words: Words,
  error: unknown,
  onUnserved: () => void,
): ViewResponseAction {
  const {sentence, uncertain, unserved} = explain(error, kit.log, kit.drawReference(), words);
  if (unserved) onUnserved();
  return presentFaults({[teamFields.name]: uncertain ? sentence : words.setup.notSaved(sentence)});
}

export function refusedSentence(
  {setup: {faults}}: Words,
  people: readonly Extract<Person, {name: string}>[],
) {
  const names = (kind: Person['kind']) =>
    people
      .filter((person) => person.kind === kind)
      .map(({name}) => nameInText(name))
      .join(', ');
  const [bots, guests, strangers, gone] = [names('bot'), names('guest'), names('stranger'), names('gone')];
  return [
    ...(bots === '' ? [] : [faults.bots(bots)]),
    ...(guests === '' ? [] : [faults.guests(guests)]),
    ...(strangers === '' ? [] : [faults.strangers(strangers)]),
    ...(gone === '' ? [] : [faults.gone(gone)]),
  ].join(' ');
}

/** The team that has the channel, if a refusal says that one has it. */
export function holderOf(error: unknown, directory: TeamDirectory, channel: string): Team | undefined {
  if (!(error instanceof AppError)) return undefined;
  const isTaken = error.context.faults?.some(({pointer}) => pointer === '#/slack_channel_id') === true;
  return isTaken ? directory.byChannel(channel) : undefined;
}

/**
 * The team of this form: created now, or by an earlier attempt, and then updated from the form. `holder`: the
 * channel is another team's.
 */
async function saveTeam(
  {services, visitors}: Kit,
  place: Place,
  call: Call,
  viewId: string,
  {name, zone, channel}: TeamForm,
  rules: TeamWish,
): Promise<{readonly team: Team} | {readonly holder: Team}> {
  const wish = {name, timezone: zone, slack_channel_id: channel, ...rules};
  const keyed = {...call, idempotency: slackKey(call, 'setup', viewId, '')};
  let {directory} = place;
  for (let attempt = 1; ; attempt++) {
    try {
      const {body} = await services.teams.createTeam(
        keyed,
        {...wish, slug: freeSlug(name, directory)},
        'shown',
      );
      const team = parseWire(body);
      const same =
        team.name === name &&
        team.timezone === zone &&
        team.slack_channel_id === channel &&
        isAsWished(team, rules);
      if (same) return {team};
      const changed = await services.teams.changeTeam(call, team.id, wish, undefined, 'shown');
      return {team: parseWire(changed.body)};
    } catch (error) {
      directory = (await visitors.findPlace(place.origin, call.deadline)).directory;
      const holder = holderOf(error, directory, channel);
      if (holder !== undefined) return {holder};
      // Another person has just taken the free slug.
      if (!(error instanceof AppError) || error.code !== 'slug_taken' || attempt === 3) throw error;
    }
  }
}

/** From the name, with a number if a team has that slug. */
function freeSlug(name: string, directory: TeamDirectory): string {
  const base = slugFrom(name, limits.slug) ?? 'team';
  for (let n = 1; ; n++) {
    const suffix = n === 1 ? '' : `-${n}`;
    const slug = `${base.slice(0, limits.slug - suffix.length).replace(/-+$/, '')}${suffix}`;
    if (directory.byReference(slug) === undefined) return slug;
  }
}

/**
 * A person who may change the team that has the channel can add people to it; others see which team it is.
 * The form stays as it is.
 */
async function presentHolder(
  kit: Kit,
  words: Words,
  call: Call,
  holder: Team,
  people: People,
  {text}: SetupMemo,
): Promise<ViewResponseAction> {
  try {
    await kit.services.teams.findTeamToChange(call, holder.id);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'forbidden') throw error;
    return presentFaults({[teamFields.channel]: words.setup.faults.channelTaken(nameInText(holder.name))});
  }
  const missing = await Promise.all(
    [...people].map(async ([user, found]) => {
      const person = await soon(found, kit.patience.people);
      const isThere = person?.kind === 'member' && (await isInTeam(kit, call, holder, person.id));
      return isThere ? [] : [user];
    }),
  );
  return {response_action: 'push', view: presentTaken(words, holder, missing.flat(), text)};
}
