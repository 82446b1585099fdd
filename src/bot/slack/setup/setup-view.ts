import type {ActionsBlock, KnownBlock, ModalView, RichTextElement} from '@slack/types';
import type {Team} from '../../../domain/teams/team.js';
import {isolateName} from '../../texts/bidi.js';
import {createFormattedTextBlock} from '../blocks/blocks.js';
import {packText} from '../blocks/button-value.js';
import {modal, type ModalFrame} from '../blocks/inputs.js';
import {actions, slackLimits, views} from '../blocks/names.js';
import {
  button,
  channelMention,
  context,
  mrkdwnObject,
  paragraph,
  actionsRow,
  section,
  textElement,
  userMention,
} from '../blocks/shapes.js';
import type {FormattedText} from '../blocks/reach.js';
import {escapeText} from '../blocks/text.js';
import type {Texts} from '../../texts/translation.js';
import type {Entrance} from './channel.js';
import {presentTeamFields, type TeamFormData} from './team-form.js';

/** The metadata of the modals for setting up a team. */
export interface SetupMemo {
  /** The person's own time zone, which an empty search for time zones lists first. */
  readonly own?: string | undefined;
  /** The update to post once the team exists. */
  readonly text?: string | undefined;
  /** The id of the team, once the team exists. */
  readonly team?: string | undefined;
  /** True if the modal shows all fields, not only the required ones. */
  readonly whole?: boolean | undefined;
  /** The Slack ids of the people to add. */
  readonly users?: readonly string[] | undefined;
}

export function presentSetup(texts: Texts, data: TeamFormData, memo: SetupMemo): ModalView {
  const {title, save: submit, cancel: close} = texts.setup;
  return modal({name: views.setup, metadata: packMemo(memo), title, submit, close}, [
    ...presentTeamFields(texts, data, {isNew: true, isShort: memo.whole !== true}),
    context(texts.leads.notification),
  ]);
}

/** Presents one sentence in place of a form. */
export function presentSetupSentence({setup}: Texts, sentence: string): ModalView {
  return createSetupModal(setup, [section(sentence)]);
}

/**
 * Presents whether the update was posted for the new team. `again`: the team for which the person can try
 * again.
 */
export function presentWaitingText(
  {setup, cutNote}: Texts,
  sentence: FormattedText,
  {text, again}: {readonly text: string; readonly again?: string | undefined},
): ModalView {
  const blocks = [paragraph(sentence.elements), createFormattedTextBlock(text, {quote: true, cutNote})];
  if (again === undefined) return createSetupModal(setup, blocks);
  const more = createOutcomeButtons(setup, again, text);
  return createSetupModal(setup, [...blocks, more], {metadata: packMemo({team: again, text})});
}

/**
 * Presents that the channel already has a team, which the person may change. `missing`: the chosen people who
 * are not in that team.
 */
export function presentTakenChannel(
  {setup}: Texts,
  team: Team,
  missing: readonly string[],
  text?: string,
): ModalView {
  const complete = missing.length === 0;
  const name = isolateName(team.name);
  return createSetupModal(
    setup,
    [
      paragraph([
        textElement(`${setup.taken({team: name})} ${complete ? setup.takenComplete : setup.takenMissing}`),
      ]),
      ...(complete ? [] : [paragraph(mentionUsers(missing))]),
      createOutcomeButtons(setup, team.id, text),
    ],
    {
      ...(!complete && {name: views.addPeople, submit: setup.addThem}),
      metadata: packMemo({team: team.id, users: missing, text}),
    },
  );
}

/** The outcome of a setup, of a change of settings, or of adding people. */
export interface SetupOutcome {
  readonly team: Team;
  readonly did: 'made' | 'changed';
  readonly entrance: Entrance | undefined;
  /** The name by which people invite the bot, if they have to. */
  readonly bot: string;
  /** The number of people in the team now; undefined if it could not be read. */
  readonly count: number | undefined;
  /**
   * Three lists of Slack ids. `refused`: people who cannot be members. `failed`: people who could not be
   * added. `notRemoved`: people who could not be removed.
   */
  readonly refused: readonly string[];
  readonly failed: readonly string[];
  readonly notRemoved: readonly string[];
  /** The people whose role as a lead could not be changed. */
  readonly notLed: readonly string[];
  readonly text: string | undefined;
}

/** True if the person must still do or know something, even if they have closed the modal. */
export function needsAttention({entrance, refused, failed, notRemoved, notLed}: SetupOutcome): boolean {
  const lost = refused.length + failed.length + notRemoved.length + notLed.length;
  return lost > 0 || (entrance !== undefined && entrance !== 'joined');
}

