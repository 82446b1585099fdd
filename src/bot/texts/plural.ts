/** The forms of a phrase by number, by language: `one` and `other` in English, up to six elsewhere. */
export type PluralForms = Partial<Record<Intl.LDMLPluralRule, string>> & {readonly other: string};

/** Chooses the form for a number; `#` in it is replaced by the number, as the locale writes it. */
export function createPlural(locale: string): (count: number, forms: PluralForms) => string {
  const rules = new Intl.PluralRules(locale);
  const digits = new Intl.NumberFormat(locale);
  return (count, forms) =>
    (forms[rules.select(count)] ?? forms.other).replaceAll('#', () => digits.format(count));
}
