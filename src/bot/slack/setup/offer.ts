// Creating and changing a team within Slack: the offer, the forms, and the work that they start. The rules of
// teams are in services.
import type {RespondArguments} from '@slack/bolt';
import type {ActionsBlock, Button, KnownBlock, ModalView} from '@slack/types';
import {privately, writtenText} from '../blocks/blocks.js';
import {packText, parseValue} from '../blocks/button-value.js';
import {modal} from '../blocks/inputs.js';
import {actions} from '../blocks/names.js';
import {button, marked, row, section} from '../blocks/shapes.js';
import type {Reader} from '../blocks/reader.js';
import type {Words} from '../../words/words.js';

/**
 * True for an id that a team can have as its channel; a direct message is none, and has another kind of id.
 */
export function isChannel(id: string): boolean {
  return /^[CG][A-Z0-9]{2,20}$/.test(id);
}

/**
 * A sentence, and the button that opens the setup. `channel`: where it is shown, empty where there is none.
 * `text`: an update that could not be posted; it goes along with the button, if it fits, and can be posted
 * once the team exists.
 */
export function presentSetupOffer({words}: Reader, channel: string, text = ''): KnownBlock[] {
  return [section(marked(sentenceFor(words, channel))), setupButton(words, channel, text)];
}

/** The offer as a private answer, with the text that could not be posted. */
export function presentSetupAnswer(reader: Reader, channel: string, text = ''): RespondArguments {
  const {words} = reader;
  const sentence = sentenceFor(words, channel);
  if (text === '') return {...privately(sentence), blocks: presentSetupOffer(reader, channel)};
  const refusal = words.setup.notPosted(sentence);
  return {
    ...privately(`${refusal} ${text}`),
    blocks: [
      section(marked(refusal)),
      writtenText(text, {quote: true, cutNote: words.cutNote}),
      setupButton(words, channel, text),
    ],
  };
}

/** For a person with teams elsewhere: a button to create one for this channel, beside the answer. */
export function setupHere({words: {setup}}: Reader, text = ''): Button {
  return setupButtonOf(setup.here, text);
}

function sentenceFor({setup}: Words, channel: string): string {
  return isChannel(channel) ? setup.offerHere : setup.offerAnywhere;
}

/** The offer in place of a form that was opened before this was known. */
export function presentSetupNote(reader: Reader, channel: string): ModalView {
  const {title, close} = reader.words.setup;
  const metadata = JSON.stringify({setUpIn: channel});
  return modal({metadata, title, close}, presentSetupOffer(reader, channel));
}

/** The channel for which a modal offers a setup, from its metadata; empty for none. */
export function readSetUpIn(metadata: string): string {
  const {setUpIn} = parseValue(metadata);
  return typeof setUpIn === 'string' ? setUpIn : '';
}

/** The setup could not be opened in time: offers a retry. */
export function presentSetupRetry({words}: Reader, channel: string, text: string): RespondArguments {
  const {retry} = words.setup;
  return {...privately(retry), blocks: [section(retry), setupButton(words, channel, text)]};
}

function setupButton({setup}: Words, channel: string, text: string): ActionsBlock {
  return row(setupButtonOf(isChannel(channel) ? setup.here : setup.anywhere, text, 'primary'));
}

function setupButtonOf(label: string, text: string, style?: 'primary'): Button {
  return button(actions.setUp, label, packText(text) || undefined, {...(style && {style})});
}
