export type Gap = string | number;

/** The plural forms of a phrase: `one` and `other` in English, up to six in other languages. */
type PluralForms = Partial<Record<Intl.LDMLPluralRule, string>> & {readonly other: string};

/** Creates the functions by which compiled messages choose plural forms and format numbers. */
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
