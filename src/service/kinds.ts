import {joinCommitParts} from '../domain/commit/commit.js';
import type {RemovalMode} from '../domain/commit/writes.js';
import type {AccessToken, PrincipalId} from '../domain/core/access.js';
import {lifetimes} from '../domain/core/limits.js';
import {lists} from '../domain/core/lists.js';
import {parseWire, type Resource} from '../domain/core/resource.js';
import {presentStandupRevision} from '../domain/standups/standup.js';
import {planAbsenceRemoval, eraseReason, removeNameOfEnterer} from './absences/absence-plans.js';
import {
  createDeleteBlockerWrites,
  createRemoveBlockerWrite as leaveBlocker,
} from './blockers/blocker-records.js';
import {
  createDeleteCommentPart,
  createRemoveCommentWrite as leaveComment,
} from './comments/comment-records.js';
import {abandonImport, removeImport} from './imports/import-records.js';
import {createRemoveInviteWrites, leaveIssuer, leaveMaker} from './invites/invite-records.js';
import type {Kinds, Pages, Reason} from './core/kind-rules.js';
import {createRemoveRunWrites as leaveRun} from './runs/run-plans.js';
import {createDeleteReactionWrites, createRemoveReactionWrite} from './reactions/reaction-records.js';
import {
  createDeletionEvent,
  createRemoveStandupWrite as leaveStandup,
  createRemoveStandupWrites as leaveStandupWithThread,
} from './standups/change-standup.js';
import {createRemoveMembershipWrites as leaveTeam} from './teams/membership-writes.js';
import {createPasskeyRemoval} from './tokens/passkey-records.js';
import {createTokenRemoval} from './tokens/token-lines.js';
import {suffixOf} from '../domain/core/ids.js';

const impersonal = {nothing: 'names no one'};
const byIdAlone = {nothing: 'names its creator by id alone, which says nothing about an erased person'};
const noText = {nothing: 'holds nothing that people wrote day by day'};
const teamless = {nothing: 'belongs to no team'};
const open = {nothing: 'nothing of it is encrypted'};

/** Returns the rules of a kind without a list of its own. `what`: it is removed with that kind. */
const goesWith = (what: string) => {
  const elsewhere: Reason = {elsewhere: `goes with ${what}`};
  return {person: elsewhere, retention: elsewhere, team: elsewhere, personExport: elsewhere, encrypted: open};
};

const clearToken = (token: AccessToken, how: RemovalMode) => ({writes: createTokenRemoval(token, how)});

const earlierState = (earlier: Resource): Resource => ({...earlier, object: `${earlier.object}_revision`});

/**
 * The rules of every kind of resource that has an id. A new kind does not compile until it has all rules. The
 * service that looks up a rule also applies it.
 */
const withStandup: Reason = {
  elsewhere: 'goes with its standup, by a job that its removal begins (clear-thread.ts)',
};

