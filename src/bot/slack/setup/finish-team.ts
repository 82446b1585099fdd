import type {KnownBlock, ModalView} from '@slack/types';
import type {Call} from '../../../domain/core/access.js';
import {deadlines} from '../../../domain/core/limits.js';
import type {Team} from '../../../domain/teams/team.js';
import {sendDirectMessage} from '../core/responses.js';
import type {SlackContext} from '../core/context.js';
import {errorCodeOf} from '../core/clients.js';
import {explainError} from '../core/refusals.js';
import type {SlackWorkspace, SlackUser} from '../core/slack-identities.js';
import type {Texts} from '../../texts/translation.js';
import {findBotName, joinChannel} from './channel.js';
import {setRole} from './leads.js';
import {addPeople, type SelectedUsers, type PeopleDeps, removePeople} from './people.js';
import {
  needsAttention,
  type SetupOutcome,
  formatOutcomeText,
  presentOutcome,
  presentResult,
  presentSentence,
  presentSetupSentence,
} from './setup-view.js';

/** The work that remains after a team has been saved and its creator has got an answer. */
export interface Rest {
  readonly slackWorkspace: SlackWorkspace;
  readonly call: Call;
  readonly user: SlackUser;
  readonly texts: Texts;
  readonly viewId: string;
  readonly team: Team;
  readonly did: SetupOutcome['did'];
  /** True if the bot must join the team's channel. */
  readonly enters: boolean;
  readonly add: SelectedUsers;
  readonly remove: readonly string[];
  /** The Slack ids of new leads, and of people who are no longer leads. */
  readonly lead: readonly string[];
  readonly unlead: readonly string[];
  readonly text: string | undefined;
}

/**
 * Stores the remaining work of a setup before the person is told about it, so that a worker can finish that
 * work if this process ends.
 */
export async function storeRemainingSetup(
  {rests}: Pick<SlackContext, 'rests'>,
  rest: Rest,
  deadline: number,
): Promise<void> {
  const {slackWorkspace, viewId, user, team, did, enters, add, remove, lead, unlead} = rest;
  const own = {team: team.id, did, enters, add: [...add.keys()], remove, lead, unlead};
  const kept = {origin: slackWorkspace.origin, user, ...own};
  await rests.save(slackWorkspace.workspace, viewId, kept, deadline);
}

/** The time limit (ms): enough to add 50 people, and not too long for a person who waits. */
const finishMs = 25_000;

/** Finishes a setup and shows the outcome. Every step is safe to repeat. */
export async function completeTeamSetup(
  deps: PeopleDeps & Pick<SlackContext, 'rests' | 'refreshHome'>,
  rest: Rest,
): Promise<void> {
  const {slackWorkspace, user, texts, viewId} = rest;
  const outcome = await doRemainingSetup(deps, rest);
  deps.refreshHome(slackWorkspace.origin, user);
  const blocks = needsAttention(outcome) ? presentOutcome(texts, outcome) : undefined;
  await showSetupOutcome(deps, slackWorkspace, user, viewId, presentResult(texts, outcome), blocks);
  await deps.rests.drop(slackWorkspace.workspace, viewId, performance.now() + deadlines.job);
}

/**
 * Finishes a setup while the person waits. The person sees a failure, and a worker tries again. Never throws.
 */
export async function finishTeamSetup(deps: SlackContext, rest: Rest): Promise<void> {
  const {slackWorkspace, user, texts, viewId} = rest;
  try {
    await completeTeamSetup(deps, rest);
  } catch (error) {
    const {sentence} = explainError(deps, error, texts);
    const text = `${texts.setup.unfinished} ${sentence}`;
    await showSetupOutcome(
      deps,
      slackWorkspace,
      user,
      viewId,
      presentSetupSentence(texts, text),
      presentSentence(text),
    );
  }
}

async function doRemainingSetup(deps: PeopleDeps, rest: Rest): Promise<SetupOutcome> {
  const {slackWorkspace, call, user, team, did, enters, add, remove, lead, unlead, text} = rest;
  const {slack_channel_id: channel} = team;
  const notePublic = (joined: string) =>
    deps.slackChannels.notePublic(slackWorkspace.workspace, joined, performance.now() + deadlines.job);
  const entering =
    enters && channel !== null ? joinChannel(slackWorkspace.client, channel, notePublic) : undefined;
  const {refused, failed} = await addPeople(deps, slackWorkspace, call, team, add, finishMs);
  // A person who removes themself from the team is removed last: without their own membership they may change
  // nothing else.
  const isOwn = (id: string) => id === user.id;
  const notOwn = (id: string) => !isOwn(id);
  const notLed = [
    ...(await setRole(deps, call, team, lead, 'lead')),
    ...(await setRole(deps, call, team, unlead.filter(notOwn), 'member')),
  ];
  const notRemoved = [
    ...(await removePeople(deps, call, team, remove.filter(notOwn))),
    ...(await removePeople(deps, call, team, remove.filter(isOwn))),
  ];
  notLed.push(...(await setRole(deps, call, team, unlead.filter(isOwn), 'member')));
  const entrance = await entering;
  const invited = entrance === 'closed' || entrance === 'unknown';
  return {
    team,
    did,
    entrance,
    bot: await findBotName(invited ? slackWorkspace.client : undefined),
    count: await countPeople(deps, call, team),
    refused,
    failed,
    notRemoved,
    notLed,
    text,
  };
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

/**
 * Shows the outcome in the modal. If the modal is closed, an outcome that must not be missed is sent as a
 * direct message.
 */
async function showSetupOutcome(
  {log}: Pick<SlackContext, 'log'>,
  {client}: SlackWorkspace,
  user: SlackUser,
  viewId: string,
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
