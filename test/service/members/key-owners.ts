import type {WorkspaceKeys} from '../../../src/store/core/keys.js';

/**
 * Keys with ids of ours, numbers, what is encrypted or belongs to no person, and what is gone within minutes
 * (leases, paces).
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
  | 'inflight'
  | 'list'
  | 'liveToken'
  | 'looks'
  | 'pending'
  | 'quota'
  | 'consumerFailure'
  | 'ready'
  | 'replay'
  | 'replayed'
  | 'replaying'
  | 'replays'
  | 'runPosts'
  | 'runSteps'
  | 'secret'
  | 'slackDay'
  | 'slackDigest'
  | 'slackInstallation'
  | 'slackLease'
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
  | 'waiting'
  | 'waysIn'
  | 'webhookHeaders'
  | 'webhookState';

/** `pattern`: a line of a dump with such a key that tells of a person. `erasedBy`: what takes it away. */
interface OwnedKey {
  readonly pattern: RegExp;
  readonly erasedBy: 'kinds' | 'deleteMember' | 'forgetResponses' | 'slackPeople';
}

/** All other keys may hold words, a name or Slack's id of a person. A new key is one or the other. */
export const personal: Record<Exclude<keyof WorkspaceKeys, Impersonal>, OwnedKey> = {
  record: {pattern: /:r:/, erasedBy: 'kinds'},
  revisions: {pattern: /:v:/, erasedBy: 'kinds'},
  names: {pattern: /:n:/, erasedBy: 'deleteMember'},
  excerpts: {pattern: /:excerpts /, erasedBy: 'forgetResponses'},
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

/** Keys that hold something as soon as Slack is to tell somebody something. */
export const inSlack = Object.entries(personal).flatMap(([key, {erasedBy}]) =>
  erasedBy === 'slackPeople' ? [key] : [],
);

/** So that what is looked for after an erasure was there before it. */
export function kindsOf(traces: readonly string[]): string[] {
  return Object.entries(personal).flatMap(([kind, {pattern}]) =>
    traces.some((trace) => pattern.test(trace)) ? [kind] : [],
  );
}
