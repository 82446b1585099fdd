import type {ExternalIdentity, Principal, TrustedIssuer} from '../domain/access.js';
import {AppError} from '../domain/errors.js';
import {isId} from '../domain/ids.js';
import {foldAddress} from '../domain/text.js';
import type {Member, ServiceAccount, Workspace} from '../domain/workspace.js';
import {findNamed} from './member-records.js';
import type {People} from './people.js';
import type {Records, Workspaces} from './stores.js';
import {operatorCall} from './workspaces.js';

export interface ExternalCallers {
  /**
   * For whom a token of a trusted issuer speaks, and where: a service account that the issuer's rules name for its subject (made on its
   * first use), else the member with its verified e-mail address. Nobody else, so no subject is let in by its mere existence.
   * Errors: `invalid_token`.
   */
  findCaller(
    identity: ExternalIdentity,
    deadline: number,
  ): Promise<{readonly workspace: string; readonly principal: Principal}>;
}

export function createExternalCallers({
  issuers,
  workspaces,
  records,
  people,
}: {
  readonly issuers: readonly TrustedIssuer[];
  readonly workspaces: Workspaces;
  readonly records: Records;
  readonly people: Pick<People, 'ensureServiceAccount'>;
}): ExternalCallers {
  /** One sentence for a workspace that does not exist and for one that the issuer may not speak for. */
  async function findWorkspace(
    rules: TrustedIssuer,
    claimed: string | undefined,
    deadline: number,
  ): Promise<Workspace> {
    const reference = claimed ?? rules.workspaces[0] ?? '';
    const found = isId('workspace', reference)
      ? await workspaces.find(reference, deadline)
      : await workspaces.findBySlug(reference.toLowerCase(), deadline);
    const allowed = rules.workspaces.some((one) => one === found?.id || one.toLowerCase() === found?.slug);
    if (found !== undefined && allowed) return found;
    throw refuse('is for a workspace that its issuer does not speak for');
  }

  return {
    async findCaller({issuer, subject, email, workspace: claimed}, deadline) {
      const rules = issuers.find((one) => one.issuer === issuer);
      if (rules === undefined) throw refuse('is of an issuer that is not trusted');
      const {id: workspace} = await findWorkspace(rules, claimed, deadline);
      const account = rules.serviceAccounts.get(subject);
      if (account !== undefined) {
        const call = operatorCall(workspace, deadline);
        const known = await findNamed<ServiceAccount>(records, call, 'service-account', account);
        const {id, name} = known ?? (await people.ensureServiceAccount(call, account));
        return {workspace, principal: {type: 'service_account', id, name}};
      }
      const member =
        email === undefined
          ? undefined
          : await findNamed<Member>(records, {workspace, deadline}, 'email', foldAddress(email));
      if (member === undefined) {
        throw refuse(
          'has a subject that is nobody here: no service account is named for it in TRUSTED_ISSUERS, and no member has its verified e-mail address',
        );
      }
      return {workspace, principal: {type: 'member', id: member.id, name: member.name}};
    },
  };
}

function refuse(what: string): AppError {
  return new AppError('invalid_token', `The access token ${what}.`);
}
