// Answers to a single message that is not part of a conversation.
import type {RespondArguments} from '@slack/bolt';
import {AppError} from '../../../domain/core/errors.js';
import type {Standup} from '../../../domain/standups/standup.js';
import type {TypedDone, TypedDue, TypedRecord} from '../../../domain/slack/typed-record.js';
import {presentSavedStandups} from '../answers/standup-answers.js';
import {formButton} from '../answers/buttons.js';
import {parseCommand} from '../../typed/parse-command.js';
import {answerWithoutView} from '../commands/subcommands.js';
import type {SlackContext} from '../core/context.js';
import {findTeamOrGone} from '../blocks/reach.js';
import {explainError} from '../core/refusals.js';
import {
  type Conversation,
  type NextMessage,
  presentOfferToPost,
  presentTypedMessage,
  type TypedMessage,
} from './typed-messages.js';
import {listPostedStandups} from '../form/find-asker.js';
import {applyEditToStandup} from './post-typed.js';
import {readBlocks} from '../blocks/blocks.js';

/** Sends the answer about a posted text if the process that should have sent it has ended. */
export async function sendPostedAnswer(
  context: SlackContext,
  conversation: Conversation,
  record: TypedRecord,
  id: string,
): Promise<NextMessage> {
  const done = record.done.find((one) => one.id === id);
  return {message: presentPostedStandups(conversation, await listThose(context, conversation, done))};
}

/** Returns the standups that a typed text became, without those that are deleted. */
async function listThose(
  {services}: SlackContext,
  {call}: Conversation,
  done: TypedDone | undefined,
): Promise<Standup[]> {
  const found = await Promise.all(
    (done?.standups ?? []).map(({id}) => services.standups.findStandup(call, id).catch(() => undefined)),
  );
  return found.flatMap((standup) => standup ?? []);
}

export function presentPostedStandups(
  {request: {translation}, slackWorkspace}: Conversation,
  standups: readonly Standup[],
): TypedMessage {
  const saved = standups.map((standup) => ({
    standup,
    team: findTeamOrGone(slackWorkspace.directory, standup.team_id, translation.texts.typing.aTeam),
  }));
  const [first] = saved;
  if (first === undefined)
    return presentTypedMessage(translation, {sentences: [translation.texts.typing.over]});
  return convertAnswerToMessage(presentSavedStandups(translation, saved));
}

function convertAnswerToMessage(answer: RespondArguments): TypedMessage {
  return {text: answer.text ?? '', blocks: readBlocks(answer) ?? []};
}

export async function runCommand(
  context: SlackContext,
  {request}: Conversation,
  {ts, text}: Extract<TypedDue, {is: 'command'}>,
): Promise<TypedMessage> {
  const parsed = parseCommand(text.trim());
  const asked = parsed.kind === 'update' ? ({kind: 'form'} as const) : parsed;
  return convertAnswerToMessage(
    await answerWithoutView(context, {...request, triggerId: `typed-${ts}`}, asked),
  );
}

export async function presentOffer(
  context: SlackContext,
  {request, slackWorkspace, call}: Conversation,
  record: TypedRecord,
  ts: string,
): Promise<NextMessage> {
  const found = record.offers.find((one) => one.ts === ts);
  if (found === undefined) return {};
  const {standups} = context.services;
  const mine = await context.identities.listTeams(
    slackWorkspace,
    call.principal.id,
    call.deadline,
    'expected',
  );
  const dates = await standups.findDates(call, mine, call.principal.id);
  const posted = await listPostedStandups(context, call, dates);
  const teams = mine.map((team) => ({
    team,
    date: dates.get(team.id) ?? '',
    hasPosted: posted.some(({team_id}) => team_id === team.id),
  }));
  return {
    message: presentTypedMessage(request.translation, presentOfferToPost(request.translation, found, teams)),
  };
}

export async function answerEditedMessage(
  context: SlackContext,
  conversation: Conversation,
  record: TypedRecord,
  due: Extract<TypedDue, {is: 'edit-posted'}>,
): Promise<NextMessage> {
  const {request, call} = conversation;
  const {translation} = request;
  const done = record.done.findLast(({slots}) => Object.hasOwn(slots, due.ts));
  if (done === undefined) return {};
  try {
    const changed = await applyEditToStandup(context, conversation, due, done, translation);
    context.refreshHome(request.origin, request.user);
    return {message: presentPostedStandups(conversation, changed)};
  } catch (error) {
    const {sentence} =
      error instanceof AppError && error.code === 'not_found'
        ? {sentence: translation.texts.form.gone}
        : explainError(context, error, translation.texts);
    const [first] = done.standups;
    const edit =
      first && formButton(translation.texts.command.edit, {mode: 'edit', standup: first.id, replaces: true});
    const isThere = call.principal.id !== '' && !(error instanceof AppError && error.code === 'not_found');
    return {
      message: presentTypedMessage(translation, {
        sentences: [translation.texts.typing.notChanged({reason: sentence})],
        quote: due.text,
        buttons: edit && isThere ? [edit] : [],
      }),
    };
  }
}

export async function answerDeletedMessage(
  context: SlackContext,
  conversation: Conversation,
  record: TypedRecord,
  ts: string,
): Promise<NextMessage> {
  const {translation} = conversation.request;
  const {typing} = translation.texts;
  const done = record.done.findLast(({slots}) => Object.hasOwn(slots, ts));
  const standups = await listThose(context, conversation, done);
  if (standups.length === 0)
    return {message: presentTypedMessage(translation, {sentences: [translation.texts.form.gone]})};
  const {blocks} = presentPostedStandups(conversation, standups);
  const said = presentTypedMessage(translation, {sentences: [typing.deletedPosted]});
  return {message: {...said, blocks: [...said.blocks, ...blocks.filter(({type}) => type === 'actions')]}};
}
