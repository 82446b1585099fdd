import type {fields as english} from '../en/fields.ts';

export const fields: typeof english = {
  typeToConfirm: (typed) => `Zur Bestätigung ${typed} eingeben`,
  characters: (left) => `Noch ${left} Zeichen`,
  tooLong: (over) => `${over} Zeichen zu viel`,
};
