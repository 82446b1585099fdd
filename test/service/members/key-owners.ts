import type {WorkspaceKeys} from '../../../src/store/core/keys.js';

/**
 * Keys without personal data: the service's own ids, numbers, encrypted or impersonal values, and values that
 * expire within minutes.
 */
type Impersonal =
  | 'changes'
  | 'credential'
  | 'delivery'
  | 'deliveryBlock'
  | 'earlierSecrets'
  | 'erasure'
  | 'events'
  | 'head'
  | 'heads'
  | 'health'
  | 'idempotency'
  | 'importPeople'
  | 'importProgress'
  | 'inflight'
  | 'invited'
  | 'list'
  | 'liveToken'
  | 'looks'
  | 'muted'
  | 'noticesDue'
  | 'mails'
  | 'mailSecret'
  | 'mailsDue'
  | 'mailsOf'
  | 'inbox'
  | 'inboxItems'
  | 'passkeyUse'
  | 'pending'
  | 'quota'
  | 'remindPending'
  | 'consumerFailure'
  | 'ready'
  | 'replay'
  | 'replayed'
  | 'replaying'
  | 'replays'
  | 'runPosts'
  | 'runSteps'
  | 'secret'
  | 'slackComment'
  | 'slackCopy'
  | 'slackDay'
  | 'slackDigest'
  | 'slackInstallation'
  | 'slackLease'
  | 'slackMessage'
  | 'slackPace'
  | 'slackPost'
  | 'slackPromptsOf'
  | 'slackPublic'
  | 'slackQueue'
  | 'slackThrottle'
  | 'slackToken'
  | 'slackTroubles'
  | 'slackSlots'
  | 'slackUnreachable'
  | 'slackWeek'
  | 'starts'
  | 'teamMembers'
  | 'tokenUse'
  | 'tries'
  | 'unread'
  | 'waiting'
  | 'waysIn'
  | 'webhookHeaders'
  | 'webhookState';

/**
 * `pattern`: matches the line of a dump for such a key with a person's data. `erasedBy`: the step that erases
 * that data.
 */
interface OwnedKey {
  readonly pattern: RegExp;
  readonly erasedBy: 'kinds' | 'deleteMember' | 'forgetResponses' | 'forgetMails' | 'slackPeople';
}

/**
 * Keys that may contain texts, a name or the Slack id of a person. Each new key must be in one of the two
 * lists.
 */
export const personal: Record<Exclude<keyof WorkspaceKeys, Impersonal>, OwnedKey> = {
  record: {pattern: /:r:/, erasedBy: 'kinds'},
  revisions: {pattern: /:v:/, erasedBy: 'kinds'},
  drafts: {pattern: /:h:/, erasedBy: 'deleteMember'},
  slackStatus: {pattern: /:k:[^:]+:status/, erasedBy: 'deleteMember'},
  names: {pattern: /:n:/, erasedBy: 'deleteMember'},
  excerpts: {pattern: /:excerpts /, erasedBy: 'forgetResponses'},
  mail: {pattern: /:j:[^:]+ /, erasedBy: 'forgetMails'},
  slackReady: {pattern: /:ready:slack /, erasedBy: 'slackPeople'},
  slackPrompt: {pattern: /:z:[^:]+:\d{4}/, erasedBy: 'slackPeople'},
  slackNotice: {pattern: /:x:U/, erasedBy: 'slackPeople'},
  slackPending: {pattern: /:c:U[^:]+:pending/, erasedBy: 'slackPeople'},
  slackKept: {pattern: /:c:U[^:]+:kept/, erasedBy: 'slackPeople'},
  slackPicture: {pattern: /:c:U[^:]+:picture/, erasedBy: 'slackPeople'},
  slackLocale: {pattern: /:c:U[^:]+:locale/, erasedBy: 'slackPeople'},
  slackTrouble: {pattern: /:c:C[^:]+:trouble/, erasedBy: 'slackPeople'},
  teamRest: {pattern: /:f:/, erasedBy: 'slackPeople'},
  typed: {pattern: /:c:U[^:]+:typed/, erasedBy: 'slackPeople'},
};

/** Keys that contain data while Slack has a message to send. */
export const inSlack = Object.entries(personal).flatMap(([key, {erasedBy}]) =>
  erasedBy === 'slackPeople' ? [key] : [],
);

/** Lists the kinds of keys in a dump, to check that data existed before an erasure. */
export function kindsOf(traces: readonly string[]): string[] {
  return Object.entries(personal).flatMap(([kind, {pattern}]) =>
    traces.some((trace) => pattern.test(trace)) ? [kind] : [],
  );
}
