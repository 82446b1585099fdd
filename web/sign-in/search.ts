export interface SignInSearch {
  readonly to?: string;
  /** Why a sign-in by a provider came to nothing, and the request by which the log says more. */
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
