import type {Texts} from '../catalogue.js';

export const web: Texts['web'] = {
  open: 'Dashboard öffnen',
  once: 'Anmeldelink. Er gilt einmal, 10 Minuten lang. Gib ihn nicht weiter.',
  here: 'Der Link funktioniert nur auf dem Server selbst, bis dein Betreiber PUBLIC_URL setzt.',
};
