import type {ViewResponseAction} from '@slack/bolt';
import type {KnownBlock, ModalView} from '@slack/types';
import type {Call, Caller} from '../../../domain/core/access.js';
import {AppError, refusalForPeople} from '../../../domain/core/errors.js';
import {deadlines} from '../../../domain/core/limits.js';
import type {TeamRest} from '../../../domain/slack/team-rest.js';
import type {Team} from '../../../domain/teams/team.js';
import {isolateName} from '../../texts/bidi.js';
import type {Texts} from '../../texts/translation.js';
import type {SlackTranslation} from '../blocks/slack-translation.js';
import {presentFieldErrors, sentenceModal} from '../blocks/shapes.js';
import {teamFields, views} from '../blocks/names.js';
import {errorCodeOf} from '../core/clients.js';
import type {SlackContext, RespondOnce} from '../core/context.js';
import {admitRequester} from '../core/requester.js';
import {sendDirectMessage} from '../core/responses.js';
import type {Submission} from '../core/listeners.js';
import {findBotName} from '../core/bot-name.js';
import {explainError} from '../core/refusals.js';
import type {MemberCall, SlackUser, SlackWorkspace} from '../core/slack-identities.js';
import {joinChannel, addPeople, type PeopleDeps} from './people.js';
import {
  formatOutcomeText,
  needsAttention,
  presentOutcome,
  presentResult,
  presentSentence,
  type SetupOutcome,
} from './setup-view.js';
import type {Perform} from '../../../domain/core/work.js';
import type {Id} from '../../../domain/core/ids.js';

export interface SavedTeam extends Pick<TeamRest, 'did' | 'enters' | 'add'> {
  readonly team: Team;
  readonly text: string | undefined;
}

/** The work that remains after a team has been saved and the person has got an answer. */
interface Rest extends SavedTeam {
  readonly slackWorkspace: SlackWorkspace;
  readonly call: Call;
  readonly user: SlackUser;
  readonly translation: SlackTranslation;
  readonly viewId: string;
}

/**
 * Saves a team by a form, answers that the rest is in progress, then does the rest. The rest is stored before
 * the answer, so that a worker can do it if this process ends. `save` returns an answer if nothing was saved.
 */
export async function saveThenFinish(
  deps: SlackContext,
  {request, view, onUnserved}: Submission,
  answer: RespondOnce<ViewResponseAction>,
  save: (slackWorkspace: SlackWorkspace, call: MemberCall) => Promise<SavedTeam | ViewResponseAction>,
): Promise<void> {
  const {origin, user, translation} = request;
  const {texts} = translation;
  const deadline = deps.identities.answerBy();
  let rest: Rest;
  try {
    const {slackWorkspace, call} = await admitRequester(deps, request, deadline);
    const saved = await save(slackWorkspace, call);
    if ('response_action' in saved) return await answer(saved);
    rest = {...saved, slackWorkspace, call, user, translation, viewId: view.id};
    const {team, did, enters, add} = saved;
    const kept = {origin, user, team: team.id, did, enters, add};
    await deps.rests.save(slackWorkspace.workspace, view.id, kept, deadline);
  } catch (error) {
    const {sentence, uncertain, unserved} = explainError(deps, error, texts);
    if (unserved) onUnserved();
    // A modal without fields cannot show an error under a field.
    return answer(
      view.callback_id === views.addPeople
        ? {response_action: 'update', view: sentenceModal(texts.setup, sentence)}
        : presentFieldErrors({
            [teamFields.channel]: uncertain ? sentence : texts.setup.notSaved({sentence}),
          }),
    );
  }
  const name = isolateName(rest.team.name);
  const note = rest.did === 'made' ? texts.setup.settingUp({team: name}) : texts.setup.saving;
  await answer({response_action: 'update', view: sentenceModal(texts.setup, note)});
  try {
    await completeTeamSetup(deps, rest);
  } catch (error) {
    // The person sees the failure, and a worker tries again.
    const {sentence} = explainError(deps, error, texts);
    const text = `${texts.setup.unfinished} ${sentence}`;
    await showOutcome(deps, rest, sentenceModal(texts.setup, text), presentSentence(text));
  }
}

/** Returns a team that the person may change. Errors: `forbidden`, with the name of the team. */
export async function findChangeableTeam(
  {services}: SlackContext,
  access: Caller,
  {id, name}: Team,
  {setup}: Texts,
): Promise<Team> {
  try {
    return await services.teams.findTeamToChange(access, id);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'forbidden') throw error;
    throw refusalForPeople('forbidden', setup.notInTeam({team: isolateName(name)}));
  }
}

/** Finishes a setup and shows the outcome. Every step is safe to repeat. */
async function completeTeamSetup(
  deps: PeopleDeps & Pick<SlackContext, 'rests' | 'refreshHome'>,
  rest: Rest,
): Promise<void> {
  const {slackWorkspace, user, translation, viewId} = rest;
  const {texts} = translation;
  const outcome = await doRemainingSetup(deps, rest);
  deps.refreshHome(slackWorkspace.origin, user);
  const blocks = needsAttention(outcome) ? presentOutcome(texts, outcome) : undefined;
  await showOutcome(deps, rest, presentResult(texts, outcome), blocks);
  await deps.rests.drop(slackWorkspace.workspace, viewId, performance.now() + deadlines.job);
}

