import {idPrefixes} from '../../domain/core/ids.js';
import type {WireJson} from '../../domain/core/resource.js';
import {teamDefaults} from '../../domain/teams/team.js';

/** Fields that were added to records in later releases, with the value for older records. */
const added = [
  {begins: `{"id":"${idPrefixes.absence}_`, member: '"reason_for":', value: '"leads"'},
  {
    begins: `{"id":"${idPrefixes.team}_`,
    member: '"absence_reasons":',
    value: JSON.stringify(teamDefaults.absence_reasons),
  },
  // The answer to a request for reminders, which is stored for repeats.
  {begins: '{"object":"reminder",', member: '"not_reminded":', value: '[]'},
] as const;

/** Adds the missing fields to a record that an earlier release may have stored. */
export function completeRecord<R>(kept: WireJson<R>): WireJson<R> {
  // Text of people cannot be mistaken for a field, because JSON escapes its quotes.
  const lacking = added.find(({begins, member}) => kept.startsWith(begins) && !kept.includes(member));
  if (lacking === undefined) return kept;
  const end = kept.lastIndexOf(',"revision":');
  const at = end === -1 ? kept.length - 1 : end;
  return `${kept.slice(0, at)},${lacking.member}${lacking.value}${kept.slice(at)}`;
}