export const kinds: Kinds = {
  workspace: {
    person: impersonal,
    retention: {nothing: 'says itself how long things are kept'},
    team: teamless,
    personExport: impersonal,
    workspaceExport: 'getWorkspace',
    encrypted: ['slack-installation'],
  },
  member: {
    person: {elsewhere: 'deleteMember takes it away, with its names; what is in this table follows'},
    retention: noText,
    team: {nothing: 'people stay in their other teams'},
    personExport: {elsewhere: 'exportPerson begins with it'},
    workspaceExport: 'listMembers',
    encrypted: open,
  },
  service_account: {
    person: {nothing: 'a program is no person'},
    retention: noText,
    team: teamless,
    personExport: {nothing: 'a program is no person'},
    workspaceExport: 'listServiceAccounts',
    encrypted: open,
  },
  team: {
    person: impersonal,
    retention: noText,
    team: {elsewhere: 'deleteTeam takes it away; what is in this table follows'},
    personExport: impersonal,
    workspaceExport: 'listTeams',
    encrypted: open,
  },
  team_member: {
    person: [
      {
        list: lists.teamsOfMember,
        counted: 'team_places',
        clear: (membership, how) => ({
          writes: [...leaveTeam(membership, how), {do: 'ask-look', team: suffixOf(membership.team_id)}],
        }),
      },
    ],
    retention: noText,
    team: {
      list: lists.teamMembers,
      clear: (membership, how) => ({writes: leaveTeam(membership, how)}),
      // Memberships stay until everything that members created in the team is removed.
      last: true,
    },
    personExport: {scope: 'teams:read', read: (source, id) => [source.list(lists.teamsOfMember(id))]},
    workspaceExport: 'listTeamMembers',
    encrypted: open,
  },
  access_token: {
    person: [
      {list: lists.accessTokensOf, counted: 'access_tokens', clear: clearToken},
      {list: lists.accessTokensBy, counted: 'access_tokens', clear: clearToken},
    ],
    retention: {nothing: 'ends by itself (`expires_at`)'},
    team: teamless,
    personExport: {
      scope: 'tokens:manage',
      read: (source, id) => [
        source.tokens(lists.accessTokensOf(id)),
        excludeOwnTokens(source.tokens(lists.accessTokensBy(id)), id),
      ],
    },
    workspaceExport: 'listTokens',
    encrypted: ['shown-once'],
  },
  invite: {
    // Its own address goes when it is accepted, or with the member who has that address (remove-member.ts).
    person: [
      {list: lists.invitesBy, counted: 'traces', clear: leaveMaker},
      {list: lists.invitesIssuedBy, counted: 'traces', clear: leaveIssuer},
    ],
    retention: {
      list: lists.invitesByEnd(),
      days: lifetimes.inviteKept / 86_400,
      expire: (invite) => ({writes: createRemoveInviteWrites(invite, 'erase')}),
    },
    team: {nothing: 'may lead into other teams too; it passes over this one'},
    personExport: {
      scope: 'members:read',
      read: (source, id) => [source.list(lists.invitesBy(id))],
    },
    workspaceExport: 'listInvites',
    encrypted: ['shown-once'],
  },
  mail: {
    // An erasure deletes the mails of the person (forget-member.ts).
    person: {elsewhere: 'a queued mail of a person who has left is dropped; forgetMember deletes all'},
    retention: {nothing: 'goes 30 days after it was queued'},
    team: teamless,
    personExport: {nothing: 'has no text; says only that a message went to the person’s own address'},
    workspaceExport: {nothing: 'says what became of messages, and goes after 30 days'},
    encrypted: ['mail'],
  },
  passkey: {
    person: [
      {
        list: lists.passkeysOf,
        counted: 'access_tokens',
        clear: (passkey, how) => ({writes: createPasskeyRemoval(passkey, how)}),
      },
    ],
    retention: {nothing: 'is no text, and stays until it is removed'},
    team: teamless,
    personExport: {scope: 'tokens:manage', read: (source, id) => [source.list(lists.passkeysOf(id))]},
    workspaceExport: {elsewhere: 'exportMember: only its holder sees it'},
    encrypted: open,
  },
  absence: {
    person: [
      {list: lists.absencesOf, counted: 'absences', clear: planAbsenceRemoval},
      // Absences that the person entered for other members stay, but without the person's name.
      {list: lists.absencesEnteredBy, counted: 'traces', onlyErased: true, clear: removeNameOfEnterer},
    ],
    // Absences without a reason stay, so each pass has to skip all of them.
    retention: {list: lists.absences(), expire: eraseReason, last: true},
    team: {nothing: 'is its person’s, also one that is about a single team'},
    personExport: {
      read: (source, id) => [source.list(lists.absencesOf(id)), source.list(lists.absencesEnteredBy(id))],
      presentEarlier: earlierState,
    },
    workspaceExport: 'exportAbsences',
    encrypted: open,
  },
  blocker: {
    person: [
      {list: lists.blockersOf, counted: 'blockers', onlyErased: true, clear: createDeleteBlockerWrites},
    ],
    retention: {
      // A resolved blocker expires by the day on which it was resolved. An open one stays, or goes with the
      // only standup that raised it.
      list: lists.blockersByEnd(),
      expire: (blocker) => ({writes: [leaveBlocker(blocker, 'erase')]}),
    },
    team: {
      list: lists.blockersOfTeam,
      clear: (blocker, how) => ({writes: [leaveBlocker(blocker, how)]}),
    },
    personExport: {
      scope: 'standups:read',
      read: (source, id) => [source.list(lists.blockersOf(id))],
      presentEarlier: earlierState,
    },
    workspaceExport: 'listBlockers',
    encrypted: open,
  },
  comment: {
    person: [{list: lists.commentsBy, counted: 'comments', onlyErased: true, clear: createDeleteCommentPart}],
    retention: withStandup,
    team: {
      list: lists.commentsOfTeam,
      clear: (comment, how) => ({writes: [leaveComment(comment, how)]}),
    },
    personExport: {
      scope: 'standups:read',
      read: (source, id) => [source.list(lists.commentsBy(id))],
      presentEarlier: earlierState,
    },
    workspaceExport: 'listComments',
    encrypted: open,
  },
  reaction: {
    person: [
      {list: lists.reactionsBy, counted: 'reactions', onlyErased: true, clear: createDeleteReactionWrites},
    ],
    retention: withStandup,
    team: {
      list: lists.reactionsOfTeam,
      clear: (reaction, how) => ({writes: [createRemoveReactionWrite(reaction, how)]}),
    },
    personExport: {
      scope: 'standups:read',
      read: (source, id) => [source.list(lists.reactionsBy(id))],
      presentEarlier: earlierState,
    },
    workspaceExport: 'listReactions',
    encrypted: open,
  },
  run: {
    person: {nothing: 'refers to people by their ids; its report shows null for who was erased'},
    retention: {nothing: 'its report refers to words, which go with what they are of; the counts stay'},
    team: {list: lists.runsOfTeam, clear: (run, how) => ({writes: leaveRun(run, how)})},
    personExport: {elsewhere: 'getMemberParticipation shows what runs say of somebody'},
    workspaceExport: 'listRuns',
    encrypted: open,
  },
  standup: {
    person: [
      {
        list: lists.standupsOfAuthor,
        counted: 'standups',
        onlyErased: true,
        clear: (standup, how) => ({
          writes: leaveStandupWithThread(standup, how),
          events: [createDeletionEvent(standup)],
        }),
      },
    ],
    retention: {
      list: lists.standups(),
      expire: async (standup, company) =>
        joinCommitParts([{writes: leaveStandupWithThread(standup, 'erase')}, await company(standup)]),
    },
    team: {
      list: lists.standupsOfTeam,
      clear: (standup, how) => ({writes: [leaveStandup(standup, how)]}),
    },
    personExport: {
      scope: 'standups:read',
      read: (source, id) => [source.standupsOf(id)],
      presentEarlier: presentStandupRevision,
    },
    workspaceExport: 'exportStandups',
    encrypted: open,
  },
  standup_revision: {...goesWith('its standup'), workspaceExport: 'listStandupRevisions'},
  holiday_calendar: {
    person: impersonal,
    retention: noText,
    team: teamless,
    personExport: impersonal,
    workspaceExport: 'listHolidayCalendars',
    encrypted: open,
  },
  webhook: {
    person: byIdAlone,
    retention: noText,
    team: {nothing: 'may be for other teams too; it hears no more of this one'},
    personExport: byIdAlone,
    workspaceExport: 'listWebhooks',
    encrypted: ['webhook-secret', 'webhook-headers', 'shown-once'],
  },
  event: {
    ...goesWith('the log, after RETENTION_DAYS; it refers to revisions, and says null once they are gone'),
    workspaceExport: 'listEvents',
  },
  delivery: {...goesWith('its event'), workspaceExport: 'listDeliveries'},
  attempt: {
    ...goesWith('its delivery'),
    person: {elsewhere: 'forgetMember forgets what receivers answered'},
    workspaceExport: 'listAttempts',
  },
  replay: {...goesWith('its webhook, or 30 days after its end'), workspaceExport: 'listReplays'},
  erasure: {
    ...goesWith('its time, 90 days; once it is done it names no one'),
    workspaceExport: 'listErasures',
  },
  import: {
    person: impersonal,
    retention: [
      // A period of days ends at midnight of the second day after it.
      {list: lists.openImports(), days: lifetimes.importOpen / 86_400 - 1, expire: abandonImport},
      {list: lists.imports(), days: lifetimes.importKept / 86_400, expire: removeImport},
    ],
    team: teamless,
    personExport: impersonal,
    workspaceExport: 'listImports',
    encrypted: open,
  },
  request: {
    ...goesWith('its answer; no store keeps it'),
    workspaceExport: {nothing: 'no store keeps it'},
  },
};

/** Leaves out the person's own tokens, which are in another list of the export. */
async function* excludeOwnTokens(pages: Pages<AccessToken>, person: PrincipalId): Pages<AccessToken> {
  for await (const rows of pages) yield rows.filter((json) => parseWire(json).holder.id !== person);
}
