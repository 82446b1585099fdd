import type {reminders as english} from '../en/reminders.ts';

export const reminders: typeof english = {
  reminded: (names) => `Erinnert: ${names}.`,
  noReminders: 'Keine Erinnerungen gesendet.',
  notReminded: {
    slack_not_connected: (names) =>
      `Nicht erinnert, weil Slack nicht verbunden ist: ${names}. Sag selbst Bescheid oder verbinde Slack in den Workspace-Einstellungen.`,
    not_in_slack: (names) => `Nicht erinnert, weil kein Slack-Konto verknüpft ist: ${names}.`,
    reminders_off: (names) => `Nicht erinnert, weil Erinnerungen ausgeschaltet sind: ${names}.`,
    quiet_hours: (names) => `Nicht erinnert, weil die Ruhezeit bis zum Schließen dauert: ${names}.`,
    day_off: (names) => `Heute frei: ${names}.`,
  },
  notRemindedElse: (names) => `Nicht erinnert: ${names}.`,
};
