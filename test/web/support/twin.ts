import type {Json} from '../../support/service.js';

/** Two workspaces in which the same is done: what has other names in the second, and whether the two are alike. */
export interface Twins {
  /** Both say the same thing: from now on the names of the first stand for those of the second. */
  learn(first: Json, second: Json): void;
  /** A text of the first workspace, in the names of the second. */
  translate(text: string): string;
  /** What a body says, in the names of the second, without what no two requests have in common. */
  plain(body: Json): Json;
}

const name = /\b[a-z]+_[0-9A-Za-z]{16,}\b|"[0-9A-Za-z_-]{6,}"/g;
/** Of each request its own; and what a token makes ends with it, what a session makes is the person's. */
const ofEach = new Set(['request_id', 'parent', 'webhook-timestamp']);
/** Measured, or counted in logs of which one has the sign-ins of pages too. */
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

  /** In a body an id stands in quotes, as an entity tag does, and is known without them. */
  const translateOne = (one: string): string => {
    const inner = one.replaceAll('"', '');
    return names.get(one) ?? one.replace(inner, names.get(inner) ?? inner);
  };
  const translate = (text: string): string => text.replaceAll(name, translateOne);

  function plain(body: Json): Json {
    if (typeof body === 'string') {
      // Says who did it, which is the one thing in which they differ.
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
