/** Control characters, line ends, direction changes and zero-width characters: unfit for a name. */
const unfit =
  /[\p{Cc}\p{Surrogate}\u2028\u2029\u202a-\u202e\u2066-\u2069\u00ad\u200b\u2060-\u2064\ufeff\ufff9-\ufffb]+/gu;

/** Joiners, direction marks and variation selectors: a name must not consist only of them. */
const unseen = /[\s\p{Join_Control}\p{Bidi_Control}\p{Variation_Selector}]/gu;

/** Cleans a name for one line: unfit characters become a space. Joiners stay for emoji and scripts. */
export function cleanName(name: string): string {
  const clean = name.replaceAll(unfit, ' ').replaceAll(/ {2,}/g, ' ').trim();
  return clean.replaceAll(unseen, '') === '' ? '?' : clean;
}
