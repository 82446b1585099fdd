import type {KnownBlock, ModalView} from '@slack/types';
import type {Call} from '../../../domain/core/access.js';
import {deadlines} from '../../../domain/core/limits.js';
import type {Team} from '../../../domain/teams/team.js';
import {sendDirectMessage} from '../core/direct-message.js';
import type {BotDeps} from '../core/deps.js';
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
  outcomeText,
  presentOutcome,
  presentResult,
  presentSentence,
  presentSetupSentence,
} from './setup-view.js';

/** The work left once a team is saved and its creator has their answer. */
export interface Rest {
  readonly slackWorkspace: SlackWorkspace;
  readonly call: Call;
  readonly user: SlackUser;
  readonly texts: Texts;
  readonly viewId: string;
  readonly team: Team;
  readonly did: SetupOutcome['did'];
  /** Whether the bot must join the team's channel. */
  readonly enters: boolean;
  readonly add: SelectedUsers;
  readonly remove: readonly string[];
  /** Slack ids of new leads, and of people who no longer lead. */
  readonly lead: readonly string[];
  readonly unlead: readonly string[];
  readonly text: string | undefined;
}

/** Stored before the answer announces it, so that a worker does it if this process ends meanwhile. */
export async function storeRemainingSetup(
  {rests}: Pick<BotDeps, 'rests'>,
  rest: Rest,
  deadline: number,
): Promise<void> {
  const {slackWorkspace, viewId, user, team, did, enters, add, remove, lead, unlead} = rest;
  const own = {team: team.id, did, enters, add: [...add.keys()], remove, lead, unlead};
  const kept = {origin: slackWorkspace.origin, user, ...own};
  await rests.save(slackWorkspace.workspace, viewId, kept, deadline);
}

/** Longer than 50 people take, shorter than a person waits. */
const finishMs = 25_000;

/** Does the rest, each part of which is safe to repeat, and shows the outcome. */
export async function completeTeamSetup(
  deps: PeopleDeps & Pick<BotDeps, 'rests' | 'refreshHome'>,
  rest: Rest,
): Promise<void> {
  const {slackWorkspace, user, texts, viewId} = rest;
  const outcome = await doRemainingSetup(deps, rest);
  deps.refreshHome(slackWorkspace.origin, user);
  const blocks = needsAttention(outcome) ? presentOutcome(texts, outcome) : undefined;
  await showSetupOutcome(deps, slackWorkspace, user, viewId, presentResult(texts, outcome), blocks);
  await deps.rests.drop(slackWorkspace.workspace, viewId, performance.now() + deadlines.job);
}

/** As `completeTeamSetup`, while the person waits, who also sees a failure: a worker tries again. Never throws. */
export async function finishTeamSetup(deps: BotDeps, rest: Rest): Promise<void> {
  const {slackWorkspace, user, texts, viewId} = rest;
  try {
    await completeTeamSetup(deps, rest);
  } catch (error) {
    const {sentence} = explainError(error, deps.log, deps.generateReference(), texts);
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
  // A person who removes themself goes last: without their membership they may change nothing more.
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
 * Shows it in the modal, or, if that is closed, as a direct message when there is something that must not be
 * missed.
 */
async function showSetupOutcome(
  {log}: Pick<BotDeps, 'log'>,
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
      await sendDirectMessage(client, user.id, {text: outcomeText(otherwise), blocks: otherwise});
    } catch (failure) {
      log.warn({code: errorCodeOf(failure)}, 'could not report the result of a setup');
    }
  }
}
