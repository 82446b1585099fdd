import {slackLimits} from './names.js';

const risky = /[&<>]/g;

/** Packs the value of a button into text that stays the same whether or not Slack escapes it. */
export function packValue(value: object): string {
  return JSON.stringify(value).replaceAll(
    risky,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Returns the parsed value of a button; empty if the value is not from this service. */
export function parseValue(value: string | undefined): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(value ?? '');
    return typeof parsed === 'object' && parsed !== null ? {...parsed} : {};
  } catch {
    return {};
  }
}

/** Packs a person's text for a button; empty if the text does not fit. */
export function packText(text: string): string {
  const packed = text === '' ? '' : packValue({text});
  return packed.length <= slackLimits.buttonValue ? packed : '';
}

/** Returns the text packed in a button; empty if there is none. */
export function readText(value: string): string {
  const {text} = parseValue(value);
  return typeof text === 'string' ? text : '';
}
