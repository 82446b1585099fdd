import {plural} from '../plural.ts';

const characters = (amount: number): string =>
  `${amount} ${plural('en', amount, {one: 'character', other: 'characters'})}`;

/** Words of fields; the first screen has none. */
export const fields = {
  typeToConfirm: (typed: string) => `Type ${typed} to confirm`,
  characters: (left: number) => `${characters(left)} left`,
  tooLong: (over: number) => `${characters(over)} too many`,
};
