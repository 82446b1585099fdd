import type {ViewOutput} from '@slack/bolt';
import type {InputBlock} from '@slack/types';
import {parseWire} from '../../../domain/core/resource.js';
import type {Caller} from '../../../domain/core/access.js';
import type {Blocker} from '../../../domain/blockers/blocker.js';
import type {Id} from '../../../domain/core/ids.js';
import {cleanName} from '../../texts/bidi.js';
import type {SlackContext} from '../core/context.js';
import {input, checkboxes} from '../blocks/inputs.js';
import {fields, fieldValue} from '../blocks/names.js';
import {option} from '../blocks/shapes.js';
import type {SlackTranslation} from '../blocks/slack-translation.js';
import {buildFieldBlockId, type FormState} from './form-state.js';

/** The maximum number of blockers in a form: Slack takes ten checkboxes. */
const mostShown = 10;

/** Returns the member's open blockers in a team, so that nobody has to type them again. */
export async function listOpenBlockersForForm(
  {services: {blockers}}: SlackContext,
  access: Caller | undefined,
  team: Id<'team'>,
): Promise<readonly Blocker[]> {
  if (access === undefined) return [];
  const query = {team, author: access.principal.id, state: 'open', limit: mostShown} as const;
  const {rows} = await blockers.listBlockers(access, query);
  return rows.map((json) => parseWire(json));
}

/** Presents a checkbox for each open blocker; a tick means that the blocker is resolved. */
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

/** Returns the ids of the ticked blockers. */
export function readResolvedBlockers({state}: Pick<ViewOutput, 'state'>, form: FormState): string[] {
  const chosen = state.values[buildFieldBlockId(fields.resolved, form)]?.[fieldValue]?.selected_options ?? [];
  return chosen.map(({value}) => value ?? '');
}
