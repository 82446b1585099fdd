import {z} from 'zod';
import {type Language, languages} from '../core/compiled/languages.js';
import {namedPrincipalReference, principalReference} from '../core/access.js';
import {lifetimes, limits} from '../core/limits.js';
import {addRulesToSchema, forbidBothFields} from '../core/member-rules.js';
import {suffixOf} from '../core/ids.js';
import {id, type Infer, instant, oneOf, open, reference, resource} from '../core/schemas.js';
import type {MailState} from '../mail/mail.js';
import {teamRoles, type TeamRole} from '../teams/team.js';
import type {CodeSubject} from '../tokens/sign-in-code.js';
import {formatPass, type Pass} from '../tokens/session.js';
import {email} from '../workspaces/workspace.js';
import {emailDomainPattern} from './email-domain.js';

/** The page that accepts an invite. As in a sign-in link, the secret is in the URL's fragment. */
const joinPath = '/app/join';

export const inviteStates = ['open', 'used', 'expired', 'revoked', 'blocked'] as const;
export type InviteState = (typeof inviteStates)[number];

/** The roles that an invite may give. Only owners make owners, and never by a link. */
const invitedRoles = ['member', 'admin'] as const;
export type InvitedRole = (typeof invitedRoles)[number];

export const inviteRevisionSchema = resource('invite', {
  email: z.string().nullable().meta({
    description: 'The invited address. Null: a link with which several people can join.',
  }),
  email_domain: z.string().nullable().meta({
    description:
      'The domain of the addresses that can join by a link, in ASCII. Domains below it are others. Null: any address, or none.',
  }),
  role: open<InvitedRole>({description: 'The role in the workspace: `member` or `admin`.'}),
  teams: z
    .array(z.object({team_id: id('team'), role: open<TeamRole>({description: 'The role in the team.'})}))
    .meta({description: 'The teams that a person joins. Teams that were deleted are passed over.'}),
  max_uses: z.int().meta({description: 'How many people can join.'}),
  uses: z.int().meta({description: 'How many people have joined.'}),
  locale: open<Language>()
    .nullable()
    .meta({
      examples: ['en'],
      description:
        'The language of e-mails about the invite, and of the member who joins with a browser of another one. Null: English.',
    }),
  state: open<InviteState>({
    description:
      'The state: `open`; `used`, as many people joined as can; `revoked`. What is read from the list can also be `expired`, or `blocked` as long as its creator, or one of `issued_by`, could not give what it gives.',
  }),
  expires_at: instant,
  created_by: principalReference.nullable().meta({
    description: 'The member or service account that created it. Null: the operator.',
  }),
  issued_by: z.array(principalReference).meta({
    description:
      'Who issued the access token with which it was created, or a token that made this one, if they are not its creator. Like its creator, they must be able to give what it gives.',
  }),
}).meta({id: 'InviteRevision', description: 'An invite, as in its events.'});

export const inviteUseSchema = inviteRevisionSchema
  .extend({accepted_by: principalReference.meta({description: 'The member who joined.'})})
  .meta({id: 'InviteUse', description: 'An invite, with the member who joined by it.'});

export const inviteSchema = inviteRevisionSchema
  .extend({
    created_by: namedPrincipalReference.nullable(),
    mail: z
      .object({
        id: id('mail'),
        state: open<MailState>({description: 'The state of the mail, as in `GET /v1/mails/{mail}`.'}),
        detail: z.string().nullable().meta({description: 'The answer of the mail server, if there is one.'}),
      })
      .nullable()
      .meta({
        description:
          'The mail with the link. Null: none was sent, or it was deleted with the address or after 30 days.',
      }),
  })
  .meta({id: 'Invite', description: 'An offer to join the workspace and some of its teams, by a link.'});

const usesMessage = `must be a whole number from 1 to ${limits.inviteUses}`;
const lifetimeMessage = `must be a whole number of seconds from ${lifetimes.inviteMin} (an hour) to ${lifetimes.inviteMax} (30 days)`;

export const newInviteSchema = addRulesToSchema(
  z.strictObject({
    emails: z
      .array(email)
      .min(1, 'names at least one address')
      .max(limits.emailsPerRequest, `has at most ${limits.emailsPerRequest} addresses`)
      .optional()
      .meta({
        description:
          'The addresses to invite. Each gets an invite of its own. Without it, the request creates one link for several people.',
        examples: [['grace@example.com']],
      }),
    teams: z
      .array(
        z.strictObject({
          team_id: reference,
          role: oneOf(teamRoles).optional().meta({description: 'The role in the team.', default: 'member'}),
        }),
      )
      .max(limits.teamsPerInvite, `has at most ${limits.teamsPerInvite} teams`)
      .optional()
      .meta({description: 'The teams to join.'}),
    role: oneOf(invitedRoles).optional().meta({
      description:
        'The role in the workspace. `admin` needs the scope `tokens:manage`, and only an owner can give it.',
      default: 'member',
    }),
    email_domain: z
      .string()
      .max(limits.emailDomain, `has at most ${limits.emailDomain} characters`)
      .regex(emailDomainPattern, 'must be a domain in ASCII, such as "example.com"')
      .optional()
      .meta({
        description:
          'Only addresses of exactly this domain, in ASCII, can join by the link. The address is proven by a code or a sign-in provider, so this is refused while both are off.',
        examples: ['example.com'],
      }),
    locale: oneOf(languages).optional().meta({
      description: 'The language of e-mails about the invite. English, if it is left out.',
    }),
    max_uses: z
      .int(usesMessage)
      .min(1, usesMessage)
      .max(limits.inviteUses, usesMessage)
      .optional()
      .meta({description: 'How many people can join by the link.', default: limits.inviteUsesDefault}),
    expires_in: z
      .int(lifetimeMessage)
      .min(lifetimes.inviteMin, lifetimeMessage)
      .max(lifetimes.inviteMax, lifetimeMessage)
      .optional()
      .meta({description: 'The seconds until it expires.', default: lifetimes.inviteDefault}),
  }),
  [
    forbidBothFields(['emails', 'max_uses'], 'cannot stand beside `emails`: an address joins once'),
    forbidBothFields(['emails', 'email_domain'], 'cannot stand beside `emails`: it is for a link'),
  ],
).meta({id: 'NewInvite', description: 'The fields of new invites.'});

/** An offer to join a workspace, as it is stored. Its maker is named without a name. */
export type Invite = Infer<typeof inviteRevisionSchema>;

/** An invite with its present state and the name of its maker, as callers see it. */
export type ShownInvite = Infer<typeof inviteSchema>;

export type NewInvite = Infer<typeof newInviteSchema>;

/**
 * Returns the present state of an invite at an instant (ms). `allowed`: its maker may still give what it
 * gives.
 */
export function computeInviteState({state, expires_at}: Invite, now: number, allowed: boolean): InviteState {
  if (state !== 'open') return state;
  if (Date.parse(expires_at) <= now) return 'expired';
  return allowed ? 'open' : 'blocked';
}

export function createJoinAddress(publicUrl: string, pass: Pass): string {
  return `${publicUrl}${joinPath}#${formatPass(pass)}`;
}

/**
 * Returns the subject of a code that proves an address to join by a link. It signs in nowhere: no workspace has
 * such a name.
 */
export function createJoinSubject({id: invite}: Pick<Invite, 'id'>, email: string): CodeSubject {
  return {workspace: `join:${suffixOf(invite)}`, email};
}

/** Shows an address to a person who only holds a link: its first letter, and its domain. */
export function maskEmail(address: string): string {
  const [first = ''] = address;
  return `${first}…${address.slice(address.lastIndexOf('@'))}`;
}
