import {emptyCommit} from '../../domain/commit/commit.js';
import {type Call, createCallByService, type RequestContext, type Scope} from '../../domain/core/access.js';
import {fieldError, refusalForPeople} from '../../domain/core/errors.js';
import type {Id} from '../../domain/core/ids.js';
import {lifetimes} from '../../domain/core/limits.js';
import {type CodeSubject, createCodeExpiredError} from '../../domain/tokens/sign-in-code.js';
import type {VouchedMember} from '../../domain/tokens/sign-in.js';
import type {Member, Workspace} from '../../domain/workspaces/workspace.js';
import type {ServiceContext} from '../core/context.js';
import {createAddressProver} from '../core/email-status.js';
import {findByAddress, isUnconfirmedOwner} from '../core/member-references.js';
import {createQueueMailWrites} from '../core/queue-mail.js';
import {createMailedCodes, type StartedCode} from './mailed-codes.js';
import type {SignInRequest, VerifiedSession} from './sessions.js';

export type SignInCodes = ReturnType<typeof createSignInCodes>;

/** Signing in by a code that is mailed to the member's own address. */
export function createSignInCodes(context: ServiceContext) {
  const {mutate, records, workspaces, generateSuffix} = context;
  const codes = createMailedCodes(context);
  const proveAddress = createAddressProver(context);

  async function findWorkspace(named: string, deadline: number): Promise<Workspace | undefined> {
    const reference = named.toLowerCase();
    if (reference !== '') return workspaces.findByReference(reference, deadline);
    const few = await workspaces.listFew(deadline);
    return few?.length === 1 ? few[0] : undefined;
  }

  /** Finds the member that a mail to an address may sign in. */
  async function findMember(asked: RequestContext, email: string): Promise<Member | undefined> {
    const member = await findByAddress(records, asked, email);
    return member === undefined || (await isUnconfirmedOwner(records, asked, member)) ? undefined : member;
  }

  /** Mails a code to the member with the address. Does nothing if there is none, or another one confirms. */
  async function mailCode(
    subject: CodeSubject,
    {code, at}: StartedCode,
    {deadline, requestId}: SignInRequest,
  ): Promise<void> {
    const workspace = (await findWorkspace(subject.workspace, deadline))?.id;
    const found = workspace && (await findMember({workspace, deadline}, subject.email));
    if (workspace === undefined || found === undefined || !isMeant(subject, found)) return;
    const {id, name} = found;
    const call: Call = {
      workspace,
      principal: {type: 'member', id, name},
      scopes: new Set<Scope>(),
      deadline,
      entryPoint: 'dashboard',
      ...(requestId !== undefined && {requestId}),
    };
    const suffix = generateSuffix();
    await mutate(call, async () => {
      const member = await findMember(call, subject.email);
      if (member === undefined || member.email === null || member.id !== id) return emptyCommit;
      const queued = createQueueMailWrites(context, {
        suffix,
        fact: {
          kind: 'sign_in_code',
          workspace: subject.workspace,
          ...(subject.confirms !== undefined && {confirms: true}),
        },
        to: member.email,
        member: id,
        secret: code,
        until: at + lifetimes.signInCode * 1_000,
      });
      const guard = {check: 'revision', id, revision: member.revision} as const;
      return {...emptyCommit, lets: id, guards: [guard], writes: queued};
    });
  }

  return {
    /**
     * Starts a code for an address, whether or not anybody has it, and returns the function that mails it. The
     * caller answers first, so that the time of the answer does not tell whether the person exists. Errors:
     * `validation_failed` if there are several workspaces and none is named; `rate_limited`.
     */
    async ask(
      subject: CodeSubject,
      {deadline, requestId}: SignInRequest,
    ): Promise<(deadline: number) => Promise<void>> {
      if (subject.workspace === '' && (await workspaces.count(deadline)) > 1)
        throw fieldError('validation_failed', '#/workspace', '`workspace` must name your workspace.');
      const started = await codes.start(subject, deadline);
      return (later) => mailCode(subject, started, {deadline: later, requestId});
    },
    /**
     * Takes a code. Returns the member, and when the code was asked for (ms): it signs in no one who was
     * changed since. Errors: `invalid_token`, the same for a wrong code and an unknown address.
     */
    async take(
      subject: CodeSubject,
      typed: string,
      {deadline}: SignInRequest,
    ): Promise<VouchedMember & {readonly provenAt: number}> {
      const provenAt = await codes.take(subject, typed, deadline);
      const workspace = (await findWorkspace(subject.workspace, deadline))?.id;
      const member = workspace && (await findMember({workspace, deadline}, subject.email));
      if (workspace === undefined || member === undefined || !isMeant(subject, member))
        throw createCodeExpiredError();
      return {workspace, member: member.id, provenAt};
    },
    /** Records that a member has read a mail to their address. */
    proveAddress: ({workspace, member}: VouchedMember, email: string, deadline: number): Promise<void> =>
      proveAddress(createCallByService({workspace, deadline}), member, email),
    /** Returns the subject of a code that confirms a session: its member's own address. Errors: `forbidden`. */
    async findOwnSubject(
      {workspace, token}: VerifiedSession,
      {deadline}: SignInRequest,
    ): Promise<CodeSubject> {
      const id = token.holder.id as Id<'member'>;
      const {email = null} = (await records.find(workspace, id, deadline)) ?? {};
      if (email === null) throw refusalForPeople('forbidden', 'You have no email address here.');
      return {workspace, email, confirms: id};
    },
  };
}

/** The address of a member who confirms may have become that of another one meanwhile. */
function isMeant({confirms}: CodeSubject, {id}: Member): boolean {
  return confirms === undefined || confirms === id;
}
