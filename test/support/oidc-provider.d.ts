/** The parts of the package that tests use; it has no types. */
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
