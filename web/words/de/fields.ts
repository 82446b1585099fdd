import type {fields as english} from '../en/fields.ts';

export const fields: typeof english = {
  nobodyReminded: 'Slack ist in dieser Installation nicht eingerichtet, daher wird niemand erinnert.',
  clear: 'Leeren',
  copied: 'Kopiert',
  typeToConfirm: (typed) => `Zur Bestätigung ${typed} eingeben`,
  characters: (left) => `Noch ${left} Zeichen`,
  tooLong: (over) => `${over} Zeichen zu viel`,
};
