import {toInstant} from '../../domain/core/dates.js';
import {idPrefixes, creationTimeOfId} from '../../domain/core/ids.js';
import {renderStampMembers, type WireJson} from '../../domain/core/resource.js';
import {completeRecord} from './earlier-records.js';

/**
 * The stored form of a standup's first revision: the parts of its wire JSON between these texts, each on its
 * own line, after the time and the suffix of its id. Half of a wire JSON is names and values that most
 * standups share. Wherever these texts occur in a draft, the parts between them restore the same draft.
 */
const between = [
  '"object":"standup","team":"',
  '","team_id":"team_',
  '","update":"',
  '","answers":',
  ',"author":{"type":"',
  '","id":"',
  '","name":"',
  '"},"posted_by":',
  ',"date":"',
  '","source":"',
  '","late":',
  ',"edited":false,"edited_by":null,"metadata":',
] as const;

/** The values that most standups share, by position: stored as an empty line. */
const usual = {
  answers: '[],"questions_version":null',
  type: 'member',
  by: 'null',
  late: 'false',
  metadata: '{}',
} as const;
const usualAt = new Map<number, string>([
  [3, usual.answers],
  [4, usual.type],
  [7, usual.by],
  [10, usual.late],
  [11, usual.metadata],
]);

/** The first character of a packed record; JSON, and a difference, start with another one. */
export const packedMark = 's';

/** A rendered draft without the texts of `between`; undefined if it has another form. */
export function packDraft(rendered: string): string | undefined {
  const [first] = between;
  if (!rendered.startsWith(first)) return undefined;
  let packed = '';
  let from = first.length;
  for (let i = 0; i < between.length; i++) {
    const next = between[i + 1];
    const to = next === undefined ? rendered.length : rendered.indexOf(next, from);
    // A part with a usual value must not be empty itself, or it would be read as that value.
    if (to === -1 || (to === from && usualAt.has(i))) return undefined;
    const part = rendered.slice(from, to);
    // No part contains a line break: JSON writes it as two characters.
    packed += part === usualAt.get(i) ? '\n' : `\n${part}`;
    from = to + (next?.length ?? 0);
  }
  return packed;
}

/** The usual parts joined: a list of fifty then has half as many pieces to join. */
const usually = {
  saidBy: `${between[3]}${usual.answers}${between[4]}${usual.type}${between[5]}`,
  onDate: `${between[7]}${usual.by}${between[8]}`,
  end: `${between[10]}${usual.late}${between[11]}${usual.metadata}`,
} as const;

/** The wire JSON of a stored resource, packed or not, by this release or an earlier one. */
export function unpackRecord<R>(kept: string): WireJson<R> {
  if (!kept.startsWith(packedMark)) return completeRecord(kept);
  const [name = '', team, teamId, update, answers, type, author, called, by, date, source, late, metadata] =
    kept.split('\n');
  const id = `${idPrefixes.standup}_${name.slice(packedMark.length)}`;
  const at = toInstant(creationTimeOfId(id));
  const saidBy =
    answers === '' && type === ''
      ? usually.saidBy
      : `${between[3]}${answers || usual.answers}${between[4]}${type || usual.type}${between[5]}`;
  const onDate = by === '' ? usually.onDate : `${between[7]}${by}${between[8]}`;
  const end =
    late === '' && metadata === ''
      ? usually.end
      : `${between[10]}${late || usual.late}${between[11]}${metadata || usual.metadata}`;
  return (
    `{"id":"${id}",${between[0]}${team}${between[1]}${teamId}${between[2]}${update}${saidBy}${author}` +
    `${between[6]}${called}${onDate}${date}${between[9]}${source}${end}` +
    renderStampMembers({revision: 1, created_at: at, updated_at: at})
  );
}
