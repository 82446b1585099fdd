/** What the tests use of the package, which comes without types. */
declare module 'oidc-provider' {
  import type {RequestListener} from 'node:http';
  export class Provider {
    constructor(issuer: string, configuration: object);
    callback(): RequestListener;
  }
}
