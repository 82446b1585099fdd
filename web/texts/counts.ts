/** A value in the gap of a message. */
export type Gap = string | number;

/** The forms of a phrase by number, by language: `one` and `other` in English, up to six elsewhere. */
type PluralForms = Partial<Record<Intl.LDMLPluralRule, string>> & {readonly other: string};

/** Plural forms and numbers in a language, for compiled messages. */
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
