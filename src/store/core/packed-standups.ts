import {toInstant} from '../../domain/core/dates.js';
import {idPrefixes, parseCreationTime} from '../../domain/core/ids.js';
import {renderStampFields, type WireJson} from '../../domain/core/resource.js';
import {addMissingFieldsToRecord} from './earlier-records.js';

/**
 * The texts that are left out when the first revision of a standup is stored, because they are the same in
 * all standups. Only the parts between them are stored: the time and the suffix of the id, and then each
 * other part on its own line. Names and values that most standups share make up half of the JSON. The stored
 * parts and these texts together restore exactly the same draft.
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

/**
 * The values that most standups share, by their positions. An empty line is stored in place of such a value.
 */
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

/** The first character of a packed record. JSON and differences begin with other characters. */
export const packedMark = 's';

/** Packs a rendered draft; undefined if it has another form. */
export function packDraft(rendered: string): string | undefined {
  const [first] = between;
  if (!rendered.startsWith(first)) return undefined;
  let packed = '';
  let from = first.length;
  for (let i = 0; i < between.length; i++) {
    const next = between[i + 1];
    const to = next === undefined ? rendered.length : rendered.indexOf(next, from);
    // An empty part cannot be stored where most standups share a value, because it would be read as that
    // value.
    if (to === -1 || (to === from && usualAt.has(i))) return undefined;
    const part = rendered.slice(from, to);
    // No part contains a line break, because JSON writes it as two characters.
    packed += part === usualAt.get(i) ? '\n' : `\n${part}`;
    from = to + (next?.length ?? 0);
  }
  return packed;
}

/**
 * Frequent sequences of shared parts, joined in advance, so that a list of fifty standups is joined from half
 * as many pieces.
 */
const usually = {
  saidBy: `${between[3]}${usual.answers}${between[4]}${usual.type}${between[5]}`,
  onDate: `${between[7]}${usual.by}${between[8]}`,
  end: `${between[10]}${usual.late}${between[11]}${usual.metadata}`,
} as const;

/** Returns the JSON of a stored resource, packed or not, from this release or an earlier one. */
export function unpackRecord<R>(kept: string): WireJson<R> {
  if (!kept.startsWith(packedMark)) return addMissingFieldsToRecord(kept);
  const [name = '', team, teamId, update, answers, type, author, called, by, date, source, late, metadata] =
    kept.split('\n');
  const id = `${idPrefixes.standup}_${name.slice(packedMark.length)}`;
  const at = toInstant(parseCreationTime(id));
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
    renderStampFields({revision: 1, created_at: at, updated_at: at})
  );
}
