import type {fields as english} from '../en/fields.ts';

export const fields: typeof english = {
  noReminders: 'Slack ist hier nicht eingerichtet, daher werden keine Erinnerungen gesendet.',
  clear: 'Leeren',
  copied: 'Kopiert',
  typeToConfirm: (typed) => `Zur Bestätigung ${typed} eingeben`,
  characters: (left) => `Noch ${left} Zeichen`,
  tooLong: (over) => `${over} Zeichen zu viel`,
};
