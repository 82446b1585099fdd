import {toInstant} from '../domain/dates.js';
import {idPrefixes, idTime} from '../domain/ids.js';
import {renderEnd, type WireJson} from '../domain/resource.js';

/**
 * The first revision of a standup as it is kept: what its wire JSON has between these texts, each part on a
 * line of its own, behind the time and the drawn half of its id. Half of a wire JSON is names, and what most
 * standups have alike. Wherever in a draft these texts are found, the parts between them make the same again.
 */
const between = [
  '"object":"standup","team":"',
  '","team_id":"',
  '","update":"',
  '","answers":',
  ',"author":{"type":"',
  '","name":"',
  '"},"posted_by":',
  ',"date":"',
  '","source":"',
  '","late":',
  ',"edited":false,"edited_by":null,"metadata":',
] as const;

/** What most standups have alike, by its place: an empty line. */
const usual = {words: '[],"questions_version":null', by: 'null', late: 'false', metadata: '{}'} as const;
const usualAt = new Map<number, string>([
  [3, usual.words],
  [6, usual.by],
  [9, usual.late],
  [10, usual.metadata],
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

/** The wire JSON of what is kept of a resource, packed or not. */
export function unpackRecord(kept: string): WireJson {
  if (!kept.startsWith(packedMark)) return kept;
  const [name = '', team, teamId, update, words, author, called, by, date, source, late, metadata] =
    kept.split('\n');
  const id = `${idPrefixes.standup}_${name.slice(packedMark.length)}`;
  const at = toInstant(idTime(id));
  return (
    `{"id":"${id}",${between[0]}${team}${between[1]}${teamId}${between[2]}${update}${between[3]}` +
    `${words || usual.words}${between[4]}${author}${between[5]}${called}${between[6]}${by || usual.by}` +
    `${between[7]}${date}${between[8]}${source}${between[9]}${late || usual.late}${between[10]}` +
    `${metadata || usual.metadata}${renderEnd({revision: 1, created_at: at, updated_at: at})}`
  );
}
