import type {palette as english} from '../en/palette.ts';

export const palette: typeof english = {
  placeholder: 'Befehl oder Seite eingeben',
  none: 'Keine Treffer',
  close: 'Schließen',
  keysOn: 'Einzelne Tasten',
  keysHint: 'Schalte sie aus, wenn du Sprachsteuerung nutzt oder versehentlich Tasten drückst.',
  andThen: 'dann',
  pages: 'Auf jeder Seite',
  requests: {
    intro:
      'Alle API-Anfragen dieser Seite, neueste zuerst. Ein Programm kann dieselben mit einem Zugriffstoken senden.',
    none: 'Noch keine Anfragen.',
    noAnswer: 'keine Antwort',
    copy: 'Als curl kopieren',
    copied: 'Kopiert. Setze STANDUP_TOKEN auf ein Zugriffstoken, bevor du den Befehl ausführst.',
    id: (id) => `Anfrage ${id}`,
    ms: (ms) => `${ms} ms`,
  },
};
