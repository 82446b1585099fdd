import {z} from 'zod';
import type {RespondArguments, ViewOutput, ViewResponseAction} from '@slack/bolt';
import type {KnownBlock, ModalView, ActionsBlock} from '@slack/types';
import {everyScope} from '../../../domain/core/access.js';
import {AppError, refusalForPeople} from '../../../domain/core/errors.js';
import type {Standup} from '../../../domain/standups/standup.js';
import {isolateName} from '../../texts/bidi.js';
import {plainTextBlock, privateAnswer, createFormattedTextBlock, readBlocks} from '../blocks/blocks.js';
import {parseWithHeadings} from '../rich-text/parse-markdown.js';
import {parseValue, modal, type ModalFrame, option, overflow, actionsRow} from '../blocks/shapes.js';
import {presentUndoneStandup} from '../answers/standup-answers.js';
import {undoStandup} from '../commands/undo.js';
import {answerAddress, buildAnswerAddress} from '../core/read-request.js';
import type {SlackContext, SlackRequest} from '../core/context.js';
import {views, actions} from '../blocks/names.js';
import {openView} from '../core/open-view.js';
import type {SlackTranslation} from '../blocks/slack-translation.js';
import {listenToAction, listenToView} from '../core/listeners.js';
import {openForm} from '../form/open-form.js';
import {isId} from '../../../domain/core/ids.js';
import type {Texts} from '../../texts/translation.js';

/** A standup and a revision, by which the author can still get the content after its deletion. */
const chosenStandup = z
  .object({id: z.string().refine((id): boolean => isId('standup', id)), revision: z.int()})
  .readonly();

type ChosenStandup = z.infer<typeof chosenStandup>;

/** The metadata of the question whether to delete a standup. */
const deletion = z.object({
  chosen: chosenStandup,
  answer: answerAddress.optional(),
  thread: z.string().optional(),
});

/** A standup to delete, with another author's name; or a deleted standup of the person's own. */
type DeletionTarget =
  | {readonly standup: Standup; readonly team: string; readonly author: string | undefined}
  | {readonly gone: Standup};

/** Asks before a standup is deleted. A deleted one of the person's own is shown with its text. */
async function askToDelete(
  context: SlackContext,
  request: SlackRequest,
  chosen: ChosenStandup,
): Promise<void> {
  const {translation, thread} = request;
  const texts = translation.texts.shown;
  const answer = buildAnswerAddress(request, context.slackNow());
  const metadata = JSON.stringify({chosen, answer, thread});
  await openView<DeletionTarget>(context, request, {
    load: (deadline) => findDeletionTarget(context, request, chosen, deadline),
    present: (target) => presentDeleteQuestion(translation, target, metadata),
    loading: texts.loading,
    presentNote: ({sentence}) => presentSentence(translation, sentence),
    presentRefusal: ({sentence}) => ({...privateAnswer(sentence), replace_original: false}),
    retry: {...privateAnswer(texts.retry), replace_original: false},
  });
}

async function findDeletionTarget(
  {identities, services: {standups}}: SlackContext,
  {origin, user, translation}: SlackRequest,
  chosen: ChosenStandup,
  deadline: number,
): Promise<DeletionTarget> {
  const slackWorkspace = await identities.findSlackWorkspace(origin, deadline);
  const member = await identities.findMember(slackWorkspace, user, deadline);
  if (member === undefined) throw refusalForPeople('forbidden', translation.texts.refusal.changeStandup);
  const principal = {type: 'member', id: member, name: user.name} as const;
  const call = {workspace: slackWorkspace.workspace, principal, scopes: everyScope, deadline};
  try {
    const standup = await standups.findChangeable(call, chosen.id);
    const {id, name} = standup.author;
    const team = slackWorkspace.directory.byReference(standup.team_id)?.name ?? '';
    return {standup, team, author: id === member ? undefined : name};
  } catch (error) {
    const code = error instanceof AppError ? error.code : undefined;
    if (code !== 'not_found') throw error;
    const gone = await standups.findDeleted(call, chosen);
    if (gone === undefined) throw refusalForPeople(code, translation.texts.command.gone, {cause: error});
    return {gone};
  }
}

/** Deletes the chosen standup. Without a view the modal closes, and `notify` answers privately. */
async function deleteChosenStandup(
  context: SlackContext,
  view: ViewOutput,
  request: SlackRequest,
): Promise<{readonly response?: ViewResponseAction; readonly notify?: () => Promise<void>}> {
  const asked = deletion.safeParse(parseValue(view.private_metadata)).data;
  if (asked === undefined) return {};
  const {chosen, answer, thread} = asked;
  const beside = thread === undefined ? {} : {thread_ts: thread};
  const message = await undoStandup(context, request, chosen, 'anybody');
  if (answer !== undefined && answer.until >= context.slackNow())
    return {notify: () => context.respondTo(answer.url, {...message, replace_original: false, ...beside})};
  return {response: {response_action: 'update', view: presentAnswer(request.translation, message)}};
}

function presentDeleteQuestion(
  translation: SlackTranslation,
  target: DeletionTarget,
  metadata: string,
): ModalView {
  if ('gone' in target)
    return presentDeletionModal(
      translation,
      presentUndoneStandup(translation, target.gone, {now: false}).blocks,
      {
        metadata,
      },
    );
  const {standup, team, author} = target;
  const texts = translation.texts.shown;
  const [named, day] = [isolateName(team), translation.day(standup.date)];
  const sentence =
    author === undefined
      ? texts.sure({team: named, day})
      : texts.sureOf({name: isolateName(author), team: named, day});
  const blocks = [
    plainTextBlock(sentence),
    createFormattedTextBlock(parseWithHeadings(standup), {quote: true, cutNote: translation.texts.cutNote}),
  ];
  const {delete: submit, keep: close} = texts;
  return presentDeletionModal(translation, blocks, {name: views.deleteStandup, metadata, submit, close});
}

function presentSentence(translation: SlackTranslation, sentence: string): ModalView {
  return presentDeletionModal(translation, [plainTextBlock(sentence)]);
}

function presentAnswer(translation: SlackTranslation, message: RespondArguments): ModalView {
  return presentDeletionModal(translation, readBlocks(message) ?? [plainTextBlock(message.text ?? '')]);
}

function presentDeletionModal(
  {texts}: SlackTranslation,
  blocks: KnownBlock[],
  more: Partial<ModalFrame> = {},
): ModalView {
  const {title, close} = texts.shown;
  return modal({title, close, ...more}, blocks);
}

export function listenToShown(context: SlackContext): void {
  listenToAction(context, actions.standupMenu, async ({request, value}) => {
    const act = 'delete' in value ? 'delete' : 'edit';
    const chosen = chosenStandup.safeParse({...value, id: value[act]}).data;
    if (chosen === undefined) return;
    if (act === 'delete') return askToDelete(context, request, chosen);
    await openForm(context, request, {mode: 'edit-shown', standup: chosen.id, revision: chosen.revision});
  });

  listenToView(context, views.deleteStandup, async ({request, view}, answer) => {
    const {response, notify} = await deleteChosenStandup(context, view, request);
    await answer(response);
    await notify?.();
  });
}

/** Presents the menu of a standup. Permission is checked when a person chooses an entry. */
export function presentStandupMenu({shown}: Texts, {id, revision}: ChosenStandup): ActionsBlock {
  const acts = (['edit', 'delete'] as const).map((act) => option({[act]: id, revision}, shown[act]));
  return actionsRow(overflow(actions.standupMenu, acts));
}
