import type {ViewResponseAction} from '@slack/bolt';
import type {ModalView} from '@slack/types';
import {isTimezone} from '../../../domain/core/dates.js';
import {AppError, refusalForPeople, notFound} from '../../../domain/core/errors.js';
import {limits} from '../../../domain/core/limits.js';
import {parseWire} from '../../../domain/core/resource.js';
import {createSlugFromName} from '../../../domain/core/text.js';
import type {Team, TeamDirectory} from '../../../domain/teams/team.js';
import {isolateName} from '../../texts/bidi.js';
import type {Texts} from '../../texts/translation.js';
import {presentFieldErrors} from '../blocks/shapes.js';
import {fieldValue, teamFields} from '../blocks/names.js';
import {isChannelId} from '../answers/setup-offer.js';
import type {SlackContext, RespondOnce} from '../core/context.js';
import type {Submission} from '../core/listeners.js';
import {type MemberCall, type SlackWorkspace, slackKey} from '../core/slack-identities.js';
import {findChangeableTeam, saveThenFinish, type SavedTeam} from './save-team.js';
import {maxPeople, presentSettings, presentSetup, presentTakenChannel, readMemo} from './setup-view.js';
import {
  matchesWish,
  parseTeamForm,
  readTeamForm,
  type KnownFields,
  type TeamForm,
  type TeamWish,
  readSettings,
  readTeamFields,
} from './team-form.js';
import {createZoneSearch} from '../blocks/zones.js';

/** Creates a team, identified by the modal's id: submitting again continues with the same team. */
export async function submitSetup(
  deps: SlackContext,
  submission: Submission,
  answer: RespondOnce<ViewResponseAction>,
): Promise<void> {
  const {request, view} = submission;
  const {texts} = request.translation;
  const form = readTeamForm(view);
  const memo = readMemo(view.private_metadata);
  const name = form.channel === memo.channel ? memo.name : undefined;
  // Slack names only the channel with which the form was opened.
  if (form.name === undefined && name === undefined && isChannelId(form.channel))
    return answer({response_action: 'update', view: presentWithName(deps, texts, form, memo)});
  const known = {name, timezone: memo.own};
  const parsed = parseTeamForm(form, known, undefined, texts);
  if ('errors' in parsed) return answer(presentFieldErrors(parsed.errors));
  await saveThenFinish(deps, submission, answer, async (slackWorkspace, call) => {
    const {text} = memo;
    const {wish} = parsed;
    const made = await createTeam(deps, slackWorkspace, call, view.id, {form, known, wish, texts});
    if ('holder' in made) return presentTeamWithChannel(deps, texts, call, made.holder, text);
    return {team: made.team, did: 'made', enters: true, add: [], text};
  });
}

/** Presents a submitted form again, which now asks for the team's name. */
function presentWithName(
  {now}: SlackContext,
  texts: Texts,
  {zone, ...form}: TeamForm,
  memo: ReturnType<typeof readMemo>,
): ModalView {
  const asksZone = zone !== undefined && {
    zone: {chosen: isTimezone(zone) ? createZoneSearch(now).present(zone) : undefined},
  };
  const data = {...readTeamFields(undefined, texts), ...form, name: '', ...asksZone};
  return presentSetup(texts, data, memo);
}

/** Adds the chosen people to a team. */
export async function addMissingPeople(
  deps: SlackContext,
  submission: Submission,
  answer: RespondOnce<ViewResponseAction>,
): Promise<void> {
  const {request, view} = submission;
  const {texts} = request.translation;
  const {team: reference = '', text} = readMemo(view.private_metadata);
  const chosen = view.state.values[teamFields.people]?.[fieldValue]?.selected_users ?? [];
  const count = new Set(chosen).size;
  if (count > maxPeople) {
    const sentence = texts.setup.errors.tooMany({count, max: maxPeople});
    return answer(presentFieldErrors({[teamFields.people]: sentence}));
  }
  await saveThenFinish(deps, submission, answer, async (slackWorkspace, call) => {
    const known = slackWorkspace.directory.byReference(reference);
    if (known === undefined) throw refusalForPeople('not_found', texts.form.teamGone);
    const team = await findChangeableTeam(deps, call, known, texts);
    return {team, did: 'changed', enters: true, add: [...new Set(chosen)], text};
  });
}

/** Finds the team that has the channel, if a refusal says that another team has it. */
function findTeamWithChannel(error: unknown, directory: TeamDirectory, channel: string): Team | undefined {
  if (!(error instanceof AppError)) return undefined;
  const isTaken = error.context.inputErrors?.some(({pointer}) => pointer === '#/slack_channel_id') === true;
  return isTaken ? directory.byChannel(channel) : undefined;
}

function presentChannelTaken({setup}: Texts, {name}: Team): ViewResponseAction {
  return presentFieldErrors({
    [teamFields.channel]: setup.errors.channelTaken({team: isolateName(name)}),
  });
}

/** Creates this form's team, or updates an earlier attempt's. `holder`: another team with the channel. */
async function createTeam(
  {services, identities}: SlackContext,
  slackWorkspace: SlackWorkspace,
  call: MemberCall,
  viewId: string,
  {
    form,
    known,
    wish,
    texts,
  }: {
    readonly form: TeamForm;
    readonly known: KnownFields;
    readonly wish: TeamWish;
    readonly texts: Texts;
  },
): Promise<{readonly team: Team} | {readonly holder: Team}> {
  const keyed = {...call, idempotency: slackKey(call, 'setup', viewId, '')};
  let directory = slackWorkspace.all;
  for (let attempt = 1; ; attempt++) {
    try {
      const input = {...wish, slug: chooseUnusedSlug(wish.name, directory)};
      const {body} = await services.teams.createTeam(keyed, input, 'shown');
      const team = parseWire(body);
      const again = parseTeamForm(form, known, team, texts);
      if ('errors' in again || matchesWish(team, again.wish)) return {team};
      const changed = await services.teams.changeTeam(call, team.id, again.wish, undefined, 'shown');
      return {team: parseWire(changed.body)};
    } catch (error) {
      directory = (await identities.findSlackWorkspace(slackWorkspace.origin, call.deadline)).directory;
      const holder = findTeamWithChannel(error, directory, form.channel);
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

/** Presents the team that has the channel, and offers to add people to those who may. */
async function presentTeamWithChannel(
  deps: SlackContext,
  texts: Texts,
  call: MemberCall,
  holder: Team,
  text: string | undefined,
): Promise<ViewResponseAction> {
  try {
    await deps.services.teams.findTeamToChange(call, holder.id);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'forbidden') throw error;
    return presentChannelTaken(texts, holder);
  }
  return {response_action: 'push', view: presentTakenChannel(texts, holder, text)};
}

/** Saves settings. The form warns once of another's change, then overwrites it. A repeat counts as saved. */
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
    const parsed = parseTeamForm(form, before, before, texts);
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
      const again = parseTeamForm(form, newer, newer, texts);
      if ('wish' in again && matchesWish(newer, again.wish)) return saved(newer);
      const {channel, days, opens, questions} = form;
      const data = {...readSettings(newer, texts), channel, days, opens, questions};
      return {response_action: 'update', view: presentSettings(texts, newer, data, texts.setup.conflict)};
    }
  });
}
