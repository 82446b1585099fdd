import {plural} from '../plural.ts';

const characters = (amount: number): string =>
  `${amount} ${plural('en', amount, {one: 'character', other: 'characters'})}`;

/** Messages of fields and the text beside them; the first screen has no fields. */
export const fields = {
  noReminders: 'Slack is not set up here, so no reminders are sent.',
  clear: 'Clear',
  copied: 'Copied',
  typeToConfirm: (typed: string) => `Type ${typed} to confirm`,
  characters: (left: number) => `${characters(left)} left`,
  tooLong: (over: number) => `${characters(over)} too many`,
};
