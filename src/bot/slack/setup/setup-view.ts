import {z} from 'zod';
import type {Button, KnownBlock, ModalView, RichTextElement} from '@slack/types';
import type {Team} from '../../../domain/teams/team.js';
import {isolateName} from '../../texts/bidi.js';
import {
  packText,
  parseValue,
  modal,
  button,
  channelMention,
  context,
  input,
  mrkdwnObject,
  paragraph,
  actionsRow,
  section,
  textElement,
  userMention,
} from '../blocks/shapes.js';
import {actions, fieldValue, slackLimits, teamFields, views} from '../blocks/names.js';
import {escapeText} from '../blocks/text.js';
import type {Texts} from '../../texts/translation.js';
import type {Entrance, Additions} from './people.js';
import {presentTeamFields, type TeamFormData} from './team-form.js';

const optionalText = z.string().min(1).optional().catch(undefined);

/**
 * The metadata of the modals for setting up and changing a team:
 * - `own`: the person's own time zone, which an empty search for time zones lists first.
 * - `text`: the update to post once the team exists.
 * - `name`: the name of the channel from which a new team gets its name.
 * - `team`: the id of the team, once the team exists.
 * - `revision`: that of the team when its settings were opened.
 * - `channel`: the channel with which the form was opened.
 */
const setupMemo = z.object({
  own: optionalText,
  text: optionalText,
  name: optionalText,
  team: optionalText,
  revision: z.number().optional().catch(undefined),
  channel: optionalText,
});

type SetupMemo = Readonly<z.infer<typeof setupMemo>>;

export function presentSetup(texts: Texts, data: TeamFormData, memo: SetupMemo): ModalView {
  const {title, save: submit, cancel: close} = texts.setup;
  return modal({name: views.setup, metadata: packMemo(memo), title, submit, close}, [
    ...presentTeamFields(texts, data),
    context(texts.leads.notification),
  ]);
}

export function presentSettings(
  texts: Texts,
  {id, name, revision, slack_channel_id: channel}: Team,
  data: TeamFormData,
  warning?: string,
): ModalView {
  const {settings: title, saveChanges: submit, cancel: close} = texts.setup;
  const metadata = packMemo({team: id, revision, channel: channel ?? undefined});
  return modal({name: views.settings, metadata, title, submit, close}, [
    ...(warning === undefined ? [] : [section(warning)]),
    section(texts.home.settingsOf({team: isolateName(name)})),
    ...presentTeamFields(texts, data),
    actionsRow(createMoreSettingsButton(texts, id)),
    context(texts.setup.moreHint),
  ]);
}

export function createMoreSettingsButton({setup}: Texts, team: string): Button {
  return button(actions.moreSettings, setup.more, team);
}

/** Presents the channel's existing team. */
export function presentTakenChannel(texts: Texts, team: Team, text: string | undefined): ModalView {
  const said = texts.setup.taken({team: isolateName(team.name)});
  return presentWithTeam(texts, presentSentence(said), {team: team.id, text});
}

export interface SetupOutcome extends Additions {
  readonly team: Team;
  readonly did: 'made' | 'changed';
  readonly entrance: Entrance | undefined;
  /** The name by which people invite the bot, if they have to. */
  readonly bot: string;
  /** The number of people in the team now; undefined if it could not be read. */
  readonly count: number | undefined;
  /** When the first standup opens, in words; undefined without one, or if it could not be read. */
  readonly first: {readonly day: string; readonly time: string} | undefined;
  readonly text: string | undefined;
}

/** True if the person must still do or know something, even if they have closed the modal. */
export function needsAttention({entrance, refused, failed}: SetupOutcome): boolean {
  return refused.length + failed.length > 0 || (entrance !== undefined && entrance !== 'joined');
}

export function presentOutcome({setup, leads}: Texts, outcome: SetupOutcome): KnownBlock[] {
  const {team, did, entrance, bot, count, refused, failed, first: opening} = outcome;
  const name = isolateName(team.name);
  const lead = did === 'made' ? setup.done : setup.changed({team: name});
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
    ...(did === 'made' && team.schedule === null ? presentSentence(leads.noTimes) : []),
    ...(opening === undefined ? [] : presentSentence(setup.first(opening))),
    context(mrkdwnObject(`${setup.howTo} ${setup.moreHint}`)),
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

/** Presents the end of a setup or of a change. */
export function presentResult(texts: Texts, outcome: SetupOutcome): ModalView {
  const {team, failed, text} = outcome;
  return presentWithTeam(texts, presentOutcome(texts, outcome), {team: team.id, text}, failed);
}

/** The number of people who can be added within one deadline. */
export const maxPeople = 50;

/** Presents blocks, the buttons of a team and a field to add people. `chosen`: those already in the field. */
function presentWithTeam(
  texts: Texts,
  blocks: KnownBlock[],
  memo: SetupMemo & {readonly team: string},
  chosen: readonly string[] = [],
): ModalView {
  const {setup} = texts;
  const {title, close, addPeople: submit} = setup;
  const {team, text} = memo;
  const buttons = [
    ...(text === undefined
      ? []
      : [button(actions.postAfterSetup, setup.postText, packText(text), {style: 'primary'})]),
    button(actions.openSettings, setup.settings, team),
    createMoreSettingsButton(texts, team),
  ];
  const people = input(
    teamFields.people,
    setup.members,
    {
      type: 'multi_users_select',
      action_id: fieldValue,
      max_selected_items: maxPeople,
      ...(chosen.length > 0 && {initial_users: [...chosen]}),
    },
    {hint: setup.membersHint({max: maxPeople})},
  );
  const frame = {name: views.addPeople, metadata: packMemo(memo), title, submit, close};
  return modal(frame, [...blocks, people, actionsRow(...buttons)]);
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

/** Mentions people by the names that Slack shows. A mention in a modal notifies no one. */
function mentionUsers(users: readonly string[]): RichTextElement[] {
  return users.flatMap((user, i) => [...(i === 0 ? [] : [textElement(', ')]), userMention(user)]);
}

export function presentSentence(text: string): KnownBlock[] {
  return [paragraph([textElement(text)])];
}

/** Packs the metadata. A text that is too long is left out, since its author has already got it back. */
function packMemo(memo: SetupMemo): string {
  const packed = JSON.stringify(memo);
  if (packed.length <= slackLimits.privateMetadata) return packed;
  const {text: _, ...rest} = memo;
  return JSON.stringify(rest);
}

export function readMemo(metadata: string): SetupMemo {
  return setupMemo.parse(parseValue(metadata));
}
