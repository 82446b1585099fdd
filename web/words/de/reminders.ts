import type {reminders as english} from '../en/reminders.ts';

export const reminders: typeof english = {
  reminded: (names) => `Erinnert: ${names}.`,
  nobodyReminded: 'Niemand wird erinnert.',
  notReminded: {
    slack_not_connected: (names) =>
      `Nicht erinnert, da Slack nicht verbunden ist: ${names}. Sag es ihnen selbst, oder verbinde Slack in den Einstellungen des Arbeitsbereichs.`,
    not_in_slack: (names) => `Nicht erinnert, da sie mit niemandem in Slack verknüpft sind: ${names}.`,
    reminders_off: (names) => `Nicht erinnert, da sie keine Erinnerungen möchten: ${names}.`,
    quiet_hours: (names) => `Nicht erinnert, da ihre Ruhezeit bis zum Schluss dauert: ${names}.`,
    day_off: (names) => `Heute frei: ${names}.`,
  },
  notRemindedElse: (names) => `Nicht erinnert: ${names}.`,
};
