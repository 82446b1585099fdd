import type {InputBlock, KnownBlock, ModalView} from '@slack/types';
import type {Team} from '../../domain/team.js';
import {fields, fieldValue, slackLimits, views} from '../names.js';
import {cutText} from '../text.js';

/** What the form is opened with, and is sent back with. */
export interface FormPlace {
  /** Id of the team, when it was clear at the opening. */
  readonly team?: string | undefined;
  /** True when it is the team of the channel, which posting there joins. */
  readonly joins?: boolean | undefined;
}

export interface FormData {
  readonly place: FormPlace;
  /** To choose from, when it is not clear. */
  readonly teams: readonly Team[];
  /** The name shown when it is clear. */
  readonly teamName: string | undefined;
  /** What the last standup said about its day. */
  readonly yesterday: string | undefined;
}

const title = {type: 'plain_text', text: 'Post a standup'} as const;
const close = {type: 'plain_text', text: 'Cancel'} as const;

export function presentForm({place, teams, teamName, yesterday}: FormData): ModalView {
  const picker: KnownBlock[] = teams.length === 0 ? [] : [teamPicker(teams)];
  const heading: KnownBlock[] =
    teamName === undefined
      ? []
      : [{type: 'section', text: {type: 'plain_text', text: cutText(`For ${teamName}`, 200)}}];
  return {
    type: 'modal',
    callback_id: views.standup,
    private_metadata: JSON.stringify(place),
    title,
    submit: {type: 'plain_text', text: 'Post'},
    close,
    blocks: [
      ...heading,
      ...picker,
      input(fields.yesterday, 'Yesterday', {optional: true, initial: yesterday}),
      input(fields.today, 'Today', {optional: false}),
      input(fields.blockers, 'Blockers', {optional: true}),
    ],
  };
}

/** Shown at once when the form's data takes longer than a trigger can wait. */
export function presentLoading(): ModalView {
  return presentNote('One moment …');
}

/** One sentence in the form's place. */
export function presentNote(sentence: string): ModalView {
  const text = {type: 'plain_text', text: cutText(sentence, slackLimits.section)} as const;
  return {
    type: 'modal',
    title,
    close: {type: 'plain_text', text: 'Close'},
    blocks: [{type: 'section', text}],
  };
}

export function parsePlace(metadata: string): FormPlace {
  try {
    const {team, joins} = JSON.parse(metadata) as FormPlace;
    return {team: typeof team === 'string' ? team : undefined, joins: joins === true};
  } catch {
    return {};
  }
}

function input(
  field: string,
  label: string,
  {optional, initial}: {optional: boolean; initial?: string | undefined},
): InputBlock {
  return {
    type: 'input',
    block_id: field,
    optional,
    label: {type: 'plain_text', text: label},
    element: {
      type: 'plain_text_input',
      action_id: fieldValue,
      multiline: true,
      max_length: slackLimits.input,
      ...(initial !== undefined && initial !== '' && {initial_value: cutText(initial, slackLimits.input)}),
    },
  };
}

function teamPicker(teams: readonly Team[]): InputBlock {
  const options = teams.slice(0, slackLimits.options).map(({id, name}) => ({
    text: {type: 'plain_text' as const, text: cutText(name, slackLimits.option)},
    value: id,
  }));
  return {
    type: 'input',
    block_id: fields.team,
    label: {type: 'plain_text', text: 'Team'},
    element: {
      type: 'static_select',
      action_id: fieldValue,
      options,
      ...(options.length === 1 && options[0] !== undefined && {initial_option: options[0]}),
    },
  };
}
