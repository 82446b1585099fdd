import {type Access, type Credential, type EntryPoint, operatorId, type PrincipalId} from './access.js';
import {type Id, idPrefixes, isId, storedId} from './ids.js';

/** The person or program that made a change, by ids only, which say nothing about an erased person. */
export interface Actor {
  /** `operator`: the person who runs the installation. `system`: the service itself, as by a schedule. */
  readonly type: 'member' | 'service_account' | 'operator' | 'system';
  /** The id of the member or service account; null for other types. */
  readonly id: PrincipalId | null;
  /** The id of the access token; null without a token of this installation. */
  readonly token: Id<'access_token'> | null;
  readonly source: EntryPoint;
  /**
   * The request id, which the answer and the log also contain. Null if there was none, or if the caller chose
   * an id that may name a person.
   */
  readonly request_id: string | null;
}

/** The caller of a change, as the change records it. */
export interface ActingCaller {
  readonly principal?: Access['principal'];
  readonly token?: Pick<Credential, 'id'>;
  readonly entryPoint?: EntryPoint;
  readonly requestId?: string | undefined;
}

export function createActor({principal, token, entryPoint, requestId}: ActingCaller): Actor | undefined {
  if (principal === undefined || entryPoint === undefined) return undefined;
  const hasId = isId(principal.type, principal.id);
  const program = principal.id === operatorId && entryPoint === 'cli' ? 'operator' : 'system';
  return {
    type: hasId ? principal.type : program,
    id: hasId ? principal.id : null,
    token: token !== undefined && isId('access_token', token.id) ? token.id : null,
    source: entryPoint,
    request_id: requestId !== undefined && isSafeRequestId(requestId) ? requestId : null,
  };
}

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** True for a request id that cannot name a person. The log is kept after a person is erased. */
function isSafeRequestId(requestId: string): boolean {
  return isId('request', requestId) || uuid.test(requestId);
}

const entryPointCodes: Readonly<Record<EntryPoint, string>> = {
  api: 'a',
  mcp: 'm',
  slack: 's',
  cli: 'c',
  dashboard: 'd',
  system: 'y',
};

/** Formats an actor for a log entry: entry point, principal, token and request, without id prefixes. */
export function formatActor({type, id, token, source, request_id: request}: Actor): string {
  const principal = id === null ? type.charAt(0) : `${type.charAt(0)}${removeIdPrefix(id)}`;
  const parts = [
    entryPointCodes[source],
    principal,
    token === null ? '' : removeIdPrefix(token),
    request ?? '',
  ];
  return parts.join(' ').trimEnd();
}

export function parseActor(text: string): Actor {
  const [entryPoint, principal = '', token = '', request = ''] = text.split(' ');
  const [source = 'system'] = (Object.keys(entryPointCodes) as EntryPoint[]).filter(
    (one) => entryPointCodes[one] === entryPoint,
  );
  const suffix = principal.slice(1);
  const [type, system] = [principal.charAt(0), suffix === ''] as const;
  return {
    type: system ? (type === 'o' ? 'operator' : 'system') : type === 'm' ? 'member' : 'service_account',
    id: system
      ? null
      : storedId(`${type === 'm' ? idPrefixes.member : idPrefixes.service_account}_${suffix}`),
    token: token === '' ? null : storedId(`${idPrefixes.access_token}_${token}`),
    source,
    request_id: request === '' ? null : request,
  };
}

function removeIdPrefix(id: Id): string {
  return id.slice(id.indexOf('_') + 1);
}
