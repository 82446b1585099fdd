/** A value that fills a placeholder in a message. */
export type Gap = string | number;

/** Forms of a phrase by number: `one` and `other` in English, up to six in other languages. */
type PluralForms = Partial<Record<Intl.LDMLPluralRule, string>> & {readonly other: string};

/** Functions with which compiled messages choose a plural form, or format a number, in a language. */
export function createCounts(language: string): {
  readonly plural: (count: number, forms: PluralForms) => string;
  readonly number: (value: number) => string;
} {
  const rules = new Intl.PluralRules(language);
  const digits = new Intl.NumberFormat(language);
  return {
    plural: (count, forms) => forms[rules.select(count)] ?? forms.other,
    number: (value) => digits.format(value),
  };
}