export function presentOutcome({setup, leads}: Texts, outcome: SetupOutcome): KnownBlock[] {
  const {team, did, entrance, bot, count, refused, failed, notRemoved, notLed} = outcome;
  const name = isolateName(team.name);
  const lead = did === 'made' ? setup.done({team: name}) : setup.changed({team: name});
  const first: RichTextElement[] =
    team.slack_channel_id === null
      ? [textElement(setup.doneAnywhere({team: name}))]
      : [textElement(lead), channelMention(team.slack_channel_id), textElement('.')];
  const group = (label: string, users: readonly string[]) =>
    users.length === 0 ? [] : [paragraph([textElement(`${label} `), ...mentionUsers(users)])];
  return [
    paragraph([...first, ...(count === undefined ? [] : [textElement(` ${setup.people({count})}`)])]),
    ...presentChannelEntry(setup, entrance, bot),
    ...group(setup.refused, refused),
    ...group(setup.failed, failed),
    ...group(setup.notRemoved, notRemoved),
    ...group(leads.notLed, notLed),
    context(mrkdwnObject(setup.howTo)),
  ];
}

/** Returns the outcome as plain text, for screen readers and where blocks are not shown. */
export function formatOutcomeText(blocks: readonly KnownBlock[]): string {
  const spoken = blocks.flatMap((block) =>
    block.type !== 'rich_text' ? [] : block.elements.flatMap(({elements}) => elements as RichTextElement[]),
  );
  const pieces = spoken.map((element) => {
    if (element.type === 'user') return `<@${element.user_id}>`;
    if (element.type === 'channel') return `<#${element.channel_id}>`;
    return element.type === 'text' ? escapeText(element.text) : '';
  });
  return pieces.join('');
}

/** Presents the end of a setup or of a change, with `Try again` if a person could not be added. */
export function presentResult(texts: Texts, outcome: SetupOutcome): ModalView {
  const {setup} = texts;
  const {team, failed, text} = outcome;
  return createSetupModal(
    setup,
    [...presentOutcome(texts, outcome), createOutcomeButtons(setup, team.id, text)],
    {
      ...(failed.length > 0 && {name: views.addPeople, submit: setup.tryAgain}),
      metadata: packMemo({team: team.id, users: failed, text}),
    },
  );
}

function presentChannelEntry(
  setup: Texts['setup'],
  entrance: Entrance | undefined,
  bot: string,
): KnownBlock[] {
  const invite = textElement(setup.inviteCommand({bot}), {code: true});
  switch (entrance) {
    case 'closed':
      return [paragraph([textElement(`${setup.invite} `), invite])];
    case 'unknown':
      return [paragraph([textElement(`${setup.notJoined} `), invite])];
    case 'archived':
      return [paragraph([textElement(setup.archived)])];
    case 'joined':
    case undefined:
      return [];
  }
}

function createOutcomeButtons(setup: Texts['setup'], team: string, text: string | undefined): ActionsBlock {
  const settings = button(actions.openSettings, setup.settings, team);
  if (text === undefined) return actionsRow(settings);
  return actionsRow(
    button(actions.postAfterSetup, setup.postText, packText(text), {style: 'primary'}),
    settings,
  );
}

/** Mentions people by the names that Slack shows. A mention in a modal notifies nobody. */
function mentionUsers(users: readonly string[]): RichTextElement[] {
  return users.flatMap((user, i) => [...(i === 0 ? [] : [textElement(', ')]), userMention(user)]);
}

export function presentSentence(text: string): KnownBlock[] {
  return [paragraph([textElement(text)])];
}

function createSetupModal(
  {title, close}: Texts['setup'],
  blocks: KnownBlock[],
  more: Partial<ModalFrame> = {},
): ModalView {
  return modal({title, close, ...more}, blocks);
}

/** Packs the metadata. A text that is too long is left out, since its author has already got it back. */
function packMemo(memo: SetupMemo): string {
  const packed = JSON.stringify(memo);
  if (packed.length <= slackLimits.privateMetadata) return packed;
  const {text: _, ...rest} = memo;
  return JSON.stringify(rest);
}

export function readMemo(metadata: string): SetupMemo {
  try {
    const {own, text, team, users, whole} = JSON.parse(metadata) as Record<string, unknown>;
    return {
      own: typeof own === 'string' ? own : undefined,
      text: typeof text === 'string' && text !== '' ? text : undefined,
      team: typeof team === 'string' ? team : undefined,
      users: Array.isArray(users) ? users.map(String) : undefined,
      ...(whole === true && {whole}),
    };
  } catch {
    return {};
  }
}
