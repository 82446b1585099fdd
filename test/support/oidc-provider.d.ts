/** The parts of the package `oidc-provider` that tests use; the package itself has no types. */
declare module 'oidc-provider' {
  import type {IncomingMessage, RequestListener, ServerResponse} from 'node:http';
  export class Provider {
    constructor(issuer: string, configuration: object);
    callback(): RequestListener;
    interactionDetails(
      request: IncomingMessage,
      response: ServerResponse,
    ): Promise<{prompt: {name: string}; params: {client_id: string}; session?: {accountId: string}}>;
    interactionResult(request: IncomingMessage, response: ServerResponse, result: object): Promise<string>;
    Grant: new (of: {
      accountId: string | undefined;
      clientId: string;
    }) => {
      addOIDCScope(scopes: string): void;
      save(): Promise<string>;
    };
  }
}
