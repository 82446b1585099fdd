export interface SignInSearch {
  readonly to?: string;
  /** The error code of a failed sign-in, and the request id with which operators find it in the log. */
  readonly problem?: string;
  readonly request?: string;
}

export function readSignInSearch({to, problem, request}: Record<string, unknown>): SignInSearch {
  return {
    ...(typeof to === 'string' && {to}),
    ...(typeof problem === 'string' && {problem}),
    ...(typeof request === 'string' && /^[\w-]{1,100}$/.test(request) && {request}),
  };
}