async function doRemainingSetup(deps: PeopleDeps, rest: Rest): Promise<SetupOutcome> {
  const {slackWorkspace, call, team, did, enters, add, text} = rest;
  const {slack_channel_id: channel} = team;
  const notePublic = (joined: string) =>
    deps.slackChannels.notePublic(slackWorkspace.workspace, joined, performance.now() + deadlines.job);
  const [entrance, additions, first] = await Promise.all([
    enters && channel !== null ? joinChannel(slackWorkspace.client, channel, notePublic) : undefined,
    addPeople(deps, slackWorkspace, call, team, add),
    did === 'made' ? findFirstOpening(deps, rest) : undefined,
  ]);
  const invited = entrance === 'closed' || entrance === 'unknown';
  const bot = await findBotName(invited ? slackWorkspace.client : undefined);
  const count = await countPeople(deps, call, team);
  return {team, did, entrance, bot, count, first, ...additions, text};
}

/** Finds when the first standup opens, in the person's time zone and language. */
async function findFirstOpening(
  {services, calendar, now}: PeopleDeps,
  {call, team, translation}: Rest,
): Promise<SetupOutcome['first']> {
  try {
    const access = {...call, deadline: performance.now() + deadlines.job};
    const {runs, timezone} = await services.schedulePreviews.previewSchedule(access, team.id, {limit: 1});
    const [run] = runs;
    if (run === undefined) return undefined;
    const own = run.members.find(({id}) => id === call.principal.id) ?? {...run, timezone};
    const [date = '', time = ''] = own.local.opens.split('T');
    return {day: translation.day(date, calendar.dayIn(own.timezone, now())), time};
  } catch {
    return undefined;
  }
}

const countedAtMost = 100;

async function countPeople({services}: PeopleDeps, call: Call, team: Team): Promise<number | undefined> {
  try {
    const access = {...call, deadline: performance.now() + deadlines.job};
    const {rows, next} = await services.teamMembers.listTeamMembers(access, team.id, {limit: countedAtMost});
    return next === undefined ? rows.length : undefined;
  } catch {
    return undefined;
  }
}

/** Shows the outcome in the modal or, if it is closed, an outcome that matters as a direct message. */
async function showOutcome(
  {log}: PeopleDeps,
  {slackWorkspace: {client}, user, viewId}: Rest,
  view: ModalView,
  otherwise: KnownBlock[] | undefined,
): Promise<void> {
  try {
    await client.views.update({view_id: viewId, view});
  } catch (error) {
    log.warn({code: errorCodeOf(error)}, 'could not show the result of a setup in its modal');
    if (otherwise === undefined) return;
    try {
      await sendDirectMessage(client, user.id, {text: formatOutcomeText(otherwise), blocks: otherwise});
    } catch (failure) {
      log.warn({code: errorCodeOf(failure)}, 'could not report the result of a setup');
    }
  }
}

export interface FinishLaterParts extends PeopleDeps {
  readonly rests: SlackContext['rests'] & {
    take: (workspace: Id<'workspace'>, form: string, deadline: number) => Promise<TeamRest | undefined>;
  };
}

/** Finishes setups whose process has ended. Every step is safe to repeat. */
export function createFinishSetupJob(parts: FinishLaterParts): Perform<{kind: 'finish-team'; form: string}> {
  // Only the process in which a person opened their Home tab can update it.
  const deps = {...parts, refreshHome: () => undefined};
  const within = () => performance.now() + deadlines.job;

  async function findRemainingSetup(workspace: Id<'workspace'>, form: string): Promise<Rest | undefined> {
    const kept = await deps.rests.take(workspace, form, within());
    if (kept === undefined) return undefined;
    try {
      const slackWorkspace = await deps.identities.findSlackWorkspace(kept.origin, within());
      const call = await deps.identities.admit(slackWorkspace, kept.user, within());
      const team = await deps.services.teams.findTeamToChange(call, kept.team);
      const translation = await deps.identities.translationFor(kept.origin, kept.user);
      return {...kept, slackWorkspace, call, translation, viewId: form, team, text: undefined};
    } catch (error) {
      if (!(error instanceof AppError) || (error.code !== 'not_found' && error.code !== 'forbidden'))
        throw error;
      deps.log.warn({workspace, code: error.code}, 'dropped the rest of a setup');
      await deps.rests.drop(workspace, form, within());
      return undefined;
    }
  }

  return async ({workspace, work, signal}) => {
    const rest = await findRemainingSetup(workspace, work.form);
    if (rest === undefined) return {more: false};
    const stopping = new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve(), {once: true});
    });
    // A process that is stopping leaves the setup to the next one.
    await Promise.race([completeTeamSetup(deps, rest), stopping]);
    return {more: false};
  };
}
