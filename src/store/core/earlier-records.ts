import {idPrefixes} from '../../domain/core/ids.js';
import {earlierTeamDefaults} from '../../domain/teams/team.js';
import type {WireJson} from '../../domain/core/resource.js';
import {memberDefaults, usualAwayEmoji} from '../../domain/workspaces/workspace.js';

/** A field that was added to records in a later release, with its value for older records. */
interface AddedField {
  /** The beginning of each record that must have the field. */
  readonly begins: string;
  readonly member: string;
  readonly value: string;
  /** The beginnings of the values that the field may have. Needed where a map of texts may have such a key. */
  readonly values?: readonly string[];
}

const added: readonly AddedField[] = [
  ...Object.entries(earlierTeamDefaults).map(([name, value]) => ({
    begins: `{"id":"${idPrefixes.team}_`,
    member: `"${name}":`,
    value: JSON.stringify(value),
  })),
  {begins: `{"id":"${idPrefixes.webhook}_`, member: '"created_by":', value: 'null'},
  {begins: `{"id":"${idPrefixes.webhook}_`, member: '"plain_text":', value: 'false'},
  {begins: `{"id":"${idPrefixes.access_token}_`, member: '"client":', value: 'null'},
  ...(['notify', 'slack_status'] as const).map((name) => ({
    begins: `{"id":"${idPrefixes.member}_`,
    member: `"${name}":`,
    value: JSON.stringify(memberDefaults[name]),
  })),
  {begins: `{"id":"${idPrefixes.absence}_`, member: '"source":', value: 'null'},
  {
    begins: `{"id":"${idPrefixes.workspace}_`,
    member: '"away_emoji":',
    value: JSON.stringify(usualAwayEmoji),
  },
  {begins: `{"id":"${idPrefixes.standup}_`, member: '"imported":', value: 'null', values: ['null', '{']},
];

const beginnings = [...new Set(added.map(({begins}) => begins))];

/** Adds the missing fields to a record that an earlier release may have stored. */
export function addMissingFieldsToRecord<R>(
  kept: WireJson<R>,
  fields: readonly AddedField[] = added,
): WireJson<R> {
  // Text that people wrote cannot look like a field of the record, because JSON escapes its quotes.
  const isLacking = ({begins, member, values = ['']}: AddedField) =>
    kept.startsWith(begins) && !values.some((value) => kept.includes(`${member}${value}`));
  if (!beginnings.some((begins) => kept.startsWith(begins))) return kept;
  // Nearly all records are complete, so that nothing is allocated for them.
  if (!fields.some(isLacking)) return kept;
  const missing = fields
    .filter(isLacking)
    .map(({member, value}) => `,${member}${value}`)
    .join('');
  const end = kept.lastIndexOf(',"revision":');
  const at = end === -1 ? kept.length - 1 : end;
  return `${kept.slice(0, at)}${missing}${kept.slice(at)}`;
}
