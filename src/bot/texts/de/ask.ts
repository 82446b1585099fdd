import {createPlural} from '../plural.js';
import type {Texts} from '../catalogue.js';

const plural = createPlural('de');

export const ask: Texts['ask'] = {
  opened: (teams) =>
    plural(teams, {
      one: 'Zeit für dein Standup.',
      other: 'Zeit für deine Standups.',
    }),
  moved: 'Siehe die Nachricht unten.',
  edit: 'Bearbeiten',
  editFor: (team) => `${team} bearbeiten`,
  when: 'Wann ich gefragt werde',
  whenHint: 'Du bekommst eine Nachricht für alle deine Teams.',
  times: {
    team: 'Wie das jeweilige Team',
    opening: 'Wenn ein Standup öffnet',
    before_closing: 'Bevor es schließt',
    both: 'Wenn es öffnet und noch einmal, bevor es schließt',
  },
};
