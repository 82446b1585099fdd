import {X509Certificate} from 'node:crypto';
import {createSecureContext} from 'node:tls';
import type {SecureContext, SecureContextOptions} from 'node:tls';
import type {TlsSettings} from '../domain/webhooks/webhook-settings.js';
import type {AddressPolicy} from './address.js';

const certificate = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Returns why TLS settings cannot be used, as a sentence for people; undefined when they can. */
export function checkTls(tls: TlsSettings, policy: AddressPolicy): string | undefined {
  if (!policy.opensAny) {
    return 'TLS settings work only for addresses that the operator of this service has opened (WEBHOOK_ALLOW_NETWORKS), and none is open.';
  }
  return tls.ca === null ? undefined : checkCertificates(tls.ca);
}

function checkCertificates(pem: string): string | undefined {
  if (pem.includes('PRIVATE KEY-----')) {
    return 'The text holds a private key, which this service must not have. Send the certificate of the authority alone.';
  }
  const found = pem.match(certificate) ?? [];
  const rest = pem.replaceAll(certificate, '');
  if (found.length === 0 || rest.includes('-----BEGIN') || !found.every(isReadableCertificate)) {
    return 'The text must be one or more certificates in PEM, each from -----BEGIN CERTIFICATE----- to -----END CERTIFICATE-----.';
  }
  return undefined;
}

function isReadableCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).publicKey !== undefined;
  } catch {
    return false;
  }
}

type Trust = SecureContextOptions & {rejectUnauthorized?: boolean; secureContext?: SecureContext};

/** Creates the certificate settings for connections to an allowed network. Throws if unreadable. */
export function createTrustSettings({ca, verify}: TlsSettings, base: SecureContextOptions = {}): Trust {
  if (!verify) return {...base, rejectUnauthorized: false};
  if (ca === null) return base;
  // `addCACert` adds certificates to the usual authorities. The option `ca` would replace them, and reading
  // them again takes 0.1 s. Node itself uses the function for that option.
  const secureContext = createSecureContext(base);
  (secureContext.context as {addCACert: (pem: string) => void}).addCACert(ca);
  return {secureContext};
}

/** Returns a key that distinguishes TLS settings; empty for those that change nothing. */
export function composeTlsCacheKey(tls: TlsSettings | null | undefined): string {
  if (tls === undefined || tls === null) return '';
  return tls.verify ? (tls.ca ?? '') : 'unverified';
}
