import type {Texts} from '../catalogue.js';

export const gone: Texts['gone'] = {
  deactivated: (name, teams) =>
    `Das Slack-Konto von ${name} ist deaktiviert. Ich frage in ${teams} nicht mehr nach Standups dieser Person, und sie zählt nicht als fehlend.`,
  remove: 'Aus dem Team entfernen',
  removeFrom: (team) => `Aus ${team} entfernen`,
  ask: (name, team) => `${name} aus ${team} entfernen? Bisherige Standups bleiben.`,
  confirm: 'Entfernen',
  keep: 'Behalten',
  removed: (team) => `Aus ${team} entfernt.`,
};
