import type {RespondArguments} from '@slack/bolt';
import type {KnownBlock} from '@slack/types';
import {row} from '../blocks/shapes.js';
import {plainText, privately, writtenText} from '../blocks/blocks.js';
import {formButton} from '../commands/answers.js';
import type {Kit, Visit} from '../door/kit.js';
import {type Opening, openView, replaceView} from '../door/open-view.js';
import {presentSetupAnswer, presentSetupNote} from '../setup/offer.js';
import {NoTeam} from '../door/visitors.js';
import type {Reader} from '../blocks/reader.js';
import type {FormData} from './form-data.js';
import {type FormRequest, wholeTextOf} from './form-request.js';
import {presentForm, presentLoading, presentNote} from './form-view.js';
import {type LoadParts, loadForm, NothingToday} from './load-form.js';

export type FormParts = LoadParts & Pick<Kit, 'patience' | 'log' | 'drawReference'>;

/** Opens the form, or answers why not, with the text that it would have contained. Never throws. */
export async function openForm(
  parts: FormParts,
  visit: Visit,
  request: FormRequest = {mode: 'auto'},
): Promise<void> {
  await openView(parts, visit, openingOf(parts, visit, request));
}

/** Replaces an open form with another, within the view that `opened` names. */
export async function replaceForm(
  parts: FormParts,
  visit: Visit,
  opened: {readonly id: string; readonly hash: string},
  request: FormRequest = {mode: 'auto'},
): Promise<void> {
  await replaceView(parts, visit, opened, openingOf(parts, visit, request));
}

function openingOf(parts: FormParts, visit: Visit, request: FormRequest): Opening<FormData> {
  const {reader} = visit;
  const {form} = reader.words;
  const text = wholeTextOf(request);
  // No setup is offered for the channel of an added text: it may have a team.
  const channel = request.mode === 'add' ? '' : visit.channel;
  return {
    load: (deadline) => loadForm(parts, visit, request, deadline),
    present: (data) => presentForm(reader, data),
    loading: presentLoading(reader),
    presentNote({error, sentence}) {
      if (error instanceof NoTeam) return presentSetupNote(reader, channel);
      return presentNote(reader, sentence, error instanceof NothingToday ? newFor(error) : undefined);
    },
    // A modal with the title of the setup.
    isBestShown: ({error}) => error instanceof NoTeam,
    presentRefusal({error, sentence}) {
      if (error instanceof NoTeam) return presentSetupAnswer(reader, channel, text);
      if (error instanceof NothingToday) return withButton(sentence, reader, newFor(error));
      return withText(sentence, reader, text);
    },
    keepsake: text === undefined ? undefined : withText(form.notFilled, reader, text),
    retry: presentRetry(reader, request),
  };
}

function newFor({team}: NothingToday): FormRequest {
  return {mode: 'new', team};
}

/** The form could not be opened in time: offers a retry. */
export function presentRetry(reader: Reader, request: FormRequest): RespondArguments {
  return withButton(reader.words.form.notOpened, reader, request);
}

/** A sentence with a button that opens the form, and with the text that it would have contained. */
function withButton(sentence: string, reader: Reader, request: FormRequest): RespondArguments {
  const {blocks, ...told} = withText(sentence, reader, wholeTextOf(request));
  const button = formButton(reader.words.form.open, {...request, replaces: true});
  return {...told, blocks: [...blocks, row(button)]};
}

function withText(
  sentence: string,
  {words}: Reader,
  text: string | undefined,
): RespondArguments & {blocks: KnownBlock[]} {
  const said = text === undefined ? sentence : `${sentence} ${words.form.yourText(text)}`;
  const blocks = [
    plainText(sentence),
    ...(text === undefined ? [] : [writtenText(text, {quote: true, cutNote: words.cutNote})]),
  ];
  return {...privately(said), blocks};
}
