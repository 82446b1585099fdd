import {idPrefixes} from '../../domain/core/ids.js';
import type {WireJson} from '../../domain/core/resource.js';
import {teamDefaults} from '../../domain/teams/team.js';

/** A field that was added to records in a later release, with its value for older records. */
interface AddedField {
  readonly begins: string;
  readonly member: string;
  readonly value: string;
}

const added: readonly AddedField[] = [
  {begins: `{"id":"${idPrefixes.absence}_`, member: '"reason_for":', value: '"leads"'},
  {
    begins: `{"id":"${idPrefixes.team}_`,
    member: '"absence_reasons":',
    value: JSON.stringify(teamDefaults.absence_reasons),
  },
  // The answer to a request for reminders, which is stored for repeats.
  {begins: '{"object":"reminder",', member: '"not_reminded":', value: '[]'},
];

/** Adds the missing fields to a record that an earlier release may have stored. */
export function addMissingFieldsToRecord<R>(
  kept: WireJson<R>,
  fields: readonly AddedField[] = added,
): WireJson<R> {
  // Text that people wrote cannot look like a field of the record, because JSON escapes its quotes.
  const lacking = fields.filter(({begins, member}) => kept.startsWith(begins) && !kept.includes(member));
  if (lacking.length === 0) return kept;
  const values = lacking.map(({member, value}) => `,${member}${value}`).join('');
  const end = kept.lastIndexOf(',"revision":');
  const at = end === -1 ? kept.length - 1 : end;
  return `${kept.slice(0, at)}${values}${kept.slice(at)}`;
}
