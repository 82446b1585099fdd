import type {RespondArguments} from '@slack/bolt';
import type {KnownBlock} from '@slack/types';
import {actionsRow} from '../blocks/shapes.js';
import {plainTextBlock, privateAnswer, createFormattedTextBlock} from '../blocks/blocks.js';
import {formButton} from '../answers/buttons.js';
import type {SlackContext, SlackRequest} from '../core/context.js';
import {type ModalOpening, openView, replaceView} from '../core/open-view.js';
import {presentSetupAnswer, presentSetupNote} from '../answers/setup-offer.js';
import {NoTeam} from '../core/slack-identities.js';
import type {SlackTranslation} from '../blocks/slack-translation.js';
import {type FormData, presentForm, presentNote} from './form-view.js';
import {type FormRequest, readInitialText} from '../answers/form-request.js';
import {loadForm, NothingToday} from './load-form.js';

/** Opens the form, or says why that is not possible, with the text for the form. Never throws. */
export async function openForm(
  context: SlackContext,
  slackRequest: SlackRequest,
  request: FormRequest = {mode: 'auto'},
): Promise<void> {
  await openView(context, slackRequest, createFormModalOpening(context, slackRequest, request));
}

export async function replaceForm(
  context: SlackContext,
  slackRequest: SlackRequest,
  opened: {readonly id: string; readonly hash: string},
  request: FormRequest = {mode: 'auto'},
): Promise<void> {
  await replaceView(context, slackRequest, opened, createFormModalOpening(context, slackRequest, request));
}

function createFormModalOpening(
  context: SlackContext,
  slackRequest: SlackRequest,
  request: FormRequest,
): ModalOpening<FormData> {
  const {translation} = slackRequest;
  const {form} = translation.texts;
  const text = readInitialText(request);
  // An added message may come from a channel of others, so no setup of a team is offered there.
  const channel = request.mode === 'add' ? '' : slackRequest.channel;
  return {
    load: (deadline) => loadForm(context, slackRequest, request, deadline),
    present: (data) => presentForm(translation, data),
    loading: form.loading,
    presentNote({error, sentence}) {
      if (error instanceof NoTeam) return presentSetupNote(translation, channel);
      return presentNote(
        translation,
        sentence,
        error instanceof NothingToday ? createNewFormRequest(error) : undefined,
      );
    },
    // If the person has no team, the refusal appears in a modal with the title of the setup.
    isBestShown: ({error}) => error instanceof NoTeam,
    presentRefusal({error, sentence}) {
      if (error instanceof NoTeam) return presentSetupAnswer(translation, channel, text);
      if (error instanceof NothingToday)
        return presentSentenceWithButton(sentence, translation, createNewFormRequest(error));
      return answerWithText(sentence, translation, text);
    },
    keepsake: text === undefined ? undefined : answerWithText(form.notFilled, translation, text),
    retry: presentFormRetry(translation, request),
  };
}

function createNewFormRequest({team}: NothingToday): FormRequest {
  return {mode: 'new', team};
}

export function presentFormRetry(translation: SlackTranslation, request: FormRequest): RespondArguments {
  return presentSentenceWithButton(translation.texts.form.notOpened, translation, request);
}

function presentSentenceWithButton(
  sentence: string,
  translation: SlackTranslation,
  request: FormRequest,
): RespondArguments {
  const {blocks, ...message} = answerWithText(sentence, translation, readInitialText(request));
  const button = formButton(translation.texts.form.open, {...request, replaces: true});
  return {...message, blocks: [...blocks, actionsRow(button)]};
}

function answerWithText(
  sentence: string,
  {texts}: SlackTranslation,
  text: string | undefined,
): RespondArguments & {blocks: KnownBlock[]} {
  const said = text === undefined ? sentence : `${sentence} ${texts.form.yourText({text})}`;
  const blocks = [
    plainTextBlock(sentence),
    ...(text === undefined ? [] : [createFormattedTextBlock(text, {quote: true, cutNote: texts.cutNote})]),
  ];
  return {...privateAnswer(said), blocks};
}
