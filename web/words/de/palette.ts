import type {palette as english} from '../en/palette.ts';

export const palette: typeof english = {
  placeholder: 'Befehl oder Seite eingeben',
  none: 'Nichts heißt so.',
  close: 'Schließen',
  keysOn: 'Einzelne Tasten',
  keysHint: 'Schalten Sie sie ab, wenn Sie Ihren Computer per Sprache steuern.',
  andThen: 'dann',
  pages: 'Auf jeder Seite',
  requests: {
    intro:
      'Alles, was diese Seite die API gefragt hat, das Neueste zuerst. Jedes Programm kann dasselbe mit einem Zugangstoken.',
    none: 'Noch wurde nichts gefragt.',
    noAnswer: 'keine Antwort',
    copy: 'Als curl kopieren',
    copied: 'Kopiert. Setzen Sie STANDUP_TOKEN auf ein Zugangstoken, bevor Sie es ausführen.',
    id: (id) => `Anfrage ${id}`,
    ms: (ms) => `${ms} ms`,
  },
};
