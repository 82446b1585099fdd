import type {WireJson} from '../../domain/core/resource.js';

/**
 * An earlier revision, stored as the difference to the next one: `<length of the common beginning> <length of
 * the common end> <updated_at> <the text in between>`. A late standup changes only one line of a run's
 * report, so the difference is small even for a large team.
 */
export type Difference = string;

/**
 * Returns the difference between a draft, written at `updatedAt`, and the next one. Both are in the form of
 * `renderDraft`.
 */
export function findDifference(old: string, next: string, updatedAt: string): Difference {
  const most = Math.min(old.length, next.length);
  let begin = 0;
  // Whole blocks are compared first, because the texts are long.
  while (begin + block <= most && next.startsWith(old.slice(begin, begin + block), begin)) begin += block;
  while (begin < most && old.charCodeAt(begin) === next.charCodeAt(begin)) begin += 1;
  begin -= countSplitCodeUnits(old, begin);
  const left = most - begin;
  let end = 0;
  const endOf = (text: string) => text.length - end;
  while (end + block <= left && next.endsWith(old.slice(endOf(old) - block, endOf(old)), endOf(next)))
    end += block;
  while (end < left && old.charCodeAt(endOf(old) - 1) === next.charCodeAt(endOf(next) - 1)) end += 1;
  end -= countSplitCodeUnits(old, endOf(old));
  return `${begin} ${end} ${updatedAt} ${old.slice(begin, endOf(old))}`;
}

const block = 512;

/**
 * Returns 1 if a position is inside a character of two code units, else 0. Half a character could not be
 * stored as text.
 */
function countSplitCodeUnits(text: string, index: number): 0 | 1 {
  return (text.codePointAt(index - 1) ?? 0) > 0xffff ? 1 : 0;
}

const differencePattern = /^(\d+) (\d+) (\S+) /;
/** The length of the end of a JSON text that is searched for the revision and times. */
const endLength = 112;
const endPattern = /,"revision":(\d+),"created_at":"([^"]+)","updated_at":"[^"]+"\}$/;

/**
 * Returns the JSON of a revision that is stored as a difference, from that of the next revision. A revision
 * that is stored completely is returned unchanged.
 */
export function applyDifference(kept: string, next: WireJson): WireJson {
  const [head, begin, end, updatedAt] = differencePattern.exec(kept) ?? [];
  const [tail, revision, createdAt] = endPattern.exec(next.slice(-endLength)) ?? [];
  if (head === undefined || tail === undefined) return kept;
  const [from, to] = [next.indexOf(',') + 1, next.length - tail.length];
  const between = kept.slice(head.length);
  return (
    next.slice(0, from + Number(begin)) +
    between +
    next.slice(to - Number(end), to) +
    `,"revision":${Number(revision) - 1},"created_at":"${createdAt}","updated_at":"${updatedAt}"}`
  );
}

export function isDifference(kept: string): kept is Difference {
  return !kept.startsWith('{');
}
