import type {Access, Call} from '../../domain/core/access.js';
import {toInstant} from '../../domain/core/dates.js';
import {isId} from '../../domain/core/ids.js';
import {limits} from '../../domain/core/limits.js';
import {lists} from '../../domain/core/lists.js';
import type {Me} from '../../domain/members/me.js';
import type {ServiceContext} from '../core/context.js';
import {listOwnTeams, type OwnTeam} from '../core/memberships.js';
import type {Inbox} from '../inbox/inbox.js';
import {createWorkspaceService} from '../workspaces/workspaces.js';

type TokenCall = Call & {readonly token: NonNullable<Access['token']>};

/** Returns the caller's own data. Errors: `invalid_token` for a member who has been removed. */
export function createCallerFinder(context: ServiceContext, {inbox}: {readonly inbox: Inbox}) {
  const {records, teams, authority, subscriptions, webhookFailing} = context;
  const {findWorkspace} = createWorkspaceService(context);

  async function listTeams(call: Call) {
    const directory = await teams.of(call);
    return (await listOwnTeams(records, directory, call, call.principal.id)).data;
  }

  async function countOpenBlockers(
    {workspace, deadline}: Call,
    own: readonly Pick<OwnTeam, 'id'>[],
  ): Promise<number> {
    const open = await Promise.all(
      own.map(({id}) => records.count(workspace, lists.openBlockersOfTeam(id), deadline)),
    );
    return open.reduce((sum, ofTeam) => sum + ofTeam, 0);
  }

  async function countFailingWebhooks(call: Call): Promise<number> {
    const {webhooks} = await subscriptions.fresh(call.workspace, call.deadline);
    const newest = webhooks
      .filter(({enabled}) => enabled)
      .toSorted((a, b) => b.since - a.since)
      .slice(0, limits.webhooksWatched);
    const hidden = await teams.listHidden(
      call,
      newest.flatMap((webhook) => webhook.teams ?? []),
    );
    const seen = newest.filter((webhook) => !webhook.teams?.some((id) => hidden.has(id)));
    return webhookFailing.count(
      call.workspace,
      seen.map(({suffix}) => suffix),
      call.deadline,
    );
  }

  return async function findMe(call: TokenCall): Promise<Me> {
    const {principal, scopes, token} = call;
    const isMember = isId('member', principal.id);
    const readsStandups = isMember && scopes.has('standups:read');
    const [{id, slug, name, leads_invite}, role, person, own, unread] = await Promise.all([
      findWorkspace(call),
      authority.findRole(call),
      isMember ? records.find(call.workspace, principal.id, call.deadline) : undefined,
      isMember && (scopes.has('teams:read') || readsStandups) ? listTeams(call) : [],
      readsStandups ? inbox.countUnread(call) : undefined,
    ]);
    const managesWebhooks =
      isMember && scopes.has('webhooks:manage') && (role === 'owner' || role === 'admin');
    const [open, failing] = await Promise.all([
      readsStandups ? countOpenBlockers(call, own) : undefined,
      managesWebhooks ? countFailingWebhooks(call) : undefined,
    ]);
    return {
      object: 'me',
      // The name in the token's principal may be half a minute old.
      principal: person === undefined ? principal : {...principal, name: person.name},
      workspace: {id, slug, name, leads_invite},
      scopes: [...scopes],
      expires_at: toInstant(token.expiresAt),
      role,
      timezone: person?.timezone ?? null,
      teams: scopes.has('teams:read') ? own : null,
      inbox: unread === undefined ? null : {unread},
      blockers: open === undefined ? null : {open},
      webhooks: failing === undefined ? null : {failing},
    };
  };
}
