import type {eventSentences as english} from '../en/event-sentences.ts';

export const eventSentences: typeof english = {
  'standup.created': ({actor, isOwn, person, team}) =>
    isOwn
      ? `${actor} hat in ${team} ein Standup geschrieben`
      : `${actor} hat in ${team} ein Standup für ${person} geschrieben`,
  'standup.updated': ({actor, isOwn, person, team}) =>
    isOwn
      ? `${actor} hat ein Standup in ${team} bearbeitet`
      : `${actor} hat ein Standup von ${person} in ${team} bearbeitet`,
  'standup.deleted': ({actor, isOwn, person, team}) =>
    isOwn
      ? `${actor} hat ein Standup in ${team} gelöscht`
      : `${actor} hat ein Standup von ${person} in ${team} gelöscht`,
  'team.created': ({actor, team}) => `${actor} hat das Team ${team} erstellt`,
  'team.updated': ({actor, team}) => `${actor} hat das Team ${team} geändert`,
  'team.deleted': ({actor, team}) => `${actor} hat das Team ${team} gelöscht`,
  'team.member_added': ({actor, isOwn, person, team}) =>
    isOwn ? `${actor} ist ${team} beigetreten` : `${actor} hat ${person} zu ${team} hinzugefügt`,
  'team.member_updated': ({actor, isOwn, person, team, role}) =>
    `${actor} hat ${isOwn ? 'die eigene Rolle' : `die Rolle von ${person}`} in ${team} geändert: ${role}`,
  'team.member_removed': ({actor, isOwn, person, team}) =>
    isOwn ? `${actor} hat ${team} verlassen` : `${actor} hat ${person} aus ${team} entfernt`,
  'member.joined': ({actor, isOwn, isService, person}) =>
    isOwn || isService
      ? `${person} ist jetzt im Workspace`
      : `${actor} hat ${person} zum Workspace hinzugefügt`,
  'member.updated': ({actor, isOwn, person}) =>
    isOwn
      ? `${actor} hat die eigenen Einstellungen geändert`
      : `${actor} hat die Einstellungen von ${person} geändert`,
  'member.left': ({actor, isOwn, person}) =>
    isOwn ? `${actor} hat den Workspace verlassen` : `${actor} hat ${person} aus dem Workspace entfernt`,
  'absence.created': ({actor, isOwn, person, days}) =>
    isOwn
      ? `${actor} hat eine Abwesenheit eingetragen, ${days}`
      : `${actor} hat eine Abwesenheit für ${person} eingetragen, ${days}`,
  'absence.updated': ({actor, isOwn, person, days}) =>
    isOwn
      ? `${actor} hat die eigene Abwesenheit geändert: ${days}`
      : `${actor} hat die Abwesenheit von ${person} geändert: ${days}`,
  'absence.deleted': ({actor, isOwn, person, days}) =>
    isOwn
      ? `${actor} hat die eigene Abwesenheit gelöscht, ${days}`
      : `${actor} hat die Abwesenheit von ${person} gelöscht, ${days}`,
  'holiday_calendar.created': ({actor, name}) => `${actor} hat den Feiertagskalender „${name}“ hinzugefügt`,
  'holiday_calendar.deleted': ({actor, name}) => `${actor} hat den Feiertagskalender „${name}“ gelöscht`,
  'token.created': ({actor, isOwn, person, name, kind}) => {
    if (kind === 'session') return `${person} hat sich am Dashboard angemeldet`;
    const holder = isOwn ? '' : ` für ${person}`;
    return kind === 'sign_in_link'
      ? `${actor} hat einen Anmeldelink${holder} erstellt`
      : `${actor} hat das Zugriffstoken „${name}“${holder} erstellt`;
  },
  'token.revoked': ({actor, isOwn, person, name, kind}) => {
    if (kind === 'session')
      return isOwn
        ? `${actor} hat sich vom Dashboard abgemeldet`
        : `${actor} hat ${person} vom Dashboard abgemeldet`;
    const holder = isOwn ? '' : ` von ${person}`;
    return kind === 'sign_in_link'
      ? `${actor} hat einen Anmeldelink${holder} genutzt oder widerrufen`
      : `${actor} hat das Zugriffstoken „${name}“${holder} widerrufen`;
  },
  'workspace.updated': ({actor}) => `${actor} hat den Workspace geändert`,
  'webhook.created': ({actor, name}) => `${actor} hat einen Webhook an ${name} erstellt`,
  'webhook.updated': ({actor, name}) => `${actor} hat den Webhook an ${name} geändert`,
  'webhook.deleted': ({actor, name}) => `${actor} hat den Webhook an ${name} gelöscht`,
  'webhook.failing': ({name}) => `Der Webhook an ${name} schlägt anhaltend fehl`,
  'webhook.disabled': ({actor, isService, name, reason}) =>
    isService
      ? `Der Webhook an ${name} wurde ausgeschaltet: ${reason}`
      : `${actor} hat den Webhook an ${name} ausgeschaltet`,
  'webhook.test': ({actor, name}) => `${actor} hat den Webhook an ${name} getestet`,
  'run.opened': ({actor, isService, team, days}) =>
    isService
      ? `Die Runde von ${team} am ${days} wurde geöffnet`
      : `${actor} hat die Runde von ${team} am ${days} geöffnet`,
  'run.reminded': ({team, days, count}) =>
    `Für ${count} ${count === 1 ? 'Person' : 'Personen'} in ${team} war eine Erinnerung an das Standup vom ${days} fällig`,
  'run.closed': ({team, days}) => `Die Runde von ${team} am ${days} wurde geschlossen`,
  'run.missed': ({team, days}) => `Ein Schritt der Runde von ${team} am ${days} ist ausgefallen`,
  'run.cancelled': ({actor, isService, team, days}) =>
    isService
      ? `Die Runde von ${team} am ${days} wurde abgebrochen`
      : `${actor} hat die Runde von ${team} am ${days} abgebrochen`,
  'run.updated': ({team, days}) => `Die Runde von ${team} am ${days} wurde aktualisiert`,
  'blocker.raised': ({actor, isOwn, person, team, name}) =>
    `${actor} hat in ${team} einen Blocker${isOwn ? '' : ` von ${person}`} gemeldet: „${name}“`,
  'blocker.updated': ({actor, team, name}) => `${actor} hat einen Blocker in ${team} bearbeitet: „${name}“`,
  'blocker.acknowledged': ({actor, team, name}) =>
    `${actor} hat einen Blocker in ${team} übernommen: „${name}“`,
  'blocker.resolved': ({actor, team, name}) => `${actor} hat einen Blocker in ${team} gelöst: „${name}“`,
  'blocker.deleted': ({actor, team, name}) => `${actor} hat einen Blocker in ${team} gelöscht: „${name}“`,
  'slack.connected': ({actor, isService}) =>
    isService ? 'Slack wurde verbunden' : `${actor} hat den Workspace mit Slack verbunden`,
  'slack.disconnected': ({actor, isService}) =>
    isService ? 'Slack wurde getrennt' : `${actor} hat den Workspace von Slack getrennt`,
  'slack.post_failed': ({person, team, reason}) =>
    `Ein Standup von ${person} ließ sich in Slack für ${team} nicht anzeigen: ${reason}`,
  'slack.report_failed': ({team, days, reason}) =>
    `Der Bericht von ${team} am ${days} ließ sich in Slack nicht anzeigen: ${reason}`,
};
