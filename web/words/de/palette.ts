import type {palette as english} from '../en/palette.ts';

export const palette: typeof english = {
  placeholder: 'Befehl oder Seite eingeben',
  none: 'Nichts heißt so.',
  close: 'Schließen',
  keysOn: 'Einzelne Tasten',
  keysHint: 'Schalte sie ab, wenn du deinen Computer per Sprache steuerst.',
  andThen: 'dann',
  pages: 'Auf jeder Seite',
  requests: {
    intro:
      'Alles, was diese Seite die API gefragt hat, das Neueste zuerst. Jedes Programm kann dasselbe mit einem Zugangstoken.',
    none: 'Noch wurde nichts gefragt.',
    noAnswer: 'keine Antwort',
    copy: 'Als curl kopieren',
    copied: 'Kopiert. Setze STANDUP_TOKEN auf ein Zugangstoken, bevor du es ausführst.',
    id: (id) => `Anfrage ${id}`,
    ms: (ms) => `${ms} ms`,
  },
};
