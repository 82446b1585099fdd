import type {Json} from '../../support/service.js';

/** Maps ids between two workspaces with equal content, and compares their answers. */
export interface Twins {
  /** Learns from two equal answers which id of the second workspace matches which of the first. */
  learn(first: Json, second: Json): void;
  /** Replaces the ids of the first workspace in a text with those of the second. */
  translate(text: string): string;
  /** Translates a body, and removes values that differ in every request. */
  plain(body: Json): Json;
}

const name = /\b[a-z]+_[0-9A-Za-z]{16,}\b|"[0-9A-Za-z_.-]{6,}"|\b[B-Z]{4}-[B-Z]{4}\b/g;
/** Members that differ in every request. `parent`: only a token that was created by a token has one. */
const ofEach = new Set(['request_id', 'parent', 'webhook-timestamp']);
/** Measured values, and counts of logs, of which only one has the sign-ins of pages. */
const measured = /^(?:total|scanned|used_bytes|\w+_ms)$/;
const instant = /^(?:\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)|[A-Z][a-z]{2}, .* GMT)$/;

export function createTwins(): Twins {
  const names = new Map<string, string>();

  function learn(first: Json, second: Json): void {
    if (typeof first === 'string' && typeof second === 'string') {
      if (first !== second && !instant.test(first)) names.set(first, second);
      const theirs = [...second.matchAll(name)];
      for (const [i, [one]] of [...first.matchAll(name)].entries()) {
        const other = theirs[i]?.[0];
        if (other !== undefined) names.set(one, other);
      }
      return;
    }
    if (typeof first !== 'object' || first === null) return;
    for (const [key, value] of Object.entries<Json>(first)) learn(value, second?.[key]);
  }

  /** An id in a JSON body is quoted, like an entity tag, but learned without quotes. */
  const translateOne = (one: string): string => {
    const inner = one.replaceAll('"', '');
    return names.get(one) ?? one.replace(inner, names.get(inner) ?? inner);
  };
  const translate = (text: string): string => text.replaceAll(name, translateOne);

  function plain(body: Json): Json {
    if (typeof body === 'string') {
      // The source of the change, the only intended difference.
      if (body === 'dashboard') return 'api';
      return instant.test(body) ? 'an instant' : (names.get(body) ?? translate(body));
    }
    if (Array.isArray(body)) return body.map(plain);
    if (typeof body !== 'object' || body === null) return body;
    return Object.fromEntries(
      Object.entries(body).map(([key, value]) => [
        key,
        ofEach.has(key) || measured.test(key) ? '' : plain(value),
      ]),
    );
  }

  return {learn, translate, plain};
}
