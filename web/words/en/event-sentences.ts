/** The facts of an event as words for its sentence. */
export interface EventFacts {
  /** The actor. */
  readonly who: string;
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

type Sentence = (facts: EventFacts) => string;

/** One sentence for each event type. */
export const eventSentences: Readonly<Record<string, Sentence>> = {
  'standup.created': ({who, isOwn, person, team}) =>
    isOwn ? `${who} posted a standup in ${team}` : `${who} posted a standup for ${person} in ${team}`,
  'standup.updated': ({who, isOwn, person, team}) =>
    isOwn ? `${who} edited a standup in ${team}` : `${who} edited a standup of ${person} in ${team}`,
  'standup.deleted': ({who, isOwn, person, team}) =>
    isOwn ? `${who} deleted a standup in ${team}` : `${who} deleted a standup of ${person} in ${team}`,
  'team.created': ({who, team}) => `${who} created the team ${team}`,
  'team.updated': ({who, team}) => `${who} changed the team ${team}`,
  'team.deleted': ({who, team}) => `${who} deleted the team ${team}`,
  'team.member_added': ({who, isOwn, person, team}) =>
    isOwn ? `${who} joined ${team}` : `${who} added ${person} to ${team}`,
  'team.member_updated': ({who, isOwn, person, team, role}) =>
    `${who} changed ${isOwn ? 'their own role' : `the role of ${person}`} in ${team} to ${role}`,
  'team.member_removed': ({who, isOwn, person, team}) =>
    isOwn ? `${who} left ${team}` : `${who} removed ${person} from ${team}`,
  'member.joined': ({who, isOwn, isService, person}) =>
    isOwn || isService ? `${person} joined the workspace` : `${who} added ${person} to the workspace`,
  'member.updated': ({who, isOwn, person}) =>
    isOwn ? `${who} changed their own settings` : `${who} changed the settings of ${person}`,
  'member.left': ({who, isOwn, person}) =>
    isOwn ? `${who} left the workspace` : `${who} removed ${person} from the workspace`,
  'absence.created': ({who, isOwn, person, days}) =>
    isOwn ? `${who} added an absence, ${days}` : `${who} added an absence for ${person}, ${days}`,
  'absence.updated': ({who, isOwn, person, days}) =>
    isOwn ? `${who} changed their absence: ${days}` : `${who} changed the absence of ${person}: ${days}`,
  'absence.deleted': ({who, isOwn, person, days}) =>
    isOwn ? `${who} deleted their absence, ${days}` : `${who} deleted the absence of ${person}, ${days}`,
  'holiday_calendar.created': ({who, name}) => `${who} added the holiday calendar “${name}”`,
  'holiday_calendar.deleted': ({who, name}) => `${who} deleted the holiday calendar “${name}”`,
  'token.created': ({who, isOwn, person, name, kind}) => {
    if (kind === 'session') return `${person} signed in to the dashboard`;
    const whose = isOwn ? '' : ` for ${person}`;
    return kind === 'sign_in_link'
      ? `${who} created a sign-in link${whose}`
      : `${who} created the access token “${name}”${whose}`;
  },
  'token.revoked': ({who, isOwn, person, name, kind}) => {
    if (kind === 'session')
      return isOwn ? `${who} signed out of the dashboard` : `${who} signed ${person} out of the dashboard`;
    const whose = isOwn ? '' : ` of ${person}`;
    return kind === 'sign_in_link'
      ? `${who} used or revoked a sign-in link${whose}`
      : `${who} revoked the access token “${name}”${whose}`;
  },
  'workspace.updated': ({who}) => `${who} changed the workspace`,
  'webhook.created': ({who, name}) => `${who} created a webhook to ${name}`,
  'webhook.updated': ({who, name}) => `${who} changed the webhook to ${name}`,
  'webhook.deleted': ({who, name}) => `${who} deleted the webhook to ${name}`,
  'webhook.failing': ({name}) => `The webhook to ${name} keeps failing`,
  'webhook.disabled': ({who, isService, name, reason}) =>
    isService ? `The webhook to ${name} was disabled: ${reason}` : `${who} disabled the webhook to ${name}`,
  'webhook.test': ({who, name}) => `${who} tested the webhook to ${name}`,
  'run.opened': ({who, isService, team, days}) =>
    isService ? `The run of ${team} on ${days} opened` : `${who} opened the run of ${team} on ${days}`,
  'run.reminded': ({team, days, count}) =>
    `A reminder of the standup of ${days} was due for ${count} ${count === 1 ? 'person' : 'people'} in ${team}`,
  'run.closed': ({team, days}) => `The run of ${team} on ${days} closed`,
  'run.missed': ({team, days}) => `A step of the run of ${team} on ${days} was missed`,
  'run.cancelled': ({who, isService, team, days}) =>
    isService
      ? `The run of ${team} on ${days} was cancelled`
      : `${who} cancelled the run of ${team} on ${days}`,
  'run.updated': ({team, days}) => `The run of ${team} on ${days} was updated`,
  'blocker.raised': ({who, isOwn, person, team, name}) =>
    `${who} raised a blocker${isOwn ? '' : ` of ${person}`} in ${team}: “${name}”`,
  'blocker.updated': ({who, team, name}) => `${who} edited a blocker in ${team}: “${name}”`,
  'blocker.acknowledged': ({who, team, name}) => `${who} acknowledged a blocker in ${team}: “${name}”`,
  'blocker.resolved': ({who, team, name}) => `${who} resolved a blocker in ${team}: “${name}”`,
  'blocker.deleted': ({who, team, name}) => `${who} deleted a blocker in ${team}: “${name}”`,
  'slack.connected': ({who, isService}) =>
    isService ? 'Slack was connected' : `${who} connected the workspace to Slack`,
  'slack.disconnected': ({who, isService}) =>
    isService ? 'Slack was disconnected' : `${who} disconnected the workspace from Slack`,
  'slack.post_failed': ({person, team, reason}) =>
    `A standup of ${person} could not be shown in Slack for ${team}: ${reason}`,
  'slack.report_failed': ({team, days, reason}) =>
    `The report of ${team} on ${days} could not be shown in Slack: ${reason}`,
};
