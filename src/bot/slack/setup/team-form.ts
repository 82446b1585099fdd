import type {ViewOutput, ViewResponseAction} from '@slack/bolt';
import type {ActionsBlock, ConversationsSelect, InputBlock, MultiUsersSelect} from '@slack/types';
import {isTimezone} from '../../../domain/core/dates.js';
import {limits} from '../../../domain/core/limits.js';
import {explainTextError} from '../blocks/text-errors.js';
import {input, searchSelect, textInput} from '../blocks/inputs.js';
import {actions, fieldValue, slackLimits, teamFields} from '../blocks/names.js';
import {cutText} from '../../texts/cut-text.js';
import {decodeText} from '../blocks/text.js';
import {button, actionsRow} from '../blocks/shapes.js';
import type {Texts} from '../../texts/translation.js';
import {isChannelId} from './offer.js';
import {presentRuleFields, readRuleFields} from './rule-fields.js';
import type {TeamRules} from './team-rules.js';
import type {ZoneOption} from './zones.js';

/** The number of people who can be added within one deadline, and whose ids fit into a form's metadata. */
export const maxPeople = 50;

/** The content of the fields for a new team or its settings. */
export interface TeamFormData {
  readonly name: string;
  /**
   * The Slack ids of the chosen people; undefined if they are too many to show. Separate fields then add and
   * remove people.
   */
  readonly members: readonly string[] | undefined;
  /** The Slack ids of the team's leads; undefined if the team has none yet, or too many to show. */
  readonly leads?: readonly string[] | undefined;
  /** True if at least one of the shown leads must remain. */
  readonly needsLead?: boolean;
  readonly zone: ZoneOption | undefined;
  /** The team's channel. Undefined: the channel in which the person is, if any. */
  readonly channel: string | undefined;
  readonly rules: TeamRules;
}

/** The submitted fields of a team. */
export interface TeamForm {
  readonly name: string;
  readonly members: readonly string[] | undefined;
  readonly add: readonly string[];
  readonly remove: readonly string[];
  /** The Slack ids of the chosen leads; undefined if the form does not have that field. */
  readonly leads: readonly string[] | undefined;
  readonly zone: string;
  readonly channel: string;
  readonly rules: TeamRules;
}

/** Presents the fields of a team. `isShort`: only the required fields, and a button that shows the rest. */
export function presentTeamFields(
  texts: Texts,
  data: TeamFormData,
  kind: {readonly isNew: boolean; readonly isShort?: boolean},
): (InputBlock | ActionsBlock)[] {
  const {setup} = texts;
  const {name, members, leads, needsLead = false, zone, channel, rules} = data;
  const chosen: Readonly<Record<string, readonly string[] | undefined>> = {
    [teamFields.members]: members,
    [teamFields.leads]: leads,
  };
  const people = (field: string, label: string, hint?: string, optional = true) =>
    input(field, label, createPeoplePicker(chosen[field] ?? []), {optional, hint});
  const fields = [
    input(teamFields.name, setup.name, textInput(limits.name, cutText(name, limits.name))),
    ...(members === undefined
      ? [people(teamFields.add, setup.add), people(teamFields.remove, setup.remove)]
      : [
          people(
            teamFields.members,
            setup.members,
            kind.isNew ? setup.membersHint({max: maxPeople}) : texts.leads.membersHint({max: maxPeople}),
            kind.isShort !== true,
          ),
        ]),
    ...(leads === undefined
      ? []
      : [people(teamFields.leads, texts.leads.leads, texts.leads.leadsHint, !needsLead)]),
    input(teamFields.channel, setup.channel, createChannelPicker(channel)),
    input(teamFields.zone, setup.zone, searchSelect(zone), {hint: setup.zoneHint}),
    ...presentRuleFields(texts, rules, kind),
  ];
  if (kind.isShort !== true) return fields;
  const more = actionsRow(button(actions.setupMore, texts.leads.moreFields));
  return [...shortFields.flatMap((field) => fields.find(({block_id: id}) => id === field) ?? []), more];
}

/** The fields of the short form, in this order. */
const shortFields: readonly string[] = [
  teamFields.name,
  teamFields.members,
  teamFields.channel,
  teamFields.opens,
  teamFields.closes,
  teamFields.zone,
];

function createPeoplePicker(initial: readonly string[]): MultiUsersSelect {
  return {
    type: 'multi_users_select',
    action_id: fieldValue,
    max_selected_items: maxPeople,
    ...(initial.length > 0 && {initial_users: [...initial]}),
  };
}

function createChannelPicker(channel: string | undefined): ConversationsSelect {
  return {
    type: 'conversations_select',
    action_id: fieldValue,
    filter: {include: ['public', 'private'], exclude_bot_users: true},
    ...(channel === undefined ? {default_to_current_conversation: true} : {initial_conversation: channel}),
  };
}

export function readTeamForm(view: ViewOutput): TeamForm {
  const {values} = view.state;
  const read = (field: string) => values[field]?.[fieldValue];
  const people = (field: string) => [...new Set(read(field)?.selected_users ?? [])];
  return {
    name: decodeText(read(teamFields.name)?.value ?? '').trim(),
    members: values[teamFields.members] === undefined ? undefined : people(teamFields.members),
    add: people(teamFields.add),
    remove: people(teamFields.remove),
    leads: values[teamFields.leads] === undefined ? undefined : people(teamFields.leads),
    zone: read(teamFields.zone)?.selected_option?.value ?? '',
    channel: read(teamFields.channel)?.selected_conversation ?? '',
    rules: readRuleFields(view),
  };
}

/** Returns errors by field that can be found without looking anything up. */
export function findTeamErrors(form: TeamForm, texts: Texts): Record<string, string> {
  const {errors} = texts.setup;
  const name = explainTextError(texts, form.name, limits.name);
  const crowd = (field: string, {length}: readonly string[]) =>
    length > maxPeople && {[field]: errors.tooMany({count: length, max: maxPeople})};
  return {
    ...(name !== undefined && {[teamFields.name]: errors.name({error: name})}),
    ...crowd(teamFields.members, form.members ?? []),
    ...crowd(teamFields.add, form.add),
    ...crowd(teamFields.remove, form.remove),
    ...crowd(teamFields.leads, form.leads ?? []),
    ...(!isTimezone(form.zone) && {[teamFields.zone]: errors.zone}),
    ...(!isChannelId(form.channel) && {[teamFields.channel]: errors.channel}),
  };
}

/** Keeps a form open, with errors under its fields. */
export function presentFieldErrors(fieldErrors: Record<string, string>): ViewResponseAction {
  const errors = Object.fromEntries(
    Object.entries(fieldErrors).map(([field, sentence]) => [
      field,
      cutText(sentence, slackLimits.fieldError),
    ]),
  );
  return {response_action: 'errors', errors};
}
