import type {ViewOutput} from '@slack/bolt';
import type {InputBlock, MultiStaticSelect} from '@slack/types';
import {limits} from '../../../domain/core/limits.js';
import type {Team} from '../../../domain/teams/team.js';
import {cleanName} from '../../texts/bidi.js';
import {input} from '../blocks/inputs.js';
import {fields, fieldValue, slackLimits} from '../blocks/names.js';
import {option} from '../blocks/shapes.js';
import {blockId, type FormState} from './form-state.js';

/** Further teams that a new standup may be for, and the initially selected ones. */
export interface AlsoTeams {
  readonly teams: readonly Team[];
  readonly chosen: readonly string[];
}

/**
 * Lists the person's other teams that a form for one team may post to: those without required questions.
 * `team`: id of the form's own.
 */
export function listAlsoTeams(mine: readonly Team[], team: string | undefined): Team[] {
  return mine.filter(({id, questions}) => id !== team && questions.every(({required}) => !required));
}

/** Empty when there is nothing to choose. */
export function presentAlso(label: string, {teams, chosen}: AlsoTeams, state: FormState): InputBlock[] {
  if (teams.length === 0) return [];
  const options = teams.slice(0, slackLimits.options).map(({id, name}) => option(id, cleanName(name)));
  const initial = options.filter(({value}) => chosen.includes(value));
  const picker: MultiStaticSelect = {
    type: 'multi_static_select',
    action_id: fieldValue,
    options,
    max_selected_items: limits.teamsPerSubmission - 1,
    ...(initial.length > 0 && {initial_options: initial}),
  };
  return [input(blockId(fields.also, state), label, picker, {optional: true})];
}

/**
 * Ids of the selected further teams. Slack has been seen to leave out untouched inputs: then the initial
 * selection counts.
 */
export function readAlso({blocks, state}: Pick<ViewOutput, 'blocks' | 'state'>, form: FormState): string[] {
  const id = blockId(fields.also, form);
  const shown = (blocks as TeamsInputBlock[]).find(({block_id}) => block_id === id);
  const given = state.values[id]?.[fieldValue];
  const options = given === undefined ? shown?.element?.initial_options : given.selected_options;
  return (options ?? []).map(({value}) => value);
}

interface TeamsInputBlock {
  readonly block_id?: string;
  readonly element?: {readonly initial_options?: readonly {readonly value: string}[]};
}
