import type {eventSentences as english} from '../en/event-sentences.ts';

export const eventSentences: typeof english = {
  'standup.created': ({who, isOwn, person, team}) =>
    isOwn
      ? `${who} hat in ${team} ein Standup geschrieben`
      : `${who} hat in ${team} ein Standup für ${person} geschrieben`,
  'standup.updated': ({who, isOwn, person, team}) =>
    isOwn
      ? `${who} hat ein Standup in ${team} bearbeitet`
      : `${who} hat ein Standup von ${person} in ${team} bearbeitet`,
  'standup.deleted': ({who, isOwn, person, team}) =>
    isOwn
      ? `${who} hat ein Standup in ${team} gelöscht`
      : `${who} hat ein Standup von ${person} in ${team} gelöscht`,
  'team.created': ({who, team}) => `${who} hat das Team ${team} erstellt`,
  'team.updated': ({who, team}) => `${who} hat das Team ${team} geändert`,
  'team.deleted': ({who, team}) => `${who} hat das Team ${team} gelöscht`,
  'team.member_added': ({who, isOwn, person, team}) =>
    isOwn ? `${who} ist ${team} beigetreten` : `${who} hat ${person} zu ${team} hinzugefügt`,
  'team.member_updated': ({who, isOwn, person, team, role}) =>
    `${who} hat ${isOwn ? 'die eigene Rolle' : `die Rolle von ${person}`} in ${team} geändert: ${role}`,
  'team.member_removed': ({who, isOwn, person, team}) =>
    isOwn ? `${who} hat ${team} verlassen` : `${who} hat ${person} aus ${team} entfernt`,
  'member.joined': ({who, isOwn, isService, person}) =>
    isOwn || isService
      ? `${person} ist jetzt im Workspace`
      : `${who} hat ${person} zum Workspace hinzugefügt`,
  'member.updated': ({who, isOwn, person}) =>
    isOwn
      ? `${who} hat die eigenen Einstellungen geändert`
      : `${who} hat die Einstellungen von ${person} geändert`,
  'member.left': ({who, isOwn, person}) =>
    isOwn ? `${who} hat den Workspace verlassen` : `${who} hat ${person} aus dem Workspace entfernt`,
  'absence.created': ({who, isOwn, person, days}) =>
    isOwn
      ? `${who} hat eine Abwesenheit eingetragen, ${days}`
      : `${who} hat eine Abwesenheit für ${person} eingetragen, ${days}`,
  'absence.updated': ({who, isOwn, person, days}) =>
    isOwn
      ? `${who} hat die eigene Abwesenheit geändert: ${days}`
      : `${who} hat die Abwesenheit von ${person} geändert: ${days}`,
  'absence.deleted': ({who, isOwn, person, days}) =>
    isOwn
      ? `${who} hat die eigene Abwesenheit gelöscht, ${days}`
      : `${who} hat die Abwesenheit von ${person} gelöscht, ${days}`,
  'holiday_calendar.created': ({who, name}) => `${who} hat den Feiertagskalender „${name}“ hinzugefügt`,
  'holiday_calendar.deleted': ({who, name}) => `${who} hat den Feiertagskalender „${name}“ gelöscht`,
  'token.created': ({who, isOwn, person, name, kind}) => {
    if (kind === 'session') return `${person} hat sich am Dashboard angemeldet`;
    const whose = isOwn ? '' : ` für ${person}`;
    return kind === 'sign_in_link'
      ? `${who} hat einen Anmeldelink${whose} erstellt`
      : `${who} hat das Zugriffstoken „${name}“${whose} erstellt`;
  },
  'token.revoked': ({who, isOwn, person, name, kind}) => {
    if (kind === 'session')
      return isOwn
        ? `${who} hat sich vom Dashboard abgemeldet`
        : `${who} hat ${person} vom Dashboard abgemeldet`;
    const whose = isOwn ? '' : ` von ${person}`;
    return kind === 'sign_in_link'
      ? `${who} hat einen Anmeldelink${whose} genutzt oder widerrufen`
      : `${who} hat das Zugriffstoken „${name}“${whose} widerrufen`;
  },
  'workspace.updated': ({who}) => `${who} hat den Workspace geändert`,
  'webhook.created': ({who, name}) => `${who} hat einen Webhook an ${name} erstellt`,
  'webhook.updated': ({who, name}) => `${who} hat den Webhook an ${name} geändert`,
  'webhook.deleted': ({who, name}) => `${who} hat den Webhook an ${name} gelöscht`,
  'webhook.failing': ({name}) => `Der Webhook an ${name} schlägt anhaltend fehl`,
  'webhook.disabled': ({who, isService, name, reason}) =>
    isService
      ? `Der Webhook an ${name} wurde ausgeschaltet: ${reason}`
      : `${who} hat den Webhook an ${name} ausgeschaltet`,
  'webhook.test': ({who, name}) => `${who} hat den Webhook an ${name} getestet`,
  'run.opened': ({who, isService, team, days}) =>
    isService
      ? `Die Runde von ${team} am ${days} wurde geöffnet`
      : `${who} hat die Runde von ${team} am ${days} geöffnet`,
  'run.reminded': ({team, days, count}) =>
    `Für ${count} ${count === 1 ? 'Person' : 'Personen'} in ${team} war eine Erinnerung an das Standup vom ${days} fällig`,
  'run.closed': ({team, days}) => `Die Runde von ${team} am ${days} wurde geschlossen`,
  'run.missed': ({team, days}) => `Ein Schritt der Runde von ${team} am ${days} ist ausgefallen`,
  'run.cancelled': ({who, isService, team, days}) =>
    isService
      ? `Die Runde von ${team} am ${days} wurde abgebrochen`
      : `${who} hat die Runde von ${team} am ${days} abgebrochen`,
  'run.updated': ({team, days}) => `Die Runde von ${team} am ${days} wurde aktualisiert`,
  'blocker.raised': ({who, isOwn, person, team, name}) =>
    `${who} hat in ${team} einen Blocker${isOwn ? '' : ` von ${person}`} gemeldet: „${name}“`,
  'blocker.updated': ({who, team, name}) => `${who} hat einen Blocker in ${team} bearbeitet: „${name}“`,
  'blocker.acknowledged': ({who, team, name}) => `${who} hat einen Blocker in ${team} übernommen: „${name}“`,
  'blocker.resolved': ({who, team, name}) => `${who} hat einen Blocker in ${team} gelöst: „${name}“`,
  'blocker.deleted': ({who, team, name}) => `${who} hat einen Blocker in ${team} gelöscht: „${name}“`,
  'slack.connected': ({who, isService}) =>
    isService ? 'Slack wurde verbunden' : `${who} hat den Workspace mit Slack verbunden`,
  'slack.disconnected': ({who, isService}) =>
    isService ? 'Slack wurde getrennt' : `${who} hat den Workspace von Slack getrennt`,
  'slack.post_failed': ({person, team, reason}) =>
    `Ein Standup von ${person} ließ sich in Slack für ${team} nicht anzeigen: ${reason}`,
  'slack.report_failed': ({team, days, reason}) =>
    `Der Bericht von ${team} am ${days} ließ sich in Slack nicht anzeigen: ${reason}`,
};
