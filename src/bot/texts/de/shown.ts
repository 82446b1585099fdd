import type {Texts} from '../catalogue.js';

export const shown: Texts['shown'] = {
  edit: 'Bearbeiten',
  delete: 'Löschen',
  title: 'Standup löschen',
  sure: (team, day) =>
    `Dein Standup für ${team}, ${day}, löschen? Es verschwindet aus dem Channel und dem Bericht.`,
  sureOf: (name, team, day) =>
    `Standup von ${name} für ${team}, ${day}, löschen? Es verschwindet aus dem Channel und dem Bericht.`,
  keep: 'Behalten',
  loading: 'Einen Moment …',
  close: 'Schließen',
  retry: 'Nichts wurde gelöscht. Bitte wähle „Löschen“ erneut.',
  changedOf: (name) => `Standup von ${name} geändert. Der Text:`,
  deletedOf: (name) => `Standup von ${name} gelöscht. Der Text:`,
  notDeleted: (reason) => `Nichts wurde gelöscht. ${reason}`,
  editing: (name) => `Du bearbeitest das Standup von ${name}.`,
};
