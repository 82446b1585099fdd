import {renderDraft, type WireJson} from '../domain/resource.js';

/**
 * An earlier revision as its difference to the one after it: `<characters that both begin with> <and end with> <updated_at> <what it has in
 * between>`. A late standup changes one line of a run's report, so this stays small however large the team is.
 */
export type Difference = string;

/** `before`: the draft that `next` follows, and when it was written. */
export function differenceOf(
  before: {readonly draft: object; readonly updatedAt: string},
  next: object,
): Difference {
  const [old, now] = [renderDraft(before.draft), renderDraft(next)];
  const most = Math.min(old.length, now.length);
  let begin = 0;
  while (begin < most && old.charCodeAt(begin) === now.charCodeAt(begin)) begin += 1;
  begin -= cuts(old, begin);
  let end = 0;
  while (end < most - begin && old.charCodeAt(old.length - end - 1) === now.charCodeAt(now.length - end - 1))
    end += 1;
  end -= cuts(old, old.length - end);
  return `${begin} ${end} ${before.updatedAt} ${old.slice(begin, old.length - end)}`;
}

/** 1 where a place in a text is inside a character of two code units: half of one is no text that can be stored. */
function cuts(text: string, place: number): 0 | 1 {
  return (text.codePointAt(place - 1) ?? 0) > 0xffff ? 1 : 0;
}

const differencePattern = /^(\d+) (\d+) (\S+) /;
const endPattern = /,"revision":(\d+),"created_at":"([^"]+)","updated_at":"[^"]+"\}$/;

/** The wire JSON of a revision that is kept as a difference, from that of the one after it; what is kept in full is that. */
export function applyDifference(kept: string, next: WireJson): WireJson {
  const [head, begin, end, updatedAt] = differencePattern.exec(kept) ?? [];
  const [tail, revision, createdAt] = endPattern.exec(next) ?? [];
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
