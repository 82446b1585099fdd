import {toInstant} from '../../domain/core/dates.js';
import {idPrefixes, idTime} from '../../domain/core/ids.js';
import {renderEnd, type WireJson} from '../../domain/core/resource.js';
import {completeRecord} from './earlier-records.js';

/**
 * The first revision of a standup as it is kept: what its wire JSON has between these texts, each part on a
 * line of its own, behind the time and the drawn half of its id. Half of a wire JSON is names, and what most
 * standups have alike. Wherever in a draft these texts are found, the parts between them make the same again.
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

/** What most standups have alike, by its place: an empty line. */
const usual = {
  words: '[],"questions_version":null',
  type: 'member',
  by: 'null',
  late: 'false',
  metadata: '{}',
} as const;
const usualAt = new Map<number, string>([
  [3, usual.words],
  [4, usual.type],
  [7, usual.by],
  [10, usual.late],
  [11, usual.metadata],
]);

/** Begins what is packed; a JSON, and a difference, begins otherwise. */
export const packedMark = 's';

/** A rendered draft without what `between` says; undefined where it has another form. */
export function packDraft(rendered: string): string | undefined {
  const [first] = between;
  if (!rendered.startsWith(first)) return undefined;
  let packed = '';
  let from = first.length;
  for (let i = 0; i < between.length; i++) {
    const next = between[i + 1];
    const to = next === undefined ? rendered.length : rendered.indexOf(next, from);
    // No part that may be usual is ever empty itself, or it would come back as that.
    if (to === -1 || (to === from && usualAt.has(i))) return undefined;
    const part = rendered.slice(from, to);
    // No part has the end of a line: JSON writes it as two characters.
    packed += part === usualAt.get(i) ? '\n' : `\n${part}`;
    from = to + (next?.length ?? 0);
  }
  return packed;
}

/** What is as usual in one piece: a list of fifty is put together of half as many. */
const usually = {
  saidBy: `${between[3]}${usual.words}${between[4]}${usual.type}${between[5]}`,
  onDate: `${between[7]}${usual.by}${between[8]}`,
  end: `${between[10]}${usual.late}${between[11]}${usual.metadata}`,
} as const;

/** The wire JSON of what is kept of a resource, packed or not, by this release or an earlier one. */
export function unpackRecord<R>(kept: string): WireJson<R> {
  if (!kept.startsWith(packedMark)) return completeRecord(kept);
  const [name = '', team, teamId, update, words, type, author, called, by, date, source, late, metadata] =
    kept.split('\n');
  const id = `${idPrefixes.standup}_${name.slice(packedMark.length)}`;
  const at = toInstant(idTime(id));
  const saidBy =
    words === '' && type === ''
      ? usually.saidBy
      : `${between[3]}${words || usual.words}${between[4]}${type || usual.type}${between[5]}`;
  const onDate = by === '' ? usually.onDate : `${between[7]}${by}${between[8]}`;
  const end =
    late === '' && metadata === ''
      ? usually.end
      : `${between[10]}${late || usual.late}${between[11]}${metadata || usual.metadata}`;
  return (
    `{"id":"${id}",${between[0]}${team}${between[1]}${teamId}${between[2]}${update}${saidBy}${author}` +
    `${between[6]}${called}${onDate}${date}${between[9]}${source}${end}` +
    renderEnd({revision: 1, created_at: at, updated_at: at})
  );
}
