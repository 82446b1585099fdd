import type {ViewOutput} from '@slack/bolt';
import type {InputBlock, MultiStaticSelect} from '@slack/types';
import {limits} from '../../../domain/core/limits.js';
import type {Team} from '../../../domain/teams/team.js';
import {cleanName} from '../../texts/bidi.js';
import {input, checkboxes, option} from '../blocks/shapes.js';
import {fields, fieldValue, slackLimits} from '../blocks/names.js';
import {buildFieldBlockId, type FormState} from './form-state.js';
import {parseWire} from '../../../domain/core/resource.js';
import type {Caller} from '../../../domain/core/access.js';
import type {Blocker} from '../../../domain/blockers/blocker.js';
import type {Id} from '../../../domain/core/ids.js';
import type {SlackContext} from '../core/context.js';
import type {SlackTranslation} from '../blocks/slack-translation.js';

/** The further teams for which a new standup can be posted, and those selected at first. */
export interface AlsoTeams {
  readonly teams: readonly Team[];
  readonly chosen: readonly string[];
}

/** Lists the further teams to which the form of `team` can post: those without required questions. */
export function listAlsoTeams(mine: readonly Team[], team: string | undefined): Team[] {
  return mine.filter(({id, questions}) => id !== team && questions.every(({required}) => !required));
}

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
  return [input(buildFieldBlockId(fields.also, state), label, picker, {optional: true})];
}

/** Returns the selected further teams. Slack may leave out an untouched input: its first value counts. */
export function readAlso({blocks, state}: ViewOutput, form: FormState): string[] {
  const id = buildFieldBlockId(fields.also, form);
  const shown = (blocks as TeamsInputBlock[]).find(({block_id}) => block_id === id);
  const given = state.values[id]?.[fieldValue];
  const options = given === undefined ? shown?.element?.initial_options : given.selected_options;
  return (options ?? []).map(({value}) => value);
}

interface TeamsInputBlock {
  readonly block_id?: string;
  readonly element?: {readonly initial_options?: readonly {readonly value: string}[]};
}

/** The maximum number of blockers in a form: Slack takes ten checkboxes. */
const mostShown = 10;

export async function listOpenBlockersForForm(
  {services: {blockers}}: SlackContext,
  access: Caller | undefined,
  team: Id<'team'>,
): Promise<readonly Blocker[]> {
  if (access === undefined) return [];
  const query = {teams: [team], author: access.principal.id, state: 'open', limit: mostShown} as const;
  const {rows} = await blockers.listBlockers(access, query);
  return rows.map((json) => parseWire(json));
}

export function presentOpenBlockers(
  {texts: {blockers: texts}}: SlackTranslation,
  state: FormState,
  open: readonly Blocker[],
): InputBlock[] {
  if (open.length === 0) return [];
  const options = open.map(({id, text}) => option(id, cleanName(text.trim())));
  const id = buildFieldBlockId(fields.resolved, state);
  return [input(id, texts.stillBlocked, checkboxes(options, []), {optional: true})];
}

export function readResolvedBlockers({state}: ViewOutput, form: FormState): string[] {
  const chosen = state.values[buildFieldBlockId(fields.resolved, form)]?.[fieldValue]?.selected_options ?? [];
  return chosen.map(({value}) => value ?? '');
}
