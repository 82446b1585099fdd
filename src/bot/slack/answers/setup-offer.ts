// Teams set up and changed within Slack: the offer, the forms, and the work after them. The rules about teams
// are in the services.
import type {RespondArguments} from '@slack/bolt';
import type {ActionsBlock, Button, KnownBlock, ModalView} from '@slack/types';
import {privateAnswer, createFormattedTextBlock} from '../blocks/blocks.js';
import {packText, parseValue, modal, button, mrkdwnObject, actionsRow, section} from '../blocks/shapes.js';
import {actions} from '../blocks/names.js';
import type {SlackTranslation} from '../blocks/slack-translation.js';
import type {Texts} from '../../texts/translation.js';

/** True for an id of a channel that a team can have. A direct message has another kind of id. */
export function isChannelId(id: string): boolean {
  return /^[CG][A-Z0-9]{2,20}$/.test(id);
}

/** Offers to set up a team. `channel`: empty if none. `text`: an update to post later, kept if it fits. */
function presentSetupOffer({texts}: SlackTranslation, channel: string, text = ''): KnownBlock[] {
  return [
    section(mrkdwnObject(chooseOfferSentence(texts, channel))),
    createSetupButton(texts, channel, text),
  ];
}

export function presentSetupAnswer(
  translation: SlackTranslation,
  channel: string,
  text = '',
): RespondArguments {
  const {texts} = translation;
  const sentence = chooseOfferSentence(texts, channel);
  if (text === '') return {...privateAnswer(sentence), blocks: presentSetupOffer(translation, channel)};
  const refusal = texts.setup.notPosted({sentence});
  return {
    ...privateAnswer(`${refusal} ${text}`),
    blocks: [
      section(mrkdwnObject(refusal)),
      createFormattedTextBlock(text, {quote: true, cutNote: texts.cutNote}),
      createSetupButton(texts, channel, text),
    ],
  };
}

/** Returns a button to create a team for this channel, for a person who has teams elsewhere. */
export function createSetupHereButton({texts: {setup}}: SlackTranslation, text = ''): Button {
  return createLabelledSetupButton(setup.here, text);
}

function chooseOfferSentence({setup}: Texts, channel: string): string {
  return isChannelId(channel) ? setup.offerHere : setup.offerAnywhere;
}

/** Presents a modal that offers to set up a standup in the channel, in place of the form for a standup. */
export function presentSetupNote(translation: SlackTranslation, channel: string): ModalView {
  const {title, close} = translation.texts.setup;
  const metadata = JSON.stringify({setUpIn: channel});
  return modal({metadata, title, close}, presentSetupOffer(translation, channel));
}

/** Returns the channel for which a modal offers a setup, from the modal's metadata; empty for none. */
export function readSetupChannel(metadata: string): string {
  const {setUpIn} = parseValue(metadata);
  return typeof setUpIn === 'string' ? setUpIn : '';
}

/** Answers that the setup could not be opened in time, with a button to try again. */
export function presentSetupRetry(
  {texts}: SlackTranslation,
  channel: string,
  text: string,
): RespondArguments {
  const {retry} = texts.setup;
  return {...privateAnswer(retry), blocks: [section(retry), createSetupButton(texts, channel, text)]};
}

function createSetupButton({setup}: Texts, channel: string, text: string): ActionsBlock {
  return actionsRow(
    createLabelledSetupButton(isChannelId(channel) ? setup.here : setup.anywhere, text, 'primary'),
  );
}

function createLabelledSetupButton(label: string, text: string, style?: 'primary'): Button {
  return button(actions.setUp, label, packText(text) || undefined, {...(style && {style})});
}
