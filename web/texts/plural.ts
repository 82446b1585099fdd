/** Chooses the plural form for a number, by the rules of the language. */
export function plural(
  language: string,
  count: number,
  forms: {readonly one: string; readonly other: string},
): string {
  return new Intl.PluralRules(language).select(count) === 'one' ? forms.one : forms.other;
}
