/** Answers that boot.ts has asked for while the rest of the app was under way; each is taken once. */
export interface FirstAnswers {
  /** The token of the session, whatever the door says. */
  token: Promise<Response> | undefined;
  /** By path and query. */
  readonly reads: Map<string, Promise<Response | undefined>>;
}

declare global {
  var standupFirstAnswers: FirstAnswers | undefined;
}

export function takeFirstToken(): Promise<Response> | undefined {
  const first = globalThis.standupFirstAnswers;
  const taken = first?.token;
  if (first !== undefined) first.token = undefined;
  return taken;
}

/** Undefined for what was not asked, or not to be had. */
export async function takeFirstRead(path: string): Promise<Response | undefined> {
  const reads = globalThis.standupFirstAnswers?.reads;
  const taken = reads?.get(path);
  reads?.delete(path);
  return taken;
}
