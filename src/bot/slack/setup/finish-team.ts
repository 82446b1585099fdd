import type {KnownBlock, ModalView} from '@slack/types';
import type {Call} from '../../../domain/core/access.js';
import {deadlines} from '../../../domain/core/limits.js';
import type {Team} from '../../../domain/teams/team.js';
import {sendDirect} from '../door/direct-message.js';
import type {Kit} from '../door/kit.js';
import {errorCodeOf} from '../door/clients.js';
import {explain} from '../door/refusals.js';
import type {Place, SlackUser} from '../door/visitors.js';
import type {Words} from '../../words/words.js';
import {findBotName, joinChannel} from './channel.js';
import {setRole} from './leads.js';
import {addPeople, type People, type PeopleKit, removePeople} from './people.js';
import {
  needsAttention,
  type Outcome,
  outcomeText,
  presentOutcome,
  presentResult,
  presentSentence,
  presentSetupSentence,
} from './setup-view.js';

/** The work left once a team is saved and its creator has their answer. */
export interface Rest {
  readonly place: Place;
  readonly call: Call;
  readonly user: SlackUser;
  readonly words: Words;
  readonly viewId: string;
  readonly team: Team;
  readonly did: Outcome['did'];
  /** Whether the bot must join the team's channel. */
  readonly enters: boolean;
  readonly add: People;
  readonly remove: readonly string[];
  /** Slack ids of new leads, and of people who no longer lead. */
  readonly lead: readonly string[];
  readonly unlead: readonly string[];
  readonly text: string | undefined;
}

/** Stored before the answer announces it, so that a worker does it if this process ends meanwhile. */
export async function keepRest({rests}: Pick<Kit, 'rests'>, rest: Rest, deadline: number): Promise<void> {
  const {place, viewId, user, team, did, enters, add, remove, lead, unlead} = rest;
  const own = {team: team.id, did, enters, add: [...add.keys()], remove, lead, unlead};
  const kept = {origin: place.origin, user, ...own};
  await rests.save(place.workspace, viewId, kept, deadline);
}

/** Longer than 50 people take, shorter than a person waits. */
const finishMs = 25_000;

/** Does the rest, each part of which is safe to repeat, and shows the outcome. */
export async function completeTeam(
  kit: PeopleKit & Pick<Kit, 'rests' | 'refreshHome'>,
  rest: Rest,
): Promise<void> {
  const {place, user, words, viewId} = rest;
  const outcome = await workOff(kit, rest);
  kit.refreshHome(place.origin, user);
  const blocks = needsAttention(outcome) ? presentOutcome(words, outcome) : undefined;
  await show(kit, place, user, viewId, presentResult(words, outcome), blocks);
  await kit.rests.drop(place.workspace, viewId, performance.now() + deadlines.job);
}

/** As `completeTeam`, while the person waits, who also sees a failure: a worker tries again. Never throws. */
export async function finishTeam(kit: Kit, rest: Rest): Promise<void> {
  const {place, user, words, viewId} = rest;
  try {
    await completeTeam(kit, rest);
  } catch (error) {
    const {sentence} = explain(error, kit.log, kit.drawReference(), words);
    const text = `${words.setup.unfinished} ${sentence}`;
    await show(kit, place, user, viewId, presentSetupSentence(words, text), presentSentence(text));
  }
}

async function workOff(kit: PeopleKit, rest: Rest): Promise<Outcome> {
  const {place, call, user, team, did, enters, add, remove, lead, unlead, text} = rest;
  const {slack_channel_id: channel} = team;
  const notePublic = (joined: string) =>
    kit.slackChannels.notePublic(place.workspace, joined, performance.now() + deadlines.job);
  const entering = enters && channel !== null ? joinChannel(place.client, channel, notePublic) : undefined;
  const {refused, failed} = await addPeople(kit, place, call, team, add, finishMs);
  // A person who removes themself goes last: without their membership they may change nothing more.
  const isOwn = (id: string) => id === user.id;
  const notOwn = (id: string) => !isOwn(id);
  const notLed = [
    ...(await setRole(kit, call, team, lead, 'lead')),
    ...(await setRole(kit, call, team, unlead.filter(notOwn), 'member')),
  ];
  const notRemoved = [
    ...(await removePeople(kit, call, team, remove.filter(notOwn))),
    ...(await removePeople(kit, call, team, remove.filter(isOwn))),
  ];
  notLed.push(...(await setRole(kit, call, team, unlead.filter(isOwn), 'member')));
  const entrance = await entering;
  const invited = entrance === 'closed' || entrance === 'unknown';
  return {
    team,
    did,
    entrance,
    bot: await findBotName(invited ? place.client : undefined),
    count: await countPeople(kit, call, team),
    refused,
    failed,
    notRemoved,
    notLed,
    text,
  };
}

const countedAtMost = 100;

async function countPeople({services}: PeopleKit, call: Call, team: Team): Promise<number | undefined> {
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
async function show(
  {log}: Pick<Kit, 'log'>,
  {client}: Place,
  user: SlackUser,
  viewId: string,
  view: ModalView,
  otherwise: KnownBlock[] | undefined,
): Promise<void> {
  try {
    await client.views.update({view_id: viewId, view});
  } catch (error) {
    log.warn({code: errorCodeOf(error)}, 'the end of a set-up could not be shown in its modal');
    if (otherwise === undefined) return;
    try {
      await sendDirect(client, user.id, {text: outcomeText(otherwise), blocks: otherwise});
    } catch (failure) {
      log.warn({code: errorCodeOf(failure)}, 'the end of a set-up could not be told');
    }
  }
}
