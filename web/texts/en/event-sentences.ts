/** The facts of an event as texts for its sentence. */
export interface EventFacts {
  readonly actor: string;
  /** The service acted, not a person or program. */
  readonly isService: boolean;
  /** The owner, or the person the event is about; `isOwn` when that is the actor. */
  readonly person: string;
  readonly isOwn: boolean;
  readonly team: string;
  /** The name of a team, a token or a calendar; the host of a webhook; the text of a blocker. */
  readonly name: string;
  /** A date, or a range of dates. */
  readonly days: string;
  readonly role: string;
  /** The kind of a token. */
  readonly kind: string;
  /** A reason code. */
  readonly reason: string;
  readonly count: number;
}

type EventSentence = (facts: EventFacts) => string;

/** One sentence for each event type. */
export const eventSentences: Readonly<Record<string, EventSentence>> = {
  'standup.created': ({actor, isOwn, person, team}) =>
    isOwn ? `${actor} posted a standup in ${team}` : `${actor} posted a standup for ${person} in ${team}`,
  'standup.updated': ({actor, isOwn, person, team}) =>
    isOwn ? `${actor} edited a standup in ${team}` : `${actor} edited a standup of ${person} in ${team}`,
  'standup.deleted': ({actor, isOwn, person, team}) =>
    isOwn ? `${actor} deleted a standup in ${team}` : `${actor} deleted a standup of ${person} in ${team}`,
  'team.created': ({actor, team}) => `${actor} created the team ${team}`,
  'team.updated': ({actor, team}) => `${actor} changed the team ${team}`,
  'team.deleted': ({actor, team}) => `${actor} deleted the team ${team}`,
  'team.member_added': ({actor, isOwn, person, team}) =>
    isOwn ? `${actor} joined ${team}` : `${actor} added ${person} to ${team}`,
  'team.member_updated': ({actor, isOwn, person, team, role}) =>
    `${actor} changed ${isOwn ? 'their own role' : `the role of ${person}`} in ${team} to ${role}`,
  'team.member_removed': ({actor, isOwn, person, team}) =>
    isOwn ? `${actor} left ${team}` : `${actor} removed ${person} from ${team}`,
  'member.joined': ({actor, isOwn, isService, person}) =>
    isOwn || isService ? `${person} joined the workspace` : `${actor} added ${person} to the workspace`,
  'member.updated': ({actor, isOwn, person}) =>
    isOwn ? `${actor} changed their own settings` : `${actor} changed the settings of ${person}`,
  'member.left': ({actor, isOwn, person}) =>
    isOwn ? `${actor} left the workspace` : `${actor} removed ${person} from the workspace`,
  'absence.created': ({actor, isOwn, person, days}) =>
    isOwn ? `${actor} added an absence, ${days}` : `${actor} added an absence for ${person}, ${days}`,
  'absence.updated': ({actor, isOwn, person, days}) =>
    isOwn ? `${actor} changed their absence: ${days}` : `${actor} changed the absence of ${person}: ${days}`,
  'absence.deleted': ({actor, isOwn, person, days}) =>
    isOwn ? `${actor} deleted their absence, ${days}` : `${actor} deleted the absence of ${person}, ${days}`,
  'holiday_calendar.created': ({actor, name}) => `${actor} added the holiday calendar “${name}”`,
  'holiday_calendar.deleted': ({actor, name}) => `${actor} deleted the holiday calendar “${name}”`,
  'token.created': ({actor, isOwn, person, name, kind}) => {
    if (kind === 'session') return `${person} signed in to the dashboard`;
    const holder = isOwn ? '' : ` for ${person}`;
    return kind === 'sign_in_link'
      ? `${actor} created a sign-in link${holder}`
      : `${actor} created the access token “${name}”${holder}`;
  },
  'token.revoked': ({actor, isOwn, person, name, kind}) => {
    if (kind === 'session')
      return isOwn
        ? `${actor} signed out of the dashboard`
        : `${actor} signed ${person} out of the dashboard`;
    const holder = isOwn ? '' : ` of ${person}`;
    return kind === 'sign_in_link'
      ? `${actor} used or revoked a sign-in link${holder}`
      : `${actor} revoked the access token “${name}”${holder}`;
  },
  'workspace.updated': ({actor}) => `${actor} changed the workspace`,
  'webhook.created': ({actor, name}) => `${actor} created a webhook to ${name}`,
  'webhook.updated': ({actor, name}) => `${actor} changed the webhook to ${name}`,
  'webhook.deleted': ({actor, name}) => `${actor} deleted the webhook to ${name}`,
  'webhook.failing': ({name}) => `The webhook to ${name} keeps failing`,
  'webhook.disabled': ({actor, isService, name, reason}) =>
    isService ? `The webhook to ${name} was disabled: ${reason}` : `${actor} disabled the webhook to ${name}`,
  'webhook.test': ({actor, name}) => `${actor} tested the webhook to ${name}`,
  'run.opened': ({actor, isService, team, days}) =>
    isService ? `The run of ${team} on ${days} opened` : `${actor} opened the run of ${team} on ${days}`,
  'run.reminded': ({team, days, count}) =>
    `A reminder of the standup of ${days} was due for ${count} ${count === 1 ? 'person' : 'people'} in ${team}`,
  'run.closed': ({team, days}) => `The run of ${team} on ${days} closed`,
  'run.missed': ({team, days}) => `A step of the run of ${team} on ${days} was missed`,
  'run.cancelled': ({actor, isService, team, days}) =>
    isService
      ? `The run of ${team} on ${days} was cancelled`
      : `${actor} cancelled the run of ${team} on ${days}`,
  'run.updated': ({team, days}) => `The run of ${team} on ${days} was updated`,
  'blocker.raised': ({actor, isOwn, person, team, name}) =>
    `${actor} raised a blocker${isOwn ? '' : ` of ${person}`} in ${team}: “${name}”`,
  'blocker.updated': ({actor, team, name}) => `${actor} edited a blocker in ${team}: “${name}”`,
  'blocker.acknowledged': ({actor, team, name}) => `${actor} acknowledged a blocker in ${team}: “${name}”`,
  'blocker.resolved': ({actor, team, name}) => `${actor} resolved a blocker in ${team}: “${name}”`,
  'blocker.deleted': ({actor, team, name}) => `${actor} deleted a blocker in ${team}: “${name}”`,
  'slack.connected': ({actor, isService}) =>
    isService ? 'Slack was connected' : `${actor} connected the workspace to Slack`,
  'slack.disconnected': ({actor, isService}) =>
    isService ? 'Slack was disconnected' : `${actor} disconnected the workspace from Slack`,
  'slack.post_failed': ({person, team, reason}) =>
    `A standup of ${person} could not be shown in Slack for ${team}: ${reason}`,
  'slack.report_failed': ({team, days, reason}) =>
    `The report of ${team} on ${days} could not be shown in Slack: ${reason}`,
};
