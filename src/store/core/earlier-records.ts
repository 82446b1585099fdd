import {idPrefixes} from '../../domain/core/ids.js';
import type {WireJson} from '../../domain/core/resource.js';
import {teamDefaults} from '../../domain/teams/team.js';

/** Members that records have got since some were written, and how a record without one is read. */
const added = [
  {begins: `{"id":"${idPrefixes.absence}_`, member: '"reason_for":', value: '"leads"'},
  {
    begins: `{"id":"${idPrefixes.team}_`,
    member: '"absence_reasons":',
    value: JSON.stringify(teamDefaults.absence_reasons),
  },
  // The answer to a request for reminders, which is kept for who repeats it.
  {begins: '{"object":"reminder",', member: '"not_reminded":', value: '[]'},
] as const;

/** The wire JSON of what an earlier release may have kept, with all that one of today has. */
export function completeRecord<R>(kept: WireJson<R>): WireJson<R> {
  // Nothing that people write looks like a member: JSON marks their quotes.
  const lacking = added.find(({begins, member}) => kept.startsWith(begins) && !kept.includes(member));
  if (lacking === undefined) return kept;
  const end = kept.lastIndexOf(',"revision":');
  const at = end === -1 ? kept.length - 1 : end;
  return `${kept.slice(0, at)},${lacking.member}${lacking.value}${kept.slice(at)}`;
}
